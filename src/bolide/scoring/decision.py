"""Minimum Bayes risk decoding: of several candidates, the one with the highest expected score.

The expected score of a candidate is the weighted mean of its scores against the references. The references
are samples of what the right translation may be: usually the candidates themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolide._support.arrays import Floats
from bolide.errors import InputError
from bolide.inputs.segments import Text


@dataclass(frozen=True, eq=False)
class Choice:
    """The candidate that is chosen for one source."""

    index: int  # of the candidate, from 0 on
    candidate: Text
    expected: Floats  # the expected score of every candidate

    @property
    def score(self) -> float:
        """The expected score of the candidate."""
        return float(self.expected[self.index])


def normalized_weights(weights: Sequence[Any] | None, counts: Sequence[int]) -> list[Floats]:
    """The weight of each reference of each source; those of a source sum to 1."""
    if weights is None:
        return [np.full(count, 1 / max(count, 1)) for count in counts]
    if len(weights) != len(counts):
        raise InputError(f"there are weights for {len(weights)} sources, and references for {len(counts)}")
    return [
        _of_source(number, given, count)
        for number, (given, count) in enumerate(zip(weights, counts, strict=True), 1)
    ]


def _of_source(number: int, given: Any, count: int) -> Floats:
    try:
        found = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"source {number}: weights must be numbers") from None
    if found.shape != (count,):
        raise InputError(f"source {number}: {found.size} weights for {count} references")
    total = found.sum()
    if not (np.isfinite(found).all() and (found >= 0).all() and 0 < total < np.inf):
        raise InputError(f"source {number}: weights must not be negative, and one must be positive")
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


def expected_scores(matrix: Floats, weights: Floats) -> Floats:
    """The expected score of each row. Equal rows have equal results, which a product of matrices does not
    promise."""
    expected: Floats = np.add.reduce(matrix * weights, axis=1)
    return expected


def choose(candidates: Sequence[Text], matrix: Floats, weights: Floats) -> Choice:
    """The candidate with the highest expected score; of equal ones, the first."""
    expected = expected_scores(matrix, weights)
    index = int(np.argmax(expected))
    return Choice(index, candidates[index], expected)
