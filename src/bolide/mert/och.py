"""Minimum error rate training: the exact line search of Och (2003), along coordinates and random directions.

Along a line, origin + t·direction, the model score of a hypothesis is a linear function of t. The highest
scores of a sentence form an upper envelope, and the sentence changes its hypothesis where two lines cross.
All crossings of all sentences divide the line into intervals. Within an interval no sentence changes its
hypothesis, so the objective is constant. Its values come from running sums of integer statistics. So the
search knows every value of the objective on the line, and chooses the interval with the highest.

    score                                   objective
      \\        /                            ▁▁▁▁▁▁▁
       \\ ____ /   ◀ envelope                       ▇▇▇▇▇      ◀ the best interval
        X    X                                          ▃▃▃▃▃
      ─────────────▶ t                      ─────────────────▶ t

A climb moves along the best direction until none improves the objective by more than the tolerance. Climbs
start at the initial weights and at random points around them; the best result is used. A step is taken only
if the objective of the rounded weights is higher: the objective never falls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np

from bolide._support.arrays import Floats
from bolide._support.progress import Advance, no_advance
from bolide.mert.problem import MertProblem, WeightSpace

# Smallest gain of a step, in points.
TOLERANCE = 1e-4
RESTARTS = 20
DIRECTIONS = 8
MOST_STEPS = 100
# How far to go into an interval without an end, in mean widths of intervals.
BEYOND = 1.0

LineSearch = Callable[[Floats], "ClimbStep"]


@dataclass(frozen=True)
class ClimbStep:
    """A step of a climb: weights, their objective, and the direction of the step."""

    weights: Floats
    value: float
    direction: str = "start"


@dataclass(frozen=True)
class Climb:
    """The steps of a climb. The first one is the starting point."""

    start: str
    steps: tuple[ClimbStep, ...]

    @property
    def best(self) -> ClimbStep:
        """The step with the highest value."""
        return max(self.steps, key=lambda step: step.value)


def best_interval(breaks: Floats, values: Floats, low: float, high: float) -> tuple[float, float]:
    """The middle of the interval with the highest value, and that value. Of equal values, the widest interval
    is chosen.

    >>> best_interval(np.array([0.0, 1.0, 4.0]), np.array([1.0, 2.0, 2.0, 0.0]), -np.inf, np.inf)
    (2.5, 2.0)
    """
    mean = (breaks[-1] - breaks[0]) / max(len(breaks) - 1, 1) if len(breaks) else 0.0
    margin = 2 * BEYOND * (mean or 1.0)
    first, last = (breaks[0], breaks[-1]) if len(breaks) else (0.0, 0.0)
    ends = np.concatenate([[max(low, first - margin)], breaks, [min(high, last + margin)]])
    widths = np.diff(ends)
    k = int(np.lexsort((-widths, -values))[0])
    return float((ends[k] + ends[k + 1]) / 2), float(values[k])


def line_search(
    problem: MertProblem, space: WeightSpace, origin: Floats, direction: Floats, threads: int = 0
) -> ClimbStep:
    """The best point along a line, with the objective there."""
    low, high = space.limits(origin, direction)
    breaks, values = problem.surface(origin, direction, low, high, threads)
    t, value = best_interval(breaks, values, low, high)
    return ClimbStep(space.clipped(origin + t * direction), value)


def climb(
    problem: MertProblem,
    space: WeightSpace,
    start: Floats,
    name: str,
    random: np.random.Generator,
    *,
    directions: int = DIRECTIONS,
    tolerance: float = TOLERANCE,
) -> Climb:
    """Climbs from a start. Each step is along the best of all coordinates and some random directions."""
    steps = [ClimbStep(start, problem.value(start))]
    with _mapping(problem.threads) as mapped:
        while len(steps) <= MOST_STEPS:
            here = steps[-1]
            lines = _directions(problem, space, random, directions)
            search = partial(line_search, problem, space, here.weights, threads=1)
            found = list(mapped(search, [direction for _, direction in lines]))
            for k in sorted(range(len(lines)), key=lambda k: -found[k].value):
                if found[k].value <= here.value + tolerance:
                    return Climb(name, tuple(steps))
                value = problem.value(found[k].weights)
                if value > here.value + tolerance:
                    steps.append(ClimbStep(found[k].weights, value, lines[k][0]))
                    break
            else:
                break
    return Climb(name, tuple(steps))


@contextmanager
def _mapping(threads: int) -> Iterator[Callable[[LineSearch, Iterable[Floats]], Iterable[ClimbStep]]]:
    """`map` on threads. A single thread works directly, because thread switches are slow on a busy
    machine."""
    if threads == 1:
        yield map
    else:
        with ThreadPoolExecutor(threads) as workers:
            yield workers.map


def _directions(
    problem: MertProblem, space: WeightSpace, random: np.random.Generator, count: int
) -> list[tuple[str, Floats]]:
    """Coordinates, and random directions in which all features have the same effect on model scores."""
    free = np.flatnonzero(space.free)
    axes = np.eye(len(space.low))
    found = [(problem.layout.names[k], axes[k]) for k in free]
    for _ in range(count if len(free) > 1 else 0):
        direction = np.zeros(len(space.low))
        direction[free] = random.standard_normal(len(free)) / problem.spreads[free]
        found.append(("random", direction))
    return found


def mert(
    problem: MertProblem,
    space: WeightSpace,
    starts: Sequence[Floats],
    *,
    seed: int = 1,
    restarts: int = RESTARTS,
    directions: int = DIRECTIONS,
    tolerance: float = TOLERANCE,
    progress: Advance = no_advance,
) -> list[Climb]:
    """Climbs from these starts, and from random points around the first."""
    random = np.random.default_rng(seed)
    # The distance of random starts, measured by the change of model scores, is that of the first start to 0.
    far = (float(np.abs(starts[0] * problem.spreads).mean()) or 1.0) / problem.spreads
    drawn = [space.clipped(starts[0] + far * random.standard_normal(len(far))) for _ in range(restarts)]
    points = [("given", start) for start in starts] + [("random", start) for start in drawn]
    found = []
    for k, (name, start) in enumerate(points):
        found.append(climb(problem, space, start, name, random, directions=directions, tolerance=tolerance))
        progress(k + 1, len(points))
    return found


def highest(climbs: Sequence[Climb]) -> Climb:
    """The climb with the highest value; of equal ones, the first."""
    return max(climbs, key=lambda each: each.best.value)
