"""Readers of input files: every format becomes segments.

`read_systems` reads hypotheses, references and documents as its `InputOptions` say. `read_segments` and
`read_lines` read plain text.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bolide.inputs.files import _ZSTD, STDIN, check_readable, open_binary, shown
from bolide.inputs.text import naming_lines, read_lines, read_segments

if TYPE_CHECKING:
    from bolide.inputs.assembly import InputSystem, read_systems
    from bolide.inputs.options import FORMATS, InputOptions, format_of

# Imported when they are used: the Java command line, which needs plain text only, must start fast.
_LATER = {
    **dict.fromkeys(("FORMATS", "InputOptions", "format_of"), "options"),
    **dict.fromkeys(("InputSystem", "read_systems"), "assembly"),
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"bolide.inputs.{_LATER[name]}"), name)


__all__ = [
    "FORMATS",
    "STDIN",
    "_ZSTD",
    "InputOptions",
    "InputSystem",
    "check_readable",
    "format_of",
    "naming_lines",
    "open_binary",
    "read_lines",
    "read_segments",
    "read_systems",
    "shown",
]
