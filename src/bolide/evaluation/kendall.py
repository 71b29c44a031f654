"""Kendall's τ-b and τ-c, in O(n log n), with NumPy alone.

τ-b    (concordant − discordant) / √(pairs without ties of x · pairs without ties of y)
τ-c    Stuart's: (concordant − discordant) / (n² / 2 · (m − 1) / m), with m the smaller number of distinct
       values: for ratings with few values, compared with scores that have many
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bolide._support.arrays import Floats

Places = npt.NDArray[np.intp]


class Ranked:
    """Human scores, sorted once. Then each metric is compared with them."""

    def __init__(self, human: Floats) -> None:
        values, places = np.unique(human, return_inverse=True)
        self._order = np.argsort(places, kind="stable")
        self._places: Places = places[self._order]
        self._classes = len(values)
        self._ties = _ties(np.bincount(places))

    def against(self, metric: Floats) -> Agreed:
        """The pairs of elements, by their order in the two columns."""
        x = metric[self._order]
        order = np.argsort(x, kind="stable")  # by the metric, then by the human score
        x, y = x[order], self._places[order]
        new_x = x[1:] != x[:-1]
        new = new_x | (y[1:] != y[:-1])
        return Agreed(
            len(x),
            min(self._classes, int(new_x.sum()) + 1),
            _inversions(y, self._classes),
            _ties(_runs(new_x)),
            self._ties,
            _ties(_runs(new)),
        )


@dataclass(frozen=True)
class Agreed:
    """The numbers of pairs: with opposite orders, and tied in the metric, in the human scores, and in both.
    `classes` is the smaller number of distinct values."""

    size: int
    classes: int
    discordant: int
    tied_metric: int
    tied_human: int
    tied_both: int

    @cached_property
    def _surplus(self) -> int:
        """Concordant minus discordant pairs."""
        pairs = self.size * (self.size - 1) // 2
        return pairs - self.tied_metric - self.tied_human + self.tied_both - 2 * self.discordant

    @property
    def tau_b(self) -> float:
        pairs = self.size * (self.size - 1) // 2
        x, y = pairs - self.tied_metric, pairs - self.tied_human
        return float(np.clip(self._surplus / np.sqrt(x) / np.sqrt(y), -1, 1)) if x and y else float("nan")

    @property
    def tau_c(self) -> float:
        if self.size < 2 or self.classes < 2:
            return float("nan")
        most = self.size**2 / 2 * (self.classes - 1) / self.classes
        return float(np.clip(self._surplus / most, -1, 1))


def _runs(new: npt.NDArray[np.bool_]) -> Places:
    """The sizes of runs of equal elements, from where a new run starts."""
    return np.diff(np.concatenate([[0], np.flatnonzero(new) + 1, [len(new) + 1]]))


def _ties(sizes: Places) -> int:
    return int((sizes * (sizes - 1) // 2).sum())


def _inversions(y: Places, classes: int) -> int:
    """The number of pairs whose first element is larger. It counts, bit by bit from the highest, the pairs
    that are equal in all higher bits, and have 1 before 0 in this one."""
    found = 0
    for bit in reversed(range(max(classes - 1, 0).bit_length())):
        higher, ones = y >> (bit + 1), (y >> bit) & 1
        before = np.cumsum(ones) - ones
        starts = np.flatnonzero(np.append(True, higher[1:] != higher[:-1]))
        sizes = np.diff(np.append(starts, len(y)))
        found += int(((before - np.repeat(before[starts], sizes)) * (1 - ones)).sum())
        y = y[np.argsort(y >> bit, kind="stable")]
    return found
