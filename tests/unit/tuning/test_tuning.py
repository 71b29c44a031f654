"""Tuning: the sweep against the scorer and slow oracles, searches against the grid, files, and folds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bolide import Meteor
from bolide.comparison.reports.parts import html, markdown
from bolide.errors import BolideError, ConfigurationError, InputError
from bolide.evaluation.correlation import calibrated_accuracy, kendall_pairs, pearson, spearman
from bolide.formula.parameters import JAVA, Formula, Parameters
from bolide.formula.statistics import evaluate
from bolide.tuning import Axis, DataSet, Objective, Space, sweep
from bolide.tuning.checkpoint import Checkpoint, key_of
from bolide.tuning.points import writing
from bolide.tuning.problem import Problem
from bolide.tuning.profile_file import profile_text
from bolide.tuning.report import parts
from bolide.tuning.searches import SEARCHES, middle, search
from bolide.tuning.tuning import Plan, tune
from tests.support import core_testing
from tests.support.examples import examples

MODULES = ["exact", "stem"]
FORMULAS = [
    Formula(*each)
    for each in product(("harmonic", "ratio"), ("java", "exact", "library"), ("unpenalised", "penalised"))
]
seeds = st.integers(0, 10**6)
number = st.floats(0, 1, allow_nan=False)
point = st.tuples(number, st.floats(0, 3), number, number, number, number)


def some_rows(random: np.random.Generator, count: int) -> npt.NDArray[np.int64]:
    """Statistics as alignments make them; some are empty, some are complete in one chunk."""
    rows = []
    for _ in range(count):
        length = random.integers(0, 9, size=2)
        matched = int(random.integers(0, length.min() + 1))
        if random.random() < 0.2:
            length[:] = matched
        function = random.integers(0, matched + 1)
        stems = random.integers(0, matched - function + 1)
        exact = matched - function - stems
        words = [min(int(n) - matched, int(random.integers(0, 3))) + function for n in length]
        chunks = random.integers(1, matched + 1) if matched else 0
        rows.append(
            [*length, *words, exact, exact, function, function, stems, stems, 0, 0, chunks, matched, matched]
        )
    return np.array(rows, dtype=np.int64)


def some_data(seed: int, count: int = 30, pairs: int = 80, references: bool = False) -> DataSet:
    random = np.random.default_rng(seed)
    counts = random.integers(1, 4 if references else 2, size=count)
    sides = random.integers(0, count, size=(4, pairs))
    return DataSet(
        f"set{seed}",
        some_rows(random, int(counts.sum())),
        sides[0],
        sides[1],
        sides[2],
        sides[3],
        rated=np.arange(count),
        ratings=random.integers(0, 6, size=count).astype(float),
        references=counts,
        items=random.integers(0, 7, size=2 * pairs),
        language_pair=f"x{seed}-en",
        test_set="a" if seed % 2 else "b",
    )


KENDALL = [
    DataSet(
        "few", some_rows(np.random.default_rng(5), 40), rated=range(40), ratings=[k % 3 for k in range(40)]
    ),
    DataSet("one", some_rows(np.random.default_rng(6), 9), rated=[1, 2, 8], ratings=[1, 1, 1]),
]


@settings(max_examples=examples(30))
@given(seeds, st.lists(point, min_size=1, max_size=5), st.booleans())
def test_kendall_is_that_of_scipy(seed: int, points: list[tuple[float, ...]], references: bool) -> None:
    stats: Any = pytest.importorskip("scipy.stats")
    sets = [some_data(seed, references=references), *KENDALL]
    for variant in "bc":
        found = sweep(sets, points, f"kendall-{variant}", threads=2)
        for row, each in zip(found, points, strict=True):
            expected = [
                stats.kendalltau(scores(data, each)[data.rated], data.ratings, variant=variant).statistic
                for data in sets
            ]
            assert row == pytest.approx(expected, abs=1e-13, nan_ok=True)


@settings(max_examples=examples(30))
@given(seeds, point)
def test_tau_of_items_is_a_mean(seed: int, numbers: tuple[float, ...]) -> None:
    data = some_data(seed, references=True)
    found = scores(data, numbers)
    items = data.items[: len(data.better)]
    values = [
        kendall_pairs(found[data.better[items == item]], found[data.worse[items == item]])
        for item in np.unique(items)
    ]
    assert sweep([data], [numbers], "tau-item")[0, 0] == pytest.approx(np.mean(values))


def test_sets_with_measures_and_weights_of_their_own() -> None:
    first, second, third = (some_data(seed) for seed in (1, 2, 3))
    mixed = [replace(first, measure="kendall-c", weight=3.0), second, replace(third, measure="tau-wmt12")]
    objective = Objective(mixed, "pearson")
    values = objective([POINT])
    alone = [
        sweep([each], [POINT], measure)[0, 0]
        for each, measure in zip((first, second, third), ("kendall-c", "pearson", "tau-wmt12"), strict=True)
    ]
    assert values[0].tolist() == alone
    assert objective.overall(values)[0] == pytest.approx(np.average(alone, weights=[3, 1, 1]))
    assert (objective.name, objective.pool) == ("mean of sets", "sets")
    assert objective.measures == ("kendall-c", "pearson", "tau-wmt12")
    with pytest.raises(ConfigurationError, match="choose pool 'sets'"):
        Objective(mixed, pool="judgments")
    same = Objective([replace(first, weight=2.0), second], pool="judgments")
    assert (same.name, same.pool) == ("tau", "judgments")
    with pytest.raises(InputError, match="weight of a set"):
        replace(first, weight=0.0)


def test_folds_of_sets_with_measures_of_their_own() -> None:
    sets = [some_data(1), replace(some_data(2), measure="kendall-b"), some_data(3)]
    sets = [replace(each, field=label) for each, label in zip(sets, "xyx", strict=True)]
    plan = Plan(fixed={"delta": 0.75, "stem": 0.6, "beta": 1.0, "gamma": 0.5}, step=0.25)
    tuned = tune(sets, MODULES, BASE, plan, folds="field")
    assert [fold.name for fold in tuned.folds] == ["x", "y"]
    # The fold without "y" has one measure, but is pooled as the whole.
    kept = Objective([sets[0], sets[2]], pool="sets")
    (expected,) = kept.overall(kept([tuned.folds[1].found.point]))
    assert tuned.folds[1].train == expected
    shown = "\n".join(markdown(parts(tuned), "x").splitlines())
    assert "mean of sets" in shown and "kendall-b" in shown


POINT = (0.85, 0.2, 0.6, 0.75, 1.0, 0.6)


def scores(data: DataSet, numbers: tuple[float, ...], formula: Formula = JAVA) -> npt.NDArray[np.float64]:
    """The score of each translation, computed slowly: that of its best reference."""
    alpha, beta, gamma, delta, *weights = numbers
    parameters = Parameters(alpha, beta, gamma, delta, tuple(weights), formula)
    of_rows = evaluate(data.statistics, parameters)[:, -1]
    return np.array([of_rows[a:b].max() for a, b in zip(data.offsets, data.offsets[1:], strict=False)])


# ---- the sweep -----------------------------------------------------------------------------------


@settings(max_examples=examples(60))
@given(
    st.integers(0, 10**6), st.lists(point, min_size=1, max_size=12), st.booleans(), st.sampled_from(FORMULAS)
)
def test_scores_are_the_scorers_to_the_last_bit(
    seed: int, points: list[tuple[float, ...]], references: bool, formula: Formula
) -> None:
    from bolide import _core

    data = some_data(seed, references=references)
    table = _core.Sweep(data.statistics.astype(np.float64), data.offsets, formula.core, formula.powers)
    found = core_testing.sweep_scores(table, np.array(points), 2)
    assert found.tolist() == [scores(data, each, formula).tolist() for each in points]


@settings(max_examples=examples(60))
@given(
    st.integers(0, 10**6),
    st.lists(point, min_size=1, max_size=40),
    st.booleans(),
    st.sampled_from([None, 3, 10]),
)
def test_rankings_are_those_of_evaluation(
    seed: int, points: list[tuple[float, ...]], references: bool, decimals: int | None
) -> None:
    sets = [some_data(seed, references=references), some_data(seed + 1, 17, 5)]
    for objective, rule in (("tau", "wmt14"), ("tau-wmt12", "wmt12")):
        found = sweep(sets, points, objective, decimals=decimals, threads=2)
        for row, each in zip(found, points, strict=True):
            for value, data in zip(row, sets, strict=True):
                s = scores(data, each)
                expected = kendall_pairs(s[data.better], s[data.worse], rule, decimals=decimals)  # type: ignore[arg-type]
                assert value == pytest.approx(expected, abs=1e-14)


def test_more_pairs_than_a_block_and_many_points() -> None:
    data = some_data(5, 300, 3000)
    space = Space.of(MODULES, fixed={"alpha": 0.8, "stem": 0.5}, step=0.25)
    points = space.points(space.indices(np.arange(space.size)))
    found = sweep([data], points, threads=3)
    for value, each in list(zip(found[:, 0], points, strict=True))[::7]:
        s = scores(data, tuple(each))
        assert value == pytest.approx(kendall_pairs(s[data.better], s[data.worse]), abs=1e-14)


@settings(max_examples=examples(60))
@given(st.integers(0, 10**6), st.lists(point, min_size=1, max_size=6), st.booleans())
# All scores are tiny except one, and that one has no weight.
@example(372, [(0.5, 0.0, 0.0, 9.082406776818046e-238, 0.0, 1.0)], True)
def test_coefficients_are_those_of_evaluation(
    seed: int, points: list[tuple[float, ...]], references: bool
) -> None:
    data = some_data(seed, references=references)
    human, lengths = np.asarray(data.ratings), data.reference_lengths
    first, second, signs, weights = data.comparisons
    for each in points:
        s = scores(data, each)
        expected = {
            "pearson": pearson(s, human),
            "weighted-pearson": pearson(s, human, lengths),
            "spearman": spearman(s, human),
            "accuracy": calibrated_accuracy(s[first] - s[second], signs, weights)[0],
        }
        for objective, value in expected.items():
            found = sweep([data], [each], objective)[0, 0]
            assert found == pytest.approx(value, abs=1e-9, nan_ok=True), objective


def test_coefficients_are_scipys() -> None:
    stats = pytest.importorskip("scipy.stats")
    data, each = some_data(3, 200), (0.8, 0.5, 0.4, 0.7, 1.0, 0.5)
    s = scores(data, each)
    assert sweep([data], [each], "pearson")[0, 0] == pytest.approx(stats.pearsonr(s, data.ratings).statistic)
    assert sweep([data], [each], "spearman")[0, 0] == pytest.approx(
        stats.spearmanr(s, data.ratings).statistic
    )


def test_wmt12_figures(shared: Path) -> None:
    """τ of profile 1.5 as in the README of the data: by WMT14's rule, then by WMT12's."""
    expected = {
        "cs-en": (0.227, 0.212),
        "de-en": (0.287, 0.275),
        "es-en": (0.269, 0.249),
        "fr-en": (0.271, 0.251),
    }
    data = [wmt(shared, f"wmt12.{pair}") for pair in expected]
    numbers = [(0.85, 0.2, 0.6, 0.75, 1, 0.6, 0.8, 0.6)]
    for k, objective in enumerate(("tau", "tau-wmt12")):
        found = sweep(data, numbers, objective)[0]
        assert [round(value, 3) for value in found] == [each[k] for each in expected.values()]


def wmt(shared: Path, name: str) -> DataSet:
    from bolide.evaluation import formats
    from bolide.tuning.sets import _row_names, read_statistics

    folder = shared / "data" / "wmt"
    rows = _row_names(str(folder / f"{name}.scores.tsv.gz"))
    statistics = read_statistics(str(folder / f"{name}.meteor15.stats.npz"))
    said = formats.read(folder / f"{name}.pairs.tsv.gz")
    return DataSet.of(name, said, statistics, {key: k for k, key in enumerate(rows)})


@pytest.mark.slow
@pytest.mark.parametrize("name", ["coarse-to-fine", "coordinate", "annealing"])
def test_faster_searches_find_the_optimum_of_wmt12(name: str, shared: Path) -> None:
    """The highest value of the exhaustive grid of 7,973,721 points."""
    data = [wmt(shared, f"wmt12.{pair}") for pair in ("cs-en", "de-en", "es-en", "fr-en")]
    space = Space.of(["exact", "stem", "synonym", "paraphrase"], fixed={"stem": 0.6, "synonym": 0.8})
    found = search(Problem(Objective(data), space), name)
    assert found.value == pytest.approx(0.2676513699402413, abs=1e-12)


# ---- searches ------------------------------------------------------------------------------------


@settings(max_examples=examples(15), deadline=None)
@given(st.integers(0, 1000), st.sampled_from(["coarse-to-fine", "coordinate", "annealing"]))
def test_searches_find_the_optimum_of_the_grid(seed: int, name: str) -> None:
    """Smooth objectives, like the regulariser. Objectives of real data are nearly smooth."""
    objective = Objective([some_data(seed, 200, 400)], "pearson")
    random = np.random.default_rng(seed)
    prior = [*random.random(4).tolist(), 1.0, random.random()]
    space = Space.of(MODULES, step=0.125, fixed={"beta": 0.5})
    whole = search(Problem(objective, space, prior=prior, weight=1.0), "grid")
    found = search(Problem(objective, space, prior=prior, weight=1.0), name)
    assert found.value == pytest.approx(whole.value, abs=1e-12)
    assert found.evaluated < whole.evaluated


def test_grid_is_the_maximum_of_all_points() -> None:
    objective = Objective([some_data(1)])
    space = Space.of(MODULES, step=0.25)
    points = space.points(space.indices(np.arange(space.size)))
    values = objective.overall(objective(points))
    found = search(Problem(objective, space), "grid")
    assert found.value == values.max()
    assert found.point == tuple(points[np.argmax(values)])
    assert found.evaluated == space.size


@settings(max_examples=examples(30), deadline=None)
@given(seeds, st.sampled_from([0.0, 0.01, 0.1, 3.0]), st.sampled_from([0.0, 0.5]))
def test_middle_is_the_mean_of_all_points_that_lose_little(seed: int, loss: float, weight: float) -> None:
    objective, space = Objective([some_data(seed)]), Space.of(MODULES, step=0.25, fixed={"beta": 0.5})
    problem = Problem(objective, space, prior=[0.5, 0.5, 0.25, 0.75, 1.0, 0.5], weight=weight)
    best = search(problem, "grid")
    found = middle(problem, best, loss)
    points = space.points(space.indices(np.arange(space.size)))
    values = objective.overall(objective(points)) - problem.penalty(points)
    mean = points[values >= values.max() - loss - 1e-12].mean(axis=0)
    steps = [axis.step if axis.free else 0 for axis in space.axes]
    assert (np.abs(found.point - mean) <= np.array(steps) / 2 + 1e-9).all()
    assert found.value == values[(points == found.point).all(axis=1)][0]
    assert (found.evaluated, found.compared) == (best.evaluated, best.compared)
    if loss == 3.0 and not weight:  # all points
        assert found.point == tuple(space.points(np.array([[2, 0, 2, 2, 0, 2]]))[0])


def test_plateau_of_runs_and_folds() -> None:
    data = [some_data(k) for k in range(4)]
    plan = Plan(search="grid", step=0.25)
    best = tune(data, MODULES, BASE, plan, folds="test-set")
    tuned = tune(data, MODULES, BASE, replace(plan, plateau=0.05), folds="test-set")
    space = Space.of(MODULES, step=0.25)
    found = [tuned.found, *(fold.found for fold in tuned.folds)]
    single = [best.found, *(fold.found for fold in best.folds)]
    for own, one, train in zip(found, single, (data, data[1::2], data[::2]), strict=True):
        assert own == middle(Problem(Objective(train), space), one, 0.05)
    text = markdown(parts(tuned), "")
    assert "the middle of those that lose at most 0.05" in text
    mean = np.mean([fold.held_out for fold in tuned.folds])
    assert f"{mean:.4f}" in next(line for line in text.splitlines() if line.startswith("| mean |"))
    with pytest.raises(ConfigurationError, match="needs the search 'grid', not 'coordinate'"):
        Plan(plateau=0.05).check()
    with pytest.raises(ConfigurationError, match="at least 0, not -1"):
        Plan(search="grid", plateau=-1).check()


@pytest.mark.parametrize("name", SEARCHES)
def test_everything_fixed(name: str) -> None:
    fixed = {"alpha": 0.5, "beta": 1, "gamma": 0.5, "delta": 0.5, "stem": 0.5}
    found = search(Problem(Objective([some_data(1)]), Space.of(MODULES, fixed=fixed)), name)
    assert found.point == (0.5, 1.0, 0.5, 0.5, 1.0, 0.5)


@pytest.mark.parametrize("name", SEARCHES)
def test_regulariser_draws_to_the_point(name: str) -> None:
    prior = [0.5, 1.0, 0.25, 0.75, 1.0, 0.5]
    space = Space.of(MODULES, step=0.25)
    found = search(Problem(Objective([some_data(1)]), space, prior=prior, weight=1e6), name)
    assert found.point == tuple(prior)


@pytest.mark.parametrize("name", SEARCHES)
def test_resumed_search_is_the_same(name: str, tmp_path: Path) -> None:
    objective, space = Objective([some_data(1)]), Space.of(MODULES, step=0.25)
    whole = search(Problem(objective, space), name)
    key = key_of(objective, space)

    class StoppedError(Exception):
        pass

    def stop(done: int, total: int) -> None:
        if done >= total / 3:
            raise StoppedError

    first = Checkpoint(tmp_path / "saved.npz", key)
    with pytest.raises(StoppedError):
        search(Problem(objective, space, checkpoint=first), name, progress=stop)
    first.save(now=True)
    problem = Problem(objective, space, checkpoint=Checkpoint(tmp_path / "saved.npz", key))
    again = search(problem, name)
    assert (again.point, again.value) == (whole.point, whole.value)
    last = search(Problem(objective, space, checkpoint=Checkpoint(tmp_path / "saved.npz", key)), name)
    assert (last.point, last.evaluated) == (whole.point, 0)
    assert last.compared == again.compared == whole.compared


def test_checkpoints_of_others_are_refused(tmp_path: Path) -> None:
    objective, space = Objective([some_data(1)]), Space.of(MODULES, step=0.25)
    Checkpoint(tmp_path / "saved.npz", key_of(objective, space)).save(now=True)
    with pytest.raises(ConfigurationError, match="other data or settings"):
        Checkpoint(tmp_path / "saved.npz", key_of(Objective([some_data(2)]), space))
    whole = (tmp_path / "saved.npz").read_bytes()
    for damaged in (b"nothing", whole[:-9], whole.replace(b"descr", b"xxxxx"), b"PK\x03\x04"):
        (tmp_path / "broken.npz").write_bytes(damaged)
        with pytest.raises(InputError, match="not a checkpoint"):
            Checkpoint(tmp_path / "broken.npz", "")


# ---- runs and files ------------------------------------------------------------------------------

BASE = Parameters(0.85, 0.2, 0.6, 0.75, (1.0, 0.6))


def test_folds_hold_out() -> None:
    data = [some_data(k) for k in range(4)]
    tuned = tune(data, MODULES, BASE, Plan(search="grid", step=0.25), folds="test-set")
    assert [fold.name for fold in tuned.folds] == ["b", "a"]
    space = Space.of(MODULES, step=0.25)
    for fold, train, test in zip(tuned.folds, (data[1::2], data[::2]), (data[::2], data[1::2]), strict=True):
        best = search(Problem(Objective(train), space), "grid")
        assert (fold.found.point, fold.train) == (best.point, best.value)
        objective = Objective(test)
        assert fold.held_out == objective.overall(objective([best.point]))[0]


def test_pooled_tau_is_that_of_all_pairs() -> None:
    sets = [some_data(1), some_data(2, 17, 5)]
    objective = Objective(sets)
    each = (0.8, 0.5, 0.4, 0.7, 1.0, 0.5)
    sides = [np.concatenate([scores(d, each)[side] for d, side in zip(sets, both, strict=True)])
             for both in ([d.better for d in sets], [d.worse for d in sets])]  # fmt: skip
    assert objective.overall(objective([each]))[0] == pytest.approx(kendall_pairs(sides[0], sides[1]))


def test_sets_with_fewer_modules_are_filled_up() -> None:
    wide, narrow = some_data(1), some_data(2)
    cut = DataSet("cut", np.delete(narrow.statistics, np.s_[8:12], axis=1), narrow.better, narrow.worse,
                  references=np.diff(narrow.offsets))  # fmt: skip
    both = sweep([wide, cut], [(0.8, 0.5, 0.4, 0.7, 1.0, 0.5)])
    alone = sweep([cut], [(0.8, 0.5, 0.4, 0.7, 1.0)])
    assert both[0, 1] == alone[0, 0]


def test_profile_is_loaded(tmp_path: Path, meteor: type[Meteor]) -> None:
    parameters = Parameters(0.55, 1.35, 0.4, 0.65, (1.0, 0.35))
    path = tmp_path / "mine.toml"
    path.write_text(profile_text(parameters, MODULES, language="en"), encoding="utf-8")
    loaded = meteor(profile=path)
    assert loaded.parameters == parameters
    assert list(loaded.modules) == MODULES


def test_profile_has_other_settings(tmp_path: Path, meteor: type[Meteor]) -> None:
    own: dict[str, Any] = {
        "unit": "characters",
        "aligner": "exact",
        "search_weights": {"exact": 2.0, "other": 1.0},
    }
    path = tmp_path / "mine.toml"
    parameters = Parameters(0.55, 1.35, 0.4, 0.65, (1.0, 0.35))
    path.write_text(profile_text(parameters, MODULES, language="en", settings=own), encoding="utf-8")
    found = meteor(profile=path).settings
    assert {name: getattr(found, name) for name in own} == own


@pytest.mark.parametrize("ending", ["tsv", "parquet"])
def test_points_are_written(ending: str, tmp_path: Path) -> None:
    objective, space = Objective([some_data(1), some_data(2)]), Space.of(MODULES, step=0.5)
    with writing(tmp_path / f"points.{ending}", space, objective) as watch:
        search(Problem(objective, space, watch=watch), "grid")
    if ending == "tsv":
        head, *lines = (tmp_path / "points.tsv").read_text(encoding="utf-8").splitlines()
        names, rows = head.split("\t"), np.array([[float(x) for x in line.split("\t")] for line in lines])
    else:
        pandas = pytest.importorskip("pandas")
        pytest.importorskip("pyarrow")
        frame = pandas.read_parquet(tmp_path / "points.parquet")
        names, rows = list(frame.columns), frame.to_numpy()
    assert names == [*space.names, "tau:set1", "tau:set2", "tau"]
    points = space.points(space.indices(np.arange(space.size)))
    values = objective(points)
    assert rows.tolist() == np.column_stack([points, values, objective.overall(values)]).tolist()


def test_points_are_not_half_written(tmp_path: Path) -> None:
    objective, space = Objective([some_data(1)]), Space.of(MODULES, step=0.5)
    with pytest.raises(RuntimeError), writing(tmp_path / "points.tsv", space, objective):
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_reports_tell_the_numbers() -> None:
    data = [some_data(k) for k in range(2)]
    tuned = tune(data, MODULES, BASE, Plan(search="grid", step=0.5), folds="set")
    for text in (markdown(parts(tuned), "Title"), html(parts(tuned), "Title")):
        for expected in (*(f"{value:.4f}" for value in (*tuned.before, *tuned.after)), "set0", "Held out"):
            assert expected in text
        assert f"{tuned.folds[0].held_out:.4f}" in text


def test_plots_are_drawn() -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    from bolide.tuning.plots import svgs

    tuned = tune([some_data(1)], MODULES, BASE, Plan(search="coarse-to-fine", step=0.25))
    found = dict(svgs(tuned))
    assert list(found) == ["axes", "alpha-delta", "beta-gamma"]
    assert all(svg.startswith("<svg") for svg in found.values())


# ---- errors --------------------------------------------------------------------------------------

ROWS = some_rows(np.random.default_rng(0), 3)
WRONG: dict[str, Callable[[], object]] = {
    "7 \\+ 4·modules": lambda: DataSet("d", ROWS[:, :-1]),
    "outside the 3 translations": lambda: DataSet("d", ROWS, [0], [3]),
    "two sides of the judgments": lambda: DataSet("d", ROWS, [0], []),
    "one rating": lambda: DataSet("d", ROWS, rated=[0]),
    "not a number": lambda: DataSet("d", ROWS, rated=[0], ratings=[np.nan]),
    "do not add up": lambda: DataSet("d", ROWS, references=[1, 1]),
    "no rankings": lambda: Objective([DataSet("d", ROWS, rated=[0], ratings=[1.0])]),
    "no ratings": lambda: Objective([DataSet("d", ROWS, [0], [1])], "pearson"),
    "unknown objective": lambda: Objective([DataSet("d", ROWS, [0], [1])], "kendall"),
    "no data sets": lambda: Objective([]),
    "unknown parameter": lambda: Space.of(MODULES, fixed={"alhpa": 1}),
    "stem must be a number from 0 to 1000": lambda: Space.of(MODULES, fixed={"stem": 1e300}),
    "alpha must be a number from 0 to 1": lambda: Space.of(MODULES, fixed={"alpha": 2}),
    "a step above 0": lambda: Axis.steps("alpha", 0, 1, 0),
    "unknown search": lambda: search(Problem(Objective([some_data(1)]), Space.of(MODULES)), "random"),
    "folds by field need the key 'field' in each set; set set1 lacks it": lambda: tune(
        [some_data(1)], MODULES, BASE, folds="field"
    ),
    "at least two": lambda: tune([some_data(1)], MODULES, BASE, folds="set"),
    "the scorer has 1": lambda: tune([some_data(1)], ["exact"], BASE),
}  # fmt: skip


def test_a_judged_text_that_is_missing(tmp_path: Path) -> None:
    from bolide.evaluation import formats

    file = tmp_path / "pairs.tsv"
    file.write_text("segid\tbetter\tworse\n1\tA\tB\n", encoding="utf-8")
    message = r"segment 1 of system 'B' was judged, but its text \(or its statistics\) is missing"
    with pytest.raises(InputError, match=message):
        DataSet.of("d", formats.read(file), ROWS, {("A", "1"): 0})


@pytest.mark.parametrize("message", WRONG)
def test_mistakes_are_told(message: str) -> None:
    with pytest.raises(BolideError, match=message):
        WRONG[message]()
