"""Groups of segments: by tag, by number, by length.

A `Grouping` has the segments of each group. Usually all systems have the same ones. If groups depend on the
output, like those of length ratios, each system has its own, and systems are not compared group by group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from bolide._support.arrays import Floats, Integers
from bolide.errors import InputError

# A cell of a tag file may have several tags.
SEPARATOR = "|"
# A numeric column with more distinct numbers is divided into so many groups of about equal size.
DISTINCT, PARTS = 10, 5
# Of more groups, only the largest are shown.
MOST = 50
# The lowest value of each group but the first.
LENGTHS = (11, 21, 31, 41, 51, 61)
RATIOS = (0.7, 0.85, 0.95, 1.05, 1.15, 1.3)

# A tag, or a number, or nothing.
Value = str | float | int | None


@dataclass(frozen=True)
class Grouping:
    """A division of the segments. `members` has the segments of each group: for all systems, or for each
    system its own."""

    name: str
    groups: tuple[str, ...]
    members: tuple[tuple[Integers, ...], ...]

    @property
    def shared(self) -> bool:
        """Whether all systems have the same groups."""
        return len(self.members) == 1

    def of_system(self, system: int) -> tuple[Integers, ...]:
        """The segments of each group for a system."""
        return self.members[0 if self.shared else system]


def by_tag(name: str, values: Sequence[Value], *, most: int = MOST) -> Grouping:
    """Groups by the tags of each segment; if all values are numbers, by its number. Segments without a value
    are in no group.

    >>> found = by_tag("domain", ["news", "web|short", None, "news"])
    >>> found.groups, [group.tolist() for group in found.members[0]]
    (('news', 'web', 'short'), [[0, 3], [1], [1]])
    >>> by_tag("year", [2012, 2013, 2012]).groups
    ('2012', '2013')
    """
    numbers = as_numbers(values)
    if numbers is not None and len(np.unique(numbers[np.isfinite(numbers)])) > DISTINCT:
        return by_number(name, numbers)
    found: dict[str, list[int]] = {}
    for k, value in enumerate(values):
        text = _text(value)
        for tag in dict.fromkeys(part.strip() for part in text.split(SEPARATOR)):
            if tag:
                found.setdefault(tag, []).append(k)
    if numbers is not None:
        found = dict(sorted(found.items(), key=lambda item: float(item[0])))
    return _largest(name, found, most)


def by_document(documents: Sequence[str | None], *, most: int = MOST) -> Grouping:
    """Groups by document."""
    found: dict[str, list[int]] = {}
    for k, document in enumerate(documents):
        if document is not None:
            found.setdefault(document, []).append(k)
    return _largest("document", found, most)


def _largest(name: str, found: Mapping[str, list[int]], most: int) -> Grouping:
    """The largest groups, in the order given."""
    kept = set(sorted(found, key=lambda tag: -len(found[tag]))[:most])
    groups = tuple(tag for tag in found if tag in kept)
    return Grouping(name, groups, (tuple(np.array(found[tag], dtype=np.int64) for tag in groups),))


def _text(value: Value) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    return value if isinstance(value, str) else f"{value:g}"


def as_numbers(values: Sequence[Value]) -> Floats | None:
    """The values as numbers, NaN for missing ones; None if one of them is not a number, or all are missing.

    >>> as_numbers(["1", None, " 2.5 "]), as_numbers(["1", "x"])
    (array([1. , nan, 2.5]), None)
    """
    found = np.full(len(values), np.nan)
    for k, value in enumerate(values):
        text = _text(value).strip()
        try:
            found[k] = float(text) if text else np.nan
        except ValueError:
            return None
        if text and not np.isfinite(found[k]):
            return None
    return found if np.isfinite(found).any() else None


def by_number(name: str, numbers: npt.ArrayLike, bounds: Sequence[float] | None = None) -> Grouping:
    """Groups by number. `bounds` has the lowest number of each group but the first; by default the groups are
    of about equal size. NaN is in no group.

    >>> by_number("age", [1, 2, 3, 10, 20, 30], bounds=[3, 20]).groups
    ('< 3', '3 – < 20', '≥ 20')
    """
    found = np.asarray(numbers, dtype=np.float64)
    limits = usual_bounds(found) if bounds is None else np.asarray(bounds, dtype=np.float64)
    if (np.diff(limits) <= 0).any():
        raise InputError(f"the bounds of {name} must increase")
    return Grouping(name, titles(limits), (_divided(found, limits),))


def usual_bounds(numbers: Floats) -> Floats:
    """Bounds of groups of about equal size; NaN is ignored.

    >>> usual_bounds(np.array([1.0, 1, 1, 2, 3, 4, 5])).tolist()
    [2.0, 3.0, 4.0]
    """
    known = numbers[np.isfinite(numbers)]
    limits: Floats = np.unique(np.quantile(known, np.arange(1, PARTS) / PARTS, method="higher"))
    return np.asarray(limits[limits > known.min()])


def by_length(lengths: npt.ArrayLike, name: str) -> Grouping:
    """Groups by a number of words.

    >>> by_length([3, 10, 11, 70], "length").groups
    ('≤ 10', '11–20', '21–30', '31–40', '41–50', '51–60', '> 60')
    """
    edges = LENGTHS
    between = [f"{low}–{high - 1}" for low, high in pairwise(edges)]
    names = (f"≤ {edges[0] - 1}", *between, f"> {edges[-1] - 1}")
    return Grouping(name, names, (_divided(np.asarray(lengths, dtype=np.float64), np.array(edges)),))


def by_ratio(ratios: Sequence[Floats], name: str) -> Grouping:
    """Groups by the length ratio of each system: its own words for each word of the reference."""
    limits = np.array(RATIOS)
    return Grouping(name, titles(limits), tuple(_divided(found, limits) for found in ratios))


def _divided(numbers: Floats, limits: npt.NDArray[np.floating | np.integer]) -> tuple[Integers, ...]:
    group = np.searchsorted(limits, numbers, side="right")
    group[np.isnan(numbers)] = -1
    return tuple(np.flatnonzero(group == k) for k in range(len(limits) + 1))


def titles(limits: Floats) -> tuple[str, ...]:
    """The names of groups between limits, with as many digits as they need.

    >>> titles(np.array([0.5, 1.25]))
    ('< 0.5', '0.5 – < 1.25', '≥ 1.25')
    """
    if not len(limits):
        return ("all",)
    shown = next(
        names
        for digits in (3, 6, 9, 17)
        if len(set(names := [f"{limit:.{digits}g}" for limit in limits.tolist()])) == len(names)
    )
    between = [f"{low} – < {high}" for low, high in pairwise(shown)]
    return (f"< {shown[0]}", *between, f"≥ {shown[-1]}")
