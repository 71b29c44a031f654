"""Searches for the point with the best agreement.

    grid             every point: finds the optimum
    coarse-to-fine   a coarse grid, then finer grids around its best points
    coordinate       all values of two axes at a time, from several starts
    annealing        simulated annealing in many chains

All except `grid` end with a climb: move to the best neighbour (a step up or down on every axis at once) until
none is better. Of equal points, the first in the order of the grid is chosen. Random searches are
reproducible by their seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations, product

import numpy as np

from bolide._support import checks
from bolide._support.arrays import Floats
from bolide._support.progress import Advance, no_advance
from bolide.tuning.problem import Found, Problem
from bolide.tuning.space import Indices, Space

# Points evaluated at a time: enough to keep threads busy, few enough to show progress and to save often.
CHUNK = 1 << 18
# A point has 3^axes neighbours. If these are more, only two axes change at a time.
MOST_NEIGHBOURS = 3**7
# Rounding error of a sum in another order.
SLACK = 1e-12


def search(
    problem: Problem, name: str = "coordinate", *, seed: int = 1, progress: Advance = no_advance
) -> Found:
    """Finds the best point with one of `SEARCHES`."""
    checks.choice("search", name, SEARCHES)
    if not problem.space.free:  # one point
        name = "grid"
    found = SEARCHES[name](problem, seed, progress)
    if problem.checkpoint is not None:
        problem.checkpoint.save(now=True)
    return found


def best_of(indices: Indices, values: Floats, space: Space) -> tuple[Indices, float]:
    """The point with the highest value; of equal ones, the first of the grid."""
    top = values.max()
    equal = indices[values >= top - SLACK]
    return equal[np.argmin(space.numbers(equal))], float(top)


def grid(problem: Problem, seed: int = 0, progress: Advance = no_advance, chunk: int = CHUNK) -> Found:
    space, saved = problem.space, problem.checkpoint
    done, best = (0, (-1, -np.inf)) if saved is None else (saved.done, saved.best)
    for indices in space.chunks(chunk, done):
        at, value = best_of(indices, problem.fresh(indices), space)
        if value > best[1] + SLACK:
            best = int(space.numbers(at[None])[0]), value
        done += len(indices)
        if saved is not None:
            saved.done, saved.best = done, best
            saved.save(now=done == space.size)
        progress(done, space.size)
    return problem.found(space.indices(np.array([best[0]]))[0], best[1])


def middle(problem: Problem, best: Found, loss: float) -> Found:
    """The middle of the plateau: the point nearest to the mean of all points that lose at most `loss` against
    the best one. With few judgments, the best one is often the best only by chance."""
    space = problem.space
    total, count = np.zeros(len(space.axes)), 0
    for indices in space.chunks(CHUNK):
        near = problem.fresh(indices) >= best.value - loss - SLACK
        total += indices[near].sum(axis=0)
        count += int(near.sum())
    at = np.rint(total / count).astype(np.int64)
    value = float(problem.fresh(at[None])[0])
    return replace(problem.found(at, value), evaluated=best.evaluated, compared=best.compared)


def coarse_to_fine(problem: Problem, seed: int = 0, progress: Advance = no_advance, keep: int = 24) -> Found:
    """Starts with a grid of at most five values per axis. Then halves the steps around the `keep` best
    points, down to the steps of the space."""
    space = problem.space
    strides = np.array([_power_of_two((n - 1) / 4) for n in space.lengths])
    coarse = [sorted({*range(0, n, s), n - 1}) for n, s in zip(space.lengths, strides, strict=True)]
    candidates = np.array(list(product(*coarse)), dtype=np.int64)
    rounds, done = int(strides.max()).bit_length() + 1, 0
    while True:
        values = problem.values(candidates)
        progress(done := done + 1, rounds)
        kept = candidates[np.lexsort((space.numbers(candidates), -values))[:keep]]
        if strides.max() == 1:
            break
        strides = np.maximum(strides // 2, 1)
        around = [_box(point, strides, space) for point in kept]
        candidates = np.unique(np.concatenate([kept, *around]), axis=0)
    return _climbed(problem, kept[:4], progress, rounds)


def _power_of_two(number: float) -> int:
    """The largest power of two that is not larger than the number; at least 1."""
    return 1 << (max(1, int(number)).bit_length() - 1)


def coordinate(problem: Problem, seed: int = 1, progress: Advance = no_advance, starts: int = 8) -> Found:
    """Tries all values of two axes at a time, until no pair of axes improves the value. β and γ together cost
    little more than one of them (core/tuning/sweep.hpp)."""
    space = problem.space
    random = np.random.default_rng(seed)
    first = [space.nearest(problem.prior.tolist())] if problem.prior is not None else []
    middle = np.array([n // 2 for n in space.lengths], dtype=np.int64)
    drawn = [np.array([random.integers(n) for n in space.lengths]) for _ in range(starts)]
    blocks: list[tuple[int, ...]] = list(combinations(space.free, 2)) or [space.free]  # of one axis
    ends = []
    for k, start in enumerate([*first, middle, *drawn]):
        at, value, idle = start, -np.inf, 0
        while idle < len(blocks):
            for block in blocks:
                at, better = best_of(lines := _plane(at, block, space), problem.values(lines), space)
                idle = 0 if better > value + SLACK else idle + 1
                value = max(better, value)
                if idle >= len(blocks):
                    break
        ends.append(at)
        progress(k + 1, starts + len(first) + 2)
    return _climbed(problem, np.unique(ends, axis=0), progress, starts + len(first) + 2)


def annealing(
    problem: Problem, seed: int = 1, progress: Advance = no_advance, chains: int = 64, steps: int = 300
) -> Found:
    """Each chain moves a random number of steps along a random axis. A loss is accepted with the probability
    exp(−loss / temperature). The temperature falls from a typical loss to a thousandth of it."""
    space, random = problem.space, np.random.default_rng(seed)
    free = space.free
    at = np.stack([random.integers(0, n, size=chains) for n in space.lengths], axis=1)
    if problem.prior is not None:
        at[0] = space.nearest(problem.prior.tolist())
    values = problem.values(at)
    best, best_values = at.copy(), values.copy()
    hot = max(float(np.std(values)), 1e-9)
    for step in range(steps):
        temperature = hot * 1e-3 ** (step / steps)
        moved = at.copy()
        for chain, axis in enumerate(random.choice(free, size=chains)):
            reach = max(1, round(space.lengths[axis] / 3 * (1 - step / steps)))
            way = int(random.integers(1, reach + 1)) * int(random.choice((-1, 1)))
            moved[chain, axis] = np.clip(moved[chain, axis] + way, 0, space.lengths[axis] - 1)
        new = problem.values(moved)
        taken = random.random(chains) < np.exp(np.minimum((new - values) / temperature, 0))
        at[taken], values[taken] = moved[taken], new[taken]
        higher = values > best_values
        best[higher], best_values[higher] = at[higher], values[higher]
        progress(step + 1, steps + 1)
    order = np.lexsort((space.numbers(best), -best_values))
    return _climbed(problem, np.unique(best[order[:8]], axis=0), progress, steps + 1)


def _climbed(problem: Problem, starts: Iterable[Indices], progress: Advance, total: int) -> Found:
    """The best end point of climbs from these starts."""
    ends, values = [], []
    ones = np.ones(len(problem.space.axes), dtype=np.int64)
    for start in starts:
        at, value = start, float(problem.values(start[None])[0])
        while True:
            around = _box(at, ones, problem.space)
            better, high = best_of(around, problem.values(around), problem.space)
            if high <= value + SLACK:
                break
            at, value = better, high
        ends.append(at)
        values.append(value)
    progress(total, total)
    at, value = best_of(np.array(ends), np.array(values), problem.space)
    return problem.found(at, value)


def _plane(at: Indices, axes: tuple[int, ...], space: Space) -> Indices:
    """All points that differ from a point only on some axes."""
    grids = np.stack([grid.ravel() for grid in np.meshgrid(*(range(space.lengths[k]) for k in axes))], axis=1)
    lines = np.repeat(at[None], len(grids), axis=0)
    lines[:, list(axes)] = grids
    return lines


def _box(at: Indices, strides: Indices, space: Space) -> Indices:
    """A point and its neighbours, one stride away on some axes: on all axes at once if there are few axes,
    else on two."""
    free = space.free
    groups = [free] if 3 ** len(free) <= MOST_NEIGHBOURS else list(combinations(free, 2))
    found = [at[None]]
    for axes in groups:
        ways = np.array(list(product((-1, 0, 1), repeat=len(axes))), dtype=np.int64)
        box = np.repeat(at[None], len(ways), axis=0)
        box[:, list(axes)] += ways * strides[list(axes)]
        found.append(box)
    return np.unique(np.clip(np.concatenate(found), 0, np.array(space.lengths) - 1), axis=0)


SEARCHES: dict[str, Callable[[Problem, int, Advance], Found]] = {
    "grid": grid,
    "coarse-to-fine": coarse_to_fine,
    "coordinate": coordinate,
    "annealing": annealing,
}
