"""Counts of things in segments, for several systems: which of them differ between two systems.

A thing is a word or an n-gram. An event is a thing in a segment, with one count per system.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from bolide._support.arrays import Floats, Integers
from bolide.comparison.discoveries import FEWEST, false_discovery_rates, sign_test


@dataclass(frozen=True)
class Contrast:
    """Two systems in the things where they differ, in the order of the p-values."""

    things: Integers
    counts: Integers  # of the first and of the second system
    wins: Integers  # segments where the first is better
    losses: Integers
    p_values: Floats
    q_values: Floats  # NaN where fewer than FEWEST segments differ

    def __len__(self) -> int:
        return len(self.things)


@dataclass(frozen=True)
class Events:
    """Events and their counts. `better` is 1 if higher counts are better, −1 if lower ones are."""

    things: Integers  # the thing of each event
    segments: Integers  # and its segment
    counts: Integers  # events × systems
    size: int  # the number of things
    better: int
    totals: Integers = field(init=False)  # things × systems

    def __post_init__(self) -> None:
        columns = [np.bincount(self.things, weights=column, minlength=self.size) for column in self.counts.T]
        totals = np.stack(columns, axis=1) if columns else np.zeros((self.size, 0))
        object.__setattr__(self, "totals", totals.astype(np.int64))
        varied = self.counts.min(axis=1, initial=1 << 30) != self.counts.max(axis=1, initial=-1)
        object.__setattr__(self, "things", self.things[varied])
        object.__setattr__(self, "segments", self.segments[varied])
        object.__setattr__(self, "counts", np.asfortranarray(self.counts[varied]))

    def contrast(self, first: int, second: int, fewest: int = 1) -> Contrast:
        """The differences between two systems: the things that differ in at least `fewest` segments."""
        difference = self.better * (self.counts[:, first] - self.counts[:, second])
        wins = np.bincount(self.things[difference > 0], minlength=self.size)
        losses = np.bincount(self.things[difference < 0], minlength=self.size)
        differing = wins + losses
        things = np.flatnonzero(differing >= fewest)
        p_values = sign_test(wins[things], losses[things])
        q_values = np.full(len(things), np.nan)
        tested = differing[things] >= FEWEST
        q_values[tested] = false_discovery_rates(p_values[tested])
        counts = self.totals[things][:, [first, second]]
        order = np.lexsort((things, -np.abs(counts[:, 0] - counts[:, 1]), p_values))
        things = things[order]
        return Contrast(things, counts[order], wins[things], losses[things], p_values[order], q_values[order])


# Sorted keys (segment · number of things + thing), and how often each occurs.
Counted = tuple[Integers, Integers]


def counted(things: Integers, segments: Integers, size: int) -> Counted:
    """Counts things in segments.

    >>> [part.tolist() for part in counted(np.array([3, 3, 1]), np.array([0, 0, 1]), size=4)]
    [[3, 5], [2, 1]]
    """
    return np.unique(segments * size + things, return_counts=True)


def events(keys: Sequence[Counted], size: int, better: int) -> Events:
    """The events of systems.

    >>> one, two = (np.array([1, 3]), np.array([1, 2])), (np.array([3]), np.array([1]))
    >>> made = events([one, two], size=4, better=1)
    >>> made.things.tolist(), made.counts.tolist()
    ([1, 3], [[1, 0], [2, 1]])
    """
    distinct = np.unique(np.concatenate([key for key, _ in keys])) if keys else np.empty(0, dtype=np.int64)
    counts = np.zeros((len(distinct), len(keys)), dtype=np.int64)
    for column, (key, number) in enumerate(keys):
        counts[np.searchsorted(distinct, key), column] = number
    segments, things = np.divmod(distinct, max(size, 1))
    return Events(things, segments, counts, size, better)


def shared(ours: Counted, theirs: Counted) -> Counted:
    """The things that both sides have, each as often as on the side that has fewer."""
    both, mine, other = np.intersect1d(ours[0], theirs[0], assume_unique=True, return_indices=True)
    return both, np.minimum(ours[1][mine], theirs[1][other])


def extra(ours: Counted, theirs: Counted) -> Counted:
    """The things that we have more often than they."""
    left = ours[1].copy()
    _, mine, other = np.intersect1d(ours[0], theirs[0], assume_unique=True, return_indices=True)
    left[mine] -= theirs[1][other]
    return ours[0][left > 0], left[left > 0]


def pairs(count: int) -> Iterator[tuple[int, int]]:
    """All pairs of systems."""
    return ((a, b) for a in range(count) for b in range(a + 1, count))
