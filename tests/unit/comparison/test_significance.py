"""Resampling, checked against SciPy, against all mixtures, and against one large draw."""

from __future__ import annotations

from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import Parameters
from bolide._support.arrays import Floats, Integers
from bolide.comparison import significance
from bolide.errors import InputError
from bolide.formula.parameters import Formula
from bolide.formula.statistics import aggregate, contributions, evaluate

PARAMETERS = Parameters(alpha=0.85, beta=0.2, gamma=0.6, delta=0.75, weights=(1.0, 0.6))
SEED = 7


def score(sums: npt.NDArray[Any]) -> Floats:
    return evaluate(sums, PARAMETERS)[:, -1]


def system(segments: int, quality: float, seed: int) -> Integers:
    """Plausible statistics of two modules: some words of some segments are matched."""
    random = np.random.default_rng(seed)
    lengths = random.integers(5, 30, size=segments)
    function = lengths // 3
    exact, stem = random.binomial(lengths - function, quality), random.binomial(function, quality / 2)
    chunks = np.minimum(exact + stem, random.integers(1, 9, size=segments))
    nothing = np.zeros_like(lengths)
    matched = exact + stem
    columns = [lengths, lengths, function, function, exact, exact, nothing, nothing]
    columns += [nothing, nothing, stem, stem, chunks, matched, matched]
    return np.stack(columns, axis=1)


def pair(segments: int, better: float = 0.05) -> list[Integers]:
    return [system(segments, 0.5, 1), system(segments, 0.5 + better, 2)]


def monte_carlo(p: float, samples: int) -> float:
    """The tolerance of an estimate from samples: four standard errors, and the 1 that is added."""
    return 4 * sqrt(p * (1 - p) / samples) + 1 / samples


# ---- SciPy ---------------------------------------------------------------------------------------


def test_bootstrap_is_scipys() -> None:
    """With the same generator SciPy draws the same samples, so every score must be equal."""
    stats = pytest.importorskip("scipy.stats")
    [rows, _] = pair(200)

    def statistic(places: npt.NDArray[np.int64], axis: int = -1) -> Floats:
        return score(rows[places].sum(axis=-2).reshape(-1, rows.shape[1])).reshape(places.shape[:-1])

    found = stats.bootstrap(
        (np.arange(200),), statistic, n_resamples=999, method="percentile", vectorized=True,
        rng=np.random.default_rng(SEED),
    )  # fmt: skip
    [ours] = significance.bootstrap([rows], score, 999, SEED)
    assert ours.tolist() == found.bootstrap_distribution.tolist()
    # SciPy interpolates between two of the ordered scores; bolide takes one of them.
    ordered, low, high = np.sort(ours), *significance.interval(ours)
    for end, theirs in ((low, found.confidence_interval.low), (high, found.confidence_interval.high)):
        place = int(np.searchsorted(ordered, end))
        assert ordered[place - 1] <= theirs <= ordered[place + 1]


def mixtures(systems: list[Integers]) -> Any:
    """The statistic for SciPy's permutation test: |difference| of two lists of row indices."""
    rows = np.concatenate(systems)

    def statistic(x: npt.NDArray[np.int64], y: npt.NDArray[np.int64], axis: int = -1) -> Floats:
        scores = [
            score(rows[np.moveaxis(places, axis, -1)].sum(axis=-2).reshape(-1, rows.shape[1]))
            for places in (x, y)
        ]
        shape = np.moveaxis(x, axis, -1).shape[:-1]
        return np.abs(scores[0] - scores[1]).reshape(shape)

    return statistic


