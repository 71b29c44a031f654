"""Minimum Bayes risk decoding, slow and readable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

Metric = Callable[[str, str], float]  # of a candidate and a reference


def expected(candidate: str, references: Sequence[str], weights: Sequence[float], metric: Metric) -> float:
    pairs = zip(references, weights, strict=True)
    return sum(weight * metric(candidate, each) for each, weight in pairs) / sum(weights)


def most_probable(references: Sequence[str], weights: Sequence[float], keep: int) -> list[int]:
    """The references with the largest weights; of equal ones, the first."""
    return sorted(sorted(range(len(references)), key=lambda k: (-weights[k], k))[:keep])


def subset_scores(
    candidates: Sequence[str], references: Sequence[str], weights: Sequence[float], metric: Metric, keep: int
) -> list[float]:
    """The expected scores against the most probable references."""
    some = most_probable(references, weights, keep)
    texts, their_weights = [references[k] for k in some], [weights[k] for k in some]
    return [expected(each, texts, their_weights, metric) for each in candidates]


def has_near_ties(
    candidates: Sequence[str], references: Sequence[str], weights: Sequence[float], metric: Metric, keep: int
) -> bool:
    """Whether rounding could decide between two different candidates."""
    for scores in (
        [expected(each, references, weights, metric) for each in candidates],
        subset_scores(candidates, references, weights, metric, keep),
    ):
        distinct = sorted(dict(zip(candidates, scores, strict=True)).values())
        if any(b - a < 1e-9 for a, b in pairwise(distinct)):
            return True
    return False


def decide(
    candidates: Sequence[str],
    references: Sequence[str],
    weights: Sequence[float],
    metric: Metric,
    method: str,
    keep: int,
) -> tuple[int, list[float | None]]:
    """The chosen candidate, and the expected score of each; None if it is not computed."""
    exact = [expected(each, references, weights, metric) for each in candidates]
    subset = subset_scores(candidates, references, weights, metric, keep)
    best = most_probable(candidates, subset, keep)
    values: list[float | None] = [*(exact if method != "subset" else subset)]
    if method == "prune":
        values = [value if k in best else None for k, value in enumerate(values)]
    highest = max(value for value in values if value is not None)
    return values.index(highest), values
