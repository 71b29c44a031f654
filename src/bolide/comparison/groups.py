"""Scores of groups of segments, with intervals and paired tests in each group.

Every group is scored and tested as if it were a corpus of its own. A group of one segment has a score, but
neither intervals nor tests. Of many groups, some differ by chance: `q_value` is the false-discovery rate
among the groups of a grouping.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from bolide._support.arrays import Floats, Statistics
from bolide.comparison import significance
from bolide.comparison.compare import DEFAULTS, ComparisonOptions
from bolide.comparison.discoveries import false_discovery_rates
from bolide.comparison.grouping import Grouping
from bolide.errors import unknown
from bolide.formula.parameters import Parameters
from bolide.formula.statistics import Contributions, evaluate


@dataclass(frozen=True)
class GroupSystem:
    """A system in a group."""

    name: str
    segments: int
    score: float | None  # None without segments
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class GroupPair:
    """Two systems in a group: the score of the first minus that of the second, with the p-value and the
    q-value; None if they were not tested."""

    first: str
    second: str
    difference: float | None
    p_value: float | None
    q_value: float | None
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True)
class Group:
    """A group. `pairs` is empty if each system has its own segments."""

    name: str
    systems: tuple[GroupSystem, ...]
    pairs: tuple[GroupPair, ...]

    def __getitem__(self, system: str) -> GroupSystem:
        for each in self.systems:
            if each.name == system:
                return each
        raise unknown("system", system, [each.name for each in self.systems])

    def pair(self, first: str, second: str) -> GroupPair:
        """Two systems, from the side of the first."""
        for pair in self.pairs:
            if (pair.first, pair.second) == (first, second):
                return pair
            if (pair.first, pair.second) == (second, first):
                turned = None if pair.difference is None else -pair.difference
                return GroupPair(
                    first, second, turned, pair.p_value, pair.q_value, pair.losses, pair.ties, pair.wins
                )
        raise unknown("pair", f"{first}, {second}", [f"{pair.first}, {pair.second}" for pair in self.pairs])


@dataclass(frozen=True, repr=False)
class GroupedScores:
    """A grouping with the scores of its groups."""

    grouping: Grouping
    groups: tuple[Group, ...]

    def __repr__(self) -> str:
        return f"<GroupedScores {self.name}: {len(self.groups)} groups>"

    @property
    def name(self) -> str:
        return self.grouping.name

    def __getitem__(self, name: str) -> Group:
        for group in self.groups:
            if group.name == name:
                return group
        raise unknown("group", name, [group.name for group in self.groups])

    def __iter__(self) -> Iterator[Group]:
        return iter(self.groups)


class GroupScorer:
    """Scores groups of the segments of systems. `scores` has the score of each segment. With `statistics` and
    `parameters`, the score of a group is that of its summed statistics; else it is the mean of its segments.
    """

    def __init__(
        self,
        scores: Mapping[str, Floats],
        statistics: Mapping[str, Statistics] | None = None,
        parameters: Parameters | None = None,
        options: ComparisonOptions = DEFAULTS,
        threads: int = 1,
    ) -> None:
        self.names = tuple(scores)
        self._scores = list(scores.values())
        self._options, self._threads = options, threads
        self._unit = 1.0
        self._rows: list[Statistics]
        self._parameters = None if statistics is None else parameters
        if statistics is not None and parameters is not None:
            self._rows = [Contributions(rows, parameters.formula)[:] for rows in statistics.values()]
        else:
            numbers, self._unit = significance.fixed_point(np.stack(self._scores))
            self._rows = [row[:, None] for row in numbers]

    def scored(self, grouping: Grouping) -> GroupedScores:
        """The scores of a grouping."""
        groups = [self._group(grouping, k, name) for k, name in enumerate(grouping.groups)]
        return GroupedScores(grouping, tuple(_with_rates(groups)))

    def _group(self, grouping: Grouping, place: int, name: str) -> Group:
        members = [grouping.of_system(s)[place] for s in range(len(self.names))]
        rows = [own[chosen] for own, chosen in zip(self._rows, members, strict=True)]
        scores = [self._score(own.sum(axis=0, keepdims=True), len(own)) for own in rows]
        if not grouping.shared:
            samples = [self._sampled([own])[0] if len(own) > 1 else None for own in rows]
            return Group(name, self._systems(rows, scores, samples), ())
        together = list(self._sampled(rows)) if len(rows[0]) > 1 else None
        systems = self._systems(rows, scores, together or [None] * len(rows))
        return Group(name, systems, tuple(self._pairs(rows, scores, together, members)))

    def _score(self, sums: Floats | Statistics, segments: int) -> float | None:
        return float(self._scorer(segments)(np.asarray(sums, dtype=np.float64))[0]) if segments else None

    def _scorer(self, segments: int) -> significance.ScoreSums:
        parameters = self._parameters
        if parameters is not None:
            return lambda sums: evaluate(sums, parameters)[:, -1]
        return lambda sums: sums[:, 0] * (self._unit / segments)

    def _sampled(self, rows: Sequence[Statistics]) -> Floats:
        count, seed = self._options.sample_count, self._options.seed
        if self._options.test == "randomization":  # its samples are for tests; intervals need the bootstrap
            count = significance.SAMPLES["bootstrap"]
        return significance.bootstrap(rows, self._scorer(len(rows[0])), count, seed, self._threads)

    def _systems(
        self, rows: Sequence[Statistics], scores: Sequence[float | None], samples: Sequence[Floats | None]
    ) -> tuple[GroupSystem, ...]:
        found = zip(self.names, rows, scores, samples, strict=True)
        return tuple(
            GroupSystem(name, len(own), score, None if drawn is None else significance.interval(drawn))
            for name, own, score, drawn in found
        )

    def _pairs(
        self,
        rows: Sequence[Statistics],
        scores: Sequence[float | None],
        samples: Sequence[Floats] | None,
        members: Sequence[np.ndarray],
    ) -> Iterator[GroupPair]:
        places = list(combinations(range(len(self.names)), 2))
        p_values = [None] * len(places) if samples is None else self._p_values(rows, scores, samples, places)
        for (a, b), p in zip(places, p_values, strict=True):
            one, two = scores[a], scores[b]
            outcomes = significance.outcomes(self._scores[a][members[a]], self._scores[b][members[b]])
            difference = None if one is None or two is None else one - two
            yield GroupPair(self.names[a], self.names[b], difference, p, None, *outcomes)

    def _p_values(
        self,
        rows: Sequence[Statistics],
        scores: Sequence[float | None],
        samples: Sequence[Floats],
        places: Sequence[tuple[int, int]],
    ) -> Sequence[float | None]:
        options = self._options
        if options.test == "none":
            return [None] * len(places)
        if options.test == "bootstrap":
            return [
                significance.bootstrap_p_value(samples[a], samples[b], (scores[a] or 0) - (scores[b] or 0))
                for a, b in places
            ]
        score = self._scorer(len(rows[0]))
        count, seed, threads = options.sample_count, options.seed, self._threads
        return significance.randomization(rows, score, places, count, seed, threads)


def _with_rates(groups: Sequence[Group]) -> Iterator[Group]:
    """Adds the q-values: of each pair of systems, among the groups that were tested."""
    count = len(groups[0].pairs) if groups else 0
    table = np.full((len(groups), count), np.nan)
    for row, group in zip(table, groups, strict=True):
        row[:] = [np.nan if pair.p_value is None else pair.p_value for pair in group.pairs]
    for column in table.T:
        tested = np.isfinite(column)
        column[tested] = false_discovery_rates(column[tested])
    for row, group in zip(table, groups, strict=True):
        yield Group(
            group.name,
            group.systems,
            tuple(
                GroupPair(
                    **{**vars(pair), "q_value": None if np.isnan(q) else float(q)},
                )
                for pair, q in zip(group.pairs, row, strict=True)
            ),
        )
