"""Lists with statistics: the hypotheses that weights choose, their objective, and its values along a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bolide import _core
from bolide._support import checks
from bolide._support.arrays import Floats, Integers
from bolide.errors import ConfigurationError
from bolide.mert.features import FeatureLayout, names_of
from bolide.mert.lists import NBest
from bolide.mert.objectives import MertObjective


class TextCounts:
    """The statistics of texts, counted once for each text."""

    def __init__(self, objective: MertObjective, sentences: int) -> None:
        self.objective, self._sentences = objective, sentences
        self.rows: Integers = np.zeros((0, objective.columns), dtype=np.int64)

    def update(self, nbest: NBest) -> Integers:
        """The rows of all texts. Counts the new ones, which come last."""
        new = slice(len(self.rows), None)
        if len(nbest.texts) > len(self.rows):
            counted = self.objective.statistics(nbest.texts[new], nbest.sentence_of[new], self._sentences)
            self.rows = np.concatenate([self.rows, counted])
        return self.rows


class MertProblem:
    """N-best lists and an objective."""

    def __init__(
        self,
        nbest: NBest,
        objective: MertObjective,
        counted: TextCounts | None = None,
        threads: int | None = None,
    ) -> None:
        self.nbest, self.objective = nbest, objective
        self.threads = checks.threads(threads)
        self.statistics = (counted or TextCounts(objective, nbest.sentences)).update(nbest)
        self._lists = _core.NBestLists(nbest.features, nbest.offsets, nbest.text_of, self.statistics)

    @property
    def layout(self) -> FeatureLayout:
        return self.nbest.layout

    def chosen(self, weights: npt.ArrayLike) -> Integers:
        """The hypothesis of each sentence with the highest model score; of equal ones, the first."""
        return self._lists.best(np.asarray(weights, dtype=np.float64), self.threads)

    def texts(self, weights: npt.ArrayLike) -> list[str]:
        """The texts of the chosen hypotheses."""
        return self.nbest.texts_of(self.chosen(weights))

    def rows(self, hypotheses: Integers) -> Integers:
        """The statistics of hypotheses."""
        return self.statistics[self.nbest.text_of[hypotheses]]

    def value(self, weights: npt.ArrayLike) -> float:
        """The objective of the chosen hypotheses."""
        return float(self.objective(self.rows(self.chosen(weights)).sum(axis=0))[0])

    def surface(
        self, origin: Floats, direction: Floats, low: float = -np.inf, high: float = np.inf, threads: int = 0
    ) -> tuple[Floats, Floats]:
        """The objective along origin + t·direction: the n points between low and high where it changes, and
        the n + 1 values between them."""
        breaks, sums = self._lists.surface(origin, direction, low, high, threads or self.threads)
        return breaks, self.objective(sums)

    @cached_property
    def spreads(self) -> Floats:
        """The standard deviation of each feature among the hypotheses of a sentence; 1 if it is constant."""
        sizes = np.diff(self.nbest.offsets)
        means = np.add.reduceat(self.nbest.features, self.nbest.offsets[:-1]) / sizes[:, None]
        found = (self.nbest.features - np.repeat(means, sizes, axis=0)).std(axis=0)
        return np.where(found > 0, found, 1.0)

    @cached_property
    def of_sentences(self) -> Floats:
        """The objective of each hypothesis as a single sentence."""
        return self.objective.of_sentences(self.statistics)[self.nbest.text_of]


@dataclass(frozen=True)
class WeightSpace:
    """The bounds of weights. A fixed weight has low = high."""

    low: Floats
    high: Floats

    @classmethod
    def of(
        cls,
        layout: FeatureLayout,
        initial: Floats,
        fixed: Iterable[str] = (),
        bounds: Mapping[str, tuple[float, float]] | None = None,
    ) -> WeightSpace:
        """Makes bounds by the names of features. The name of a group stands for all its features."""
        low, high = np.full(len(layout), -np.inf), np.full(len(layout), np.inf)
        for name in fixed:
            places = _places(layout, name)
            low[places] = high[places] = initial[places]
        for name, (least, most) in (bounds or {}).items():
            places = _places(layout, name)
            if not least < most:
                raise ConfigurationError(f"the bounds of '{name}' must be two numbers, the lower one first")
            low[places], high[places] = np.maximum(low[places], least), np.minimum(high[places], most)
        for name, weight, least, most in zip(layout.names, initial, low, high, strict=True):
            if not least <= weight <= most:
                raise ConfigurationError(
                    f"the initial weight of '{name}', {weight:g}, is not between {least:g} and {most:g}"
                )
        if not (low < high).any():
            raise ConfigurationError("all features are fixed: there is nothing to tune")
        return cls(low, high)

    @property
    def free(self) -> npt.NDArray[np.bool_]:
        return self.low < self.high

    @property
    def is_open(self) -> bool:
        """Whether nothing is fixed or bounded. Then only the ratios of weights matter."""
        return not np.isfinite([self.low, self.high]).any()

    def clipped(self, weights: Floats) -> Floats:
        return np.clip(weights, self.low, self.high)

    def limits(self, origin: Floats, direction: Floats) -> tuple[float, float]:
        """The range of t along a line within the bounds."""
        moving = direction != 0
        with np.errstate(invalid="ignore"):
            ends = np.stack([self.low - origin, self.high - origin])[:, moving] / direction[moving]
        return float(ends.min(axis=0).max(initial=-np.inf)), float(ends.max(axis=0).min(initial=np.inf))


def _places(layout: FeatureLayout, name: str) -> list[int]:
    groups = {group: names_of(group, count) for group, count in layout.groups}
    names: Sequence[str] = groups.get(name, [name])
    if any(each not in layout.names for each in names):
        raise ConfigurationError(f"there is no feature '{name}'; there are: {' '.join(layout.names)}")
    return [layout.names.index(each) for each in names]
