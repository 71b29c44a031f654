"""Alignments: the matches between a hypothesis and a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from bolide._support.arrays import Flags, Integers, Statistics
from bolide.scoring.score import Score


@dataclass(frozen=True)
class Match:
    """A phrase of the reference tied to a phrase of the hypothesis."""

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
        """Whether it is proven to be what the aligner's rule asks for."""
        return self.score.optimal

    def phrases(self, match: Match) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words of a match: the hypothesis', the reference's."""
        ours = self.hypothesis[match.hypothesis_start : match.hypothesis_start + match.hypothesis_length]
        theirs = self.reference[match.reference_start : match.reference_start + match.reference_length]
        return ours, theirs

    def _repr_html_(self) -> str:
        from bolide.explanation.notebook import alignment_html

        return alignment_html(self)


class Rows(NamedTuple):
    """Segments with each of their references, a row a reference, those of a segment one after the other. What
    counts of a segment is what its best reference has, or, if words may be matched in any, all together."""

    best: Integers  # of each segment the row of its best reference
    statistics: Statistics  # of each segment
    flags: Flags  # of each segment: _core.BOUNDED, _core.UNPROVEN
    row_statistics: Statistics
    row_flags: Flags
    # Reference start, length, hypothesis start, length, stage, chunk; and where those of each row begin.
    matches: Any
    offsets: Any
