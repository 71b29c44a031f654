"""Corpora: measured segments in, one score out, in constant memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bolide import _core
from bolide._core import StatisticsLayout
from bolide._support.arrays import Flags, Integers, Statistics
from bolide.formula.statistics import aggregate, scores
from bolide.inputs.segments import ReferenceCounts, ReferenceLayout, Text, many_segments
from bolide.scoring.eval_id import eval_id
from bolide.scoring.score import CorpusScore, components
from bolide.scoring.signature import Signature

if TYPE_CHECKING:
    from bolide.scoring.measured import MeasuredSegments
    from bolide.scoring.meteor import Meteor
    from bolide.scoring.settings import Settings


@dataclass(frozen=True)
class Partial:
    """The sums of a corpus so far, to be added to another corpus, perhaps on another machine."""

    statistics: tuple[int, ...]
    segments: int
    bounded: int
    unproven: int
    references: tuple[int, int] | None  # the fewest and the most references of a segment
    total: float  # the sum of the segment scores, if the corpus score is their mean


class Corpus:
    """Sums the statistics of segments. With `keep` the result has the scores and statistics of the segments
    too. If segments have documents, each document is summed too."""

    def __init__(self, settings: Settings, *, keep: bool = False) -> None:
        self._settings = settings
        self._keep = keep
        self._sum: Integers = np.zeros(StatisticsLayout(settings.modules).width, dtype=np.int64)
        self._kept: list[Statistics] = []
        self._flags: list[Flags] = []
        self._count = self._bounded = self._unproven = 0
        self._total = 0.0  # the sum of the segment scores, if the corpus score is their mean
        self._references: tuple[int, int] | None = None
        self._documents: dict[str, Corpus] = {}

    def __len__(self) -> int:
        """The number of segments so far."""
        return self._count

    def add(self, measured: MeasuredSegments) -> None:
        """Adds segments that `Meteor.measure` has measured."""
        counts, statistics, flags = measured.counts, measured.statistics, measured.flags
        self._add(counts, statistics, flags)
        if measured.documents is not None:
            rows: dict[str, list[int]] = {}
            for row, document in enumerate(measured.documents):
                rows.setdefault(document, []).append(row)
            for document, own in rows.items():
                part = self._documents.setdefault(document, Corpus(self._settings))
                part._add(counts[own], statistics[own], flags[own])

    def partial(self) -> Partial:
        """The sums so far, without documents and without what is kept of segments."""
        sums = tuple(int(value) for value in self._sum)
        return Partial(sums, self._count, self._bounded, self._unproven, self._references, self._total)

    def add_partial(self, part: Partial) -> None:
        """Adds the sums of another corpus of the same scorer."""
        self._sum += np.array(part.statistics, dtype=np.int64)
        self._count += part.segments
        self._bounded += part.bounded
        self._unproven += part.unproven
        self._total += part.total
        self._widen(part.references)

    def _widen(self, references: tuple[int, int] | None) -> None:
        """Updates the fewest and the most references of a segment."""
        if references is not None:
            known = self._references or references
            self._references = (min(references[0], known[0]), max(references[1], known[1]))

    def _add(self, counts: ReferenceCounts, statistics: Statistics, flags: Flags) -> None:
        parameters = self._settings.parameters
        self._sum += aggregate(statistics, parameters.formula)
        self._count += len(counts)
        self._bounded += int(np.count_nonzero(flags & _core.BOUNDED))
        self._unproven += int(np.count_nonzero(flags & _core.UNPROVEN))
        if len(counts):
            self._widen((int(counts.min()), int(counts.max())))
        if self._settings.profile.corpus == "mean":
            self._total += float(scores(statistics, parameters).sum())
        if self._keep:
            self._kept.append(statistics)
            self._flags.append(flags)

    @property
    def statistics(self) -> Integers:
        """The sum so far."""
        return self._sum.copy()

    def _all_kept(self) -> Statistics | None:
        """The statistics of all segments, in one array. Its parts are freed one by one, so that there are
        never two copies."""
        if len(self._kept) > 1:
            whole = np.empty((self._count, self._kept[0].shape[1]), dtype=self._kept[0].dtype)
            parts, self._kept = deque(self._kept), [whole]
            end = 0
            while parts:
                part = parts.popleft()
                start, end = end, end + len(part)
                whole[start:end] = part
        return self._kept[0] if self._kept else None

    def score(self) -> CorpusScore:
        """The score of the segments so far."""
        settings = self._settings
        kept = self._all_kept()
        values = components(self._sum, settings.parameters)
        if settings.profile.corpus == "mean":
            values["score"] = self._total / max(self._count, 1)
        return CorpusScore(
            **values,  # type: ignore[arg-type]
            bounded=self._bounded,
            optimal=self._unproven == 0,
            unproven=self._unproven,
            segment_count=self._count,
            signature=str(Signature.of(settings, self._references, self._unproven)),
            eval_id=eval_id(settings),
            segments=None if kept is None else scores(kept, settings.parameters),
            statistics=kept,
            flags=np.concatenate(self._flags) if self._flags else None,
            documents={name: part.score() for name, part in self._documents.items()} or None,
        )


class CorpusStream:
    """Scores a corpus of any size, batch by batch: add texts, then ask for the score.

    >>> from bolide import Meteor
    >>> corpus = Meteor("linear", modules=["exact"], normalize="lower").corpus()
    >>> _ = corpus.add(["a b", "c d", "e f"], ["a b", "c x", "e g"], documents=["one", "two", "one"])
    >>> {name: round(part.score, 4) for name, part in corpus.score().documents.items()}
    {'one': 0.5, 'two': 0.25}
    """

    def __init__(self, meteor: Meteor, *, keep: bool = False) -> None:
        self._meteor = meteor
        self._corpus = Corpus(meteor.settings, keep=keep)

    def add(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[Any],
        *,
        layout: ReferenceLayout | None = None,
        documents: Sequence[str] | None = None,
    ) -> Statistics:
        """Adds segments, given as to `Meteor.corpus_score`; returns their statistics."""
        first = len(self._corpus) + 1
        measured = self._meteor.measure(many_segments(hypotheses, references, layout, documents, first=first))
        self._corpus.add(measured)
        return measured.statistics

    def score(self) -> CorpusScore:
        """The score of the segments so far."""
        return self._corpus.score()
