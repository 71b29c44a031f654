"""Soft pairwise accuracy (Thompson et al. 2024): agreement about how certain it is that a system is better.

For each pair of systems, p is that of a one-sided paired permutation test: how often the difference is at
least as large as the observed one if the scores of the two systems are swapped at random in each segment.

    SPA = mean over pairs of 1 − |human p − metric p|
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bolide._support.arrays import Floats
from bolide.errors import InputError

SAMPLES = 1000
SEED = 12345
# Differences below this, relative to the sum of all scores, are rounding errors.
EQUAL = 1e-9


def pair_p_values(values: npt.ArrayLike, samples: int = SAMPLES, seed: int = SEED) -> Floats:
    """The p-value of "the first is better" for each pair of systems, in the order of `numpy.triu_indices`.

    `values` are scores, segments × systems. A pair is tested on the segments of both systems (NaN: missing).
    The random swaps are the same for all pairs, as in the program of the authors.

    >>> pair_p_values([[3.0, 1.0]] * 20, samples=100), pair_p_values([[1.0, 3.0]] * 20, samples=100)
    (array([0.]), array([1.]))
    """
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2:
        raise InputError("scores must be a table of segments × systems")
    signs = _signs(samples, len(table), seed)
    a, b = np.triu_indices(table.shape[1], 1)
    if not np.isnan(table).any():
        mixed, sums = signs @ table, table.sum(axis=0)
        null, observed = mixed[:, a] - mixed[:, b], sums[a] - sums[b]
        scale = np.abs(table).sum(axis=0).max(initial=0.0)
        return _reached(null, observed, np.full(len(a), scale))
    differences = np.nan_to_num(table[:, a] - table[:, b])
    return _reached(signs @ differences, differences.sum(axis=0), np.abs(differences).sum(axis=0))


@lru_cache(maxsize=1)
def _signs(samples: int, segments: int, seed: int) -> Floats:
    """Random swaps as ±1. Many tests use the same ones."""
    coins = np.random.default_rng(seed).integers(2, size=(samples, segments), dtype=np.int8)
    return 2 * coins.astype(np.float64) - 1


def _reached(null: Floats, observed: Floats, scale: Floats) -> Floats:
    found: Floats = (null >= observed - EQUAL * scale).mean(axis=0, dtype=np.float64)
    return found


def soft_pairwise_accuracy(
    metric: npt.ArrayLike, human: npt.ArrayLike, samples: int = SAMPLES, seed: int = SEED
) -> float:
    """SPA of two tables, segments × systems. The systems must be the same, the segments need not.

    >>> scores = [[1.0, 2.0, 3.0], [1.0, 2.5, 3.0], [2.0, 1.0, 4.0]]
    >>> soft_pairwise_accuracy(scores, scores)
    1.0
    """
    x, y = np.asarray(metric, dtype=np.float64), np.asarray(human, dtype=np.float64)
    if x.ndim != 2 or y.ndim != 2 or x.shape[1] != y.shape[1]:
        raise InputError("metric and human scores must be tables of the same systems")
    if x.shape[1] < 2:
        return float("nan")
    return agreement(pair_p_values(x, samples, seed), pair_p_values(y, samples, seed))


def agreement(metric: Floats, human: Floats) -> float:
    """SPA from the p-values of each pair."""
    return float(np.mean(1.0 - np.abs(metric - human)))
