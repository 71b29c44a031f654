"""Human judgments: which of two translations is better, or a rating of each translation.

    judgments = formats.read("wmt13.cs-en.pairs.tsv.gz")
    judgments.pairs.segments, judgments.pairs.better, judgments.pairs.worse     # indices, one per judgment
    judgments.segments[judgments.pairs.segments[0]]                             # the name of the segment

Systems and segments have names; arrays hold indices into `systems`, `segments` and `judges`. Rankings
(`pairs`, `ties`) and `ratings` can be converted if a measure needs it: `ranked` compares the ratings of a
segment, and `matrix` rates a translation by the share of comparisons won.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bolide._support.arrays import Floats
from bolide.errors import InputError
from bolide.evaluation import soft

Places = npt.NDArray[np.intp]
# Ratings are equal if they agree in this many decimals: equal means may be rounded differently.
EQUAL = 10


def _none() -> Places:
    return np.zeros(0, dtype=np.intp)


def pairs_within(known: npt.NDArray[np.bool_]) -> tuple[Places, Places, Places]:
    """All pairs of known cells in a row, as rows and two columns. Most cells of a table may be unknown."""
    found = [(_none(), _none(), _none())]
    for row, cells in enumerate(known):
        columns = np.flatnonzero(cells)
        a, b = np.triu_indices(len(columns), 1)
        found.append((np.full(len(a), row), columns[a], columns[b]))
    rows, first, second = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return rows, first, second


@dataclass(frozen=True)
class JudgedPairs:
    """Pairwise judgments: in a segment, one system is better than another. Repeated and contradicting
    judgments are all kept. For ties, the order of the two systems has no meaning."""

    segments: Places = field(default_factory=_none)
    better: Places = field(default_factory=_none)
    worse: Places = field(default_factory=_none)

    def __len__(self) -> int:
        return len(self.segments)


@dataclass(frozen=True)
class Ratings:
    """Ratings of translations by judges."""

    segments: Places = field(default_factory=_none)
    systems: Places = field(default_factory=_none)
    judges: Places = field(default_factory=_none)
    scores: Floats = field(default_factory=lambda: np.zeros(0))

    def __len__(self) -> int:
        return len(self.segments)


@dataclass(frozen=True)
class Judgments:
    """The human judgments of one language pair. `system_scores` are scores of whole systems (NaN: not
    judged), if a file has them."""

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    pairs: JudgedPairs = field(default_factory=JudgedPairs)
    ties: JudgedPairs = field(default_factory=JudgedPairs)
    ratings: Ratings = field(default_factory=Ratings)
    judges: tuple[str, ...] = ()
    system_scores: Floats | None = None
    name: str = "judgments"

    @property
    def has_ratings(self) -> bool:
        return len(self.ratings) > 0

    @property
    def has_pairs(self) -> bool:
        return len(self.pairs) + len(self.ties) > 0

    @cached_property
    def matrix(self) -> Floats:
        """Segments × systems: the mean rating, or for rankings the share of comparisons won in the segment (a
        tie counts half). NaN where there is no judgment."""
        shape = len(self.segments), len(self.systems)
        sums, counts = np.zeros(shape), np.zeros(shape)
        if self.has_ratings:
            r = self.ratings
            np.add.at(sums, (r.segments, r.systems), r.scores)
            np.add.at(counts, (r.segments, r.systems), 1)
        else:
            for pairs, gain in ((self.pairs, 1.0), (self.ties, 0.5)):
                np.add.at(sums, (pairs.segments, pairs.better), gain)
                np.add.at(sums, (pairs.segments, pairs.worse), 1.0 - gain)
                np.add.at(counts, (pairs.segments, pairs.better), 1)
                np.add.at(counts, (pairs.segments, pairs.worse), 1)
        found: Floats = np.divide(sums, counts, out=np.full(shape, np.nan), where=counts > 0)
        return found

    @property
    def of_systems(self) -> Floats:
        """The score of each system: the given one, the mean rating of its segments, or for rankings the share
        of comparisons won, without ties (the score of WMT until 2012)."""
        return (
            self.system_scores
            if self.system_scores is not None
            else self.sampled(np.ones(len(self.segments)))
        )

    def sampled(self, counts: Floats) -> Floats:
        """The scores of systems if each segment counts as often as `counts` says."""
        plus, both = self._sums
        with np.errstate(invalid="ignore"):
            found: Floats = (counts @ plus) / (counts @ both)
        return found

    @cached_property
    def _sums(self) -> tuple[Floats, Floats]:
        """Numerators and denominators of the scores of systems, segments × systems."""
        if self.has_ratings:
            return np.nan_to_num(self.matrix), (~np.isnan(self.matrix)).astype(np.float64)
        shape = len(self.segments), len(self.systems)
        won, judged = np.zeros(shape), np.zeros(shape)
        np.add.at(won, (self.pairs.segments, self.pairs.better), 1)
        np.add.at(judged, (self.pairs.segments, self.pairs.better), 1)
        np.add.at(judged, (self.pairs.segments, self.pairs.worse), 1)
        return won, judged

    @cached_property
    def pair_p_values(self) -> Floats:
        """The human p-values of each pair of judged systems (`soft.pair_p_values`)."""
        return soft.pair_p_values(self.matrix[:, ~np.isnan(self.matrix).all(axis=0)])

    def ranked(self) -> tuple[JudgedPairs, JudgedPairs]:
        """Pairs and ties: the judged ones, or for ratings all pairs of mean ratings of a segment."""
        if self.has_pairs or not self.has_ratings:
            return self.pairs, self.ties
        rows, a, b = pairs_within(~np.isnan(self.matrix))
        difference = np.round(self.matrix[rows, a] - self.matrix[rows, b], EQUAL)
        better, worse, equal = difference > 0, difference < 0, difference == 0
        segments = np.concatenate([rows[better], rows[worse]])
        order = np.argsort(segments, kind="stable")
        pairs = JudgedPairs(
            segments[order],
            np.concatenate([a[better], b[worse]])[order],
            np.concatenate([b[better], a[worse]])[order],
        )
        return pairs, JudgedPairs(rows[equal], a[equal], b[equal])

    def renamed(self, names: Mapping[str, str]) -> Judgments:
        """The same judgments with other names of systems. Systems not in the mapping keep their names."""
        systems = tuple(names.get(name, name) for name in self.systems)
        if len(set(systems)) < len(systems):
            double = next(name for name in systems if systems.count(name) > 1)
            raise InputError(f"{self.name}: two systems would be called '{double}'; correct the map of names")
        return replace(self, systems=systems)
