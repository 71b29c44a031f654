"""A run of tuning: a search on all data, then optionally on all data without each fold in turn.

The folds show agreement on data that the search has not seen (table 5 of the Meteor 1.3 paper).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bolide._support import checks
from bolide._support.arrays import Floats
from bolide._support.progress import Advance, Progress, no_progress
from bolide.errors import ConfigurationError
from bolide.formula.parameters import Parameters
from bolide.tuning.checkpoint import Checkpoint, key_of
from bolide.tuning.data import DataSet
from bolide.tuning.kinds import OBJECTIVES
from bolide.tuning.objectives import POOLS, Objective
from bolide.tuning.problem import Found, Problem, Watch
from bolide.tuning.searches import SEARCHES, middle, search
from bolide.tuning.space import STEP, Space

# A fold is all data sets with the same value of one of these.
FOLDS: Mapping[str, Callable[[DataSet], str]] = {
    "language-pair": lambda data: data.language_pair,
    "test-set": lambda data: data.test_set,
    "set": lambda data: data.name,
    "field": lambda data: data.field,
}


@dataclass(frozen=True)
class Plan:
    """How to tune. `weight` is that of the regularization (`Problem`). With `plateau`, not the best point is
    chosen, but the middle of those that lose at most this (`searches.middle`)."""

    objective: str = "tau"
    search: str = "coordinate"
    fixed: Mapping[str, float] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    step: float = STEP
    weight: float = 0.0
    plateau: float | None = None
    pool: str | None = None  # see `Objective`
    sign: int = 1
    seed: int = 1
    threads: int | None = None

    def check(self, folds: str | None = None) -> None:
        """Raises an error if a name is unknown."""
        for what, name, choices in (
            ("objective", self.objective, OBJECTIVES),
            ("pool", self.pool, POOLS),
            ("search", self.search, SEARCHES),
            ("kind of folds", folds, FOLDS),
        ):
            if name is not None:
                checks.choice(what, name, choices)
        if self.plateau is not None and not self.plateau >= 0:
            raise ConfigurationError(f"the loss of a plateau must be at least 0, not {self.plateau:g}")
        if self.plateau is not None and self.search != "grid":
            raise ConfigurationError(f"a plateau needs the search 'grid', not '{self.search}'")


@dataclass(frozen=True)
class Fold:
    """Parameters found without some data sets: overall agreement on the training data and on the held-out
    data, with these parameters and with those before tuning."""

    name: str
    found: Found
    train: float
    held_out: float
    base_train: float
    base_held_out: float


@dataclass(frozen=True)
class Tuned:
    """The result: the parameters, the agreement of each set before and after, and the folds."""

    plan: Plan
    space: Space
    problem: Problem
    found: Found
    base: Parameters
    before: Floats
    after: Floats
    overall_before: float
    overall_after: float
    folds: tuple[Fold, ...] = ()

    @property
    def data(self) -> tuple[DataSet, ...]:
        return self.problem.objective.data

    @property
    def parameters(self) -> Parameters:
        return self.space.parameters(self.found.point, self.base.formula)


def point_of(parameters: Parameters) -> list[float]:
    p = parameters
    return [p.alpha, p.beta, p.gamma, p.delta, *p.weights]


def tune(
    data: Sequence[DataSet],
    modules: Sequence[str],
    base: Parameters,
    plan: Plan | None = None,
    *,
    near: Sequence[float] | None = None,
    folds: str | None = None,
    watch: Watch | None = None,
    checkpoint: str | None = None,
    progress: Progress = no_progress,
) -> Tuned:
    """Finds the parameters with the best agreement with the judgments of all data sets.

    `base` has the parameters before tuning, and the formula. Regularization draws the parameters to `near`
    (default: `base`).
    """
    plan = Plan() if plan is None else plan
    groups = _groups(data, folds)
    objective = _objective(data, plan, base)
    if objective.modules != len(modules):
        raise ConfigurationError(
            f"the statistics have {objective.modules} modules, the scorer has {len(modules)} "
            f"({' '.join(modules)}); name the modules of the statistics with --modules"
        )
    space = Space.of(modules, fixed=plan.fixed, ranges=plan.ranges, step=plan.step)
    prior = point_of(base) if near is None else near
    saved = (
        None if checkpoint is None else Checkpoint(checkpoint, key_of(objective, space, plan, tuple(prior)))
    )
    problem = Problem(objective, space, prior=prior, weight=plan.weight, watch=watch, checkpoint=saved)
    found = _search(problem, plan, _named(progress, plan.search))
    problem.watch = None
    values = objective([point_of(base), list(found.point)])
    overall = objective.overall(values)
    plan_of_folds = replace(plan, pool=objective.pool)  # also if the sets of a fold have the same measure
    made = [_fold(name, data, of, plan_of_folds, space, base, prior, progress) for name, of in groups.items()]
    before, after = overall.tolist()
    return Tuned(plan, space, problem, found, base, values[0], values[1], before, after, tuple(made))


def _search(problem: Problem, plan: Plan, progress: Advance) -> Found:
    best = search(problem, plan.search, seed=plan.seed, progress=progress)
    if plan.plateau is None:
        return best
    problem.watch = None  # it has seen all points
    return middle(problem, best, plan.plateau)


def _objective(data: Sequence[DataSet], plan: Plan, base: Parameters) -> Objective:
    options: dict[str, Any] = {"formula": base.formula, "pool": plan.pool, "sign": plan.sign}
    return Objective(data, plan.objective, threads=plan.threads, **options)


def _groups(data: Sequence[DataSet], folds: str | None) -> dict[str, list[DataSet]]:
    """Data sets by fold."""
    if folds is None:
        return {}
    checks.choice("kind of folds", folds, FOLDS)
    groups: dict[str, list[DataSet]] = {}
    for each in data:
        label = FOLDS[folds](each)
        if not label:
            raise ConfigurationError(
                f"folds by {folds} need the key '{folds.replace('-', '_')}' in each set; "
                f"set {each.name} lacks it"
            )
        groups.setdefault(label, []).append(each)
    if len(groups) < 2:
        raise ConfigurationError(f"cross-validation needs at least two different values of {folds}")
    return groups


def _fold(
    name: str,
    data: Sequence[DataSet],
    held_out: Sequence[DataSet],
    plan: Plan,
    space: Space,
    base: Parameters,
    prior: Sequence[float],
    progress: Progress,
) -> Fold:
    train = _objective([each for each in data if all(each is not other for other in held_out)], plan, base)
    test = _objective(held_out, plan, base)
    problem = Problem(train, space, prior=prior, weight=plan.weight)
    found = _search(problem, plan, _named(progress, f"without {name}"))
    points = [list(found.point), point_of(base)]
    on_train, on_test = (each.overall(each(points)).tolist() for each in (train, test))
    return Fold(name, found, on_train[0], on_test[0], on_train[1], on_test[1])


def _named(progress: Progress, what: str) -> Advance:
    return lambda done, total: progress(what, done, total)
