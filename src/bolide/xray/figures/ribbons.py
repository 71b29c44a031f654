"""Two rows with ribbons: the hypothesis above, the reference below, and one ribbon per match.

The words of a chunk have a common frame on both sides. With two systems there are three rows: the second
system is below the reference, whose words have edges in the colours of both. Right-to-left text is drawn from
right to left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bolide._support.palette import FAINT, INK, LINES, colour, tint
from bolide.xray.figures import layers as contents
from bolide.xray.figures.layers import Layer, chunks, ink, label, matched_words
from bolide.xray.figures.shapes import BOLD, SIZE, SMALL, Band, Box, Label, Picture, Shape, text_width

MARGIN = 12.0
PAD = 5.0  # padding of a word in its box
SPACE = 9.0  # between boxes
HEIGHT = 24.0  # of a box
REACH = 64.0  # height of a ribbon
FRAME = 2.0  # between boxes and their frame
OPACITY = 0.4
EDGE = 4.0  # height of the edge of a word between two systems
WIDEST = 3.0  # largest factor for the spaces of a row


def ribbons(layers: tuple[Layer, ...], direction: str) -> Picture:
    """The picture of one layer, or of two."""
    first, *others = layers
    hypotheses = [[label(word) for word in layer.alignment.hypothesis] for layer in layers]
    reference = [label(word) for word in first.alignment.reference]
    order = [hypotheses[0], reference, *hypotheses[1:]]
    titles = [label(first.name), "reference", *(label(layer.name) for layer in others)]
    left = MARGIN + max(text_width(title, SMALL) for title in titles) * BOLD + 14
    rows = _rows(order, left, right_to_left=direction == "rtl")
    shapes: list[Shape] = []
    for k, title in enumerate(titles):
        faint = FAINT if k == 1 else INK
        shapes.append(Label(MARGIN, rows[k].line, title, size=SMALL, colour=faint, bold=k != 1))
    for k, layer in enumerate(layers):
        shapes += _ties(layer, rows[2 * k], rows[1], between=bool(others))
    if others:
        shapes += _edges(layers, rows[1])
    known = [first.matched, matched_words(layers), *(layer.matched for layer in others)]
    for row, words, matched in zip(rows, order, known, strict=True):
        shapes += _words(row, words, matched)
    notes, right, bottom = contents.notes(layers, MARGIN, rows[-1].y + HEIGHT + 28, marked=False)
    return Picture(
        width=max(right, *(row.right for row in rows)) + MARGIN,
        height=bottom + MARGIN,
        shapes=(*shapes, *notes),
        title=contents.title(layers),
        description=contents.description(layers),
    )


@dataclass(frozen=True)
class _WordRow:
    """A row: its vertical position, the start and end of each word, and the right end of the row."""

    y: float
    places: tuple[tuple[float, float], ...]
    right: float

    @property
    def line(self) -> float:
        """The baseline of the letters."""
        return self.y + HEIGHT / 2 + SIZE * 0.35

    def span(self, start: int, end: int) -> tuple[float, float]:
        """The left and right edge of some words."""
        places = self.places[start:end]
        return min(left for left, _ in places), max(right for _, right in places)


def _rows(order: Sequence[Sequence[str]], left: float, *, right_to_left: bool) -> list[_WordRow]:
    """The rows. Spaces are widened up to the width of the widest row, within limits; then rows are
    centred."""
    widths = [[text_width(word) + 2 * PAD for word in words] for words in order]
    widest = max(sum(row) + SPACE * (len(row) - 1) for row in widths)
    found = []
    for k, row in enumerate(widths):
        gaps = max(len(row) - 1, 1)
        space = min((widest - sum(row)) / gaps, SPACE * WIDEST)
        x = left + max(widest - sum(row) - space * (len(row) - 1), 0) / 2
        places = []
        for width in row:
            places.append((x, x + width))
            x += width + space
        if right_to_left:
            places = [(2 * left + widest - end, 2 * left + widest - start) for start, end in places]
        found.append(_WordRow(MARGIN + k * (HEIGHT + REACH), tuple(places), left + widest))
    return found


def _words(row: _WordRow, words: Sequence[str], matched: set[int]) -> Iterator[Shape]:
    for k, (word, (start, end)) in enumerate(zip(words, row.places, strict=True)):
        yield Label((start + end) / 2, row.line, word, "middle", colour=ink(k in matched))


def _ties(layer: Layer, row: _WordRow, reference: _WordRow, *, between: bool) -> Iterator[Shape]:
    """Ribbons, boxes of matched words, and frames of chunks. A reference between two systems has no boxes and
    frames, because they would overlap."""
    below = row.y > reference.y
    for number, m in enumerate(layer.alignment.matches):
        ours = row.span(m.hypothesis_start, m.hypothesis_start + m.hypothesis_length)
        theirs = reference.span(m.reference_start, m.reference_start + m.reference_length)
        ends = [(*ours, row.y + (0 if below else HEIGHT)), (*theirs, reference.y + (HEIGHT if below else 0))]
        top, bottom = reversed(ends) if below else ends
        tip, fill = layer.tip(number), colour(m.stage)
        yield Band(top, bottom, fill, OPACITY, tip)
        for where, (left, right) in ((row, ours), (reference, theirs)):
            if where is row or not between:
                yield Box(left, where.y, right - left, HEIGHT, fill=tint(fill), radius=3, tip=tip)
    for span in chunks(layer.alignment):
        yield _frame(row, span.hypothesis)
        if not between:
            yield _frame(reference, span.reference)


def _frame(row: _WordRow, place: tuple[int, int]) -> Shape:
    left, right = row.span(*place)
    return Box(
        left - FRAME,
        row.y - FRAME,
        right - left + 2 * FRAME,
        HEIGHT + 2 * FRAME,
        stroke=INK,
        thickness=1.2,
        radius=5,
    )


def _edges(layers: tuple[Layer, ...], reference: _WordRow) -> Iterator[Shape]:
    """Boxes of the matched words of the reference, with an edge in the colour of the match of each system."""
    for k in sorted(matched_words(layers)):
        left, right = reference.span(k, k + 1)
        yield Box(left, reference.y, right - left, HEIGHT, fill=tint(LINES, 0.5))
    for number, layer in enumerate(layers):
        y = reference.y + number * (HEIGHT - EDGE)
        for m in layer.alignment.matches:
            left, right = reference.span(m.reference_start, m.reference_start + m.reference_length)
            yield Box(left, y, right - left, EDGE, fill=colour(m.stage))
