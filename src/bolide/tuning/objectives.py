"""Objectives: agreement with human judgments at points of parameters.

tau, tau-wmt12     Kendall's τ of rankings; ties of the metric count in the denominator only (WMT14), or
                   are discordant (WMT12 and Java's Trainer)
pearson, weighted-pearson, spearman     of ratings; weighted by the length of the reference
accuracy           share of correct pairs and ties with the best ε for ties, the mean over segments
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bolide import _core
from bolide._support import checks
from bolide._support.arrays import Floats, Integers, Statistics
from bolide.errors import ConfigurationError, InputError
from bolide.evaluation.correlation import DECIMALS, TIE_RULES
from bolide.formula.parameters import JAVA, Formula
from bolide.tuning.data import DataSet, pooled

# How the values of several sets are averaged: weighted by the number of judgments (then τ is that of all
# pairs), or all sets equally.
POOLS = ("judgments", "sets")


@dataclass(frozen=True)
class _Kind:
    """What an objective needs from a data set, and how to compute it with a sweep."""

    needs: str
    columns: Callable[[DataSet], tuple[Any, ...]]  # arrays with one element per judgment; indices come first
    places: int  # number of columns that are indices of translations
    ask: Callable[..., Floats]


def _tau(rule: str) -> _Kind:
    def ask(sweep: Any, points: Floats, columns: Any, ends: Any, totals: Any, options: Any) -> Floats:
        counts = sweep.rankings(points, *columns, ends, options.decimals, options.threads)
        concordant, tied = counts[..., 0], counts[..., 1]
        found: Floats = (2 * concordant + (TIE_RULES[rule] + 1) * tied - totals) / totals
        return found

    return _Kind("rankings", lambda data: (data.better, data.worse), 2, ask)


def _ratings(coefficient: str, *, weighted: bool = False) -> _Kind:
    def columns(data: DataSet) -> tuple[Any, ...]:
        weights = data.reference_lengths[data.rated] if weighted else np.ones(len(data.ratings))
        return data.rated, data.ratings, weights

    def ask(sweep: Any, points: Floats, given: Any, ends: Any, _totals: Any, options: Any) -> Floats:
        found: Floats = sweep.ratings(points, *given, ends, coefficient, options.threads)
        return found

    return _Kind("ratings", columns, 1, ask)


def _accuracy(sweep: Any, points: Floats, columns: Any, ends: Any, _totals: Any, options: Any) -> Floats:
    found: Floats = sweep.comparisons(points, *columns, ends, options.threads)[..., 0]
    return found


OBJECTIVES = {
    "tau": _tau("wmt14"),
    "tau-wmt12": _tau("wmt12"),
    "pearson": _ratings("pearson"),
    "weighted-pearson": _ratings("pearson", weighted=True),
    "spearman": _ratings("spearman"),
    "accuracy": _Kind("rankings", lambda data: data.comparisons, 2, _accuracy),
}


class Objective:
    """Agreement with the judgments of data sets, as a function of points: rows of α β γ δ and weights.

    `decimals`: scores of pairs are rounded to this before a comparison; None means no rounding, as in Java.
    `sign` is −1 for ratings whose low values are good, such as TER.
    """

    def __init__(
        self,
        data: Sequence[DataSet],
        name: str = "tau",
        *,
        formula: Formula = JAVA,
        decimals: int | None = DECIMALS,
        pool: str = "judgments",
        sign: int = 1,
        threads: int | None = None,
    ) -> None:
        checks.choice("objective", name, OBJECTIVES)
        checks.choice("pool", pool, POOLS)
        self.data, self.name, self.pool, self.sign = tuple(data), name, pool, sign
        self.formula = formula
        self.decimals = -1 if decimals is None else decimals
        self.threads = checks.threads(threads)
        self._kind = OBJECTIVES[name]
        rows, offsets, starts = pooled(self.data)
        self._columns, self._ends = self._judgments(starts)
        rows, offsets = self._only_judged(rows, offsets)
        self._sweep = _core.Sweep(
            np.ascontiguousarray(rows, dtype=np.float64), offsets, formula.core, formula.powers
        )
        self.totals = np.diff(self._ends, prepend=0)
        for each, total in zip(self.data, self.totals, strict=True):
            if not total:
                raise InputError(f"{each.name} has no {self._kind.needs}; the objective '{name}' needs them")

    def _judgments(self, starts: list[int]) -> tuple[list[Any], npt.NDArray[np.int64]]:
        of_sets = [self._kind.columns(each) for each in self.data]
        ends = np.cumsum([len(columns[0]) for columns in of_sets]).astype(np.int64)
        joined = []
        for k, parts in enumerate(zip(*of_sets, strict=True)):
            if k < self._kind.places:
                parts = tuple(part + np.int32(start) for part, start in zip(parts, starts, strict=True))
            joined.append(np.ascontiguousarray(np.concatenate(parts)))
        return joined, ends

    def _only_judged(self, rows: Statistics, offsets: Integers) -> tuple[Statistics, Integers]:
        """Removes translations without judgments, which need no scores, and renumbers the others."""
        places = self._columns[: self._kind.places]
        judged, inverse = np.unique(np.concatenate(places), return_inverse=True)
        self._columns[: self._kind.places] = np.split(inverse.astype(np.int32), len(places))
        counts = np.diff(offsets)[judged]
        kept = np.zeros(len(offsets) - 1, dtype=bool)
        kept[judged] = True
        ends = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return rows[np.repeat(kept, np.diff(offsets))], ends

    @property
    def modules(self) -> int:
        return max(each.modules for each in self.data)

    @property
    def distinct(self) -> int:
        """The number of different rows of statistics."""
        return self._sweep.distinct

    def __call__(self, points: npt.ArrayLike) -> Floats:
        """The values at points: points × data sets."""
        given = np.ascontiguousarray(np.atleast_2d(points), dtype=np.float64)
        if given.ndim != 2 or given.shape[1] < 4 or not np.isfinite(given).all():
            raise ConfigurationError("a point must have the numbers α β γ δ and one weight per module")
        return self.sign * self._kind.ask(self._sweep, given, self._columns, self._ends, self.totals, self)

    def overall(self, values: Floats) -> Floats:
        """One number for each row of values. A set with constant scores has no correlation: it counts as 0,
        because such a metric agrees with no judgment."""
        weights = self.totals if self.pool == "judgments" else np.ones(len(self.totals))
        # Not `values @ weights`: the order in which BLAS adds depends on the CPU.
        found: Floats = (np.nan_to_num(values, nan=0.0) * weights).sum(axis=-1) / weights.sum()
        return found


def sweep(data: Sequence[DataSet], points: npt.ArrayLike, objective: str = "tau", **options: Any) -> Floats:
    """Agreement at each point (rows of α β γ δ and weights) with each data set. `options` are those of
    `Objective`."""
    return Objective(data, objective, **options)(points)
