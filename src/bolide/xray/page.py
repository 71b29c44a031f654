"""Makes the X-ray page: one self-contained HTML file.

The page is page/page.html with its styles and scripts, in the order of STYLES and SCRIPTS. It includes the
payload (bolide.xray.payload) and Vega, which draws the plots. Both are gzip in base64: small, and without
characters that could end their element. The browser unpacks them.

Text is only data. The scripts make text nodes from it, never markup. The Content-Security-Policy of the page
allows only its own scripts and styles, by their hashes, and no requests.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from bolide._support import palette
from bolide._support.visible import visible
from bolide._version import __version__
from bolide.xray.payload import to_json
from bolide.xray.vega import vega_bundle

STYLES = ("style.css", "overview.css", "segments.css", "analysis.css", "print.css")
# In this order, because later scripts use earlier ones. The last one starts the page.
SCRIPTS = (
    *(
        "dom.js",
        "systems.js",
        "wording.js",
        "report.js",
        "filters.js",
        "others.js",
        "picks.js",
        "contribution.js",
    ),
    *("sourcewords.js", "labelngrams.js", "analysis.js", "state.js", "arithmetic.js"),
    *("matches.js", "leftout.js", "drawing.js", "matrix.js", "ribbons.js", "pointing.js", "save.js"),
    *("plots.js", "gestures.js", "living.js", "plot.js", "legend.js"),
    *("ranking.js", "overview.js", "compared.js", "list.js", "export.js", "filterbar.js"),
    *("sum.js", "media.js", "texts.js", "segment.js", "contrasts.js", "words.js", "groups.js"),
    *("keys.js", "printing.js", "trail.js", "main.js"),
)
LEVEL = 5  # of compression: 6 takes twice as long and saves 6%, 9 six times and 8%


def html(payload: Mapping[str, Any]) -> str:
    """The page for a payload."""
    style, script, vega = styles(), scripts(), vega_bundle()
    return Template(_part("page.html")).substitute(
        policy=_policy(style, (script, vega)),
        version=escape(__version__),
        title=escape(visible(payload["title"] or "X-ray")),
        style=style,
        script=script,
        colours=json.dumps(_variables()),
        payload=_packed(to_json(dict(payload))),
        vega=_packed(vega.encode()),
    )


def styles() -> str:
    """All style sheets, the colours of palette.py first."""
    return "\n".join([_colours(), *map(_part, STYLES)])


def scripts(*, start: bool = True) -> str:
    """All scripts as one, in a private scope. For tests without `start`, and in the global scope."""
    if not start:
        return "\n".join(map(_part, SCRIPTS[:-1]))
    return "\n".join(["(() => {", '"use strict";', *map(_part, SCRIPTS), "})();"])


@cache
def _part(name: str) -> str:
    return (files("bolide.xray") / "page" / name).read_text(encoding="utf-8")


def _packed(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, LEVEL, mtime=0)).decode("ascii")


def _policy(style: str, scripts: tuple[str, ...]) -> str:
    allowed = {
        "default-src": "'none'",
        "script-src": " ".join(map(_hash, scripts)),
        "style-src": _hash(style),
        "img-src": "data: blob:",
        "media-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{what} {sources}" for what, sources in allowed.items())


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


def _colours() -> str:
    """The colours of modules and systems as CSS variables, and the classes that use them."""
    lines = []
    for k, (light, dark) in enumerate(zip(palette.LIGHT, palette.DARK, strict=True)):
        soft = palette.tint(light, 0.45), f"color-mix(in srgb, {dark} 38%, #14171c)"
        lines.append(f"--stage-{k}: light-dark({light}, {dark});")
        lines.append(f"--stage-{k}-soft: light-dark({', '.join(soft)});")
    lines += (f"--system-{k}: {colour};" for k, colour in enumerate(palette.SYSTEMS))
    rules = [
        f".stage-{k} {{ --stage: var(--stage-{k}); --stage-soft: var(--stage-{k}-soft); }}"
        for k in range(len(palette.LIGHT))
    ]
    rules += (f".system-{k} {{ --own: var(--system-{k}); }}" for k in range(len(palette.SYSTEMS)))
    return "\n".join([":root {", *lines, "}", *rules])


def _variables() -> dict[str, str]:
    """The CSS variables for colours in specifications of plots."""
    found = {colour: f"var(--system-{k})" for k, colour in enumerate(palette.SYSTEMS)}
    found |= {colour: f"var(--stage-{k})" for k, colour in enumerate(palette.LIGHT)}
    return {**found, palette.LINES: "var(--neutral)", palette.FAINT: "var(--neutral)"}
