"""A run of tuning: finds better weights for lists, references and initial weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from bolide._support import checks
from bolide._support.arrays import Floats, Integers
from bolide._support.progress import Progress, no_progress
from bolide.errors import ConfigurationError, InputError
from bolide.mert import och
from bolide.mert.choices import Measured, measured
from bolide.mert.lists import NBest
from bolide.mert.metrics import ReferenceTexts
from bolide.mert.mira import EPOCHS, C, mira
from bolide.mert.objectives import DEFAULT, MertObjective, make_objective
from bolide.mert.och import Climb, highest
from bolide.mert.oracles import oracle
from bolide.mert.pro import ROUNDS, pro
from bolide.mert.problem import MertProblem, TextCounts, WeightSpace
from bolide.mert.weights import Weights
from bolide.scoring.meteor import Meteor


@dataclass(frozen=True)
class MertPlan:
    """How to tune. `fixed` features keep their weights; `bounds` limit others."""

    method: str = "mert"
    seed: int = 1
    restarts: int = och.RESTARTS
    directions: int = och.DIRECTIONS
    tolerance: float = och.TOLERANCE
    epochs: int = EPOCHS  # for mira
    c: float = C  # for mira
    rounds: int = ROUNDS  # for pro
    fixed: Sequence[str] = ()
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def check(self) -> None:
        """Fails before the search if a value is wrong."""
        checks.choice("method", self.method, METHODS)
        for name in ("epochs", "rounds"):
            checks.whole(name, getattr(self, name))
        for name in ("seed", "restarts", "directions"):
            checks.whole(name, getattr(self, name), least=0)
        checks.number("tolerance", self.tolerance, checks.AT_LEAST_0)
        if not checks.number("c", self.c, checks.AT_LEAST_0) > 0:
            raise ConfigurationError("c must be above 0")


# Each method: what searches for weights, and its options in a plan. `mert` has several starts and results.
METHODS: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "mert": (och.mert, ("seed", "restarts", "directions", "tolerance")),
    "mira": (mira, ("seed", "epochs", "c")),
    "pro": (pro, ("seed", "rounds")),
}


@dataclass(frozen=True)
class Point:
    """Weights, and the hypotheses that they choose."""

    weights: Floats
    chosen: Integers
    measured: Measured

    @property
    def value(self) -> float:
        return self.measured.value


@dataclass(frozen=True)
class TunedWeights:
    """The result of tuning."""

    plan: MertPlan
    problem: MertProblem
    space: WeightSpace
    initial: Weights
    climbs: tuple[Climb, ...]
    before: Point
    after: Point

    @property
    def vector(self) -> Floats:
        """The tuned weights, in the order of the features."""
        return self.after.weights

    @property
    def weights(self) -> Weights:
        """The initial weights, with tuned weights for the features of the lists."""
        return self.initial.changed(self.problem.layout, self.vector)

    @property
    def climb(self) -> Climb:
        """The climb that found the weights."""
        return highest(self.climbs)

    @cached_property
    def oracle(self) -> Integers:
        """The best hypotheses found."""
        return oracle(self.problem)

    @cached_property
    def anti_oracle(self) -> Integers:
        """The worst hypotheses found."""
        return oracle(self.problem, worst=True)


def point(problem: MertProblem, weights: Floats) -> Point:
    chosen = problem.chosen(weights)
    return Point(weights, chosen, measured(problem, chosen))


def tune(
    nbest: NBest,
    references: ReferenceTexts,
    weights: Weights | Mapping[str, float],
    *,
    objective: str | Meteor | MertObjective = DEFAULT,
    plan: MertPlan | None = None,
    starts: Sequence[Floats] = (),
    counted: TextCounts | None = None,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> TunedWeights:
    """Finds the weights whose chosen hypotheses have the highest objective.

    The search starts at `weights` and at the other `starts`. `counted` has the statistics of hypotheses from
    earlier runs.
    """
    plan = plan or MertPlan()
    plan.check()
    if len(references) != nbest.sentences:
        raise InputError(f"there are {len(references)} references for lists of {nbest.sentences} sentences")
    given = weights if isinstance(weights, Weights) else Weights.of(weights)
    given = given.completed(nbest.layout) if nbest.sparse else given
    initial = given.vector(nbest.layout)
    space = WeightSpace.of(nbest.layout, initial, plan.fixed, plan.bounds)
    made = make_objective(objective, references, threads=threads)
    progress("counting", 0, 1)
    problem = MertProblem(nbest, made, counted, threads)
    progress("counting", 1, 1)
    search, names = METHODS[plan.method]
    options: dict[str, Any] = {name: getattr(plan, name) for name in names}
    options["progress"] = lambda done, total: progress(plan.method, done, total)
    several = plan.method == "mert"
    found = search(problem, space, [initial, *starts] if several else initial, **options)
    climbs: list[Climb] = found if several else [found]
    before = point(problem, initial)
    after = point(problem, _scaled(highest(climbs).best.weights, initial, space, problem))
    return TunedWeights(plan, problem, space, given, tuple(climbs), before, after)


def _scaled(weights: Floats, initial: Floats, space: WeightSpace, problem: MertProblem) -> Floats:
    """Scales weights to the size of the initial ones. Only their ratios matter for a choice, but a decoder
    may combine them with weights that are not tuned. If rounding would cost points, they are not scaled."""
    size = np.abs(weights).sum()
    if not space.is_open or not size or not initial.any():
        return weights
    scaled = weights * (np.abs(initial).sum() / size)
    return scaled if problem.value(scaled) >= problem.value(weights) else weights
