"""What all reports can be asked for."""

from __future__ import annotations

from dataclasses import dataclass

# Decimals of a table's numbers, unless told otherwise.
DECIMALS = 4


@dataclass(frozen=True)
class Style:
    """`segments`: those of each system too, if they were kept. `width`: decimals (default: 4 in tables, all
    digits in data). `quiet`: of text, the scores alone; of other tables, no notes. `colour`: of text, for a
    terminal."""

    segments: bool = False
    width: int | None = None
    quiet: bool = False
    colour: bool = False

    @property
    def decimals(self) -> int:
        return DECIMALS if self.width is None else self.width


def printable(name: str) -> str:
    """A name on one line, of characters that every terminal and table can have.

    >>> printable("a\\tb")
    'a\\\\tb'
    """
    known = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in known)
