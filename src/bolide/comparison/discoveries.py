"""Tests of many small counts.

The sign test compares two systems in the segments where their counts differ. If the systems were equally
good, each of these segments would favour either of them like the toss of a coin, so that the number of
segments in favour of one has a binomial distribution. The test is exact, and assumes nothing about the counts
inside a segment. If every count is 0 or 1, it is McNemar's exact test.

If thousands of words are tested, some p-values are small by chance. The procedure of Benjamini and Hochberg
(1995) controls the false-discovery rate: of all rows with q ≤ 0.05, at most 5% are expected to be chance.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bolide._support.arrays import Floats

# Fewer segments that differ cannot give p < 0.05: 2 · 0.5^5 = 0.0625.
FEWEST = 6
LEVEL = 0.05


def sign_test(wins: npt.ArrayLike, losses: npt.ArrayLike) -> Floats:
    """The two-sided p-value of each pair of numbers.

    >>> sign_test([0, 1, 6, 8], [0, 0, 0, 2]).tolist()
    [1.0, 1.0, 0.03125, 0.109375]
    """
    won, lost = np.asarray(wins), np.asarray(losses)
    fewer, total = np.minimum(won, lost).ravel(), (won + lost).ravel()
    most = int(total.max(initial=0)) + 1
    distinct, places = np.unique(fewer * most + total, return_inverse=True)
    values = np.array([_p_value(*divmod(pair, most)) for pair in distinct.tolist()], dtype=np.float64)
    return values[places.ravel()].reshape(won.shape)


@lru_cache(maxsize=1 << 16)
def _p_value(fewer: int, total: int) -> float:
    """Twice the probability of at most `fewer` heads in `total` tosses."""
    if 2 * fewer >= total:
        return 1.0
    term = tail = 1  # the numbers of ways, as exact integers
    for heads in range(1, fewer + 1):
        term = term * (total - heads + 1) // heads
        tail += term
    return 2 * tail / (1 << total)


def false_discovery_rates(p_values: npt.ArrayLike) -> Floats:
    """The q-value of each p-value: the lowest rate at which it is a discovery.

    >>> false_discovery_rates([0.125, 1.0, 0.25]).tolist()
    [0.375, 1.0, 0.375]
    """
    values = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(-values, kind="stable")
    ranks = np.arange(len(values), 0, -1)
    rates = np.minimum.accumulate(values[order] * (len(values) / ranks))
    found = np.empty_like(values)
    found[order] = np.minimum(rates, 1.0)
    return found
