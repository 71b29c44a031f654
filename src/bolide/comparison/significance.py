"""Significance tests by resampling segments. All functions work on statistics, not on text.

A system is an array of integers with one row per segment: what the segment adds to the sums from which the
corpus score is computed (`bolide.formula.statistics.contributions`). There are two tests.

Bootstrap (Efron 1979; Koehn 2004). A sample draws as many segments as the corpus has, with replacement, and
the same segments for all systems. The confidence interval of a system is the middle 95% of its scores over
the samples. The paired test is that of sacrebleu: with d the difference of two systems and d* its value in a
sample,

    p = (1 + number of samples with |d*| − mean |d*| ≥ |d|) / (1 + samples)

Approximate randomization (Noreen 1989; Riezler and Maxwell 2005). A sample swaps the outputs of two systems
in randomly chosen segments; with d* the difference of the two mixtures,

    p = (1 + number of samples with |d*| ≥ |d|) / (1 + samples)

Randomization is two-sided: do the systems differ? The bootstrap is in effect one-sided: is the better system
better? If d is clearly not 0, |d*| − mean |d*| is d* − d, and only one side of it counts. So its p is about
half that of randomization. In close cases trust randomization. The sign of d tells which system is better.

Samples come from NumPy's generator in the same order as in sacrebleu, so the same seed and number of samples
give the same p. There is one difference: equality counts as chance, as in the formulas above, while sacrebleu
uses >. With the bootstrap, and with many different segments, equalities are rare. But if two systems differ
in few segments, many mixtures have exactly the difference of the systems. Example: 10 of 40 segments differ,
all in favour of one system. In 2 of 2^10 samples all 10 are on one side, so p is about 0.002; sacrebleu gives
the smallest possible p, 0.0001 with 10,000 samples. A system has p = 1 against its own copy; there, too,
sacrebleu gives the smallest p.

All samples of a block are one matrix product: samples × segments by segments × columns. Sums of integers are
exact in floating point, so results do not depend on the machine, the library or the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import frexp, gcd, isfinite, ldexp
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bolide._support.arrays import Floats, Integers, Statistics
from bolide.errors import InputError
from bolide.inputs.read_ahead import worked_ahead

# The seed and the numbers of samples of sacrebleu.
SEED = 12345
SAMPLES = {"bootstrap": 1_000, "randomization": 10_000}
# Significance level, and the share that a confidence interval leaves out.
LEVEL = 0.05

# Samples × segments of one block: 8 MB of random numbers.
BLOCK = 1 << 21
# Segments × columns of all systems that are converted to floating point at a time: at most 8 MB.
PIECE = 1 << 20
# Scores that differ by less are equal: equal sums may be rounded differently.
EQUAL = 1e-12
# Integers below these are exact.
EXACT = {np.float32: 2.0**24, np.float64: 2.0**53}

# Computes the score of each row of sums.
ScoreSums = Callable[[Floats], Floats]
Drawn = npt.NDArray[Any]


class Rows(Protocol):
    """The integers of a system: an array, or an object that computes rows when they are read."""

    def __len__(self) -> int: ...

    def __getitem__(self, rows: slice, /) -> Statistics: ...


def bootstrap(systems: Sequence[Rows], score: ScoreSums, samples: int, seed: int, threads: int = 1) -> Floats:
    """The scores of the systems: one row per system, one column per sample.

    >>> two = np.array([[[1], [5]], [[2], [2]]])
    >>> bootstrap(two, lambda sums: sums[:, 0], samples=4, seed=1).tolist()
    [[6.0, 10.0, 2.0, 10.0], [4.0, 4.0, 4.0, 4.0]]
    """
    values, count = _Values(systems), len(systems)
    segments = len(values)
    generator = np.random.default_rng(seed)
    indices = (
        generator.integers(segments, size=(rows, segments), dtype=np.int32)
        for rows in _blocks(samples, segments)
    )

    def sums(drawn: Drawn) -> Floats:
        return values.summed(_times_drawn(drawn, values.exact))

    found = [
        np.stack([score(part) for part in _apart(block, count)])
        for _, block in worked_ahead(sums, indices, threads)
    ]
    return np.concatenate(found, axis=1)


def interval(scores: Floats) -> tuple[float, float]:
    """The middle 95% of the scores of a system: without 2.5% at each end, as in sacrebleu.

    >>> interval(np.arange(1000.0))
    (25.0, 974.0)
    """
    ordered = np.sort(scores)
    left_out = int(len(ordered) * LEVEL / 2)
    return float(ordered[left_out]), float(ordered[len(ordered) - left_out - 1])


def bootstrap_p_value(scores: Floats, others: Floats, difference: float) -> float:
    """The p-value of the difference of two systems, from their scores in the same samples."""
    differences = np.abs(scores - others)
    return (1 + _reaching(differences - differences.mean(), difference)) / (1 + len(differences))


def randomization(
    systems: Sequence[Rows],
    score: ScoreSums,
    pairs: Sequence[tuple[int, int]],
    samples: int,
    seed: int,
    threads: int = 1,
) -> list[float]:
    """The p-values of the differences of pairs of systems.

    >>> good, bad = np.full((2, 20, 1), [[[9]], [[1]]])
    >>> randomization([good, bad, bad], lambda sums: sums[:, 0], [(0, 1), (1, 2)], samples=999, seed=1)
    [0.001, 1.0]
    """
    values, count = _Values(systems), len(systems)
    segments = len(values)
    totals = _apart(values.summed(np.ones((1, segments))), count)
    generator = np.random.default_rng(seed)
    # The generator makes 32 coins from one random number and discards the rest at the end of a call. So only
    # calls for multiples of 32 coins give the same coins as one large call.
    step = 32 // gcd(segments, 32)
    coins = (
        generator.integers(2, size=(rows, segments), dtype=bool) for rows in _blocks(samples, segments, step)
    )
    observed = [abs(score(totals[a]) - score(totals[b]))[0] for a, b in pairs]
    reached = np.zeros(len(pairs), dtype=np.int64)
    for _, block in worked_ahead(values.summed, coins, threads):
        heads = _apart(block, count)
        for k, (a, b) in enumerate(pairs):
            # Heads: the first mixture has a's segment and the second has b's. Tails: the other way round.
            swapped = heads[a] - heads[b]
            mixtures = score(totals[b] + swapped), score(totals[a] - swapped)
            with np.errstate(invalid="ignore"):  # infinite scores
                reached[k] += _reaching(np.abs(mixtures[0] - mixtures[1]), observed[k])
    return [(1 + int(times)) / (1 + samples) for times in reached]


def clusters(scores: Sequence[float], p_values: npt.ArrayLike) -> list[tuple[int, int]]:
    """The first and last rank of the cluster of each system, from the p-values of pairs (systems × systems).

    As in the tables of WMT, a line separates two clusters if every system above it differs significantly from
    every system below it. The p-values are not corrected for the number of tests: all tests across a line
    must agree, so more tests do not make a wrong line more likely.

    >>> clusters([0.3, 0.5, 0.4], [[1, 0.01, 0.04], [0.01, 1, 0.2], [0.04, 0.2, 1]])
    [(3, 3), (1, 2), (1, 2)]
    """
    order = np.argsort(-np.asarray(scores), kind="stable")
    different = np.asarray(p_values)[np.ix_(order, order)] < LEVEL
    count = len(order)
    lines = [0, *(k for k in range(1, count) if different[:k, k:].all()), count]
    ranks = {}
    for first, last in pairwise(lines):
        for place in order[first:last]:
            ranks[int(place)] = (first + 1, last)
    return [ranks[k] for k in range(count)]


def outcomes(scores: Floats, others: Floats) -> tuple[int, int, int]:
    """The number of segments where a system has a higher, an equal, and a lower score than another.

    >>> outcomes(np.array([0.5, 0.1 + 0.2, 0.1]), np.array([0.4, 0.3, 0.9]))
    (1, 1, 1)
    """
    with np.errstate(invalid="ignore"):  # infinite scores
        differences = scores - others
    wins, losses = (int(np.count_nonzero(side > EQUAL)) for side in (differences, -differences))
    return wins, len(differences) - wins - losses, losses


def fixed_point(values: Floats) -> tuple[Integers, float]:
    """Converts values (one row per system) to integer multiples of the smallest unit with exact sums.

    >>> numbers, unit = fixed_point(np.array([[0.5, 0.25]]))
    >>> numbers.tolist() == [[2**51, 2**50]], (numbers * unit).tolist()
    (True, [[0.5, 0.25]])
    """
    largest = values.shape[1] * float(np.abs(values).max(initial=0)) or 1.0
    if not isfinite(largest):
        raise InputError("a segment has an infinite score; the mean of such scores cannot be tested")
    # The smallest power of two that is not below `largest`, without a logarithm, which may be rounded.
    mantissa, exponent = frexp(largest)
    unit = ldexp(1.0, exponent - 52 - (mantissa == 0.5))
    return np.rint(values / unit).astype(np.int64), unit


def _blocks(samples: int, segments: int, step: int = 1) -> Iterator[int]:
    """Numbers of samples to draw at a time: multiples of the step, except for the last."""
    rows = max(BLOCK // segments // step, 1) * step
    return (min(rows, samples - done) for done in range(0, samples, rows))


class _Values:
    """The columns of all systems beside each other. They stay integers, and one piece at a time becomes
    floating point: of the smallest type with exact sums."""

    def __init__(self, systems: Sequence[Rows]) -> None:
        self._systems = systems
        largest, columns = 0.0, 0
        for system in systems:
            width = system[:1].shape[1]
            columns += width
            step = max(PIECE // width, 1)
            tops = (np.abs(system[k : k + step]).max(initial=0) for k in range(0, len(system), step))
            largest = max(largest, len(system) * float(max(tops, default=0)))
        self.exact: type = np.float32 if largest < EXACT[np.float32] else np.float64
        self._step = max(PIECE // columns, 1)
        self._only = self._piece(0) if len(self) <= self._step else None  # converted once, if it is small

    def __len__(self) -> int:
        return len(self._systems[0])

    def summed(self, drawn: Drawn) -> Floats:
        """The sums of samples, which are rows of numbers of times that each segment is drawn."""
        total: Any = 0.0
        for start in range(0, len(self), self._step):
            piece = self._only if self._only is not None else self._piece(start)
            times: Drawn = drawn[:, start : start + self._step].astype(self.exact, copy=False)
            total = total + (times @ piece).astype(np.float64)
        return np.asarray(total)

    def _piece(self, start: int) -> Floats:
        parts = [system[start : start + self._step] for system in self._systems]
        return np.concatenate(parts, axis=1, dtype=self.exact, casting="unsafe")


def _apart(sums: Floats, systems: int) -> list[Floats]:
    return [np.ascontiguousarray(part) for part in np.split(sums, systems, axis=1)]


def _times_drawn(indices: Drawn, kind: type) -> Drawn:
    """How often each sample (row) contains each segment (column)."""
    samples, segments = indices.shape
    times: Drawn = np.empty((samples, segments), dtype=kind)
    for row, drawn in zip(times, indices, strict=True):
        row[:] = np.bincount(drawn, minlength=segments)
    return times


def _reaching(found: Floats, observed: float) -> int:
    """How many values are at least as large as the observed one. NaN counts as chance."""
    return int(np.count_nonzero(~(found < abs(observed) - EQUAL)))
