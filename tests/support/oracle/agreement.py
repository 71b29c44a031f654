"""Agreement with people, pair by pair, computed directly from the definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, product


def sign(x: float) -> int:
    return int(x > 0) - int(x < 0)


def accuracy(
    metric: Sequence[float], human: Sequence[float], epsilon: float, weights: Sequence[float]
) -> float:
    """The share of correct pairs, where differences up to ε are ties."""
    right = 0.0
    for m, h, w in zip(metric, human, weights, strict=True):
        right += w * ((0 if abs(m) <= epsilon else sign(m)) == sign(h))
    return right / sum(weights)


def calibrated(metric: Sequence[float], human: Sequence[float], weights: Sequence[float]) -> float:
    """The best accuracy over all possible ε."""
    return max(accuracy(metric, human, epsilon, weights) for epsilon in {0.0, *map(abs, metric)})


def tau_b(x: Sequence[float], y: Sequence[float]) -> float:
    pairs = list(combinations(range(len(x)), 2))
    both = sum(sign(x[i] - x[j]) * sign(y[i] - y[j]) for i, j in pairs)
    first = sum(x[i] != x[j] for i, j in pairs)
    second = sum(y[i] != y[j] for i, j in pairs)
    return both / math.sqrt(first * second)


def exact_p(first: Sequence[float], second: Sequence[float]) -> float:
    """One-sided p of a paired permutation test, over all swaps."""
    differences = [a - b for a, b in zip(first, second, strict=True)]
    observed = sum(differences)
    sums = [
        sum(s * d for s, d in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(total >= observed - 1e-9 for total in sums) / len(sums)


def soft_accuracy(metric: Sequence[Sequence[float]], human: Sequence[Sequence[float]]) -> float:
    """SPA of tables of systems × segments, with exact p."""
    pairs = list(combinations(range(len(metric)), 2))
    total = sum(1 - abs(exact_p(metric[i], metric[j]) - exact_p(human[i], human[j])) for i, j in pairs)
    return total / len(pairs)
