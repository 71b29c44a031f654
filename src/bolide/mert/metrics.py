"""Metrics for tuning: integer rows that can be summed, and the score of a sum.

    meteor    any scorer: what each segment adds to the corpus statistics (`contributions`)
    bleu      as in sacrebleu: lengths, and matched and all n-grams of four orders
    ter       as in sacrebleu: edits with shifts, and the length of the references

Scores are from 0 to 100 (TER may be higher).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import lcm
from typing import Any, Protocol

import numpy as np

from bolide import _core
from bolide._core import StatisticsLayout
from bolide._support.arrays import Floats, Integers
from bolide._support.extras import extra
from bolide.comparison.sacrebleu_metrics import ORDERS, NativeCounts, bleu, bleu_of
from bolide.errors import InputError, SegmentError
from bolide.formula.statistics import contributions, evaluate
from bolide.inputs.segments import BATCH, by_segment
from bolide.scoring.meteor import Meteor

ReferenceTexts = Sequence[Sequence[str]]
# If a corpus score is the mean of segment scores, these are counted in multiples of this.
UNIT = 2.0**-40


class Metric(Protocol):
    """A metric with its references."""

    name: str
    sign: int  # -1 if lower is better
    columns: int

    def count(self, texts: Sequence[str], offsets: Integers) -> Integers:
        """The rows of texts. Texts offsets[s] to offsets[s + 1] belong to sentence s."""

    def score(self, sums: Floats) -> Floats:
        """The score of each row of sums."""

    def sentence_score(self, rows: Floats) -> Floats:
        """The score of each row of a single sentence."""
        return self.score(rows)

    def signature(self) -> str: ...


class MeteorMetric(Metric):
    """METEOR by a scorer. A batch has complete sentences, so that references are normalized once."""

    sign = 1

    def __init__(self, meteor: Meteor, references: ReferenceTexts, name: str = "METEOR") -> None:
        self.meteor, self.name = meteor, name
        self._references = references
        self._mean = meteor.settings.profile.corpus == "mean"
        self.columns = 2 if self._mean else StatisticsLayout(meteor.modules).width

    def count(self, texts: Sequence[str], offsets: Integers) -> Integers:
        found = [np.zeros((0, self.columns), dtype=np.int64)]
        first = 0
        for last in range(1, len(offsets)):
            following = offsets[min(last + 1, len(offsets) - 1)]
            if last == len(offsets) - 1 or following - offsets[first] > BATCH:
                found.append(self._rows(texts, offsets, first, last))
                first = last
        return np.concatenate(found)

    def _rows(self, texts: Sequence[str], offsets: Integers, first: int, last: int) -> Integers:
        sizes = np.diff(offsets[first : last + 1])
        sentences = np.repeat(np.arange(first, last), sizes).tolist()
        some = list(texts[offsets[first] : offsets[last]])
        if not some:
            return np.zeros((0, self.columns), dtype=np.int64)
        try:
            rows = self.meteor.measure(by_segment(some, [self._references[s] for s in sentences])).statistics
        except SegmentError as error:
            sentence = sentences[error.segment - 1]
            raise InputError(f"sentence {sentence} ({error.side}): {error.problem}") from None
        if not self._mean:
            return contributions(rows, self.meteor.parameters.formula).astype(np.int64)
        scores = np.rint(self.meteor.score(rows) / UNIT).astype(np.int64)
        return np.column_stack([scores, np.ones_like(scores)])

    def score(self, sums: Floats) -> Floats:
        if self._mean:
            return 100 * sums[:, 0] * UNIT / np.maximum(sums[:, 1], 1)
        return 100 * evaluate(sums, self.meteor.parameters)[:, -1]

    def signature(self) -> str:
        counts = {len(each) for each in self._references}
        return self.meteor.get_signature((min(counts), max(counts)))


class _Sacrebleu(Metric):
    """What BLEU and TER share."""

    name: str

    def __init__(
        self, metric: Any, native: Callable[..., Integers], references: ReferenceTexts, threads: int | None
    ) -> None:
        self._metric = metric
        self._native = NativeCounts(metric, native, threads)
        self._texts = [self._native.tokens(text) for each in references for text in each]
        self._counts = np.array([len(each) for each in references])
        self._offsets = np.concatenate([[0], np.cumsum(self._counts)]).astype(np.int64)

    def count(self, texts: Sequence[str], offsets: Integers) -> Integers:
        return self._native.count(texts, offsets, self._texts, self._offsets)

    def signature(self) -> str:
        alike = len(set(self._counts.tolist())) == 1
        self._metric.num_refs = int(self._counts[0]) if alike else -1
        found: str = self._metric.get_signature().format()
        return f"{self.name}|{found}"


class BleuMetric(_Sacrebleu):
    name, sign, columns = "BLEU", 1, 2 + 2 * ORDERS

    def __init__(self, references: ReferenceTexts, threads: int | None = None) -> None:
        with extra("sacrebleu"):
            from sacrebleu.metrics import BLEU
        super().__init__(BLEU(force=True), _core.count_ngrams, references, threads)

    def score(self, sums: Floats) -> Floats:
        return bleu(sums)

    def sentence_score(self, rows: Floats) -> Floats:
        """BLEU+1: adds one matching n-gram to all orders except the first (Lin and Och 2004)."""
        more = np.arange(ORDERS) > 0
        return bleu_of(rows, rows[:, 2 : 2 + ORDERS] + more, rows[:, 2 + ORDERS :] + more)


class TerMetric(_Sacrebleu):
    """TER. If the numbers of references differ, lengths are in fractions of a word, so that rows stay
    integers."""

    name, sign, columns = "TER", -1, 2

    def __init__(self, references: ReferenceTexts, threads: int | None = None) -> None:
        with extra("sacrebleu"):
            from sacrebleu.metrics import TER
        super().__init__(TER(), _core.count_edits, references, threads)
        self._parts = lcm(*set(self._counts.tolist()))

    def count(self, texts: Sequence[str], offsets: Integers) -> Integers:
        rows = super().count(texts, offsets)
        rows[:, 1] *= np.repeat(self._parts // self._counts, np.diff(offsets))
        return rows

    def score(self, sums: Floats) -> Floats:
        """TER. It is 100 if there are edits, but no words in the references."""
        edits, length = sums[:, 0] * self._parts, sums[:, 1]
        found: Floats = 100 * np.where(length > 0, edits / np.where(length > 0, length, 1), edits > 0)
        return found
