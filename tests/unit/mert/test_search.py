"""Och's line search and the climbs, MIRA, PRO and oracles: against brute force, on small random problems."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import ConfigurationError, InputError, Meteor
from bolide.mert import MertPlan, MertProblem, NBest, Weights, make_objective, oracle, tune
from bolide.mert.och import Climb, best_interval, climb, line_search, mert
from bolide.mert.pro import regression
from bolide.mert.problem import WeightSpace
from bolide.mert.report import to_dict
from bolide.mert.rerank import reranked
from tests.support.examples import examples
from tests.support.oracle.mert import all_values, chosen_at, value_of, values_of

pytest.importorskip("sacrebleu")
OBJECTIVES = (
    *("bleu", "ter", "ter-bleu/2", "bleu=1 meteor:tune=2"),
    *("meteor:tune", "meteor:rank", "meteor:adq", "meteor:hter", "meteor@2005", "meteor@nltk"),
)
WORDS = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)


@lru_cache
def scorer(profile: str | None, task: str | None) -> Meteor:
    return Meteor(profile or "1.5", task=task, modules=["exact"], weights=[1.0], normalize="lower", threads=1)


@pytest.fixture(scope="module", autouse=True)
def _resources(meteor: Callable[..., Meteor]) -> None:
    """Skips the test if there is no language pack."""
    meteor(modules=["exact"])


@st.composite
def problems(draw: st.DrawFn, features: int = 2, most: int = 5) -> tuple[Any, list[list[str]]]:
    """Lists and references. Features are small whole numbers, so that all sums are exact."""
    names = [f"f{k}" for k in range(features)]
    values = st.tuples(*[st.integers(-2, 2)] * features)
    lists = draw(
        st.lists(st.lists(st.tuples(WORDS, values), min_size=1, max_size=most), min_size=1, max_size=4)
    )
    references = [draw(st.lists(WORDS, min_size=1, max_size=2)) for _ in lists]
    made = [[(text, dict(zip(names, row, strict=True))) for text, row in each] for each in lists]
    return NBest.of(made), references


def problem_of(given_: tuple[Any, list[list[str]]], objective: str) -> MertProblem:
    nbest, references = given_
    return MertProblem(nbest, make_objective(objective, references, make=scorer, threads=1), threads=1)


# With such features and lines, crossings are fractions with denominators of at most 8, within ±8. These
# points, in parts of 8000, miss them all, and every interval between two crossings has one of them.
PARTS = 8000
GRID = 125 * np.arange(-9 * 64, 9 * 64 + 1) + 8
LINE = st.tuples(*[st.integers(-1, 1)] * 2)
LIMITS = [(-np.inf, np.inf), (-2.0, 1.0), (-1.0, np.inf)]


@pytest.mark.parametrize("objective", OBJECTIVES)
@settings(max_examples=examples(40))
@given(problems(), LINE, LINE.filter(any), st.sampled_from(LIMITS))
def test_line_search_is_brute_force(
    objective: str, lists: Any, origin: Any, direction: Any, limits: Any
) -> None:
    problem = problem_of(lists, objective)
    low, high = limits
    breaks, values = problem.surface(
        np.array(origin, dtype=float), np.array(direction, dtype=float), low, high
    )
    grid = GRID[(low * PARTS < GRID) & (high * PARTS > GRID)]
    # In whole numbers, so that ties are exact.
    slow = values_of(problem, chosen_at(problem, PARTS * np.array(origin) + np.outer(grid, direction)))
    assert values[np.searchsorted(breaks, grid / PARTS)].tolist() == slow.tolist()
    assert slow.max() == values.max()
    assert (np.diff(breaks) > 0).all()
    t, value = best_interval(breaks, values, low, high)
    assert low <= t <= high
    assert value == slow.max()
    assert value == values[np.searchsorted(breaks, t)]


@settings(max_examples=examples(30))
@given(problems(), LINE, LINE.filter(any))
def test_threads_do_not_matter(lists: Any, origin: Any, direction: Any) -> None:
    problem = problem_of(lists, "meteor:tune")
    start, line = np.array(origin, dtype=float), np.array(direction, dtype=float)
    one, two = (problem.surface(start, line, threads=n) for n in (1, 2))
    assert [each.tolist() for each in one] == [each.tolist() for each in two]


@settings(max_examples=examples(60))
@given(problems(), st.tuples(*[st.integers(-20, 20)] * 2))
def test_the_choice_is_that_of_the_highest_model_score(lists: Any, weights: Any) -> None:
    problem = problem_of(lists, "ter")
    assert problem.chosen(weights).tolist() == chosen_at(problem, [weights])[0].tolist()
    named = Weights.of(dict(zip(("f0", "f1"), weights, strict=True)))
    assert reranked(problem.nbest, named) == problem.texts(weights)


def climbs_of(problem: MertProblem, seed: int, **options: Any) -> list[Climb]:
    start = np.ones(len(problem.layout))
    space = WeightSpace.of(problem.layout, start)
    return mert(problem, space, [start], seed=seed, restarts=2, directions=3, **options)


@pytest.mark.parametrize("objective", OBJECTIVES)
@settings(max_examples=examples(8))
@given(problems(features=3, most=8), st.integers(0, 9))
def test_the_objective_never_falls(objective: str, lists: Any, seed: int) -> None:
    problem = problem_of(lists, objective)
    for found in climbs_of(problem, seed):
        values = [step.value for step in found.steps]
        assert all(b > a for a, b in pairwise(values))
        assert values == [problem.value(step.weights) for step in found.steps]
        assert found.best is found.steps[-1]


@pytest.mark.parametrize("method", ["mert", "mira", "pro"])
@settings(max_examples=examples(10))
@given(problems(features=3, most=8), st.integers(0, 9))
def test_same_seed_same_weights_and_never_worse(method: str, lists: Any, seed: int) -> None:
    nbest, references = lists
    objective = make_objective("meteor:tune", references, make=scorer)
    plan = MertPlan(method, seed, restarts=2, directions=3, epochs=3, rounds=2)
    start = {"f0": 1.0, "f1": 0.5, "f2": -0.5}
    one = tune(nbest, references, start, objective=objective, plan=plan, threads=1)
    two = tune(nbest, references, start, objective=objective, plan=plan, threads=2)
    assert one.vector.tolist() == two.vector.tolist()
    assert one.after.value >= one.before.value
    assert one.after.value == one.problem.value(one.vector)


@pytest.mark.parametrize("method", ["mert", "mira", "pro"])
@settings(max_examples=examples(15))
@given(problems(features=3, most=8))
def test_bounds_and_fixed_features_hold(method: str, lists: Any) -> None:
    nbest, references = lists
    objective = make_objective("ter", references)
    plan = MertPlan(method, restarts=3, epochs=3, rounds=2, fixed=["f1"], bounds={"f0": (0.0, 1.0)})
    start = {"f0": 0.5, "f1": 0.3, "f2": -0.5}
    tuned = tune(nbest, references, start, objective=objective, plan=plan)
    assert tuned.vector[1] == 0.3
    assert 0 <= tuned.vector[0] <= 1
    for found in tuned.climbs:
        for step in found.steps:
            assert step.weights[1] == 0.3
            assert 0 <= step.weights[0] <= 1


@settings(max_examples=examples(25))
@given(problems(most=4))
def test_oracles(lists: Any) -> None:
    """For TER, the best and worst of all choices. For others, no change of one sentence is better."""
    problem = problem_of(lists, "ter")
    values = all_values(problem)
    assert value_of(problem, oracle(problem).tolist()) == pytest.approx(max(values), abs=1e-9)
    assert value_of(problem, oracle(problem, worst=True).tolist()) == pytest.approx(min(values), abs=1e-9)
    problem = problem_of(lists, "bleu=1 meteor:rank=1")
    best = oracle(problem)
    for sentence, (first, last) in enumerate(pairwise(problem.nbest.offsets.tolist())):
        for other in range(first, last):
            changed = best.copy()
            changed[sentence] = other
            assert value_of(problem, changed.tolist()) <= value_of(problem, best.tolist()) + 1e-8


def test_interval_without_an_end() -> None:
    assert best_interval(np.array([]), np.array([1.0]), -np.inf, np.inf) == (0.0, 1.0)
    t, value = best_interval(np.array([2.0]), np.array([1.0, 3.0]), -np.inf, np.inf)
    assert t > 2
    assert value == 3.0
    t, _ = best_interval(np.array([2.0]), np.array([1.0, 3.0]), 1.0, 2.5)
    assert t == 2.25


def test_a_gain_that_rounding_would_lose_is_not_taken() -> None:
    """Crossings so near to each other that there is no number between them."""
    rows = [("a", {"x": 0.0, "y": 0.0}), ("b", {"x": 1.0, "y": -1.0}), ("c", {"x": 2.0, "y": -2.0 - 1e-16})]
    problem = MertProblem(NBest.of([rows]), make_objective("bleu", [["b"]]), threads=1)
    start = np.array([0.0, 1.0])
    found = climb(problem, WeightSpace.of(problem.layout, start), start, "given", np.random.default_rng(1))
    assert [problem.value(step.weights) for step in found.steps] == [step.value for step in found.steps]


def test_logistic_regression_finds_the_minimum() -> None:
    scipy = pytest.importorskip("scipy.optimize")
    random = np.random.default_rng(3)
    pairs = random.normal([0.5, -0.2, 0.0], 1.0, (200, 3))
    space = WeightSpace(np.full(3, -np.inf), np.full(3, np.inf))
    found = regression(pairs, space, np.ones(3))
    cost = 1e-3 * 200 * pairs.var(axis=0)

    def loss(w: Any) -> float:
        return float(np.logaddexp(0, -pairs @ w).sum() + (cost * w**2).sum() / 2)

    best = scipy.minimize(loss, np.zeros(3), method="BFGS")
    assert np.allclose(found, best.x, atol=1e-3)
    bounded = regression(
        pairs,
        WeightSpace(np.array([-np.inf, 0.0, 7.0]), np.array([np.inf, np.inf, 7.0])),
        np.array([1, 1, 7.0]),
    )
    assert bounded[1] == 0.0
    assert bounded[2] == 7.0


def test_all_methods_find_what_is_there_to_find() -> None:
    """One feature separates good hypotheses from bad ones, the other is noise."""
    random = np.random.default_rng(1)
    lists, references = [], []
    for _ in range(40):
        words = [f"w{k}" for k in random.integers(0, 50, 8)]
        references.append([" ".join(words)])
        rows = []
        for _ in range(10):
            wrong = int(random.integers(0, 8))
            text = " ".join([*words[: 8 - wrong], *(f"x{k}" for k in random.integers(0, 50, wrong))])
            rows.append((text, {"good": -float(wrong) + random.normal(0, 0.3), "noise": random.normal(0, 3)}))
        lists.append(rows)
    nbest = NBest.of(lists)
    for method in ("mert", "mira", "pro"):
        for name in ("bleu", "ter", "meteor:tune"):
            objective = make_objective(name, references, make=scorer)
            tuned = tune(
                nbest,
                references,
                {"good": 0.1, "noise": 1.0},
                objective=objective,
                plan=MertPlan(method, epochs=15),
            )
            best = value_of(tuned.problem, tuned.oracle.tolist())
            assert tuned.after.value - tuned.before.value > 0.8 * (best - tuned.before.value), (method, name)
            assert tuned.vector[0] > 4 * abs(tuned.vector[1]), (method, name)


def test_the_report_is_true() -> None:
    rows = [("a b c", {"x": -1.0, "y": 0.0}), ("a b", {"x": 0.0, "y": -1.0}), ("d", {"x": 0.0, "y": -3.0})]
    tuned = tune(NBest.of([rows] * 5), [["a b c"]] * 5, {"x": 1.0, "y": 0.1}, objective=scorer(None, "tune"))
    data = to_dict(tuned)
    assert data["choices"]["initial"]["words"] == 2
    assert data["choices"]["tuned"]["scores"] == {"METEOR": 100.0}
    assert data["choices"]["tuned"]["interval"] == [100.0, 100.0]
    assert data["choices"]["oracle"]["value"] == 100
    assert data["choices"]["anti-oracle"]["value"] == 0
    assert data["lists"] == {"sentences": 5, "lines": 15, "hypotheses": 15, "texts": 15}
    for k, row in enumerate(data["weights"]):
        for end, sign in zip(row["interval"], (-1, 1), strict=True):
            if end is not None:
                moved = tuned.vector.copy()
                moved[k] = end + sign * 1e-6
                assert tuned.problem.value(moved) < 99.9
                moved[k] = end - sign * 1e-6
                assert tuned.problem.value(moved) >= 99.9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "powell"}, "unknown method 'powell'; choose one of: mert, mira, pro"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"c": 0}, "c must be above 0"),
        ({"epochs": 0}, "epochs must be a whole number of at least 1"),
        ({"fixed": ["z"]}, "there is no feature 'z'; there are: x y"),
        ({"fixed": ["x", "y"]}, "all features are fixed"),
        ({"bounds": {"x": (1.0, 0.0)}}, "the bounds of 'x' must be two numbers, the lower one first"),
        ({"bounds": {"x": (2.0, 3.0)}}, "the initial weight of 'x', 1, is not between 2 and 3"),
    ],
)
def test_a_plan_that_cannot_be(options: Any, message: str) -> None:
    nbest = NBest.of([[("a", {"x": 1.0, "y": 1.0})]])
    with pytest.raises(ConfigurationError, match=message):
        tune(nbest, [["a"]], {"x": 1.0, "y": 1.0}, objective=scorer(None, "tune"), plan=MertPlan(**options))


def test_lists_and_references_that_do_not_fit() -> None:
    nbest = NBest.of([[("a", {"x": 1.0})]])
    with pytest.raises(InputError, match="2 references for lists of 1 sentences"):
        tune(nbest, [["a"], ["b"]], {"x": 1.0}, objective=scorer(None, "tune"))
    with pytest.raises(InputError, match="no weight for feature 'x'"):
        tune(nbest, [["a"]], {"y": 1.0}, objective=scorer(None, "tune"))


def test_line_search_stays_in_bounds() -> None:
    rows = [("a", {"x": 0.0, "y": 1.0}), ("b", {"x": 1.0, "y": 0.0})]
    problem = MertProblem(NBest.of([rows]), make_objective("bleu=1 ter=1", [["b"]]), threads=1)
    start = np.array([0.0, 1.0])
    space = WeightSpace.of(problem.layout, start, bounds={"x": (-1.0, 0.5)})
    step = line_search(problem, space, start, np.array([1.0, 0.0]))
    assert -1 <= step.weights[0] <= 0.5
    assert problem.value(step.weights) == step.value
