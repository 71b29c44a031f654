"""The matrix as text: one column per word of the reference, written vertically; one row per hypothesis word.

          t  c  s
          h  a  a
          e  t  t
     the  ex ·  ·
    cats  ·  st ·
     sat  ·  ·  ex

A matched cell has the colour and short name of its module. The other cells of the box of a chunk are grey.
With two systems, the words of the second are at the right, its matched cells have a square, and its boxes are
dotted.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.cells import cell_len
from rich.text import Text

from bolide._support.palette import DARK, INK
from bolide._support.visible import visible
from bolide.explanation.drawing import in_place, short
from bolide.scoring.alignment import Alignment
from bolide.xray.figures.layers import chunks, covered

CELL = 2  # width of a cell in the terminal, without the space between cells
LONGEST = 24  # largest width of a word
TALLEST = 12  # largest number of letters of a word above its column
SQUARE = "▐▌"
EMPTY, DOTTED = "· ", ": "
BOX = "#4d5866"
FAINT = "dim"


@dataclass
class MatrixCell:
    """A cell: the stage of the match of each system, and whether it is in a box of each."""

    first: int | None = None
    second: int | None = None
    boxed: bool = False
    dotted: bool = False


def colour(stage: int) -> str:
    return DARK[stage % len(DARK)]


def matrix(alignments: Sequence[Alignment]) -> list[Text]:
    """The lines of one alignment, or of two with the same reference."""
    return [*_head(alignments), *_rows(alignments), Text(), _legend(alignments)]


def cells(alignments: Sequence[Alignment]) -> list[list[MatrixCell]]:
    """The grid: one row per word of the longest hypothesis, one column per word of the reference."""
    height = max(len(alignment.hypothesis) for alignment in alignments)
    grid = [[MatrixCell() for _ in alignments[0].reference] for _ in range(height)]
    for second, alignment in enumerate(alignments):
        for span in chunks(alignment):
            for row in range(*span.hypothesis):
                for column in range(*span.reference):
                    setattr(grid[row][column], "dotted" if second else "boxed", True)
        for m in alignment.matches:
            for row in range(m.hypothesis_start, m.hypothesis_start + m.hypothesis_length):
                for column in range(m.reference_start, m.reference_start + m.reference_length):
                    setattr(grid[row][column], "second" if second else "first", m.stage)
    return grid


def _margin(alignments: Sequence[Alignment]) -> int:
    """The width of the words of the first system."""
    return max((min(cell_len(visible(word)), LONGEST) for word in alignments[0].hypothesis), default=0)


def _head(alignments: Sequence[Alignment]) -> Iterator[Text]:
    """The reference, written vertically."""
    used = covered((m.reference_start, m.reference_length) for a in alignments for m in a.matches)
    words = [_letters(word) for word in alignments[0].reference]
    height = max(map(len, words), default=0)
    for row in range(height):
        line = Text(" " * (_margin(alignments) + 2), no_wrap=True)
        for column, letters in enumerate(words):
            place = row - height + len(letters)
            letter = letters[place] if place >= 0 else ""
            line.append(_padded(letter, CELL + 1), style="" if column in used else FAINT)
        yield line


def _rows(alignments: Sequence[Alignment]) -> Iterator[Text]:
    names = {m.stage: short(m.module) for alignment in alignments for m in alignment.matches}
    margin = _margin(alignments)
    used = [covered((m.hypothesis_start, m.hypothesis_length) for m in a.matches) for a in alignments]
    for row, line in enumerate(cells(alignments)):
        found = Text(no_wrap=True)
        words = [a.hypothesis[row] if row < len(a.hypothesis) else "" for a in alignments]
        first = shortened(visible(words[0]), LONGEST)
        found.append(
            " " * (margin - cell_len(first)) + in_place(first), style="" if row in used[0] else FAINT
        )
        found.append("  ")
        for cell, after in zip_longest(line, line[1:]):
            found.append_text(_cell(cell, names, alone=len(alignments) == 1))
            # Two boxes never share a row.
            inside = after is not None and cell.boxed and after.boxed
            found.append(" ", style=f"on {BOX}" if inside else "")
        if len(words) > 1:
            found.append(" " + shortened(visible(words[1]), LONGEST), style="" if row in used[1] else FAINT)
        yield found


def _cell(cell: MatrixCell, names: dict[int, str], *, alone: bool) -> Text:
    ground = f"on {BOX}" if cell.boxed else ""
    text, style = (DOTTED if cell.dotted else EMPTY), f"{ground} {FAINT}"
    if cell.first is not None:
        ground = f"on {colour(cell.first)}"
        text, style = (names[cell.first][:CELL].ljust(CELL) if alone else " " * CELL), f"{INK} {ground}"
    if cell.second is not None:
        shade = INK if cell.first == cell.second else colour(cell.second)
        text, style = SQUARE, f"{shade} {ground}"
    return Text(text, style=style.strip())


def _legend(alignments: Sequence[Alignment]) -> Text:
    """The modules that matched."""
    stages = {m.stage: m.module for alignment in alignments for m in alignment.matches}
    line = Text(no_wrap=True)
    for stage, module in sorted(stages.items()):
        line.append(f" {short(module)} ", style=f"{INK} on {colour(stage)}")
        line.append(f" {visible(module)}   ")
    if len(alignments) > 1:
        line.append("  A filled, B ", style=FAINT)
        line.append(SQUARE, style=FAINT)
    return line


def _letters(word: str) -> list[str]:
    """The letters of a word, each with its combining marks. A long word is cut."""
    letters: list[str] = []
    for character in visible(word):
        if letters and (unicodedata.category(character)[0] == "M" or not cell_len(character)):
            letters[-1] += character
        else:
            letters.append(character)
    return letters if len(letters) <= TALLEST else [*letters[: TALLEST - 1], "…"]


def shortened(shown: str, width: int) -> str:
    """A text cut to a width."""
    while shown and cell_len(shown) > width:
        shown = shown.removesuffix("…")[:-1] + "…"
    return shown


def _padded(text: str, width: int) -> str:
    """A text padded to a width."""
    return in_place(text) + " " * (width - cell_len(text))
