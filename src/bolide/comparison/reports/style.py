"""What all reports share: options, segments to print, and names that can be printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bolide._support.arrays import Flags, Statistics

# Default number of decimals in tables.
DECIMALS = 4


@dataclass(frozen=True)
class Style:
    """How to print a report.

    - `segments`: also print the segments of each system, if they were kept.
    - `width`: decimals (default: 4 in tables, all digits in data).
    - `quiet`: in text, print only the scores; in other tables, leave out the notes.
    - `colour`: colour text for a terminal.
    """

    segments: bool = False
    width: int | None = None
    quiet: bool = False
    colour: bool = False

    @property
    def decimals(self) -> int:
        return DECIMALS if self.width is None else self.width


class SegmentRows(NamedTuple):
    """Consecutive segments of a system, to print."""

    system: str
    first: int  # the number of the first one
    statistics: Statistics
    flags: Flags


def printable(name: str) -> str:
    """Escapes characters of a name that a terminal or a table cannot show.

    >>> printable("a\\tb")
    'a\\\\tb'
    """
    known = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in known)


# A spreadsheet computes a cell that begins with one of these characters, even in a file that it imports.
FORMULA = "=+-@"
# A backslash is escaped, too: a name may look like an escaped one.
ESCAPED = {f"\\x{ord(character):02x}": character for character in FORMULA + "\\"}


def table_name(name: str) -> str:
    """A name for a cell of TSV. The start of a formula is escaped, so that a spreadsheet shows the name.

    >>> table_name("=1+1"), table_name("-"), table_name("a=b")
    ('\\\\x3d1+1', '-', 'a=b')
    """
    shown = printable(name)
    escaped = (len(shown) > 1 and shown[0] in FORMULA) or shown[:4] in ESCAPED
    return f"\\x{ord(shown[0]):02x}{shown[1:]}" if escaped else shown


def from_table(cell: str) -> str:
    """The name that `table_name` wrote.

    >>> from_table("\\\\x3d1+1")
    '=1+1'
    """
    return ESCAPED[cell[:4]] + cell[4:] if cell[:4] in ESCAPED else cell
