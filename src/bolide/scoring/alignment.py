"""Alignments: the matches between a hypothesis and a reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from bolide._support.arrays import Flags, Floats, Integers, Statistics
from bolide.inputs.segments import ReferenceCounts
from bolide.scoring.score import Score


@dataclass(frozen=True)
class Match:
    """A phrase of the reference matched with a phrase of the hypothesis."""

    reference_start: int
    reference_length: int
    hypothesis_start: int
    hypothesis_length: int
    stage: int
    module: str
    chunk: int


@dataclass(frozen=True)
class Alignment:
    """Two sentences as tokens, the matches between them, and the score that follows."""

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    matches: tuple[Match, ...]
    score: Score

    @property
    def optimal(self) -> bool:
        """Whether the alignment is proven to be the best by the rule of the aligner."""
        return self.score.optimal

    def phrases(self, match: Match) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words of a match: those of the hypothesis, and those of the reference."""
        ours = self.hypothesis[match.hypothesis_start : match.hypothesis_start + match.hypothesis_length]
        theirs = self.reference[match.reference_start : match.reference_start + match.reference_length]
        return ours, theirs

    def _repr_html_(self) -> str:
        from bolide.explanation.notebook import alignment_html

        return alignment_html(self)


class ReferenceAlignments(NamedTuple):
    """Segments aligned with each of their references, as arrays: one row per reference, the references of a
    segment one after the other. What counts for a segment is the row of its best reference or, if words may
    be matched in any reference, all its references together."""

    best: Integers  # of each segment: the row of its best reference
    statistics: Statistics  # of each segment
    flags: Flags  # of each segment: _core.BOUNDED, _core.UNPROVEN
    row_statistics: Statistics
    row_flags: Flags
    # One row per match: reference start, length, hypothesis start, length, stage, chunk. The matches of row k
    # begin at offsets[k].
    matches: Any
    offsets: Any

    @staticmethod
    def joined(batches: Sequence[ReferenceAlignments]) -> ReferenceAlignments:
        """Batches one after the other."""
        if len(batches) == 1:
            return batches[0]
        ends = np.cumsum([0, *(len(batch.row_flags) for batch in batches)])
        best = np.concatenate([batch.best + start for batch, start in zip(batches, ends[:-1], strict=True)])
        sizes = np.concatenate([np.diff(batch.offsets) for batch in batches])
        names = ReferenceAlignments._fields
        columns = {name: np.concatenate([getattr(batch, name) for batch in batches]) for name in names}
        return ReferenceAlignments(**{**columns, "best": best, "offsets": np.cumsum([0, *sizes])})


def best_rows(scores: Floats, counts: ReferenceCounts) -> Integers:
    """For each segment the row of its first reference with the highest score. There is one score per
    reference, and `counts` has the number of references of each segment."""
    starts = np.cumsum(counts) - counts
    highest = np.repeat(np.maximum.reduceat(scores, starts), counts)
    winners = np.flatnonzero(scores == highest)
    return winners[np.searchsorted(winners, starts)]
