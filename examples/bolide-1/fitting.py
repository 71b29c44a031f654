"""Fit parameters to judgments: coordinate ascent, regularised by a prior, and cross-validated.

A point is α, β, γ, δ and the weights of the modules. The objective is the mean, over target languages, of the
mean τ of their sets (the mean of both tie rules), minus `HOLD` for each unit that a parameter moves away from
the prior, profile 1.5. So a parameter moves only if the data clearly support it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from judgments import Floats, Judged

from bolide._support.arrays import Statistics
from bolide.formula.parameters import Parameters
from bolide.formula.statistics import evaluate
from bolide.tuning import DataSet, Objective

HOLD = 0.005
STEPS = (0.1, 0.05)
BETA_STEP = 4  # β moves in larger steps: its limit is 4, that of the others is 1
ALPHA, BETA, GAMMA, DELTA, EXACT = range(5)

Point = tuple[float, ...]


def parameters(point: Point) -> Parameters:
    return Parameters(*point[:EXACT], weights=tuple(point[EXACT:]))


@dataclass(frozen=True)
class Variant:
    """A METEOR to fit: the statistics of each set, and the prior."""

    name: str
    prior: Point
    statistics: Mapping[str, Statistics]  # as floats, by the set's name
    # τ as a function of points, by set name; by both tie rules. Created when first needed.
    measures: dict[str, list[Objective]] = field(default_factory=dict)
    # τ by set and point: the folds evaluate the same points many times.
    known: dict[tuple[str, Point], float] = field(default_factory=dict)

    def scores(self, judged: Judged, point: Point) -> Floats:
        return evaluate(self.statistics[judged.name], parameters(point))[:, -1]

    def tau(self, judged: Judged, point: Point) -> float:
        """The mean τ of both tie rules."""
        if (judged.name, point) not in self.known:
            found = [float(measure(point)[0, 0]) for measure in self._measures(judged)]
            self.known[judged.name, point] = sum(found) / len(found)
        return self.known[judged.name, point]

    def _measures(self, judged: Judged) -> list[Objective]:
        if judged.name not in self.measures:
            rows = self.statistics[judged.name]
            data = [DataSet(judged.name, rows, better=judged.better, worse=judged.worse)]
            self.measures[judged.name] = [Objective(data, rule) for rule in ("tau", "tau-wmt12")]
        return self.measures[judged.name]


def objective(variant: Variant, sets: Iterable[Judged], point: Point) -> float:
    by_target: dict[str, list[float]] = {}
    for judged in sets:
        by_target.setdefault(judged.languages[1], []).append(variant.tau(judged, point))
    return float(np.mean([np.mean(values) for values in by_target.values()]))


def fit(variant: Variant, sets: Sequence[Judged]) -> Point:
    def value(point: Point) -> float:
        moved = sum(abs(a - b) for a, b in zip(point, variant.prior, strict=True))
        return objective(variant, sets, point) - HOLD * moved

    point, best = variant.prior, value(variant.prior)
    for step in STEPS:
        moved = True
        while moved:
            moved = False
            for neighbour in _neighbours(variant.prior, step):
                while (next_point := neighbour(point)) != point and (found := value(next_point)) > best:
                    point, best, moved = next_point, found, True
    return point


def _neighbours(prior: Point, step: float) -> list[_Move]:
    free = [place for place in range(len(prior)) if place != EXACT]  # this weight sets the scale
    return [_Move(place, sign * step) for place in free for sign in (1, -1)]


@dataclass(frozen=True)
class _Move:
    place: int
    step: float

    def __call__(self, point: Point) -> Point:
        factor, highest = (BETA_STEP, 4.0) if self.place == BETA else (1, 1.0)
        moved = round(point[self.place] + factor * self.step, 10)
        return (*point[: self.place], min(highest, max(0.0, moved)), *point[self.place + 1 :])


# ---- cross-validation ----------------------------------------------------------------------------

Fold = tuple[list[Judged], list[Judged]]  # training sets, test sets


def by_language(sets: Sequence[Judged]) -> list[Fold]:
    """Leave out each foreign language, into and out of English."""
    codes = dict.fromkeys(judged.foreign for judged in sets)
    return [
        ([s for s in sets if s.foreign != code], [s for s in sets if s.foreign == code]) for code in codes
    ]


def by_year(sets: Sequence[Judged]) -> list[Fold]:
    years = dict.fromkeys(judged.year for judged in sets)
    return [([s for s in sets if s.year != year], [s for s in sets if s.year == year]) for year in years]


def by_both(sets: Sequence[Judged]) -> list[Fold]:
    """Test each set with parameters fitted to the other languages of the other year."""
    return [([s for s in sets if s.year != j.year and s.foreign != j.foreign], [j]) for j in sets]


def validated(variant: Variant, folds: Sequence[Fold]) -> dict[str, Point]:
    """For each set, the point that was fitted without it."""
    return {judged.name: point for train, test in folds for point in [fit(variant, train)] for judged in test}


def nested(variants: Sequence[Variant], folds: Sequence[Fold]) -> dict[str, tuple[Variant, Point]]:
    """For each set, a variant and its point, both chosen without the set.

    The variant is the best one in a cross-validation of the training sets that leaves out one set at a time.
    """
    found = {}
    for train, test in folds:
        inner = [([s for s in train if s is not left], [left]) for left in train]
        chosen = max(variants, key=lambda variant: _inner(variant, inner))
        point = fit(chosen, train)
        found |= {judged.name: (chosen, point) for judged in test}
    return found


def _inner(variant: Variant, folds: Sequence[Fold]) -> float:
    return float(np.mean([objective(variant, test, fit(variant, train)) for train, test in folds]))
