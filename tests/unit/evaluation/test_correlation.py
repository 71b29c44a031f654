"""Correlation coefficients: SciPy's on the same arrays, examples by hand, and slow oracles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide.errors import BolideError, ConfigurationError, InputError
from bolide.evaluation import correlation, soft
from bolide.evaluation.correlation import calibrated_accuracy, kendall_pairs, pearson, spearman
from tests.support.oracle import agreement

stats: Any = pytest.importorskip("scipy.stats")

# Few values, so that ties are common.
SMALL = st.integers(-4, 4).map(float)
ROWS = st.lists(st.tuples(SMALL, SMALL, st.integers(0, 3)), min_size=3, max_size=14)


def arrays(seed: int, ties: bool) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=400)
    y = 0.4 * x + rng.normal(size=400)
    return (np.round(x, 1), np.round(y, 0)) if ties else (x, y)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_equal_to_scipy(seed: int, ties: bool) -> None:
    x, y = arrays(seed, ties)
    assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-14)
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-14)
    assert correlation.kendall_b(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-14)
    assert correlation.ranks(x).tolist() == stats.rankdata(x).tolist()


def test_weighted_pearson_is_that_of_weighted_covariances() -> None:
    x, y = arrays(1, ties=False)
    weights = np.random.default_rng(2).integers(1, 60, size=400)
    covariance = np.cov(x, y, aweights=weights)
    expected = covariance[0, 1] / math.sqrt(covariance[0, 0] * covariance[1, 1])
    assert pearson(x, y, weights) == pytest.approx(expected, abs=1e-13)


@given(st.lists(st.tuples(SMALL, st.one_of(SMALL, st.floats(-1, 1))), max_size=40))
def test_kendall_of_scipy(rows: list[tuple[float, float]]) -> None:
    y, x = np.array(rows).reshape(-1, 2).T
    for coefficient, variant in ((correlation.kendall_b, "b"), (correlation.kendall_c, "c")):
        expected = stats.kendalltau(x, y, variant=variant).statistic if len(x) > 1 else math.nan
        assert coefficient(x, y) == pytest.approx(expected, abs=1e-13, nan_ok=True)


@given(ROWS)
def test_whole_weights_are_repetitions(rows: list[tuple[float, float, int]]) -> None:
    x, y, w = (np.array(column) for column in zip(*rows, strict=True))
    for coefficient in (pearson, spearman):
        repeated = coefficient(np.repeat(x, w), np.repeat(y, w))
        assert coefficient(x, y, w) == pytest.approx(repeated, abs=1e-9, nan_ok=True)
    if w.sum():
        assert kendall_pairs(x, y, "wmt12", w) == pytest.approx(
            kendall_pairs(np.repeat(x, w), np.repeat(y, w), "wmt12")
        )


@given(ROWS)
def test_kendall_b_against_its_definition(rows: list[tuple[float, float, int]]) -> None:
    x, y, _ = zip(*rows, strict=True)
    found = correlation.kendall_b(x, y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(agreement.tau_b(x, y))


def test_pearson_by_hand() -> None:
    # Deviations −1 0 1 and −4/3 −1/3 5/3: r = 3 / √(2 · 42/9).
    assert pearson([1, 2, 3], [1, 2, 4]) == pytest.approx(3 / math.sqrt(2 * 42 / 9))
    # Weights 2 1 1: means 1.75 and 2; sums of squares 2.75 and 6, of products 4.
    assert pearson([1, 2, 3], [1, 2, 4], [2, 1, 1]) == pytest.approx(4 / math.sqrt(2.75 * 6))


def test_spearman_by_hand() -> None:
    # Ranks 1 2 3 4 and 1 2 4 3: 1 − 6·2 / (4·15).
    assert spearman([1, 2, 3, 4], [1, 2, 9, 3]) == pytest.approx(0.8)


def test_kendall_pairs_by_hand() -> None:
    # Five judgments: three concordant, one discordant, one tie.
    better, worse = [0.5, 0.4, 0.9, 0.2, 0.3], [0.4, 0.1, 0.8, 0.3, 0.3]
    assert kendall_pairs(better, worse, ties="wmt14") == pytest.approx((3 - 1) / 5)
    assert kendall_pairs(better, worse, ties="wmt12") == pytest.approx((3 - 2) / 5)


def test_scores_that_differ_only_by_rounding_tie() -> None:
    assert kendall_pairs([0.1 + 0.2], [0.3]) == 0
    assert kendall_pairs([0.1 + 0.2], [0.3], decimals=None) == 1


def test_pairwise_accuracy_by_hand() -> None:
    # Of the pairs ab ac bc, only bc is ordered differently; equal scores are not an order.
    assert correlation.pairwise_accuracy([3, 2, 1], [80, 70, 75]) == pytest.approx(2 / 3)
    assert correlation.pairwise_accuracy([3, 3, 1], [80, 70, 60]) == pytest.approx(2 / 3)
    assert math.isnan(correlation.pairwise_accuracy([1], [1]))


def test_calibrated_accuracy_by_hand() -> None:
    # With ε = 0 the human tie is missed (2 of 4 correct). With 0.1 it is found, and nothing is lost (3 of 4).
    metric, human = [0.5, 0.3, -0.1, -0.6], [1, 2, 0, 3]
    assert calibrated_accuracy(metric, human) == (0.75, 0.1)
    # If people never tie, 0 is best; a metric's own tie is wrong.
    found, epsilon = calibrated_accuracy([0.5, 0.0, -1.0], [1, 1, 1])
    assert (found, epsilon) == (1 / 3, 0.0)


@given(ROWS)
def test_calibration_against_all_epsilons(rows: list[tuple[float, float, int]]) -> None:
    metric, human, weights = zip(*rows, strict=True)
    found, epsilon = calibrated_accuracy(metric, human, weights)
    if sum(weights) == 0:
        assert math.isnan(found)
        return
    assert found == pytest.approx(agreement.calibrated(metric, human, weights))
    assert agreement.accuracy(metric, human, epsilon, weights) == pytest.approx(found)
    smaller = [e for e in {0.0, *map(abs, metric)} if e < epsilon]
    assert all(agreement.accuracy(metric, human, e, weights) < found - 1e-12 for e in smaller)


@pytest.mark.parametrize("coefficient", [pearson, spearman])
def test_what_does_not_vary_has_no_correlation(coefficient: Any) -> None:
    assert math.isnan(coefficient([0.1, 0.1, 0.1], [1, 2, 3]))
    assert math.isnan(coefficient([1.0], [2.0]))


def test_pearson_of_tiny_differences() -> None:
    x = np.array([1.0, 2.0, 4.0])
    assert pearson(x * 1e-200, x * 1e200) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([1, 2], [1, 2, 3]), InputError, "equal lengths"),
        (([1, math.nan], [1, 2]), InputError, "a score is NaN"),
        (([1, 2], [1, 2], [1, -1]), ConfigurationError, "negative"),
    ],
)
def test_bad_arrays(arguments: Any, error: type[BolideError], message: str) -> None:
    with pytest.raises(error, match=message):
        pearson(*arguments)


def test_unknown_rule_of_ties() -> None:
    with pytest.raises(ConfigurationError, match="did you mean 'wmt14'"):
        kendall_pairs([1], [2], ties="wmt15")  # type: ignore[arg-type]


# ---- soft pairwise accuracy ----------------------------------------------------------------------

TABLES = st.integers(2, 4).flatmap(
    lambda systems: st.lists(
        st.lists(SMALL, min_size=7, max_size=7), min_size=2 * systems, max_size=2 * systems
    )
)


@given(TABLES)
def test_soft_accuracy_against_exact_p(rows: list[list[float]]) -> None:
    """p of 4,000 random swaps is within five standard errors of p of all 128."""
    half = len(rows) // 2
    metric, human = rows[:half], rows[half:]
    found = soft.soft_pairwise_accuracy(np.array(metric).T, np.array(human).T, samples=4000, seed=3)
    assert found == pytest.approx(agreement.soft_accuracy(metric, human), abs=2 * 5 * 0.5 / math.sqrt(4000))


def test_soft_accuracy_by_hand() -> None:
    # People are sure that the first is better (p → 0); the metric is sure that the second is (p → 1).
    sure, unsure = [[1.0, 0.0]] * 40, [[0.0, 1.0]] * 40
    assert soft.soft_pairwise_accuracy(sure, unsure) == 0.0
    assert soft.soft_pairwise_accuracy(sure, sure) == 1.0
    # Two segments, +1 and +1: only one of four swaps is as large, so p = 1/4.
    assert soft.pair_p_values([[1.0, 0.0]] * 2, samples=20000)[0] == pytest.approx(0.25, abs=0.02)


def test_soft_accuracy_tests_pairs_on_the_segments_that_both_have() -> None:
    table = np.random.default_rng(5).normal(size=(30, 3))
    table[:10, 0] = np.nan
    whole = soft.pair_p_values(table[10:], samples=500)
    padded = soft.pair_p_values(np.where(np.isnan(table[:, :1]), np.nan, table), samples=500)
    assert np.abs(whole - padded).max() < 0.1  # different random swaps
    assert soft.pair_p_values(table, samples=500)[2] == soft.pair_p_values(table[:, 1:], samples=500)[0]
