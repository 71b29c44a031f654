"""What all reports share: options, segments to print, and names that can be printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from bolide._support.arrays import Flags, Floats, Statistics

# Default number of decimals in tables, and of percentages.
DECIMALS, PERCENT_DECIMALS = 4, 2
# Width of a terminal, if nothing else is known.
COLUMNS = 80


@dataclass(frozen=True)
class Style:
    """How to print a report.

    - `segments`: also print the segments of each system, if they were kept.
    - `width`: decimals (default: 4 in tables, all digits in data).
    - `quiet`: in text, print only the scores; in other tables, leave out the notes.
    - `colour`: colour text for a terminal.
    - `percent`: multiply scores by 100. Not for data.
    - `columns`: the longest line of a table in text. Wider tables are split.
    - `names`: shorter names of systems for tables.
    """

    segments: bool = False
    width: int | None = None
    quiet: bool = False
    colour: bool = False
    percent: bool = False
    columns: int = COLUMNS
    names: Mapping[str, str] = field(default_factory=dict)

    def number(self, value: float, sign: str = "", decimals: int = DECIMALS) -> str:
        """A score as text, with the number of `decimals` if no width is given."""
        usual = PERCENT_DECIMALS + decimals - DECIMALS if self.percent else decimals
        shown = 100 * value if self.percent else value
        return f"{shown:{sign}.{usual if self.width is None else self.width}f}"

    def metric(self, value: float) -> str:
        """A score of another metric, which is a percentage already."""
        return f"{value:.{PERCENT_DECIMALS if self.width is None else self.width}f}"

    def name(self, system: str) -> str:
        """The name of a system in tables."""
        return printable(self.names.get(system, system))


class SegmentRows(NamedTuple):
    """Consecutive segments of a system, to print."""

    system: str
    first: int  # the number of the first one
    statistics: Statistics
    flags: Flags
    metrics: Mapping[str, Floats] = MappingProxyType({})  # their scores by other metrics


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
