"""Corpora: segments in, one score out, in constant memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bolide import _core
from bolide._core import StatisticsLayout
from bolide._support.arrays import Flags, Integers, Statistics
from bolide.formula.statistics import aggregate
from bolide.inputs.segments import Counts, Layout, Segments, Text, many_segments
from bolide.scoring.score import CorpusScore, components

if TYPE_CHECKING:
    from bolide.scoring.meteor import Meteor


@dataclass(frozen=True)
class Partial:
    """What a corpus has summed up, to be added to another, perhaps on another machine."""

    statistics: tuple[int, ...]
    segments: int
    bounded: int
    unproven: int
    references: tuple[int, int] | None  # fewest and most of a segment
    total: float  # of the segments' scores, where their mean is asked for


class Corpus:
    """Sums statistics over batches. With `keep` the segments' scores and statistics stay with the result.
    Where segments say which document they belong to, each document is summed too.

    >>> from bolide import Meteor
    >>> corpus = Meteor("linear", modules=["exact"], normalize="lower").corpus()
    >>> _ = corpus.add(["a b", "c d", "e f"], ["a b", "c x", "e g"], documents=["one", "two", "one"])
    >>> {name: round(part.score, 4) for name, part in corpus.score().documents.items()}
    {'one': 0.5, 'two': 0.25}
    """

    def __init__(self, meteor: Meteor, *, keep: bool) -> None:
        self._meteor = meteor
        self._keep = keep
        self._sum: Integers = np.zeros(StatisticsLayout(meteor.modules).width, dtype=np.int64)
        self._kept: list[Statistics] = []
        self._flags: list[Flags] = []
        self._count = self._bounded = self._unproven = 0
        self._total = 0.0  # of the segments' scores, where their mean is asked for
        self._references: tuple[int, int] | None = None
        self._documents: dict[str, Corpus] = {}

    def add(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[Any],
        *,
        layout: Layout | None = None,
        documents: Sequence[str] | None = None,
    ) -> Statistics:
        """Adds segments, given as to `Meteor.corpus_score`; returns their statistics."""
        segments = many_segments(hypotheses, references, layout, first=self._count + 1)
        return self.add_segments(segments if documents is None else segments.of_documents(documents))[0]

    def add_segments(self, segments: Segments) -> tuple[Statistics, Flags]:
        """Adds segments that are in shape already; their statistics and the flags of the search."""
        statistics, flags = self._meteor.best(segments)
        self.add_statistics(segments, statistics, flags)
        return statistics, flags

    def add_statistics(self, segments: Segments, statistics: Statistics, flags: Flags) -> None:
        """Adds segments for which `Meteor.best` was asked already."""
        self._add(segments.counts, statistics, flags)
        if segments.documents is not None:
            rows: dict[str, list[int]] = {}
            for row, document in enumerate(segments.documents):
                rows.setdefault(document, []).append(row)
            for document, own in rows.items():
                part = self._documents.setdefault(document, Corpus(self._meteor, keep=False))
                part._add(segments.counts[own], statistics[own], flags[own])

    def add_counted(self, counts: Counts, statistics: Statistics, flags: Flags) -> None:
        """Adds statistics of segments of which only the numbers of references are known."""
        self._add(counts, statistics, flags)

    def partial(self) -> Partial:
        """The sums so far. Documents, and what is kept of segments, are not in it."""
        sums = tuple(int(value) for value in self._sum)
        return Partial(sums, self._count, self._bounded, self._unproven, self._references, self._total)

    def add_partial(self, part: Partial) -> None:
        """Adds what another corpus of the same scorer has summed up."""
        self._sum += np.array(part.statistics, dtype=np.int64)
        self._count += part.segments
        self._bounded += part.bounded
        self._unproven += part.unproven
        self._total += part.total
        self._widen(part.references)

    def _widen(self, references: tuple[int, int] | None) -> None:
        """The fewest and the most references of a segment."""
        if references is not None:
            known = self._references or references
            self._references = (min(references[0], known[0]), max(references[1], known[1]))

    def _add(self, counts: Counts, statistics: Statistics, flags: Flags) -> None:
        self._sum += aggregate(statistics, self._meteor.parameters.formula)
        self._count += len(counts)
        self._bounded += int(np.count_nonzero(flags & _core.BOUNDED))
        self._unproven += int(np.count_nonzero(flags & _core.UNPROVEN))
        if len(counts):
            self._widen((int(counts.min()), int(counts.max())))
        if self._meteor.profile.corpus == "mean":
            self._total += float(self._meteor.score(statistics).sum())
        if self._keep:
            self._kept.append(statistics)
            self._flags.append(flags)

    @property
    def statistics(self) -> Integers:
        """The sum so far."""
        return self._sum.copy()

    def score(self) -> CorpusScore:
        """The corpus score of what was added."""
        kept = np.concatenate(self._kept) if self._kept else None
        values = components(self._sum, self._meteor.parameters)
        if self._meteor.profile.corpus == "mean":
            values["score"] = self._total / max(self._count, 1)
        return CorpusScore(
            **values,  # type: ignore[arg-type]
            bounded=self._bounded,
            optimal=self._unproven == 0,
            unproven=self._unproven,
            segment_count=self._count,
            signature=self._meteor.get_signature(self._references, self._unproven),
            eval_id=self._meteor.get_eval_id(),
            segments=None if kept is None else self._meteor.score(kept),
            statistics=kept,
            flags=np.concatenate(self._flags) if self._flags else None,
            documents={name: part.score() for name, part in self._documents.items()} or None,
        )