@pytest.mark.parametrize("better", [0.0, 0.1, 0.3])
def test_randomization_agrees_with_all_mixtures(better: float) -> None:
    """Ten segments have 1,024 mixtures: SciPy's exact p, a loop over all of them, and bolide's sampled p."""
    stats = pytest.importorskip("scipy.stats")
    systems = pair(10, better)
    exact = stats.permutation_test(
        (np.arange(10), np.arange(10, 20)), mixtures(systems), permutation_type="samples",
        n_resamples=np.inf, alternative="greater", vectorized=True,
    ).pvalue  # fmt: skip
    a, b = systems
    observed = abs(float(score(a.sum(axis=0)[None])[0] - score(b.sum(axis=0)[None])[0]))
    reached = 0
    for kept in product([True, False], repeat=10):
        heads = np.array(kept)[:, None]
        one, two = (np.where(heads, x, y).sum(axis=0)[None] for x, y in ((a, b), (b, a)))
        reached += abs(float(score(one)[0] - score(two)[0])) >= observed - 1e-12
    assert exact == pytest.approx(reached / 1024, abs=1e-12)
    samples = 40_000
    [ours] = significance.randomization(systems, score, [(0, 1)], samples, SEED)
    assert ours == pytest.approx(exact, abs=monte_carlo(exact, samples))


def test_randomization_agrees_with_scipys_samples() -> None:
    stats = pytest.importorskip("scipy.stats")
    systems, samples = pair(150, 0.02), 4_000
    theirs = stats.permutation_test(
        (np.arange(150), np.arange(150, 300)), mixtures(systems), permutation_type="samples",
        n_resamples=samples, alternative="greater", vectorized=True, batch=500,
        rng=np.random.default_rng(SEED),
    ).pvalue  # fmt: skip
    [ours] = significance.randomization(systems, score, [(0, 1)], samples, SEED)
    assert 0.01 < theirs < 0.9  # otherwise the test proves little
    assert ours == pytest.approx(theirs, abs=sqrt(2) * monte_carlo(theirs, samples))


# ---- the definitions, written out ----------------------------------------------------------------


def test_paired_bootstrap_as_defined() -> None:
    systems, samples = pair(60, 0.03), 500
    drawn = np.random.default_rng(SEED).choice(60, size=(samples, 60), replace=True)
    scores = [np.array([float(score(rows[d].sum(axis=0)[None])[0]) for d in drawn]) for rows in systems]
    ours = significance.bootstrap(systems, score, samples, SEED)
    assert ours.tolist() == [values.tolist() for values in scores]
    difference = float(score(systems[0].sum(axis=0)[None])[0] - score(systems[1].sum(axis=0)[None])[0])
    found = np.abs(scores[0] - scores[1])
    expected = (1 + np.count_nonzero(found - found.mean() > abs(difference))) / (1 + samples)
    assert significance.bootstrap_p_value(ours[0], ours[1], difference) == expected
    assert significance.bootstrap_p_value(ours[1], ours[0], -difference) == expected


def test_randomization_as_defined() -> None:
    [a, b], samples = pair(60, 0.03), 500
    coins = np.random.default_rng(SEED).integers(2, size=(samples, 60), dtype=bool)
    found = []
    for heads in coins[:, :, None]:
        mixtures = [np.where(heads, x, y).sum(axis=0)[None] for x, y in ((a, b), (b, a))]
        found.append(abs(float(score(mixtures[0])[0] - score(mixtures[1])[0])))
    observed = abs(float(score(a.sum(axis=0)[None])[0] - score(b.sum(axis=0)[None])[0]))
    expected = (1 + sum(value >= observed - 1e-12 for value in found)) / (1 + samples)
    assert significance.randomization([a, b], score, [(0, 1)], samples, SEED) == [expected]
    assert significance.randomization([a, b], score, [(1, 0)], samples, SEED) == [expected]


@pytest.mark.parametrize("segments", [2, 3, 31, 32, 100])
@pytest.mark.parametrize("threads", [1, 3])
def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch, segments: int, threads: int) -> None:
    """Neither do threads: the samples equal those of one large call."""
    systems, pairs = [*pair(segments), system(segments, 0.6, 3)], [(0, 1), (2, 0)]
    whole = [
        significance.bootstrap(systems, score, 333, SEED).tolist(),
        significance.randomization(systems, score, pairs, 333, SEED),
    ]
    for block in (1, 1_000, 5_000):
        monkeypatch.setattr(significance, "BLOCK", block)
        assert whole == [
            significance.bootstrap(systems, score, 333, SEED, threads).tolist(),
            significance.randomization(systems, score, pairs, 333, SEED, threads),
        ]


