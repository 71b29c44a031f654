"""What is scored, from files."""

from bolide.inputs.files import _ZSTD, STDIN, check_readable, open_binary, opened, shown
from bolide.inputs.text import BATCH, lines, naming_lines, segments

__all__ = [
    "BATCH",
    "STDIN",
    "_ZSTD",
    "check_readable",
    "lines",
    "naming_lines",
    "open_binary",
    "opened",
    "segments",
    "shown",
]
