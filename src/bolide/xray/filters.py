"""Filters and orders of segments. The page has the same ones (page/filters.js); a test compares both.

    >>> Selection(low=0.2, text="cat", order="difference").filters
    {'low': 0.2, 'text': 'cat'}

A segment must pass all filters. A is the selected system, B the one it is compared with.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bolide._support import checks
from bolide._support.arrays import Floats, Integers
from bolide.errors import ConfigurationError
from bolide.xray.model import Xray

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Selection:
    """What to show: systems by index, filters (None: any), and the order."""

    system: int = 0  # A
    against: int | None = None  # B
    low: float | None = None  # A's score is at least this
    high: float | None = None  # and at most this
    module: str | None = None  # A's alignment with its best reference has a match by this module
    shortest: int | None = None  # A's best reference has at least this many words
    longest: int | None = None  # and at most this many
    text: str = ""  # in any text of the segment, as written or as the metric sees it
    margin: float | None = None  # A beats B by at least this
    order: str = "segment"
    reverse: bool = False

    @property
    def filters(self) -> dict[str, Any]:
        """The active filters. `margin` needs a system B."""
        given = {name: getattr(self, name) for name in FILTERS}
        if self.against is None:
            given["margin"] = None
        return {name: value for name, value in given.items() if value not in (None, "")}

    def cleared(self) -> Selection:
        """The same selection without filters."""
        without: dict[str, Any] = {name: _EMPTY[name] for name in FILTERS}
        return replace(self, **without)


class Shelf:
    """The values of segments for filters and orders, computed once."""

    def __init__(self, xray: Xray) -> None:
        self.xray = xray
        self.scores: Floats = np.stack([system.scores for system in xray.systems])  # systems × segments
        self._lengths: dict[int, Integers] = {}

    @cached_property
    def texts(self) -> list[str]:
        """The searchable text of each segment in lower case, as written and as the metric sees it."""
        found = []
        for k, segment in enumerate(self.xray.segments):
            about = (segment.source, segment.name, segment.document)
            words = (*segment.references, *(system.hypotheses[k] for system in self.xray.systems))
            raw = (*(segment.texts or ()), *(s.texts[k] for s in self.xray.systems if s.texts))
            found.append("\n".join([*(text or "" for text in about), *map(" ".join, words), *raw]).lower())
        return found

    def lengths(self, system: int) -> Integers:
        """The number of words in the best reference of each segment."""
        if system not in self._lengths:
            best = (self.xray.systems[system].rows.best - self.xray.starts[:-1]).tolist()
            pairs = zip(self.xray.segments, best, strict=True)
            self._lengths[system] = np.array([len(s.references[k]) for s, k in pairs], dtype=np.int64)
        return self._lengths[system]

    def has_module(self, system: int, name: str) -> Mask:
        """Whether the alignment of each segment with its best reference has a match by the module."""
        rows = self.xray.systems[system].rows
        stage = [module.name for module in self.xray.modules].index(name)
        found = np.add.reduceat(np.append(rows.matches[:, 4] == stage, 0), rows.offsets[:-1])
        found[np.diff(rows.offsets) == 0] = 0  # for an empty list, reduceat returns the next value
        return np.asarray(found[rows.best] > 0)

    def has_text(self, text: str) -> Mask:
        wanted = text.lower()
        return np.array([wanted in found for found in self.texts], dtype=bool)

    def lead(self, system: int, against: int | None) -> Floats:
        """The lead of a system over another, or over the mean of all others."""
        others = np.delete(self.scores, system, axis=0) if against is None else self.scores[[against]]
        lead: Floats = self.scores[system] - (others.mean(axis=0) if len(others) else self.scores[system])
        return lead

    @property
    def spread(self) -> Floats:
        """The difference between the best and the worst system."""
        return np.asarray(np.ptp(self.scores, axis=0))


# Each filter: which segments pass, given its value.
FILTERS: dict[str, Callable[[Shelf, Selection, Any], Mask]] = {
    "low": lambda shelf, s, value: shelf.scores[s.system] >= value,
    "high": lambda shelf, s, value: shelf.scores[s.system] <= value,
    "module": lambda shelf, s, value: shelf.has_module(s.system, value),
    "shortest": lambda shelf, s, value: shelf.lengths(s.system) >= value,
    "longest": lambda shelf, s, value: shelf.lengths(s.system) <= value,
    "text": lambda shelf, s, value: shelf.has_text(value),
    "margin": lambda shelf, s, value: _beats(shelf.lead(s.system, s.against), value),
}
# Each order: the sort keys of segments; the lowest comes first.
ORDERS: dict[str, Callable[[Shelf, Selection], npt.NDArray[Any]]] = {
    "segment": lambda shelf, s: np.arange(shelf.scores.shape[1]),
    "score": lambda shelf, s: shelf.scores[s.system],
    "difference": lambda shelf, s: -shelf.lead(s.system, s.against),
    "spread": lambda shelf, s: -shelf.spread,
    "length": lambda shelf, s: -shelf.lengths(s.system),
}


def _beats(lead: Floats, margin: float) -> Mask:
    return (lead > 0) & (lead >= margin)


def select(shelf: Shelf, selection: Selection) -> list[int]:
    """The segments (counted from 0) that pass all filters, in order. Ties keep the order of the files."""
    kept = np.ones(shelf.scores.shape[1], dtype=bool)
    for name, value in selection.filters.items():
        kept &= FILTERS[name](shelf, selection, value)
    keys = ORDERS[selection.order](shelf, selection)
    order = np.argsort(-keys if selection.reverse else keys, kind="stable")
    return [int(k) for k in order[kept[order]]]


# ---- user input --------------------------------------------------------------------------------------

SHARES = ("low", "high", "margin")
COUNTS = ("shortest", "longest")
MOST_DIGITS = 12


def parse(xray: Xray, given: Mapping[str, str], start: Selection | None = None) -> Selection:
    """Changes a selection by typed values, such as `{"low": "0.2", "module": "stem"}`. An empty text removes
    a filter. Systems are given by name."""
    changes: dict[str, Any] = {}
    for name, text in given.items():
        checks.choice("filter", name, _READERS)
        stripped = text.strip()
        changes[name] = _READERS[name](xray, name, stripped) if stripped else _EMPTY[name]
    found = replace(start or Selection(), **changes)
    for low, high in (("low", "high"), ("shortest", "longest")):
        least, most = getattr(found, low), getattr(found, high)
        if least is not None and most is not None and least > most:
            raise ConfigurationError(f"{low} ({least}) is above {high} ({most})")
    return found


def whole_number(text: str) -> int | None:
    """The typed number; None if it is not a number, or too large."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None


