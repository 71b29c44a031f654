"""Pairwise ranking optimization on n-best lists (Hopkins and May 2011).

For each sentence, pairs of hypotheses are drawn at random. The most different pairs by the metric are kept. A
logistic regression on the differences of features finds weights that give the better hypothesis the higher
model score. Every round draws new pairs; its weights are the mean of all regressions so far. The round with
the highest objective wins.

Sentences are scored separately: by BLEU+1 (Lin and Och 2004), METEOR or TER.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bolide._support.arrays import Floats
from bolide._support.progress import Advance, no_advance
from bolide.mert.och import Climb, ClimbStep
from bolide.mert.problem import MertProblem, WeightSpace

ROUNDS = 10
# As in the paper: pairs drawn and kept per sentence, and the smallest difference of a pair, in points.
DRAWN, KEPT, APART = 5000, 50, 5.0
# Of the regression: the L2 penalty, the largest number of steps, and the tolerance.
RIDGE, MOST_STEPS, CLOSE = 1e-3, 50, 1e-8


def pro(
    problem: MertProblem,
    space: WeightSpace,
    start: Floats,
    *,
    seed: int = 1,
    rounds: int = ROUNDS,
    progress: Advance = no_advance,
) -> Climb:
    """The weights of each round."""
    random = np.random.default_rng(seed)
    steps = [ClimbStep(start, problem.value(start))]
    total = np.zeros_like(start)
    for k in range(1, rounds + 1):
        pairs = sample(problem, random)
        total += regression(pairs, space, start)
        weights = space.clipped(total / k)
        steps.append(ClimbStep(weights, problem.value(weights), f"round {k}"))
        progress(k, rounds)
    return Climb("pro", tuple(steps))


def sample(problem: MertProblem, random: np.random.Generator) -> Floats:
    """Differences of features: the better hypothesis minus the worse one."""
    nbest, gains = problem.nbest, problem.of_sentences
    found = [np.zeros((0, len(nbest.layout)))]
    for first, last in nbest.blocks:
        pairs = random.integers(first, last, size=(DRAWN, 2))
        apart = gains[pairs[:, 0]] - gains[pairs[:, 1]]
        order = np.argsort(-np.abs(apart), kind="stable")[:KEPT]
        order = order[np.abs(apart[order]) >= APART]
        better = np.where((apart[order] > 0)[:, None], pairs[order], pairs[order, ::-1])
        found.append(nbest.features[better[:, 0]] - nbest.features[better[:, 1]])
    return np.concatenate(found)


def regression(pairs: Floats, space: WeightSpace, start: Floats) -> Floats:
    """The weights with the least logistic loss over pairs, by Newton's method. Weights outside their bounds
    are set to the bound, and the others are fitted again."""
    weights = np.where(space.free, 0.0, start)
    free = space.free.copy()
    while len(pairs) and free.any():
        weights = _newton(pairs, weights, free)
        beyond = free & ((weights < space.low) | (weights > space.high))
        if not beyond.any():
            break
        weights, free = space.clipped(weights), free & ~beyond
    return weights if len(pairs) else start


def _newton(pairs: Floats, weights: Floats, free: npt.NDArray[np.bool_]) -> Floats:
    x = pairs[:, free]
    weights = weights.copy()
    cost = RIDGE * len(pairs) * np.maximum(x.var(axis=0), 1e-12)  # by the size of each feature
    value = _loss(pairs @ weights, weights[free], cost)
    for _ in range(MOST_STEPS):
        wrong = 1 / (1 + np.exp(np.clip(pairs @ weights, -500, 500)))
        slope = cost * weights[free] - x.T @ wrong
        bend = (x * (wrong * (1 - wrong))[:, None]).T @ x + np.diag(cost)
        step, size = np.linalg.solve(bend, slope), 1.0
        while True:
            tried = weights.copy()
            tried[free] -= size * step
            better = _loss(pairs @ tried, tried[free], cost)
            if better <= value or size < CLOSE:
                break
            size /= 2
        if value - better <= CLOSE * max(value, 1.0):
            return tried if better <= value else weights
        weights, value = tried, better
    return weights


def _loss(margins: Floats, weights: Floats, cost: Floats) -> float:
    return float(np.logaddexp(0, -margins).sum() + (cost * weights**2).sum() / 2)
