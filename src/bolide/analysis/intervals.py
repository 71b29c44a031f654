"""95% intervals by bootstrap: segments are drawn many times, with replacement, and their words counted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bolide._support.arrays import Floats, Integers

LEVELS = (2.5, 97.5)  # percent
Bounds = tuple[float, float]


@dataclass(frozen=True)
class ClassIntervals:
    """The intervals of a class of words. A bound is NaN if some samples have no such words."""

    name: str
    precision: Bounds
    recall: Bounds
    f1: Bounds


@lru_cache(maxsize=1)
def draws(segments: int, samples: int, seed: int) -> Floats:
    """How often each sample has each segment: samples × segments."""
    shares = np.full(segments, 1 / max(segments, 1))
    return np.random.default_rng(seed).multinomial(segments, shares, size=samples).astype(float)


def counted_in(drawn: Floats, counts: Integers) -> Integers:
    """The counts of each column in each sample. Products of floats are much faster, and these are exact.

    >>> counted_in(np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([[3], [4]])).tolist()
    [[6], [7]]
    """
    found: Floats = drawn @ counts.astype(float)
    return np.rint(found).astype(np.int64)


def bounds(values: Floats) -> list[Bounds]:
    """The interval of each column.

    >>> bounds(np.arange(82.0).reshape(41, 2))
    [(2.0, 78.0), (3.0, 79.0)]
    """
    low, high = np.percentile(values, LEVELS, axis=0)
    return list(zip(low.tolist(), high.tolist(), strict=True))