def _share(xray: Xray, name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise ConfigurationError(f"{name} must be a number from 0 to 1, such as 0.25, not '{text}'")
    return value


def _count(xray: Xray, name: str, text: str) -> int:
    value = whole_number(text)
    if value is None:
        raise ConfigurationError(f"{name} must be a number of words, such as 20, not '{text[:40]}'")
    return value


def _place(xray: Xray, name: str, text: str) -> int:
    wanted = xray.system(text)
    return next(k for k, system in enumerate(xray.systems) if system is wanted)


def _one_of(xray: Xray, name: str, text: str) -> str:
    choices = list(ORDERS) if name == "order" else [module.name for module in xray.modules]
    return checks.choice(name, text, choices)


_READERS: dict[str, Callable[[Xray, str, str], Any]] = {
    **dict.fromkeys(("system", "against"), _place),
    **dict.fromkeys(SHARES, _share),
    **dict.fromkeys(COUNTS, _count),
    **dict.fromkeys(("module", "order"), _one_of),
    "text": lambda xray, name, text: text,
}
_EMPTY = {field.name: field.default for field in fields(Selection)}


WORDS = {
    "low": "score ≥ {:g}",
    "high": "score ≤ {:g}",
    "module": "a match by {}",
    "shortest": "{} words or more",
    "longest": "{} words or fewer",
    "text": "“{}”",
    "margin": "A beats B by at least {:g}",
}


def described(selection: Selection) -> str:
    """The active filters in words.

    >>> described(Selection(low=0.2, text="cat"))
    'score ≥ 0.2, “cat”'
    """
    found = {name: WORDS[name].format(value) for name, value in selection.filters.items()}
    if selection.margin == 0 and "margin" in found:
        found["margin"] = "A beats B"
    return ", ".join(found.values())
