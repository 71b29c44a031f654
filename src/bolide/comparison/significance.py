"""Significance of differences, by resampling segments: pure functions of statistics, never of text.

A system is an array of whole numbers, a row a segment, of what each segment adds to the sum from which the
corpus score comes (`bolide.formula.statistics.contributions`). Two ways to ask how far chance goes:

Bootstrap (Efron 1979; Koehn 2004). A sample draws as many segments as the corpus has, with replacement, the
same ones of all systems. The middle 95% of a system's scores over the samples are its confidence interval.
The paired test is sacrebleu's: with d the difference of two systems and d* that of a sample,

    p = (1 + how often |d*| − mean |d*| ≥ |d|) / (1 + samples)

Approximate randomisation (Noreen 1989; Riezler and Maxwell 2005). A sample swaps the outputs of two systems
in each segment, or does not, by the toss of a coin; with d* the difference of the two mixtures,

    p = (1 + how often |d*| ≥ |d|) / (1 + samples)

Randomisation is two-sided: do the systems differ? The bootstrap, for all its |d*|, is in effect one-sided: is
the better one better? Where d is clearly not 0, |d*| − mean |d*| is d* − d, and only one side of it counts;
so its p is about half of the other's. In close cases trust randomisation. The sign of d says which is better.

Samples come from NumPy's generator in the order in which sacrebleu draws them, so that the same seed and
number of samples give sacrebleu's p. One thing differs: an equality counts as chance, as the formulas have
it (sacrebleu asks for >). For the bootstrap, and where many segments differ, equalities are rare. But in the
randomisation of systems that differ in few segments, many mixtures have just the difference of the systems:
where 10 of 40 segments differ, all in favour of one system, these 10 come to lie on one side in 2 of 2^10
tosses, so that p is about 0.002, while sacrebleu gives the smallest p there is, 0.0001 with 10,000 samples.
And a system has p = 1 against its own copy; there sacrebleu's p is the smallest too.

All samples of a block are one matrix product, samples × segments by segments × columns. Sums of whole numbers
are exact in floating point, so no machine, library or number of threads changes a digit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import gcd, log2

import numpy as np
import numpy.typing as npt

from bolide._support.arrays import Floats, Integers
from bolide.inputs.read_ahead import worked_ahead

# sacrebleu's seed, and its numbers of samples.
SEED = 12345
SAMPLES = {"bootstrap": 1_000, "randomization": 10_000}
# Where a difference is called significant, and what an interval leaves out.
LEVEL = 0.05

# Samples × segments of one block: some 30 MB of drawn numbers.
BLOCK = 1 << 22
# Scores that differ by less are equal: the same sums may reach the formula as different roundings.
EQUAL = 1e-12
# Whole numbers below these are exact.
EXACT = {np.float32: 2.0**24, np.float64: 2.0**53}

# Of rows of sums, the score of each.
ScoreSums = Callable[[Floats], Floats]
Drawn = npt.NDArray[np.generic]


def bootstrap(
    systems: Sequence[npt.ArrayLike], score: ScoreSums, samples: int, seed: int, threads: int = 1
) -> Floats:
    """The scores of each system (a row) in each sample (a column).

    >>> two = [[[1], [5]], [[2], [2]]]
    >>> bootstrap(two, lambda sums: sums[:, 0], samples=4, seed=1).tolist()
    [[6.0, 10.0, 2.0, 10.0], [4.0, 4.0, 4.0, 4.0]]
    """
    values, count = _beside_each_other(systems), len(systems)
    segments = len(values)
    generator = np.random.default_rng(seed)
    indices = (generator.integers(segments, size=(rows, segments)) for rows in _blocks(samples, segments))

    def sums(drawn: Drawn) -> Floats:
        return _multiplied(_times_drawn(drawn), values)

    found = [
        np.stack([score(part) for part in _apart(block, count)])
        for _, block in worked_ahead(sums, indices, threads)
    ]
    return np.concatenate(found, axis=1)


def interval(scores: Floats) -> tuple[float, float]:
    """The middle 95% of a system's scores: without a fortieth of them at each end, as sacrebleu has it.

    >>> interval(np.arange(1000.0))
    (25.0, 974.0)
    """
    ordered = np.sort(scores)
    left_out = int(len(ordered) * LEVEL / 2)
    return float(ordered[left_out]), float(ordered[len(ordered) - left_out - 1])


def bootstrap_p_value(scores: Floats, others: Floats, difference: float) -> float:
    """p of the difference of two systems, from their scores in the same samples."""
    differences = np.abs(scores - others)
    return (1 + _reaching(differences - differences.mean(), difference)) / (1 + len(differences))


def randomization(
    systems: Sequence[npt.ArrayLike],
    score: ScoreSums,
    pairs: Sequence[tuple[int, int]],
    samples: int,
    seed: int,
    threads: int = 1,
) -> list[float]:
    """p of the difference of each of these pairs of systems.

    >>> good, bad = [[9]] * 20, [[1]] * 20
    >>> randomization([good, bad, bad], lambda sums: sums[:, 0], [(0, 1), (1, 2)], samples=999, seed=1)
    [0.001, 1.0]
    """
    values, count = _beside_each_other(systems), len(systems)
    segments = len(values)
    totals = _apart(values.sum(axis=0, dtype=np.float64)[None], count)
    generator = np.random.default_rng(seed)
    # The generator makes 32 coins of one number, and throws away what a call leaves over: only calls for
    # multiples of 32 coins go on as one large call would.
    step = 32 // gcd(segments, 32)
    coins = (
        generator.integers(2, size=(rows, segments), dtype=bool) for rows in _blocks(samples, segments, step)
    )
    observed = [abs(score(totals[a]) - score(totals[b]))[0] for a, b in pairs]
    reached = np.zeros(len(pairs), dtype=np.int64)
    for _, block in worked_ahead(lambda drawn: _multiplied(drawn, values), coins, threads):
        heads = _apart(block, count)
        for k, (a, b) in enumerate(pairs):
            # Heads keep a's segment in the first mixture, and b's in the second.
            swapped = heads[a] - heads[b]
            mixtures = score(totals[b] + swapped), score(totals[a] - swapped)
            with np.errstate(invalid="ignore"):  # of infinite scores
                reached[k] += _reaching(np.abs(mixtures[0] - mixtures[1]), observed[k])
    return [(1 + int(times)) / (1 + samples) for times in reached]


def clusters(scores: Sequence[float], p_values: npt.ArrayLike) -> list[tuple[int, int]]:
    """Of each system the first and last rank of its cluster, given p of each pair (systems × systems).

    As in the tables of WMT: there is a line between two ranks if each system above it differs significantly
    from each system below it. p is not corrected for the number of tests: all tests across a line must agree
    on it, so that more tests do not make a wrong line likelier.

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
    """In how many segments one system has the higher score, an equal one, the lower one.

    >>> outcomes(np.array([0.5, 0.1 + 0.2, 0.1]), np.array([0.4, 0.3, 0.9]))
    (1, 1, 1)
    """
    with np.errstate(invalid="ignore"):  # of infinite scores
        differences = scores - others
    wins, losses = (int(np.count_nonzero(side > EQUAL)) for side in (differences, -differences))
    return wins, len(differences) - wins - losses, losses


