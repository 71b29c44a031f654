"""Scores of segments and corpora."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from itertools import chain

import numpy as np

from bolide import _core
from bolide._support.arrays import Flags, Floats, Statistics
from bolide.formula.layout import layout_of
from bolide.formula.parameters import Parameters
from bolide.formula.statistics import COMPONENTS, evaluate

# Segments whose values are computed at a time.
PIECE = 1 << 13
# The fields of a `Score` that are columns of statistics.
COUNTS = ("chunks", "hypothesis_matches", "reference_matches", "hypothesis_length", "reference_length")
# The names of flags.
FLAGS = {"bounded": _core.BOUNDED, "unproven": _core.UNPROVEN}


class _Readable:
    """A dataclass repr with four digits."""

    def __repr__(self) -> str:
        shown = []
        for f in fields(self):  # type: ignore[arg-type]
            value = getattr(self, f.name)
            if f.repr:
                shown.append(f"{f.name}={value:.4f}" if isinstance(value, float) else f"{f.name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"


@dataclass(frozen=True, repr=False)
class Score(_Readable):
    """A score with its components. `float(score)` is the score itself."""

    score: float
    precision: float
    recall: float
    f1: float
    fmean: float
    penalty: float
    chunks: int  # or breaks, if the profile counts them (bolide-2)
    hypothesis_matches: int
    reference_matches: int
    hypothesis_length: int
    reference_length: int
    # Whether the alignment search reached its bound (thousands of equal words): the score is approximate.
    bounded: bool = False
    # Whether the alignment is proven to be the best by the rule of the aligner.
    optimal: bool = True

    @property
    def matches(self) -> float:
        """The number of matched words as the penalty counts them: the mean of both sides."""
        return (self.hypothesis_matches + self.reference_matches) / 2

    def __float__(self) -> float:
        return self.score

    def _repr_html_(self) -> str:
        from bolide.explanation.notebook import score_html

        return score_html(self)


@dataclass(frozen=True, repr=False)
class CorpusScore(Score):
    """The score of a corpus, from its summed statistics. `segments` has the score of each segment,
    `documents` the score of each document by its id, if segments have documents."""

    bounded: int = 0  # type: ignore[assignment]  # how many segments reached the bound
    unproven: int = 0  # how many segments have an alignment that is not proven optimal
    segment_count: int = 0
    signature: str = ""
    eval_id: str | None = field(default=None, repr=False)  # the name of these settings in the Java release
    segments: Floats | None = field(default=None, repr=False, compare=False)
    statistics: Statistics | None = field(default=None, repr=False, compare=False)
    # Of each segment: _core.BOUNDED, _core.UNPROVEN.
    flags: Flags | None = field(default=None, repr=False, compare=False)
    documents: Mapping[str, CorpusScore] | None = field(default=None, repr=False, compare=False)

    def _repr_html_(self) -> str:
        from bolide.explanation.notebook import corpus_html

        return corpus_html(self)


def bounded_note(count: int) -> str:
    """The message about segments that reached the bound of the alignment.

    >>> bounded_note(2)
    '2 segments reached the limit of the search: their scores are approximate'
    """
    what, whose = ("segment", "its score is") if count == 1 else ("segments", "their scores are")
    return f"{count} {what} reached the limit of the search: {whose} approximate"


def segment_components(statistics: Statistics, parameters: Parameters) -> Mapping[str, Floats]:
    """The precision, recall, f1, fmean, penalty, score, chunks and matches of each segment, by name. A value
    is 0 if it would be a division by 0."""
    values = np.nan_to_num(evaluate(statistics, parameters), posinf=np.inf, neginf=-np.inf)
    layout, columns = layout_of(statistics), statistics.T
    matches = (columns[layout.hypothesis_matches] + columns[layout.reference_matches]) / 2
    counts = {"chunks": columns[layout.chunks], "matches": matches}
    return {**dict(zip(COMPONENTS, values.T, strict=True)), **counts}


class SegmentColumn:
    """A value of all segments, computed in pieces when it is read: as a list it would take many times the
    memory of the statistics."""

    def __init__(self, statistics: Statistics, parameters: Parameters, name: str) -> None:
        self.statistics, self.parameters, self.name = statistics, parameters, name

    def __len__(self) -> int:
        return len(self.statistics)

    def pieces(self) -> Iterator[list[float]]:
        for start in range(0, len(self), PIECE):
            piece = self.statistics[start : start + PIECE]
            yield segment_components(piece, self.parameters)[self.name].tolist()

    def __iter__(self) -> Iterator[float]:
        return chain.from_iterable(self.pieces())


def components(row: Statistics, parameters: Parameters) -> dict[str, float]:
    """The fields of a `Score` for one row of statistics; 0 if there is nothing to divide by."""
    values = dict(zip(COMPONENTS, evaluate(row, parameters)[0].tolist(), strict=True))
    numbers = {name: 0.0 if math.isnan(value) else value for name, value in values.items()}
    layout = layout_of(row)
    return {**numbers, **{name: int(row[getattr(layout, name)]) for name in COUNTS}}
