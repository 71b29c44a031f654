"""X-rays as HTML for notebooks: the ranking, the segments that differ most, and a link to the report."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import numpy as np

from bolide._support.visible import visible
from bolide.comparison.compare import Comparison
from bolide.comparison.notebook import comparison_html, mark, name_html
from bolide.explanation.notebook import FRAME, small
from bolide.xray.contribution import contribution

if TYPE_CHECKING:
    from bolide.xray.model import Xray

MOST = 3  # segments where a system is ahead
LETTERS = 160  # of a text


def xray_html(xray: Xray) -> str:
    """The whole summary."""
    link = "" if xray.written is None else f"<p>{_link(xray.written, '', 'Open the report')}</p>"
    title = escape(visible(xray.title or "X-ray"))
    facts = f"{len(xray.segments)} segments, {len(xray.systems)} systems"
    return (
        f'<div style="{FRAME}"><b>{title}</b> {small(facts, "span")}{link}'
        f"{_ranking(xray)}{''.join(_differences(xray))}{''.join(map(small, xray.notes))}</div>"
    )


def _ranking(xray: Xray) -> str:
    results = [system.result for system in xray.systems if system.result is not None]
    if not results or xray.parameters is None:
        items = (
            f"<li>{mark(k)} {name_html(system.name)}: {system.scores.mean():.4f}</li>"
            for k, system in enumerate(xray.systems)
        )
        return f"<ul>{''.join(items)}</ul>{small('means of the scores of segments')}"
    results.sort(key=lambda result: -result.score.score)
    alone = tuple(replace(result, difference=None, p_value=None) for result in results)
    found = Comparison(alone, xray.parameters)
    return comparison_html(found, [system.name for system in xray.systems])


def _differences(xray: Xray) -> Iterator[str]:
    """The segments that add most to the difference of the first two systems."""
    if len(xray.systems) < 2:
        return
    one, two = xray.systems[:2]
    lead = one.scores - two.scores
    added = contribution(xray, 0, 1)
    order = np.argsort(-(lead if added is None else added), kind="stable").tolist()
    for ahead, places in ((0, order), (1, order[::-1])):
        sign = 1 - 2 * ahead
        shown = [k for k in places if sign * lead[k] > 0][:MOST]
        if not shown:
            continue
        first, second = (name_html(xray.systems[k].name) for k in (ahead, 1 - ahead))
        yield f"<div>{mark(ahead)} {first} is most ahead of {second} in</div>"
        items = (f"<li>{_segment(xray, k)} {sign * lead[k]:+.4f}: {_text(xray, k)}</li>" for k in shown)
        yield f'<ul style="margin:.2em 0 .6em">{"".join(items)}</ul>'


def _segment(xray: Xray, k: int) -> str:
    name = f"segment {k + 1}"
    return name if xray.written is None else _link(xray.written, f"#segment={k + 1}", name)


def _text(xray: Xray, k: int) -> str:
    """The beginning of the reference."""
    segment, best = xray.segments[k], xray.best(0, k)
    text = visible(segment.texts[best] if segment.texts else " ".join(segment.references[best]))
    return f"<bdi>{escape(text[:LETTERS])}{'…' if len(text) > LETTERS else ''}</bdi>"


def _link(path: str, place: str, text: str) -> str:
    """A link to the report, as the notebook finds it: relative to its folder, if possible."""
    whole = Path(path).absolute()
    inside = whole.is_relative_to(Path.cwd())
    address = quote(os.path.relpath(whole).replace(os.sep, "/")) if inside else whole.as_uri()
    return f'<a href="{escape(address)}{place}" target="_blank">{escape(text)}</a>'
