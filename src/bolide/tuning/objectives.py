"""Objectives: agreement with human judgments at points of parameters.

tau, tau-wmt12     Kendall's τ of rankings; ties of the metric count in the denominator only (WMT14), or
                   are discordant (WMT12 and Java's Trainer). Ratings rank the translations of a segment
tau-item           the mean of τ over segments
pearson, weighted-pearson, spearman     of ratings; weighted by the length of the reference
kendall-b, kendall-c                    τ-b and τ-c of ratings
accuracy           share of correct pairs and ties with the best ε for ties, the mean over segments

Data sets may have measures of their own. Then the objective is the weighted mean of the values of the sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bolide._support import checks
from bolide._support.arrays import Floats, Integers, Statistics
from bolide.errors import ConfigurationError, InputError
from bolide.evaluation.correlation import DECIMALS
from bolide.formula.parameters import JAVA, Formula
from bolide.tuning.data import DataSet, pooled
from bolide.tuning.kinds import OBJECTIVES, TranslationTable

# How the values of several sets are averaged: weighted by the number of judgments (then τ is that of all
# pairs), or all sets equally. The weight of a set is a factor in both.
POOLS = ("judgments", "sets")
# The name of the mean of different measures.
MIXED = "mean of sets"


class _Group:
    """Data sets with the same measure."""

    def __init__(
        self, data: Sequence[DataSet], name: str, formula: Formula, decimals: int, threads: int
    ) -> None:
        self._kind = OBJECTIVES[name]
        rows, offsets, starts = pooled(data)
        self._columns, self._ends = self._judgments(data, starts)
        rows, offsets = self._only_judged(rows, offsets)
        self.table = TranslationTable(rows, offsets, formula, threads, decimals)
        self.totals = np.diff(self._ends, prepend=0)
        for each, total in zip(data, self.totals, strict=True):
            if not total:
                raise InputError(f"{each.name} has no {self._kind.needs}; the objective '{name}' needs them")

    def _judgments(self, data: Sequence[DataSet], starts: list[int]) -> tuple[list[Any], Integers]:
        of_sets = [self._kind.columns(each) for each in data]
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

    def __call__(self, points: Floats) -> Floats:
        return self._kind.ask(self.table, points, self._columns, self._ends)


class Objective:
    """Agreement with the judgments of data sets, as a function of points: rows of α β γ δ and weights.

    `name` is the measure of the sets that have none of their own. `decimals`: scores of pairs are rounded to
    this before a comparison; None means no rounding, as in Java. `pool` is by default "judgments", or "sets"
    if the sets have different measures or weights. `sign` is −1 for ratings whose low values are good, such
    as TER.
    """

    def __init__(
        self,
        data: Sequence[DataSet],
        name: str = "tau",
        *,
        formula: Formula = JAVA,
        decimals: int | None = DECIMALS,
        pool: str | None = None,
        sign: int = 1,
        threads: int | None = None,
    ) -> None:
        self.data, self.sign, self.formula = tuple(data), sign, formula
        self.measures = tuple(each.measure or name for each in self.data)
        for measure in (name, *self.measures):
            checks.choice("objective", measure, OBJECTIVES)
        if not self.data:
            raise InputError("there are no data sets to tune on")
        check_pool(self.measures, pool)
        different = len(set(self.measures)) > 1
        self.name = MIXED if different else self.measures[0]
        self.pool = pool or ("sets" if different or any(each.weight != 1 for each in data) else "judgments")
        self.decimals = -1 if decimals is None else decimals
        self.threads = checks.threads(threads)
        self._groups: list[tuple[list[int], _Group]] = []
        self.totals = np.zeros(len(self.data), dtype=np.int64)
        for measure in dict.fromkeys(self.measures):
            places = [k for k, own in enumerate(self.measures) if own == measure]
            of = [self.data[k] for k in places]
            group = _Group(of, measure, formula, self.decimals, self.threads)
            self._groups.append((places, group))
            self.totals[places] = group.totals

    @property
    def modules(self) -> int:
        return max(each.modules for each in self.data)

    @property
    def distinct(self) -> int:
        """The number of different rows of statistics, for each measure."""
        return sum(group.table.sweep.distinct for _, group in self._groups)

    def __call__(self, points: npt.ArrayLike) -> Floats:
        """The values at points: points × data sets."""
        given = np.ascontiguousarray(np.atleast_2d(points), dtype=np.float64)
        if given.ndim != 2 or given.shape[1] < 4 or not np.isfinite(given).all():
            raise ConfigurationError("a point must have the numbers α β γ δ and one weight per module")
        found = np.empty((len(given), len(self.data)))
        for places, group in self._groups:
            found[:, places] = self.sign * group(given)
        return found

    def overall(self, values: Floats) -> Floats:
        """One number for each row of values. A set with constant scores has no correlation: it counts as 0,
        because such a metric agrees with no judgment."""
        weights = np.array([each.weight for each in self.data])
        if self.pool == "judgments":
            weights = weights * self.totals
        # Not `values @ weights`: the order in which BLAS adds depends on the CPU.
        found: Floats = (np.nan_to_num(values, nan=0.0) * weights).sum(axis=-1) / weights.sum()
        return found


def check_pool(measures: Sequence[str], pool: str | None) -> None:
    """Raises an error if data sets with these measures cannot be pooled like this."""
    if pool is not None:
        checks.choice("pool", pool, POOLS)
    if pool == "judgments" and len(set(measures)) > 1:
        raise ConfigurationError(
            f"the sets have different measures ({', '.join(dict.fromkeys(measures))}), so they cannot be "
            "weighted by their number of judgments; choose pool 'sets'"
        )


def sweep(data: Sequence[DataSet], points: npt.ArrayLike, objective: str = "tau", **options: Any) -> Floats:
    """Agreement at each point (rows of α β γ δ and weights) with each data set. `options` are those of
    `Objective`."""
    return Objective(data, objective, **options)(points)