def test_the_same_samples_on_every_machine() -> None:
    """If NumPy changes its generator, every published p changes. Then this test fails."""
    systems = [np.array([[k * step % 17] for k in range(40)]) for step in (5, 11)]
    drawn = significance.bootstrap(systems, lambda sums: sums[:, 0], 4, significance.SEED)
    assert drawn.tolist() == [[362, 344, 302, 292], [334, 359, 287, 282]]
    [p] = significance.randomization(systems, lambda sums: sums[:, 0], [(0, 1)], 999, significance.SEED)
    assert p == 0.901


def test_large_numbers_stay_exact() -> None:
    """Sums beyond 2^24 are not exact in single precision."""
    rows = np.array([[2**24 + 1], [3]])
    found = significance.bootstrap([rows], lambda sums: sums[:, 0], 50, SEED)
    assert set(found[0].tolist()) <= {6.0, 2.0**24 + 4, 2.0**25 + 2}


# ---- extremes ------------------------------------------------------------------------------------


def test_equal_systems_do_not_differ() -> None:
    [rows, _] = pair(50)
    scores = significance.bootstrap([rows, rows.copy()], score, 100, SEED)
    assert significance.bootstrap_p_value(scores[0], scores[1], 0.0) == 1
    assert significance.randomization([rows, rows.copy()], score, [(0, 1)], 100, SEED) == [1]


def test_one_segment_says_nothing() -> None:
    assert significance.randomization(pair(1, 0.4), score, [(0, 1)], 100, SEED) == [1]


def test_what_is_not_a_number_speaks_for_chance() -> None:
    nothing = np.full(100, np.nan)
    assert significance.bootstrap_p_value(nothing, nothing, 0.1) == 1
    assert significance.bootstrap_p_value(nothing, nothing, np.nan) == 1


def test_intervals_of_few_samples() -> None:
    assert significance.interval(np.array([0.5])) == (0.5, 0.5)
    assert significance.interval(np.array([0.3, 0.1])) == (0.1, 0.3)


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=8).flatmap(
        lambda scores: st.tuples(
            st.just(scores), st.lists(st.booleans(), min_size=len(scores) ** 2, max_size=len(scores) ** 2)
        )
    )
)
def test_clusters(case: tuple[list[float], list[bool]]) -> None:
    """Ranks go up as scores go down. There is a line exactly where all pairs across it differ."""
    scores, flags = case
    count = len(scores)
    different = np.array(flags).reshape(count, count)
    different &= different.T
    ranks = significance.clusters(scores, np.where(different, 0.01, 0.5))
    order = sorted(range(count), key=lambda k: -scores[k])
    assert [ranks[k] for k in order] == sorted(ranks)
    lines = {first for first, _ in ranks}
    for place in range(1, count):
        across = all(different[a, b] for a in order[:place] for b in order[place:])
        assert (place + 1 in lines) == across


@pytest.mark.parametrize("whole", ["unpenalised", "penalised"])
def test_contributions_add_up(whole: str) -> None:
    """A segment that is matched completely and in one chunk adds no chunk, unless it is penalised."""
    rows = system(300, 0.8, 5)
    rows[:20] = [4, 4, 1, 1, 3, 3, 0, 0, 0, 0, 1, 1, 1, 4, 4]  # matched completely, in one chunk
    rows[20:30] = 0  # no words at all
    formula = Formula(whole=whole)
    found = contributions(rows, formula)
    assert found.sum(axis=0).tolist() == aggregate(rows, formula).tolist()
    assert int((rows - found).sum()) == (20 if whole == "unpenalised" else 0)
    assert contributions(rows[:0], formula).shape == (0, 15)


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 1e308])
def test_scores_without_a_mean(value: float) -> None:
    with pytest.raises(InputError, match="infinite score"):
        significance.fixed_point(np.array([[0.5, 0.25, value]]))
