"""The contents of a figure: the alignments of one system or two with the same reference."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from bolide._support.palette import FAINT, INK, colour
from bolide._support.visible import visible
from bolide.scoring.alignment import Alignment, Match
from bolide.xray.figures.shapes import BOLD, SMALL, Box, Disc, Label, Shape, text_width

RIGHT_TO_LEFT = "\N{RIGHT-TO-LEFT MARK}"
LONGEST = 30  # largest number of letters of a word or name
LINE = 20.0  # height of a line of the notes


@dataclass(frozen=True)
class Layer:
    """The alignment of a system, and the reason of each match, if known."""

    name: str
    alignment: Alignment
    reasons: tuple[str | None, ...] = ()

    def tip(self, number: int) -> str:
        """The description of a match: `stem, chunk 2: cats = cat (stem cat)`."""
        match = self.alignment.matches[number]
        ours, theirs = (visible(" ".join(words)) for words in self.alignment.phrases(match))
        reason = self.reasons[number] if self.reasons else None
        why = f" ({visible(reason)})" if reason else ""
        return f"{match.module}, chunk {match.chunk + 1}: {ours} = {theirs}{why}"

    @property
    def matched(self) -> set[int]:
        """The matched words of the hypothesis."""
        return covered((m.hypothesis_start, m.hypothesis_length) for m in self.alignment.matches)

    @property
    def summary(self) -> str:
        score = self.alignment.score
        parts = (f"{name} {getattr(score, name):.3f}" for name in ("precision", "recall", "penalty"))
        return f"{score.score:.4f}  ({', '.join(parts)}, chunks {score.chunks})"


@dataclass(frozen=True)
class ChunkSpan:
    """The words of a chunk on both sides: the first, and one after the last."""

    reference: tuple[int, int]
    hypothesis: tuple[int, int]


def chunks(alignment: Alignment) -> list[ChunkSpan]:
    """The positions of the chunks. The words of a chunk are adjacent on both sides."""
    members: dict[int, list[Match]] = {}
    for match in alignment.matches:
        members.setdefault(match.chunk, []).append(match)
    return [
        ChunkSpan(
            (min(m.reference_start for m in ms), max(m.reference_start + m.reference_length for m in ms)),
            (min(m.hypothesis_start for m in ms), max(m.hypothesis_start + m.hypothesis_length for m in ms)),
        )
        for ms in members.values()
    ]


def matched_words(layers: tuple[Layer, ...]) -> set[int]:
    """The words of the reference that are matched in any layer."""
    return covered((m.reference_start, m.reference_length) for x in layers for m in x.alignment.matches)


def covered(places: Iterator[tuple[int, int]]) -> set[int]:
    return {k for start, length in places for k in range(start, start + length)}


def label(word: str) -> str:
    """A word for display: control characters are escaped, a long word is cut, and a right-to-left word is
    kept together with its punctuation."""
    shown = visible(word[:LONGEST]) + ("…" if len(word) > LONGEST else "")
    if any(unicodedata.bidirectional(character) in ("R", "AL") for character in shown):
        return f"{RIGHT_TO_LEFT}{shown}{RIGHT_TO_LEFT}"
    return shown


def ink(matched: bool) -> str:
    return INK if matched else FAINT


def title(layers: tuple[Layer, ...]) -> str:
    return f"alignment of {' and '.join(visible(layer.name) for layer in layers)}"


def description(layers: tuple[Layer, ...]) -> str:
    """The alignments in words."""
    parts = (
        f"{visible(layer.name)}, score {layer.alignment.score.score:.4f}: "
        + ("; ".join(map(layer.tip, range(len(layer.alignment.matches)))) or "no matches")
        for layer in layers
    )
    return ". ".join(parts)


def notes(
    layers: tuple[Layer, ...], x: float, y: float, *, marked: bool = True
) -> tuple[list[Shape], float, float]:
    """The legend and one line per system, with their right and lower ends. If `marked`, two systems have the
    marks of their matches: a square for the first, a disc for the second."""
    shapes, right = _legend(layers, x, y)
    y += LINE if shapes else 0
    for number, layer in enumerate(layers):
        line, end = _caption(layer, number if marked and len(layers) > 1 else None, x, y + LINE * number)
        shapes += line
        right = max(right, end)
    return shapes, right, y + LINE * (len(layers) - 1)


def _legend(layers: tuple[Layer, ...], x: float, y: float) -> tuple[list[Shape], float]:
    """A line with the modules that matched and their colours, and where it ends."""
    shapes: list[Shape] = []
    stages = {match.stage: match.module for layer in layers for match in layer.alignment.matches}
    for stage, module in sorted(stages.items()):
        shapes.append(Box(x, y - 9, 11, 11, fill=colour(stage), radius=2))
        shapes.append(Label(x + 16, y, visible(module), size=SMALL))
        x += 16 + text_width(visible(module), SMALL) + 14
    return shapes, x


def _caption(layer: Layer, number: int | None, x: float, y: float) -> tuple[list[Shape], float]:
    """A line with the mark, name and score of a system, and where it ends."""
    shapes: list[Shape] = []
    if number is not None:
        mark = Disc(x + 5.5, y - 4, 5, INK, INK) if number else Box(x, y - 9.5, 11, 11, fill=INK, radius=2)
        shapes.append(mark)
        x += 16
    name = label(layer.name)
    after = x + text_width(name, SMALL) * BOLD + 8
    shapes.append(Label(x, y, name, size=SMALL, bold=True))
    shapes.append(Label(after, y, layer.summary, size=SMALL))
    return shapes, after + text_width(layer.summary, SMALL)
