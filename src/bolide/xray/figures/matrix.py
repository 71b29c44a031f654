"""The matrix of Meteor X-ray: one column per word of the reference, one row per word of the hypothesis.

A match fills its cells with the colour of its module. Each chunk has a box around it. With two systems, the
words of the second are at the right of the grid, its matches are discs, and its boxes are dashed.
Right-to-left text starts at the right.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from bolide._support.palette import INK, LINES, PAPER, colour, tint
from bolide.explanation.drawing import short
from bolide.xray.figures import layers as contents
from bolide.xray.figures.layers import Layer, chunks, ink, label, matched_words
from bolide.xray.figures.shapes import SIZE, Box, Disc, Label, Picture, Shape, is_east_asian, text_width

CELL = 22.0
MARGIN = 12.0
GAP = 7.0  # between words and grid
TILT = 55.0  # angle of the words above the columns, in degrees
DROP = SIZE * 0.35  # from the middle of letters to their baseline
STEP = SIZE * 1.1  # distance of letters in vertical text
TINY = 8.0  # size of the name of a module in a cell
STRIPE = 0.35  # tint of every second row


def matrix(layers: tuple[Layer, ...], direction: str) -> Picture:
    """The picture of one layer, or of two."""
    return _Matrix(layers, direction == "rtl").picture()


class _Matrix:
    """The positions and contents of the grid."""

    def __init__(self, layers: tuple[Layer, ...], right_to_left: bool) -> None:
        self.layers = layers
        self.right_to_left = right_to_left
        self.reference = [label(word) for word in layers[0].alignment.reference]
        self.hypotheses = [[label(word) for word in layer.alignment.hypothesis] for layer in layers]
        self.rows = max(map(len, self.hypotheses))
        self.downwards = 2 * sum(map(is_east_asian, self.reference)) > len(self.reference)
        sides = [max(map(text_width, words), default=0.0) + GAP for words in self.hypotheses]
        beside = [*sides, 0.0][:2][:: -1 if right_to_left else 1]  # left, right
        self.left = MARGIN + beside[0]
        self.top = MARGIN + self._head_height()
        self.right = self.left + CELL * len(self.reference)
        self.bottom = self.top + CELL * self.rows
        self.end = max(self.right + beside[1], self._heads_end())

    def picture(self) -> Picture:
        notes, right, bottom = contents.notes(self.layers, MARGIN, self.bottom + GAP + SIZE * 1.2)
        return Picture(
            width=max(self.end, right) + MARGIN,
            height=bottom + MARGIN,
            shapes=(*self._grid(), *self._heads(), *self._sides(), *self._matches(), *notes),
            title=contents.title(self.layers),
            description=contents.description(self.layers),
        )

    # ---- positions -------------------------------------------------------------------------------

    def x(self, column: int, length: int = 1) -> float:
        """The left edge of `length` columns."""
        return self.right - CELL * (column + length) if self.right_to_left else self.left + CELL * column

    def y(self, row: int) -> float:
        return self.top + CELL * row

    def _head_height(self) -> float:
        turn = math.sin(math.radians(90 if self.downwards else TILT))
        tall = (
            STEP * len(word) if self._is_downwards(word) else text_width(word) * turn + SIZE / 2
            for word in self.reference
        )
        return max(tall, default=0.0) + GAP

    def _heads_end(self) -> float:
        """The right end of the words above the columns."""
        if self.downwards:
            return self.right
        lean = math.cos(math.radians(TILT))
        ends = (self.x(k) + CELL * 0.7 + text_width(word) * lean for k, word in enumerate(self.reference))
        return max(ends, default=self.right)

    def _is_downwards(self, word: str) -> bool:
        return self.downwards and is_east_asian(word)

    # ---- words -----------------------------------------------------------------------------------

    def _heads(self) -> Iterator[Shape]:
        """The reference, above the columns."""
        known = matched_words(self.layers)
        for column, word in enumerate(self.reference):
            x, colour = self.x(column) + CELL / 2, ink(column in known)
            if self._is_downwards(word):
                for k, letter in enumerate(reversed(word)):
                    yield Label(x, self.top - GAP - STEP * k, letter, "middle", colour=colour)
            elif self.downwards and text_width(word) < CELL:
                yield Label(x, self.top - GAP, word, "middle", colour=colour)
            elif self.downwards:
                yield Label(x + DROP, self.top - GAP, word, "start", 90, colour=colour)
            else:
                yield Label(x + SIZE * 0.2, self.top - GAP, word, "start", TILT, colour=colour)

    def _sides(self) -> Iterator[Shape]:
        """The hypotheses beside the rows. The first is on the side where reading starts."""
        for number, (layer, words) in enumerate(zip(self.layers, self.hypotheses, strict=True)):
            at_left = bool(number) == self.right_to_left
            x, anchor = (self.left - GAP, "end") if at_left else (self.right + GAP, "start")
            matched = layer.matched
            for row, word in enumerate(words):
                y = self.y(row) + CELL / 2 + DROP
                yield Label(x, y, word, anchor, colour=ink(row in matched))

    # ---- the grid --------------------------------------------------------------------------------

    def _grid(self) -> Iterator[Shape]:
        width, height = self.right - self.left, self.bottom - self.top
        if not width or not height:
            return
        for row in range(1, self.rows, 2):  # stripes make rows easier to follow
            yield Box(self.left, self.y(row), width, CELL, fill=tint(LINES, STRIPE))
        for column in range(1, len(self.reference)):
            yield Box(self.left + CELL * column - 0.25, self.top, 0.5, height, fill=LINES)
        yield Box(self.left, self.top, width, height, stroke=LINES)

    def _matches(self) -> Iterator[Shape]:
        first, *others = self.layers
        yield from self._cells(first)
        for number, layer in enumerate(self.layers):
            yield from self._boxes(layer, dashed=number > 0)
        for layer in others:
            yield from self._discs(layer)

    def _tips(self, layer: Layer) -> Sequence[str]:
        whose = "" if len(self.layers) == 1 else f"{label(layer.name)}: "
        return [whose + layer.tip(k) for k in range(len(layer.alignment.matches))]

    def _cells(self, layer: Layer) -> Iterator[Shape]:
        """Filled cells, with the name of the module if there is only one system."""
        for m, tip in zip(layer.alignment.matches, self._tips(layer), strict=True):
            x, y = self.x(m.reference_start, m.reference_length), self.y(m.hypothesis_start)
            width, height = CELL * m.reference_length, CELL * m.hypothesis_length
            yield Box(x, y, width, height, fill=tint(colour(m.stage)), tip=tip)
            name = short(m.module)
            if len(self.layers) == 1 and text_width(name, TINY) <= width:
                yield Label(x + width / 2, y + height / 2 + TINY * 0.35, name, "middle", size=TINY)

    def _discs(self, layer: Layer) -> Iterator[Shape]:
        """A disc in each cell of the matches."""
        for m, tip in zip(layer.alignment.matches, self._tips(layer), strict=True):
            for row in range(m.hypothesis_start, m.hypothesis_start + m.hypothesis_length):
                for column in range(m.reference_start, m.reference_start + m.reference_length):
                    x, y = self.x(column) + CELL / 2, self.y(row) + CELL / 2
                    yield Disc(x, y, CELL * 0.24, colour(m.stage), PAPER, 1.5, tip)

    def _boxes(self, layer: Layer, *, dashed: bool) -> Iterator[Shape]:
        inset = 3.0 if dashed else 0.0
        for span in chunks(layer.alignment):
            columns, rows = span.reference[1] - span.reference[0], span.hypothesis[1] - span.hypothesis[0]
            yield Box(
                self.x(span.reference[0], columns) + inset,
                self.y(span.hypothesis[0]) + inset,
                CELL * columns - 2 * inset,
                CELL * rows - 2 * inset,
                stroke=INK,
                thickness=1.0 if dashed else 1.5,
                dashed=dashed,
                radius=2,
            )
