"""95% intervals by bootstrap: segments are drawn many times, with replacement, and their words counted."""

from __future__ import annotations

from dataclasses import dataclass

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


def draws(segments: int, samples: int, seed: int) -> Integers:
    """How often each sample has each segment: samples × segments."""
    shares = np.full(segments, 1 / max(segments, 1))
    return np.random.default_rng(seed).multinomial(segments, shares, size=samples)


def bounds(values: Floats) -> list[Bounds]:
    """The interval of each column.

    >>> bounds(np.arange(82.0).reshape(41, 2))
    [(2.0, 78.0), (3.0, 79.0)]
    """
    low, high = np.percentile(values, LEVELS, axis=0)
    return list(zip(low.tolist(), high.tolist(), strict=True))
