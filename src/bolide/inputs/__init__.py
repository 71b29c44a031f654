"""What is scored, from files of the formats that people have.

`systems` brings hypotheses, references and documents together, by `Options`; `segments` and `lines` are the
short way for plain text.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bolide.inputs.files import _ZSTD, STDIN, check_readable, open_binary, shown
from bolide.inputs.text import lines, naming_lines, segments

if TYPE_CHECKING:
    from bolide.inputs.assembly import System, systems
    from bolide.inputs.options import FORMATS, Options, format_of

# Imported when they are used: the Java command line, which needs plain text only, must start fast.
_LATER = {
    **dict.fromkeys(("FORMATS", "Options", "format_of"), "options"),
    **dict.fromkeys(("System", "systems"), "assembly"),
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"bolide.inputs.{_LATER[name]}"), name)


__all__ = [
    "FORMATS",
    "STDIN",
    "_ZSTD",
    "Options",
    "System",
    "check_readable",
    "format_of",
    "lines",
    "naming_lines",
    "open_binary",
    "segments",
    "shown",
    "systems",
]
