"""Other metrics beside METEOR: BLEU, chrF and TER, with the numbers and signatures of sacrebleu.

Each segment has a row of integers, such as numbers of n-grams. The score of a corpus, or of a sample, is that
of the sum of its rows. So the tests are the same as for METEOR (`bolide.comparison.significance`).

The core counts BLEU and TER (core/mert/ngrams.hpp, core/mert/ter.hpp), with the results of sacrebleu, but
many times faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from bolide import _core
from bolide._support import checks
from bolide._support.arrays import Floats, Integers
from bolide._support.extras import extra, require
from bolide.errors import ConfigurationError, InputError
from bolide.inputs.segments import Segments

ORDERS = 4  # of n-grams of words, for BLEU
BETA = 2  # chrF's weight of recall
# Mean lengths of references are counted in this part of a word: exact for up to 12 references.
PART = 27720

MOST_WORDS = 1 << 16  # whose tokens are cached; new words must not take more and more memory

Native = Callable[..., Integers]


class NativeCounts:
    """Counts in the core, with the tokens of sacrebleu. Its tokenizers treat each word separately, so the
    tokens of words are cached. A cache that is full starts again."""

    def __init__(self, metric: Any, native: Native, threads: int | None) -> None:
        self._metric, self._native = metric, native
        self._words: dict[str, str] = {}
        self._threads = checks.threads(threads)

    def tokens(self, text: str) -> str:
        words = text.split()
        if len(self._words) > MOST_WORDS:
            self._words.clear()
        for word in words:
            if word not in self._words:
                self._words[word] = self._metric._preprocess_segment(word)
        return " ".join([self._words[word] for word in words])

    def count(
        self, texts: Sequence[str], offsets: Integers, references: list[str], reference_offsets: Integers
    ) -> Integers:
        """The row of each text. Texts offsets[s] to offsets[s + 1] belong to sentence s. The references are
        tokens."""
        tokens = [self.tokens(text) for text in texts]
        try:
            return self._native(tokens, offsets, references, reference_offsets, self._threads)
        except UnicodeEncodeError:
            raise InputError(
                "a hypothesis or reference has a lone surrogate, which is not a valid character"
            ) from None


# ---- the score of each row of sums ---------------------------------------------------------------------


def bleu(sums: Floats) -> Floats:
    """BLEU. Orders without a match are smoothed: they count as 1/2, 1/4, … of an n-gram."""
    right, all_ = sums[:, 2 : 2 + ORDERS], sums[:, 2 + ORDERS :]
    halves = np.cumsum(right == 0, axis=1)
    return bleu_of(sums, np.where(right > 0, right, 0.5**halves), all_)


def bleu_of(sums: Floats, right: Floats, all_: Floats) -> Floats:
    """BLEU from matched and all n-grams. 0 if no word matches, or if an order has no n-grams."""
    scored = np.column_stack([sums[:, 2 : 2 + ORDERS].sum(axis=1), all_, right]).min(axis=1) > 0
    length, reference = np.maximum(sums[:, 0], 1), sums[:, 1]
    brevity = np.exp(np.minimum(1 - reference / length, 0))
    share = np.where(scored.reshape(-1, 1), right / np.maximum(all_, 1), 1.0)
    found: Floats = np.where(scored, 100 * brevity * np.exp(np.log(share).mean(axis=1)), 0.0)
    return found


def chrf(sums: Floats) -> Floats:
    """chrF, from the numbers of n-grams of the hypothesis and the reference, and of equal ones, by order."""
    ours, theirs, equal = sums[:, 0::3], sums[:, 1::3], sums[:, 2::3]
    known = (ours > 0) & (theirs > 0)
    orders = np.maximum(known.sum(axis=1), 1)
    precision, recall = (
        np.where(known, equal / np.maximum(side, 1), 0).sum(axis=1) / orders for side in (ours, theirs)
    )
    below = BETA**2 * precision + recall
    found: Floats = 100 * (1 + BETA**2) * precision * recall / np.where(below > 0, below, 1)
    return found


def ter(sums: Floats) -> Floats:
    """TER. It is 100 if there are edits, but no words in the references."""
    edits, length = sums[:, 0] * PART, sums[:, 1]
    found: Floats = 100 * np.where(length > 0, edits / np.where(length > 0, length, 1), edits > 0)
    return found


@dataclass(frozen=True)
class MetricKind:
    """A metric. `make` makes it from the class with the name `made`, for segments (True) or for systems."""

    name: str  # as sacrebleu names it
    made: str
    options: Callable[[bool], dict[str, Any]]
    score: Callable[[Floats], Floats]
    native: Native | None = None
    higher: bool = True  # whether a higher score is better


KINDS = {
    # For segments, sacrebleu leaves out the orders that a short segment cannot have.
    "bleu": MetricKind(
        "BLEU", "BLEU", lambda single: {"effective_order": single, "force": True}, bleu, _core.count_ngrams
    ),
    "chrf": MetricKind("chrF2", "CHRF", lambda single: {}, chrf),
    "chrf++": MetricKind("chrF2++", "CHRF", lambda single: {"word_order": 2}, chrf),
    "ter": MetricKind("TER", "TER", lambda single: {}, ter, _core.count_edits, higher=False),
}


def check_metrics(names: Sequence[str]) -> tuple[str, ...]:
    """The keys of these metrics. Fails if there is no such metric, or without sacrebleu."""
    found = tuple(checks.choice("metric", name.lower(), KINDS) for name in names)
    if len(set(found)) < len(found):
        raise ConfigurationError(f"metrics: {', '.join(names)}: name each metric once")
    if found:
        require("sacrebleu", "sacrebleu")
    return found


class SacrebleuMetric:
    """A metric of sacrebleu that scores batches of segments."""

    def __init__(self, key: str, threads: int | None = None) -> None:
        with extra("sacrebleu"):
            import sacrebleu.metrics
        self.kind = KINDS[key]
        kind = getattr(sacrebleu.metrics, self.kind.made)
        self._single, self._whole = (kind(**self.kind.options(single)) for single in (True, False))
        native = self.kind.native
        self._native = None if native is None else NativeCounts(self._whole, native, threads)
        self._counts: set[int] = set()

    @property
    def name(self) -> str:
        return self.kind.name

    def rows(self, batch: Segments) -> Integers:
        """The statistics of each segment."""
        if batch.pretokenized:
            raise InputError(f"{self.name} needs texts, not lists of tokens")
        self._counts.update(batch.counts.tolist())
        hypotheses, references = list(batch.hypotheses), list(batch.references)
        if self._native is None:
            return np.array([*self._counted(hypotheses, references, batch.counts.tolist())], dtype=np.int64)
        offsets = np.concatenate([[0], np.cumsum(batch.counts)]).astype(np.int64)
        tokens = [self._native.tokens(text) for text in references]
        found = self._native.count(hypotheses, np.arange(len(batch) + 1), tokens, offsets)
        if self.kind.score is ter:
            found[:, 1] = np.rint(found[:, 1] * (PART / batch.counts))
        return found

    def _counted(
        self, hypotheses: Sequence[str], references: Sequence[str], counts: Sequence[int]
    ) -> Iterator[list[int]]:
        metric, rest = self._whole, iter(references)
        for hypothesis, count in zip(hypotheses, counts, strict=True):
            own = [metric._preprocess_segment(next(rest)) for _ in range(count)]
            about = metric._extract_reference_info(own)
            yield metric._compute_segment_statistics(metric._preprocess_segment(hypothesis), about)

    def score(self, sums: Floats) -> Floats:
        """The corpus score of each row of sums."""
        return self.kind.score(sums)

    def corpus_score(self, rows: Integers) -> float:
        """The score of a corpus, as sacrebleu computes it."""
        return self._of(self._whole, rows.sum(axis=0))

    def segment_scores(self, rows: Integers) -> Floats:
        """The score of each segment, as sacrebleu computes it."""
        return np.array([self._of(self._single, row) for row in rows])

    def _of(self, metric: Any, row: Integers) -> float:
        numbers: list[Any] = row.tolist()
        if self.kind.score is ter:
            numbers[1] /= PART
        return float(metric._compute_score_from_stats(numbers).score)

    @property
    def signature(self) -> str:
        """As sacrebleu prints it."""
        self._whole.num_refs = next(iter(self._counts)) if len(self._counts) == 1 else -1
        return f"{self.name}|{self._whole.get_signature().format()}"


def many(names: Sequence[str], threads: int | None = None) -> list[SacrebleuMetric]:
    """The metrics with these names."""
    return [SacrebleuMetric(key, threads) for key in check_metrics(names)]


def listed(names: str | None) -> tuple[str, ...]:
    """The names in a list such as "bleu,chrf".

    >>> listed("bleu, chrf"), listed(None)
    (('bleu', 'chrf'), ())
    """
    return tuple(chain(*(part.split() for part in (names or "").split(","))))
