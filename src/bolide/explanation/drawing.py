"""An alignment as a picture: the hypothesis above, the reference below, and the matches between them.

    hypothesis  the   cats    were sitting  today  there
                1 ex  1 st                  ↓2 ex
    reference   the   cat     is            .      here   today
                                                          ↑2 ex

Matched words are above each other if they belong to the largest set of matches that do not cross. The other
matched words have one column on each side. The number of the chunk tells which ones belong together.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

from bolide._support.visible import visible
from bolide.matching.modules import MODULES

if TYPE_CHECKING:
    from bolide.scoring.alignment import Alignment, Match

LEFT_TO_RIGHT = "\N{LEFT-TO-RIGHT MARK}"
LABELS = ("hypothesis  ", "            ", "reference   ")
SHORT_LABELS = ("h ", "  ", "r ")
NARROW = 40  # columns; narrower terminals have short labels
GAP = 2
# The colours of modules, in the order of the stages.
STYLES = ("green", "cyan", "yellow", "magenta", "blue", "red")


# Matches that cross others: by the start on one side, the length on that side and the match.
Crossing: TypeAlias = "dict[int, tuple[int, Match]]"


@dataclass(frozen=True)
class PictureColumn:
    """Words of one side or both. An `arrow` tells that the other side of the match is in another column."""

    hypothesis: str = ""
    reference: str = ""
    match: Match | None = None
    arrow: str = ""

    @property
    def mark(self) -> str:
        """The chunk and the module of the match."""
        if self.match is None:
            return ""
        return f"{self.arrow}{self.match.chunk + 1} {short(self.match.module)}"


def short(module: str) -> str:
    """The short name of a module, as in signatures; the whole name of a custom matcher."""
    return MODULES[module].short if module in MODULES else module


def columns(alignment: Alignment) -> list[PictureColumn]:
    """The columns of the picture, from left to right."""
    upright = _upright(alignment.matches)
    starts = {match.reference_start for match in upright}
    crossing = [match for match in alignment.matches if match.reference_start not in starts]
    between = partial(
        _between,
        alignment,
        {match.hypothesis_start: (match.hypothesis_length, match) for match in crossing},
        {match.reference_start: (match.reference_length, match) for match in crossing},
    )
    found: list[PictureColumn] = []
    ours = theirs = 0
    for match in upright:
        found += between((ours, match.hypothesis_start), (theirs, match.reference_start))
        one, two = (visible(" ".join(words)) for words in alignment.phrases(match))
        found.append(PictureColumn(one, two, match))
        ours = match.hypothesis_start + match.hypothesis_length
        theirs = match.reference_start + match.reference_length
    ends = (ours, len(alignment.hypothesis)), (theirs, len(alignment.reference))
    return found + between(*ends)


def _upright(matches: Sequence[Match]) -> list[Match]:
    """The largest set of matches that do not cross, in order (the longest increasing subsequence)."""
    ordered = sorted(matches, key=lambda match: match.reference_start)
    ends: list[int] = []  # the least hypothesis position at which a set of each size ends
    last: list[int] = []  # and the match there
    before: list[int | None] = []
    for k, match in enumerate(ordered):
        size = bisect_left(ends, match.hypothesis_start)
        before.append(last[size - 1] if size else None)
        ends[size : size + 1] = [match.hypothesis_start]
        last[size : size + 1] = [k]
    chosen: list[Match] = []
    k_or_none = last[-1] if last else None
    while k_or_none is not None:
        chosen.append(ordered[k_or_none])
        k_or_none = before[k_or_none]
    return chosen[::-1]


def _between(
    alignment: Alignment,
    crossing_ours: Crossing,
    crossing_theirs: Crossing,
    ours: tuple[int, int],
    theirs: tuple[int, int],
) -> list[PictureColumn]:
    """The columns between two upright matches. Unmatched words of both sides share a column."""
    hypothesis = list(_one_side(alignment.hypothesis, crossing_ours, *ours))
    reference = list(_one_side(alignment.reference, crossing_theirs, *theirs))
    found: list[PictureColumn] = []
    for one, two in zip_longest(hypothesis, reference, fillvalue=("", None)):
        if one[1] is None and two[1] is None:
            found.append(PictureColumn(one[0], two[0]))
            continue
        if one[0]:
            found.append(PictureColumn(hypothesis=one[0], match=one[1], arrow="↓" if one[1] else ""))
        if two[0]:
            found.append(PictureColumn(reference=two[0], match=two[1], arrow="↑" if two[1] else ""))
    return found


def _one_side(
    words: Sequence[str], crossing: Crossing, start: int, end: int
) -> Iterator[tuple[str, Match | None]]:
    """Words or phrases of one side, with their matches."""
    while start < end:
        length, match = crossing.get(start, (1, None))
        yield visible(" ".join(words[start : start + length])), match
        start += length


# ---- text ----------------------------------------------------------------------------------------

# A piece of a line: the text, and the match that colours it.
DrawnText = tuple[str, "Match | None"]


def lines(alignment: Alignment, width: int) -> Iterator[list[DrawnText]]:
    """The picture in lines of at most `width` terminal columns, unless a word is longer."""
    labels = LABELS if width >= NARROW else SHORT_LABELS
    room = max(width - len(labels[0]), 1)
    for k, block in enumerate(_blocks(columns(alignment), room)):
        if k:
            yield []
        for label, cells in zip(labels, _rows(block), strict=True):
            yield [(label, None), *cells]


def _blocks(found: list[PictureColumn], room: int) -> Iterator[list[PictureColumn]]:
    block: list[PictureColumn] = []
    used = 0
    for column in found:
        needed = _width(column) + (GAP if block else 0)
        if block and used + needed > room:
            yield block
            block, used, needed = [], 0, _width(column)
        block.append(column)
        used += needed
    if block:
        yield block


def _rows(block: list[PictureColumn]) -> list[list[DrawnText]]:
    """The three lines of a block: hypothesis, marks, reference."""
    rows: list[list[DrawnText]] = [[], [], []]
    for column in block:
        for row, text in zip(rows, (column.hypothesis, column.mark, column.reference), strict=True):
            blanks = _width(column) - _cells(text) + (GAP if column is not block[-1] else 0)
            row.append((text, column.match))
            row.append((" " * blanks if column is not block[-1] else "", None))
            if _is_right_to_left(text):  # keeps the blanks and the next word in place
                row.append((LEFT_TO_RIGHT, None))
    return rows


def _width(column: PictureColumn) -> int:
    return max(map(_cells, (column.hypothesis, column.mark, column.reference)))


def _cells(text: str) -> int:
    """The number of terminal columns of a text."""
    from rich.cells import cell_len

    return cell_len(text)


def in_place(text: str) -> str:
    """The text, with a mark that keeps what follows in place if the text is read from right to left."""
    return text + LEFT_TO_RIGHT if _is_right_to_left(text) else text


def _is_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)