def fixed_point(values: Floats) -> tuple[Integers, float]:
    """Values (a row a system) as whole multiples of a unit: the smallest with which sums stay exact.

    >>> numbers, unit = fixed_point(np.array([[0.5, 0.25]]))
    >>> numbers.tolist() == [[2**51, 2**50]], (numbers * unit).tolist()
    (True, [[0.5, 0.25]])
    """
    largest = values.shape[1] * float(np.abs(values).max(initial=0)) or 1.0
    unit = 2.0 ** (int(np.ceil(log2(largest))) - 52)
    return np.rint(values / unit).astype(np.int64), unit


def _blocks(samples: int, segments: int, step: int = 1) -> Iterator[int]:
    """How many samples to draw at a time: a multiple of the step, but for the last time."""
    rows = max(BLOCK // segments // step, 1) * step
    return (min(rows, samples - done) for done in range(0, samples, rows))


def _beside_each_other(systems: Sequence[npt.ArrayLike]) -> Floats:
    """All systems' columns in one matrix, of the shortest numbers in which sums stay exact."""
    parts = [np.asarray(system) for system in systems]
    largest = max(len(part) * float(np.abs(part).max(initial=0)) for part in parts)
    kind = np.float32 if largest < EXACT[np.float32] else np.float64
    return np.concatenate(parts, axis=1, dtype=kind, casting="unsafe")


def _apart(sums: Floats, systems: int) -> list[Floats]:
    return [np.ascontiguousarray(part) for part in np.split(sums, systems, axis=1)]


def _times_drawn(indices: Drawn) -> Drawn:
    """Of each sample (a row) how often it has each segment."""
    samples, segments = indices.shape
    cells = indices + np.arange(0, samples * segments, segments)[:, None]
    return np.bincount(cells.ravel(), minlength=samples * segments).reshape(samples, segments)


def _multiplied(drawn: Drawn, values: Floats) -> Floats:
    return (drawn.astype(values.dtype) @ values).astype(np.float64)


def _reaching(found: Floats, observed: float) -> int:
    """How many are as large as what was observed. What is not a number speaks for chance."""
    return int(np.count_nonzero(~(found < abs(observed) - EQUAL)))
