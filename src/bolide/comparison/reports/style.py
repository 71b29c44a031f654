"""Options that all reports share."""

from __future__ import annotations

from dataclasses import dataclass

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


def printable(name: str) -> str:
    """Escapes characters of a name that a terminal or a table cannot show.

    >>> printable("a\\tb")
    'a\\\\tb'
    """
    known = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in known)
