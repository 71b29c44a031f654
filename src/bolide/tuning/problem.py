"""The problem of a search: the values of points in a space, with optional regularization."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bolide._support.arrays import Floats
from bolide.errors import ConfigurationError
from bolide.tuning.checkpoint import Checkpoint
from bolide.tuning.objectives import Objective
from bolide.tuning.space import Indices, Space

Watch = Callable[[Indices, Floats], None]


@dataclass(frozen=True)
class Found:
    """The best point: its indices, its numbers, its value (minus the penalty), the number of points that were
    evaluated, and the same with those of earlier runs, which are in the checkpoint."""

    indices: tuple[int, ...]
    point: tuple[float, ...]
    value: float
    evaluated: int
    compared: int


class Problem:
    """The objective in a space. `weight` times the squared distance to `prior`, in units of the range of each
    axis, is subtracted from the values. `watch` gets all points, and the values of each data set."""

    def __init__(
        self,
        objective: Objective,
        space: Space,
        *,
        prior: Sequence[float] | None = None,
        weight: float = 0.0,
        watch: Watch | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        if prior is not None and len(prior) != len(space.axes):
            raise ConfigurationError(f"the point to stay near must have {len(space.axes)} numbers")
        if not weight >= 0:
            raise ConfigurationError(f"the weight of the regularization must be at least 0, not {weight}")
        self.objective, self.space, self.watch = objective, space, watch
        self.prior = None if prior is None else np.asarray(prior, dtype=np.float64)
        self.weight = weight if prior is not None else 0.0
        self.evaluated = 0
        self._earlier = 0 if checkpoint is None else checkpoint.done + len(checkpoint.known)
        self.checkpoint = checkpoint
        self._known: dict[int, float] = {} if checkpoint is None else checkpoint.known

    def fresh(self, indices: Indices) -> Floats:
        """Computes the values of points, without the cache."""
        points = self.space.points(indices)
        of_sets = self.objective(points)
        self.evaluated += len(points)
        if self.watch is not None:
            self.watch(indices, of_sets)
        return self.objective.overall(of_sets) - self.penalty(points)

    def values(self, indices: Indices) -> Floats:
        """The values of points, from the cache if they are known."""
        numbers = self.space.numbers(indices).tolist()
        new = sorted({number for number in numbers if number not in self._known})
        if new:
            found = self.fresh(self.space.indices(np.array(new)))
            self._known.update(zip(new, found.tolist(), strict=True))
            if self.checkpoint is not None:
                self.checkpoint.save()
        return np.array([self._known[number] for number in numbers])

    def penalty(self, points: Floats) -> Floats:
        """The regularization that is subtracted from the values."""
        if self.prior is None or not self.weight:
            return np.zeros(len(points))
        ranges = np.array(
            [axis.values[-1] - axis.values[0] if axis.free else 1.0 for axis in self.space.axes]
        )
        free = np.array([axis.free for axis in self.space.axes])
        found: Floats = self.weight * ((((points - self.prior) / ranges) ** 2) * free).sum(axis=1)
        return found

    def found(self, indices: Indices, value: float) -> Found:
        point = self.space.points(indices[None])[0]
        compared = self._earlier + self.evaluated
        return Found(tuple(indices.tolist()), tuple(point.tolist()), float(value), self.evaluated, compared)
