"""Data sets: statistics of translations with human judgments, as arrays for the sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np
import numpy.typing as npt

from bolide._core import StatisticsLayout
from bolide._support.arrays import Floats, Integers, Statistics
from bolide.errors import InputError
from bolide.evaluation.judgments import JudgedPairs, Judgments
from bolide.formula.layout import layout_of, widened

Indices32 = npt.NDArray[np.int32]
Signs = npt.NDArray[np.int8]


def _places(values: npt.ArrayLike) -> Indices32:
    return np.ascontiguousarray(values, dtype=np.int32).reshape(-1)


@dataclass(frozen=True)
class DataSet:
    """Translations, and judgments of some of them.

    - `statistics`: one row per reference of each translation.
    - `references`: the number of references of each translation (default: one).
    - `better`, `worse`: pairs of translations, as indices.
    - `tied_first`, `tied_second`: pairs that judges found equal.
    - `rated`, `ratings`: translations with their ratings.
    - `items`: the segments of the pairs, then of the ties, if known. Accuracy is the mean over items.
    - `language_pair`, `test_set`, `field`: labels, for folds.
    - `measure`: its own objective; "" is that of the search. `weight`: its weight in the mean over sets.
    """

    name: str
    statistics: Statistics
    better: Any = ()
    worse: Any = ()
    tied_first: Any = ()
    tied_second: Any = ()
    rated: Any = ()
    ratings: Any = ()
    references: Any = None
    items: Any = None
    language_pair: str = ""
    test_set: str = ""
    field: str = ""
    measure: str = ""
    weight: float = 1.0
    offsets: Integers = dataclass_field(init=False, repr=False)

    def __post_init__(self) -> None:
        rows = np.asarray(self.statistics)
        if rows.ndim != 2 or not StatisticsLayout.is_width(rows.shape[1]):
            raise InputError(f"{self.name}: statistics must have 7 + 4·modules columns, not {rows.shape}")
        counts = np.ones(len(rows), np.int64) if self.references is None else np.asarray(self.references)
        if counts.ndim != 1 or (counts < 1).any() or counts.sum() != len(rows):
            raise InputError(f"{self.name}: the numbers of references do not add up to {len(rows)} rows")
        set_ = object.__setattr__
        set_(self, "statistics", rows)
        set_(self, "offsets", np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))
        for name in ("better", "worse", "tied_first", "tied_second", "rated"):
            set_(self, name, self._checked(name))
        set_(self, "ratings", np.ascontiguousarray(self.ratings, dtype=np.float64).reshape(-1))
        if self.items is not None:
            set_(self, "items", np.asarray(self.items).reshape(-1))
        self._check_lengths()
        if not 0 < self.weight < np.inf:
            raise InputError(f"{self.name}: the weight of a set must be a number above 0, not {self.weight}")

    def _checked(self, name: str) -> Indices32:
        places = _places(getattr(self, name))
        if len(places) and (places.min() < 0 or places.max() >= len(self)):
            raise InputError(f"{self.name}: {name} has an index outside the {len(self)} translations")
        return places

    def _check_lengths(self) -> None:
        pairs, ties = len(_places(self.better)), len(_places(self.tied_first))
        if pairs != len(_places(self.worse)) or ties != len(_places(self.tied_second)):
            raise InputError(f"{self.name}: the two sides of the judgments have different lengths")
        if len(_places(self.rated)) != len(np.asarray(self.ratings)):
            raise InputError(f"{self.name}: every rated translation needs one rating")
        if not np.isfinite(np.asarray(self.ratings)).all():
            raise InputError(f"{self.name}: a rating is not a number")
        if self.items is not None and len(np.asarray(self.items)) != pairs + ties:
            raise InputError(f"{self.name}: every pair and tie needs one item")

    def __len__(self) -> int:
        """The number of translations."""
        return len(self.offsets) - 1

    @property
    def modules(self) -> int:
        return len(layout_of(self.statistics).stages)

    @property
    def reference_lengths(self) -> Floats:
        """The length of the first reference of each translation, in words (or characters)."""
        column = layout_of(self.statistics).reference_length
        return np.asarray(self.statistics[self.offsets[:-1], column], dtype=np.float64)

    @property
    def comparisons(self) -> tuple[Indices32, Indices32, Signs, Floats]:
        """Pairs and ties: both sides, the judgment (1: the first is better, 0: a tie), and weights."""
        first = np.concatenate([_places(self.better), _places(self.tied_first)])
        second = np.concatenate([_places(self.worse), _places(self.tied_second)])
        human = np.zeros(len(first), dtype=np.int8)
        human[: len(_places(self.better))] = 1
        return first, second, human, self._shares(len(first))

    @property
    def rankings_of_items(self) -> tuple[Indices32, Indices32, Floats]:
        """Pairs, and weights with which all items count the same."""
        return self.better, self.worse, self._shares(len(self.better))

    def _shares(self, count: int) -> Floats:
        """The weights of the first pairs and ties: one divided by the number of them in the same item."""
        if self.items is None:
            return np.ones(count)
        _, inverse, counts = np.unique(self.items[:count], return_inverse=True, return_counts=True)
        return np.asarray(1.0 / counts[inverse])

    @classmethod
    def of(
        cls,
        name: str,
        judgments: Judgments,
        statistics: Statistics,
        places: Mapping[tuple[str, str], int],
        references: npt.ArrayLike | None = None,
        **labels: Any,
    ) -> DataSet:
        """Makes a data set. `places` maps (system, segment) to the index of a translation."""
        finder = _Finder(name, judgments, places)
        pairs, ties = judgments.ranked()
        if not len(statistics):
            raise InputError(f"{name}: there are no statistics")
        r = judgments.ratings
        if judgments.has_ratings:
            segments, systems = np.nonzero(~np.isnan(judgments.matrix))
            rated, ratings = finder.find(segments, systems), judgments.matrix[segments, systems]
        else:
            rated, ratings = _places(r.segments), r.scores
        return cls(
            name,
            statistics,
            *finder.pairs(pairs),
            *finder.pairs(ties),
            rated,
            ratings,
            references,
            np.concatenate([pairs.segments, ties.segments]),
            **labels,
        )


class _Finder:
    """Finds the indices of judged translations."""

    def __init__(self, name: str, judgments: Judgments, places: Mapping[tuple[str, str], int]) -> None:
        self.name, self.judgments = name, judgments
        self.table = np.full((len(judgments.segments), len(judgments.systems)), -1, dtype=np.int32)
        for k, segment in enumerate(judgments.segments):
            for m, system in enumerate(judgments.systems):
                self.table[k, m] = places.get((system, segment), -1)

    def find(self, segments: npt.NDArray[np.intp], systems: npt.NDArray[np.intp]) -> Indices32:
        found = self.table[segments, systems]
        if len(found) and found.min() < 0:
            k = int(np.argmin(found))
            segment = self.judgments.segments[segments[k]]
            system = self.judgments.systems[systems[k]]
            raise InputError(
                f"{self.name}: segment {segment} of system '{system}' was judged, but its text (or its "
                "statistics) is missing; give all judged translations, or correct the names"
            )
        return _places(found)

    def pairs(self, pairs: JudgedPairs) -> tuple[Indices32, Indices32]:
        return self.find(pairs.segments, pairs.better), self.find(pairs.segments, pairs.worse)


def pooled(data: Sequence[DataSet]) -> tuple[Statistics, Integers, list[int]]:
    """The statistics of several sets as one: rows, offsets, and the index of the first translation of each
    set. Sets with fewer modules get columns of zeros."""
    if not data:
        raise InputError("there are no data sets to tune on")
    modules = max(each.modules for each in data)
    rows = np.concatenate([widened(each.statistics, modules) for each in data])
    starts = np.cumsum([0] + [len(each) for each in data]).tolist()
    firsts = np.cumsum([0] + [len(each.statistics) for each in data])
    offsets = [each.offsets[:-1] + first for each, first in zip(data, firsts, strict=False)]
    return rows, np.concatenate([*offsets, [len(rows)]]).astype(np.int64), starts[:-1]
