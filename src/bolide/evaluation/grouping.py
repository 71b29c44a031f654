"""Correlations over all translations, or the mean over systems or over items (segments).

A result is a function of how often each segment counts. None means once each, which gives the value itself;
the counts of a bootstrap sample give the value of the sample. What is equal in all samples is computed once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bolide._support.arrays import Floats
from bolide.errors import InputError
from bolide.evaluation.correlation import Calibration
from bolide.evaluation.judgments import EQUAL, Places, pairs_within

# Computes a value from how often each segment counts.
Sampled = Callable[[Floats | None], float]
Coefficient = Callable[[Floats, Floats, Floats], float]

GROUPINGS = ("none", "system", "item")
# Largest number of pairs of translations: they take about 2 GB.
MOST_PAIRS = 30_000_000


def ones(counts: Floats | None, segments: int) -> Floats:
    return np.ones(segments) if counts is None else counts


def mean_of_known(values: Floats, counts: Floats) -> float:
    """The mean without undefined values (constant groups)."""
    known = ~np.isnan(values) & (counts > 0)
    return float(np.average(values[known], weights=counts[known])) if known.any() else float("nan")


def correlation(
    metric: Floats, human: Floats, coefficient: Coefficient, grouping: str, weights: Floats | None = None
) -> Sampled:
    """A coefficient of two tables, segments × systems, for all cells with a human score. `weights` are those
    of the segments."""
    segments = len(human)
    w = np.ones(segments) if weights is None else weights
    known = ~np.isnan(human)
    if grouping == "item":
        cached = np.array(
            [
                coefficient(x[k], y[k], np.ones(int(k.sum())))
                for x, y, k in zip(metric, human, known, strict=True)
            ]
        )
        return lambda counts: mean_of_known(cached, ones(counts, segments))
    if grouping == "system":
        parts = [np.flatnonzero(column) for column in known.T]

        def per_system(counts: Floats | None) -> float:
            times = w * ones(counts, segments)
            found = [
                coefficient(metric[rows, m], human[rows, m], times[rows]) for m, rows in enumerate(parts)
            ]
            return mean_of_known(np.array(found), np.ones(len(found)))

        return per_system
    rows, columns = np.nonzero(known)
    x, y = metric[rows, columns], human[rows, columns]
    return lambda counts: coefficient(x, y, (w * ones(counts, segments))[rows])


def pair_accuracy(metric: Floats, human: Floats, grouping: str) -> Accuracy:
    """Accuracy with tie calibration: the mean over groups of all pairs in a group, with one ε for all."""
    known = ~np.isnan(human)
    if grouping == "item":
        rows, a, b = pairs_within(known)
        first, second = (rows, a), (rows, b)
        return Accuracy(metric[first] - metric[second], human[first] - human[second], (rows, rows), rows)
    cells = np.nonzero(known.T)  # all segments of the first system, then of the second, and so on
    of_group = cells[0] if grouping == "system" else np.zeros(len(cells[0]), dtype=np.intp)
    sizes = np.bincount(of_group)
    count = int((sizes * (sizes - 1) // 2).sum())
    if count > MOST_PAIRS:
        raise InputError(
            f"grouping '{grouping}' makes {count:,} pairs of translations, more than the limit of "
            f"{MOST_PAIRS:,}; group accuracy by item"
        )
    starts = np.append(0, np.cumsum(sizes))
    indices = [np.triu_indices(size, 1) for size in sizes]
    a = np.concatenate([start + i for start, (i, _) in zip(starts[:-1], indices, strict=True)])
    b = np.concatenate([start + j for start, (_, j) in zip(starts[:-1], indices, strict=True)])
    x, y = metric.T[cells], human.T[cells]
    return Accuracy(x[a] - x[b], y[a] - y[b], (cells[1][a], cells[1][b]), of_group[a])


def judged_accuracy(metric: Floats, human: Floats, segments: Places, grouping: str) -> Accuracy:
    """Accuracy with tie calibration of the pairs that judges compared."""
    groups = segments if grouping == "item" else np.zeros(len(segments), dtype=np.intp)
    return Accuracy(metric, human, (segments, segments), groups)


class Accuracy:
    """Accuracy of pairs of translations: differences, with the two segments and the group of each pair.
    Groups have equal weights, except if they are segments: these count as often as they occur in the
    sample."""

    def __init__(
        self, metric: Floats, human: Floats, segments: tuple[Places, Places], groups: Places
    ) -> None:
        self._calibration = Calibration(metric, np.round(human, EQUAL))
        self._segments = segments
        sizes = np.bincount(groups)
        self._share = 1.0 / sizes[groups] if len(groups) else np.zeros(0)

    def __call__(self, counts: Floats | None) -> float:
        if counts is None:
            return self._calibration.accuracy(self._share)[0]
        first, second = self._segments
        times = counts[first] if first is second else counts[first] * counts[second]
        return self._calibration.accuracy(self._share * times)[0]

    @property
    def epsilon(self) -> float:
        """The largest difference of scores that counts as a tie of the metric."""
        return self._calibration.accuracy(self._share)[1]
