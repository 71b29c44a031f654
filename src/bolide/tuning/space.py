"""The space of a search: one axis per parameter, with the values that it may take.

>>> space = Space.of(["exact", "stem"], fixed={"alpha": 0.85}, step=0.25)
>>> [(axis.name, len(axis.values)) for axis in space.axes]
[('alpha', 1), ('beta', 9), ('gamma', 5), ('delta', 5), ('exact', 1), ('stem', 5)]
>>> space.size
1125
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bolide._support import checks
from bolide._support.arrays import Floats
from bolide._support.checks import PARAMETERS
from bolide.errors import ConfigurationError
from bolide.formula.parameters import Formula, Parameters
from bolide.profiles import NUMBERS

Indices = npt.NDArray[np.int64]
# Java's grid: all parameters from 0 to 1, β from 0 to 2.
STEP = 0.05
HIGHEST = {"beta": 2.0}
MOST_VALUES = 100_000


@dataclass(frozen=True)
class Axis:
    """A parameter and its values in ascending order. A single value fixes it."""

    name: str
    values: tuple[float, ...]

    @property
    def free(self) -> bool:
        return len(self.values) > 1

    @classmethod
    def steps(cls, name: str, low: float, high: float, step: float) -> Axis:
        """The axis from low to high."""
        if not step > 0 or not all(map(math.isfinite, (low, high, step))) or high < low:
            raise ConfigurationError(
                f"the range of {name} must go from a lower to a higher number, with a step above 0, "
                f"not from {low:g} to {high:g} by {step:g}"
            )
        if (high - low) / step > MOST_VALUES:
            raise ConfigurationError(f"the range of {name} has more than {MOST_VALUES:,} steps")
        count = math.floor((high - low) / step + 1e-9) + 1
        return cls(name, tuple(round(low + k * step, 10) for k in range(count)))

    @property
    def step(self) -> float:
        return self.values[1] - self.values[0] if self.free else STEP


@dataclass(frozen=True)
class Space:
    """Axes of α, β, γ, δ and the weights of modules. A point is a row of indices into their values."""

    axes: tuple[Axis, ...]

    @classmethod
    def of(
        cls,
        modules: Sequence[str],
        *,
        fixed: Mapping[str, float] | None = None,
        ranges: Mapping[str, tuple[float, float, float]] | None = None,
        step: float = STEP,
    ) -> Space:
        """The default grid. The weight of the first module is 1 unless given: multiplying all weights by a
        number only scales the scores."""
        names = (*NUMBERS, *modules)
        fixed, ranges = dict(fixed or {}), dict(ranges or {})
        for name in (*fixed, *ranges):
            checks.choice("parameter", name, names)
        if modules and modules[0] not in ranges:
            fixed.setdefault(modules[0], 1.0)
        axes = []
        for name in names:
            limits = PARAMETERS.get(name, PARAMETERS["weight"])
            if name in fixed:
                axis = Axis(name, (float(fixed[name]),))
            else:
                low, high, own = ranges.get(name, (0.0, HIGHEST.get(name, 1.0), step))
                axis = Axis.steps(name, low, high, own)
            for value in (axis.values[0], axis.values[-1]):
                if value not in limits:
                    raise ConfigurationError(f"{name} must be a number{limits}, not {value:g}")
            axes.append(axis)
        return cls(tuple(axes))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(axis.name for axis in self.axes)

    @property
    def modules(self) -> tuple[str, ...]:
        return self.names[len(NUMBERS) :]

    @property
    def lengths(self) -> tuple[int, ...]:
        return tuple(len(axis.values) for axis in self.axes)

    @property
    def size(self) -> int:
        return math.prod(self.lengths)

    @property
    def free(self) -> tuple[int, ...]:
        """The indices of the axes that are not fixed."""
        return tuple(k for k, axis in enumerate(self.axes) if axis.free)

    def points(self, indices: Indices) -> Floats:
        """The parameters at these indices."""
        columns = [np.asarray(axis.values)[indices[:, k]] for k, axis in enumerate(self.axes)]
        return np.stack(columns, axis=1)

    def indices(self, numbers: Indices) -> Indices:
        """The points with these numbers in the grid. The last axis varies fastest."""
        return np.stack(np.unravel_index(numbers, self.lengths), axis=1).astype(np.int64)

    def numbers(self, indices: Indices) -> Indices:
        found: Indices = np.ravel_multi_index(tuple(indices.T), self.lengths).astype(np.int64)
        return found

    def nearest(self, point: Sequence[float]) -> Indices:
        """The point of the grid nearest to a point."""
        places = [int(np.argmin(np.abs(np.asarray(axis.values) - value)))
                  for axis, value in zip(self.axes, point, strict=True)]  # fmt: skip
        return np.array(places, dtype=np.int64)

    def chunks(self, size: int, start: int = 0) -> Iterator[Indices]:
        """All points in chunks."""
        for first in range(start, self.size, size):
            yield self.indices(np.arange(first, min(first + size, self.size)))

    def parameters(self, point: Sequence[float], formula: Formula) -> Parameters:
        alpha, beta, gamma, delta, *weights = (float(value) for value in point)
        return Parameters(alpha, beta, gamma, delta, tuple(weights), formula)
