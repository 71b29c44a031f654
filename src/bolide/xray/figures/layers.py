"""What a figure shows: one or two alignments with the same reference, each of a system."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from bolide.explanation.drawing import visible
from bolide.scoring.alignment import Alignment, Match
from bolide.xray.figures.shapes import BOLD, SMALL, Box, Disc, Label, Shape, text_width
from bolide.xray.palette import FAINT, INK, colour

RIGHT_TO_LEFT = "\N{RIGHT-TO-LEFT MARK}"
LONGEST = 30  # letters of a word, or of a name
LINE = 20.0  # of the notes, from one to the next


@dataclass(frozen=True)
class Layer:
    """A system's alignment; `reasons` tell of each match why, where that is known."""

    name: str
    alignment: Alignment
    reasons: tuple[str | None, ...] = ()

    def tip(self, number: int) -> str:
        """What there is to say of a match: `stem, chunk 2: cats = cat (stem cat)`."""
        match = self.alignment.matches[number]
        ours, theirs = (visible(" ".join(words)) for words in self.alignment.phrases(match))
        reason = self.reasons[number] if self.reasons else None
        why = f" ({visible(reason)})" if reason else ""
        return f"{match.module}, chunk {match.chunk + 1}: {ours} = {theirs}{why}"

    @property
    def matched(self) -> set[int]:
        """The hypothesis' words that have a match."""
        return _covered((m.hypothesis_start, m.hypothesis_length) for m in self.alignment.matches)

    @property
    def summary(self) -> str:
        score = self.alignment.score
        parts = (f"{name} {getattr(score, name):.3f}" for name in ("precision", "recall", "penalty"))
        return f"{score.score:.4f}  ({', '.join(parts)}, chunks {score.chunks})"


@dataclass(frozen=True)
class Span:
    """A chunk's words on both sides: first, and one behind the last."""

    reference: tuple[int, int]
    hypothesis: tuple[int, int]


def chunks(alignment: Alignment) -> list[Span]:
    """The chunks' places. Matches of a chunk are neighbours on both sides: two pairs of numbers suffice."""
    members: dict[int, list[Match]] = {}
    for match in alignment.matches:
        members.setdefault(match.chunk, []).append(match)
    return [
        Span(
            (min(m.reference_start for m in ms), max(m.reference_start + m.reference_length for m in ms)),
            (min(m.hypothesis_start for m in ms), max(m.hypothesis_start + m.hypothesis_length for m in ms)),
        )
        for ms in members.values()
    ]


def matched_words(layers: tuple[Layer, ...]) -> set[int]:
    """The reference's words that a match of any layer has."""
    return _covered((m.reference_start, m.reference_length) for x in layers for m in x.alignment.matches)


def _covered(places: Iterator[tuple[int, int]]) -> set[int]:
    return {k for start, length in places for k in range(start, start + length)}


def label(word: str) -> str:
    """A word to be shown: control characters spelled out, the end of a very long one left out, and one that
    is read from right to left kept together with its punctuation."""
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
    """The legend, a line for each system, and how far they reach, to the right and down. Two systems are
    `marked` as their matches are, the first by a square, the second by a disc."""
    shapes, right = _legend(layers, x, y)
    y += LINE if shapes else 0
    for number, layer in enumerate(layers):
        line, end = _caption(layer, number if marked and len(layers) > 1 else None, x, y + LINE * number)
        shapes += line
        right = max(right, end)
    return shapes, right, y + LINE * (len(layers) - 1)


def _legend(layers: tuple[Layer, ...], x: float, y: float) -> tuple[list[Shape], float]:
    """The modules that matched, with their colours, in a line, and where it ends."""
    shapes: list[Shape] = []
    stages = {match.stage: match.module for layer in layers for match in layer.alignment.matches}
    for stage, module in sorted(stages.items()):
        shapes.append(Box(x, y - 9, 11, 11, fill=colour(stage), radius=2))
        shapes.append(Label(x + 16, y, visible(module), size=SMALL))
        x += 16 + text_width(visible(module), SMALL) + 14
    return shapes, x


def _caption(layer: Layer, number: int | None, x: float, y: float) -> tuple[list[Shape], float]:
    """A system's name and score, behind the mark that its matches have, and where the line ends."""
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
