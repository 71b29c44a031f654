"""Vega, Vega-Lite and vega-embed as one script. vl-convert makes it, which takes more than a second.

So it is kept in the user's cache folder, after a line with its checksum, for each version of vl-convert.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from bolide._support.extras import extra
from bolide._support.folders import user_folder
from bolide._support.writing import atomic_path
from bolide.errors import OutputError


@cache
def vega_bundle() -> str:
    """The script."""
    with extra("xray"):
        import vl_convert
    make: Callable[[], str] = vl_convert.javascript_bundle  # type: ignore[assignment,unused-ignore]
    kept = user_folder("cache") / "vega" / f"{version('vl-convert-python')}.js"
    if (known := _read(kept)) is not None:
        return known
    script = make()  # its stubs lack a default
    with suppress(OSError, OutputError):  # without a cache, every report takes longer
        kept.parent.mkdir(parents=True, exist_ok=True)
        with atomic_path(kept) as new:
            new.write_bytes(f"{_checksum(script)}\n{script}".encode())
    return script


def _read(kept: Path) -> str | None:
    """The script in this file, if it is whole."""
    try:
        checksum, _, script = kept.read_bytes().decode().partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return script if checksum == _checksum(script) else None


def _checksum(script: str) -> str:
    return hashlib.sha256(script.encode()).hexdigest()
