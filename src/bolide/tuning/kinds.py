"""What each objective needs from data sets, and how it is computed at points.

`rankings`, `ratings` and `comparisons` are sweeps of the core. Other objectives take the scores at each
point, and compute a coefficient for each data set with NumPy (`of_scores`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bolide import _core
from bolide._support.arrays import Floats, Integers, Statistics
from bolide.evaluation.correlation import DECIMALS, TIE_RULES, pair_gains
from bolide.evaluation.kendall import Agreed, Ranked
from bolide.formula.parameters import Formula, Parameters
from bolide.formula.statistics import scores
from bolide.tuning.data import DataSet

# The value of a data set, from the scores of its translations: those of each column of indices.
Value = Callable[..., float]


class TranslationTable:
    """Statistics of translations, to score at many points. Translation k has the rows offsets[k] to
    offsets[k + 1]; its score is the best of them."""

    def __init__(
        self, rows: Statistics, offsets: Integers, formula: Formula, threads: int, decimals: int
    ) -> None:
        self.rows, self.offsets, self.formula, self.threads = rows, offsets, formula, threads
        self.decimals = decimals  # -1: scores are not rounded

    @cached_property
    def sweep(self) -> _core.Sweep:
        rows = np.ascontiguousarray(self.rows, dtype=np.float64)
        return _core.Sweep(rows, self.offsets, self.formula.core, self.formula.powers)

    @cached_property
    def _distinct(self) -> tuple[Statistics, Integers]:
        rows, places = np.unique(self.rows, axis=0, return_inverse=True)
        return rows, places.reshape(-1)

    def scores(self, point: Sequence[float]) -> Floats:
        """The scores of all translations at a point."""
        rows, places = self._distinct
        alpha, beta, gamma, delta, *weights = map(float, point)
        found = scores(rows, Parameters(alpha, beta, gamma, delta, tuple(weights), self.formula))
        return np.asarray(np.maximum.reduceat(np.nan_to_num(found)[places], self.offsets[:-1]))


@dataclass(frozen=True)
class ObjectiveKind:
    """An objective. `columns` are arrays with one element per judgment; the first `places` of them are
    indices of translations. `ask` computes the values, points × data sets, from a table, points, columns, and
    the end of each data set in the columns."""

    needs: str
    columns: Callable[[DataSet], tuple[Any, ...]]
    places: int
    ask: Callable[[TranslationTable, Floats, Sequence[Any], Integers], Floats]


def _tau(rule: str) -> ObjectiveKind:
    def ask(table: TranslationTable, points: Floats, columns: Sequence[Any], ends: Integers) -> Floats:
        better, worse = columns
        counts = table.sweep.rankings(points, better, worse, ends, table.decimals, table.threads)
        concordant, tied, totals = counts[..., 0], counts[..., 1], np.diff(ends, prepend=0)
        found: Floats = (2 * concordant + (TIE_RULES[rule] + 1) * tied - totals) / totals
        return found

    return ObjectiveKind("rankings", lambda data: (data.better, data.worse), 2, ask)


def _ratings(coefficient: str, *, weighted: bool = False) -> ObjectiveKind:
    def columns(data: DataSet) -> tuple[Any, ...]:
        weights = data.reference_lengths[data.rated] if weighted else np.ones(len(data.ratings))
        return data.rated, data.ratings, weights

    def ask(table: TranslationTable, points: Floats, columns: Sequence[Any], ends: Integers) -> Floats:
        rated, ratings, weights = columns
        return table.sweep.ratings(points, rated, ratings, weights, ends, coefficient, table.threads)

    return ObjectiveKind("ratings", columns, 1, ask)


def _accuracy(table: TranslationTable, points: Floats, columns: Sequence[Any], ends: Integers) -> Floats:
    first, second, human, weights = columns
    return table.sweep.comparisons(points, first, second, human, weights, ends, table.threads)[..., 0]


def of_scores(
    needs: str,
    columns: Callable[[DataSet], tuple[Any, ...]],
    places: int,
    prepare: Callable[..., Value],
) -> ObjectiveKind:
    """An objective without a sweep. `prepare` makes the function of scores of a data set from its other
    columns."""

    def ask(table: TranslationTable, points: Floats, given: Sequence[Any], ends: Integers) -> Floats:
        starts = [0, *ends[:-1].tolist()]
        parts = [
            [column[start:end] for column in given] for start, end in zip(starts, ends.tolist(), strict=True)
        ]
        prepared = [(part[:places], prepare(*part[places:])) for part in parts]

        def values(point: Floats) -> Iterator[float]:
            found = table.scores(point.tolist())
            for indices, value in prepared:
                yield value(*(found[column] for column in indices))

        with ThreadPoolExecutor(table.threads) as pool:
            return np.array(list(pool.map(lambda point: list(values(point)), points)))

    return ObjectiveKind(needs, columns, places, ask)


def _kendall(coefficient: Callable[[Agreed], float]) -> ObjectiveKind:
    def prepare(ratings: Floats) -> Value:
        ranked = Ranked(ratings)
        return lambda found: coefficient(ranked.against(found))

    return of_scores("ratings", lambda data: (data.rated, data.ratings), 1, prepare)


def _tau_of_items(weights: Floats) -> Value:
    return lambda better, worse: float(
        (weights * pair_gains(better, worse, decimals=DECIMALS)).sum() / weights.sum()
    )


OBJECTIVES = {
    "tau": _tau("wmt14"),
    "tau-wmt12": _tau("wmt12"),
    "tau-item": of_scores("rankings", lambda data: data.rankings_of_items, 2, _tau_of_items),
    "pearson": _ratings("pearson"),
    "weighted-pearson": _ratings("pearson", weighted=True),
    "spearman": _ratings("spearman"),
    "kendall-b": _kendall(lambda agreed: agreed.tau_b),
    "kendall-c": _kendall(lambda agreed: agreed.tau_c),
    "accuracy": ObjectiveKind("rankings", lambda data: data.comparisons, 2, _accuracy),
}
