"""Matches that the search left out, although no other match has their words.

Java's search rounds the value of each match down. So a single word that matches by stem, synonym or
paraphrase counts nothing in the search, and is lost if several matches compete for it:

>>> from bolide import Meteor
>>> meteor = Meteor(modules=["exact", "stem"])
>>> [found] = left_out(meteor, [("cats", "cats")], [("cat",)], [[]])
>>> found[0].module, found[0].worthless
('stem', True)

To find them, all words in matches are replaced by marks that match nothing. The exact aligner, which counts
each word, then aligns what is left. It sees the same positions, so phrases stay phrases.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bolide.inputs.segments import Segments
from bolide.profiles import SEARCH_WEIGHTS

if TYPE_CHECKING:
    from bolide.scoring.meteor import Meteor

Words = tuple[str, ...]
# Private characters, one for each side. No module matches them.
MARKS = ("\ue000", "\ue001")


@dataclass(frozen=True)
class LeftOut:
    """A match that the search left out. It is `worthless` if its value in the search is rounded down to 0."""

    reference_start: int
    reference_length: int
    hypothesis_start: int
    hypothesis_length: int
    stage: int
    module: str
    worthless: bool

    @property
    def row(self) -> tuple[int, int, int, int, int]:
        """Reference start, length, hypothesis start, length, and stage."""
        starts = self.reference_start, self.reference_length, self.hypothesis_start, self.hypothesis_length
        return (*starts, self.stage)


def counting(meteor: Meteor) -> Meteor:
    """The scorer with an aligner that counts each word."""
    settings = replace(meteor.settings, aligner="exact", search_weights=SEARCH_WEIGHTS["paper"])
    return type(meteor).from_settings(settings)


def may_leave_out(meteor: Meteor) -> bool:
    """Whether the search of this scorer may leave matches out."""
    settings = meteor.settings
    worth = [_worth(meteor, module, 1) for module in settings.modules]
    return settings.aligner == "beam" or (settings.aligner == "exact" and not all(worth))


def left_out(
    meteor: Meteor,
    hypotheses: Sequence[Words],
    references: Sequence[Words],
    matches: Sequence[Sequence[Sequence[int]]],
) -> list[tuple[LeftOut, ...]]:
    """What the search left out of each pair of texts, given as words. The matches of a pair are rows that
    begin with reference start and length, hypothesis start and length."""
    found: list[tuple[LeftOut, ...]] = [()] * len(hypotheses)
    if not may_leave_out(meteor):
        return found
    places, ours, theirs = [], [], []
    for k, (one, two, taken) in enumerate(zip(hypotheses, references, matches, strict=True)):
        mine = _free(one, taken, 2, MARKS[0])
        other = mine and _free(two, taken, 0, MARKS[1])
        if mine and other:
            places.append(k)
            ours.append(mine)
            theirs.append(other)
    if not places:
        return found
    rest = Segments(ours, theirs, np.ones(len(ours), dtype=np.int32), pretokenized=True)
    aligned = counting(meteor).align_references(rest)
    bounds = aligned.offsets.tolist()
    for row, k in enumerate(places):
        rows = aligned.matches[bounds[row] : bounds[row + 1]].tolist()
        words = ours[row].split(" "), theirs[row].split(" ")
        found[k] = tuple(_made(meteor, numbers) for numbers in rows if not _marked(numbers, *words))
    return found


def _free(words: Words, taken: Sequence[Sequence[int]], column: int, mark: str) -> str | None:
    """The text with a mark in place of each word of a match, which begins with its start and length in these
    columns; None if no word is left."""
    kept = list(words)
    for row in taken:
        start, length = row[column], row[column + 1]
        if length == 1:  # nearly all
            kept[start] = mark
        else:
            kept[start : start + length] = [mark] * length
    return None if kept.count(mark) == len(kept) else " ".join(kept)


def _marked(row: Sequence[int], ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether a match includes a mark: a custom matcher may match anything."""
    start, length, own_start, own_length, *_ = row
    words = (*theirs[start : start + length], *ours[own_start : own_start + own_length])
    return any(mark in words for mark in MARKS)


def _made(meteor: Meteor, row: Sequence[int]) -> LeftOut:
    start, length, own_start, own_length, stage, _ = row
    module = meteor.modules[stage]
    worthless = not _worth(meteor, module, length) + _worth(meteor, module, own_length)
    return LeftOut(start, length, own_start, own_length, stage, module, worthless)


def _worth(meteor: Meteor, module: str, words: int) -> int:
    """The value of so many matched words on one side in the search, which rounds it down."""
    weights = meteor.settings.search_weights
    return math.floor(weights.get(module, weights["other"]) * words)
