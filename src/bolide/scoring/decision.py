"""Minimum Bayes risk decoding: of several candidates, the one with the highest expected score.

The expected score of a candidate is the weighted mean of its scores against the references. The references
are samples of what the right translation may be: usually the candidates themselves. Methods:

    all       every candidate is compared with every reference
    subset    the references are only the `keep` most probable ones
    prune     first as with `subset`; then the `keep` best candidates are compared with every reference
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from bolide._support import checks
from bolide._support.arrays import Floats, Integers
from bolide._support.plurals import counted
from bolide._support.progress import Advance, no_advance
from bolide.errors import ConfigurationError, InputError
from bolide.inputs.groups import TextGroups, lists_of_sources, many_groups
from bolide.inputs.segments import Text

METHODS = ("all", "subset", "prune")
KEEP = 16
# Scores that are in memory at a time.
BLOCK = 1 << 20


@dataclass(frozen=True, eq=False)
class Choice:
    """The candidate that is chosen for one source."""

    index: int  # of the candidate, from 0 on
    candidate: Text
    expected: Floats  # the expected score of every candidate; NaN if it was pruned

    @property
    def score(self) -> float:
        """The expected score of the candidate."""
        return float(self.expected[self.index])


@dataclass(frozen=True)
class MbrPlan:
    """How the expected scores are computed."""

    method: str = "all"
    keep: int = KEEP
    symmetric: bool = False  # see `Meteor.pairwise`

    def check(self, own_references: bool = False) -> None:
        """Raises an error if this is not possible (if there are references besides the candidates)."""
        checks.choice("method", self.method, METHODS)
        checks.whole("keep", self.keep)
        if self.symmetric and (self.method != "all" or own_references):
            raise ConfigurationError("symmetric=True needs method='all', and the candidates as references")


class PairScorer(Protocol):
    """The part of `Meteor` that is used."""

    def pairwise_batch(
        self, hypotheses: Sequence[Sequence[Text]], references: Any = None, *, symmetric: bool = False
    ) -> Any: ...


@dataclass(frozen=True)
class Source:
    """Candidates, and the references that they are compared with."""

    candidates: Sequence[Text]
    references: Sequence[Text]
    weights: Floats  # of the references; they sum to 1

    @property
    def pairs(self) -> int:
        return len(self.candidates) * len(self.references)

    def with_likely_references(self, count: int) -> Source:
        """The source with the references of the largest weights; of equal ones, the first."""
        likely = np.sort(np.argsort(-self.weights, kind="stable")[:count])
        weights = self.weights[likely]
        texts = [self.references[k] for k in likely.tolist()]
        return Source(self.candidates, texts, weights / weights.sum())

    def with_candidates(self, chosen: Integers) -> Source:
        return Source([self.candidates[k] for k in chosen.tolist()], self.references, self.weights)


def decide(
    scorer: PairScorer,
    candidates: Sequence[Sequence[Text]],
    references: Sequence[Sequence[Text]] | None = None,
    weights: Sequence[Any] | None = None,
    plan: MbrPlan | None = None,
    *,
    progress: Advance = no_advance,
) -> list[Choice]:
    """The choice for each source. `Meteor.mbr` explains the arguments."""
    plan = plan or MbrPlan()
    plan.check(own_references=references is not None)
    candidates = lists_of_sources("candidates", candidates)
    references = None if references is None else lists_of_sources("references", references)
    ours = many_groups("candidate", "candidates", candidates)
    theirs = None if references is None else many_groups("reference", "references", references)
    _check_counts("candidate", ours)
    if theirs is not None and references is not None:
        if len(theirs) != len(ours):
            raise InputError(
                f"references for {counted(len(theirs), 'sources')}, and candidates for {len(ours)}"
            )
        _check_counts("reference", theirs)
    given = normalized_weights(weights, (theirs or ours).counts.tolist())
    others = candidates if references is None else references
    sources = [
        Source(texts, their_texts, weight)
        for texts, their_texts, weight in zip(candidates, others, given, strict=True)
    ]
    try:
        return _decide(scorer, sources, plan, progress)
    except InputError:
        # The error may name a text by its place in a part of the texts. This names it by its place in all.
        scorer.pairwise_batch(candidates, [()] * len(sources))
        scorer.pairwise_batch([()] * len(sources), others)
        raise


def _check_counts(what: str, groups: TextGroups) -> None:
    for number, count in enumerate(groups.counts.tolist(), 1):
        if not count:
            raise InputError(f"source {number} has no {what}; give each source at least one")


def _decide(scorer: PairScorer, sources: list[Source], plan: MbrPlan, progress: Advance) -> list[Choice]:
    choices: list[Choice] = []
    progress(0, len(sources))
    for block in _blocks(sources):
        for source, expected in zip(block, _estimates(scorer, block, plan), strict=True):
            index = int(np.nanargmax(expected))  # of equal ones, the first
            choices.append(Choice(index, source.candidates[index], expected))
        progress(len(choices), len(sources))
    return choices


def _estimates(scorer: PairScorer, sources: list[Source], plan: MbrPlan) -> list[Floats]:
    """The expected scores of each source, by the method of the plan."""
    if plan.method == "all":
        return _expected(scorer, sources, plan.symmetric)
    estimates = _expected(scorer, [each.with_likely_references(plan.keep) for each in sources])
    if plan.method == "subset":
        return estimates
    best = [np.sort(np.argsort(-each, kind="stable")[: plan.keep]) for each in estimates]
    exact = _expected(
        scorer, [source.with_candidates(kept) for source, kept in zip(sources, best, strict=True)]
    )
    for each, kept, values in zip(estimates, best, exact, strict=True):
        each[:] = np.nan
        each[kept] = values
    return estimates


def _expected(scorer: PairScorer, sources: list[Source], symmetric: bool = False) -> list[Floats]:
    """The expected scores of the candidates of each source. Blocks of candidates keep the memory small."""
    if symmetric:
        matrices = scorer.pairwise_batch([each.candidates for each in sources], symmetric=True)
        return [expected_scores(*each) for each in zip(matrices, (s.weights for s in sources), strict=True)]
    found: list[list[Floats]] = [[] for _ in sources]
    pieces = [(k, piece) for k, source in enumerate(sources) for piece in _pieces(source)]
    numbers = iter(k for k, _ in pieces)
    for some in _blocks([piece for _, piece in pieces]):
        texts = [each.candidates for each in some], [each.references for each in some]
        for piece, matrix in zip(some, scorer.pairwise_batch(*texts), strict=True):
            found[next(numbers)].append(expected_scores(matrix, piece.weights))
    return [np.concatenate(each) for each in found]


def _pieces(source: Source) -> Iterator[Source]:
    """The source with some of its candidates at a time."""
    rows = max(1, BLOCK // len(source.references))
    for start in range(0, len(source.candidates), rows):
        yield Source(source.candidates[start : start + rows], source.references, source.weights)


def _blocks(sources: Sequence[Source]) -> Iterator[list[Source]]:
    """Sources, as many at a time as a block has room for."""
    block: list[Source] = []
    pairs = 0
    for source in sources:
        if block and pairs + source.pairs > BLOCK:
            yield block
            block, pairs = [], 0
        block.append(source)
        pairs += source.pairs
    if block:
        yield block


def expected_scores(matrix: Floats, weights: Floats) -> Floats:
    """The expected score of each row. Equal rows have equal results, which a product of matrices does not
    promise."""
    expected: Floats = np.add.reduce(matrix * weights, axis=1)
    return expected


# ---- weights -------------------------------------------------------------------------------------


def normalized_weights(weights: Sequence[Any] | None, counts: Sequence[int]) -> list[Floats]:
    """The weight of each reference of each source; those of a source sum to 1."""
    if weights is None:
        return [np.full(count, 1 / max(count, 1)) for count in counts]
    try:
        each = list(weights)
    except TypeError:
        raise InputError("weights must have a list of numbers for each source") from None
    if len(each) != len(counts):
        raise InputError(
            f"there are weights for {counted(len(each), 'sources')}, and references for {len(counts)}"
        )
    return [
        _of_source(number, given, count)
        for number, (given, count) in enumerate(zip(each, counts, strict=True), 1)
    ]


def _of_source(number: int, given: Any, count: int) -> Floats:
    try:
        found = np.asarray(list(given), dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"source {number}: weights must be a list of numbers") from None
    if len(found) != count:
        raise InputError(
            f"source {number}: {counted(len(found), 'weights')} for {counted(count, 'references')}"
        )
    if found.ndim != 1:
        raise InputError(f"source {number}: weights must be a list of numbers")
    if not (np.isfinite(found).all() and (found >= 0).all() and (found > 0).any()):
        raise InputError(
            f"source {number}: weights must be finite and not negative, and one must be positive"
        )
    with np.errstate(over="ignore"):
        total = found.sum()
    if not np.isfinite(total):  # the sum is too large for a number
        found = found / found.max()
        total = found.sum()
    normalized: Floats = found / total
    return normalized


def softmax(scores: Any, temperature: float = 1.0) -> Floats:
    """Weights from log-probabilities or model scores. A high temperature makes them more equal.

    >>> softmax([0.0, 0.0]).tolist()
    [0.5, 0.5]
    """
    if not (np.isfinite(temperature) and temperature > 0):
        raise InputError(f"the temperature must be a positive number, not {temperature}")
    scaled = np.asarray(scores, dtype=np.float64) / temperature
    if not np.isfinite(scaled).all():
        raise InputError("scores must be finite numbers")
    powers: Floats = np.exp(scaled - scaled.max()) if scaled.size else scaled
    return powers / max(float(powers.sum()), 1.0)
