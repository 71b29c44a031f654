"""95% intervals by bootstrap: segments are drawn many times, with replacement, and their words counted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bolide._support.arrays import Floats, Integers

LEVELS = (2.5, 97.5)  # percent
EXACT = 1 << 24  # floats of 32 bits are exact for integers up to this one
Bounds = tuple[float, float]


@dataclass(frozen=True)
class ClassIntervals:
    """The intervals of a class of words. A bound is NaN if some samples have no such words."""

    name: str
    precision: Bounds
    recall: Bounds
    f1: Bounds


@lru_cache(maxsize=1)
def draws(segments: int, samples: int, seed: int) -> npt.NDArray[np.float32]:
    """How often each sample has each segment: samples × segments."""
    shares = np.full(segments, 1 / max(segments, 1))
    return np.random.default_rng(seed).multinomial(segments, shares, size=samples).astype(np.float32)


def counted_in(drawn: npt.NDArray[np.float32], counts: Integers) -> Integers:
    """The counts of each column in each sample. Each row of `drawn` adds up to the number of segments.
    Products of floats are much faster than those of integers, and these are exact.

    >>> counted_in(np.array([[2, 0], [1, 1]], dtype=np.float32), np.array([[3], [4]])).tolist()
    [[6], [7]]
    """
    small = len(counts) * int(counts.max(initial=0)) <= EXACT
    found = drawn @ counts.astype(np.float32) if small else drawn.astype(float) @ counts.astype(float)
    return np.rint(found).astype(np.int64)


def bounds(values: Floats) -> list[Bounds]:
    """The interval of each column.

    >>> bounds(np.arange(82.0).reshape(41, 2))
    [(2.0, 78.0), (3.0, 79.0)]
    """
    low, high = np.percentile(values, LEVELS, axis=0)
    return list(zip(low.tolist(), high.tolist(), strict=True))
