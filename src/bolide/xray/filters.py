"""Filters and orders of segments. The page has the same ones (page/filters.js); a test compares both.

    >>> Selection(low=0.2, text="cat", order="difference").filters
    {'low': 0.2, 'text': 'cat'}

A segment must pass all filters. A is the selected system, B the one it is compared with.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bolide._support import checks
from bolide._support.arrays import Floats, Integers
from bolide.analysis.words import WordAnalysis
from bolide.comparison.grouping import Grouping
from bolide.errors import ConfigurationError
from bolide.xray import picks
from bolide.xray.contribution import contribution, weighted_lead
from bolide.xray.groups import groupings
from bolide.xray.model import Words, Xray, row_matches
from bolide.xray.scores import pairs_of_metrics
from bolide.xray.spans import Span, spans

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Selection:
    """What to show: systems by index, filters (None: any), and the order."""

    system: int = 0  # A
    against: int | None = None  # B
    low: float | None = None  # A's score is at least this
    high: float | None = None  # and at most this
    low_b: float | None = None  # B's score is at least this
    high_b: float | None = None  # and at most this
    module: str | None = None  # A's alignment with its best reference has a match by this module
    shortest: int | None = None  # A's best reference has at least this many words
    longest: int | None = None  # and at most this many
    unmatched: str = ""  # A's alignment with its best reference leaves this word unmatched, on either side
    text: str = ""  # in any text of the segment, as written or as the metric sees it
    margin: float | None = None  # A beats B by at least this
    behind: float | None = None  # B beats A by at least this
    lead_low: float | None = None  # the score of A minus that of B is at least this
    lead_high: float | None = None  # and at most this
    left_out: str | None = None  # "yes": the search for A's alignment left a match out; "no": it did not
    equal: str | None = None  # "yes": A and B have the same words; "no": they differ
    metric: str | None = None  # A has a score by this other metric
    metric_low: float | None = None  # and by this metric, or the first one, its score is at least this
    metric_high: float | None = None  # and at most this
    disagree: str | None = (
        None  # such as "METEOR and BLEU": A is better than B by one, and worse by the other
    )
    pick: str | None = None  # A has such a word, as in "missed word: house" (`bolide.xray.picks`)
    group: str | None = None  # in this group, as in "domain: news"
    order: str = "segment"
    reverse: bool = False

    @property
    def filters(self) -> dict[str, Any]:
        """The active filters. Those of pairs need a system B."""
        without = PAIR if self.against is None else ()
        given = {name: getattr(self, name) for name in FILTERS if name not in without}
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
        self._contributions: dict[tuple[int, int | None], Floats] = {}

    @cached_property
    def groupings(self) -> list[Grouping]:
        return list(groupings(self.xray))

    def metric(self, system: int | None, name: str | None) -> Floats:
        """The scores of a system by another metric, by default the first one; NaN if unknown."""
        size = self.scores.shape[1]
        found = [scores for scores in self.xray.scores if name in (None, scores.name)]
        if not found or system is None:
            return np.full(size, np.nan)
        return found[0].values(self.xray.systems[system].name, size)

    def metric_lead(self, system: int, against: int | None, name: str | None) -> Floats:
        """How much a system is better than another by another metric; NaN if unknown."""
        lead = self.metric(system, name) - self.metric(against, name)
        rises = [scores.rises for scores in self.xray.scores if name in (None, scores.name)]
        return lead if not rises or rises[0] else -lead

    def disagreement(self, system: int, against: int, pair: str) -> Mask:
        """Whether one system is better by one metric of a pair, and worse by the other one."""
        leads = [
            self.lead(system, against)
            if k < 0
            else self.metric_lead(system, against, self.xray.scores[k].name)
            for k in pairs_of_metrics([scores.name for scores in self.xray.scores])[pair]
        ]
        return np.asarray(leads[0] * leads[1] < 0)

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

    def left_out(self, system: int) -> Mask:
        """Whether the search left a match with the best reference of each segment out."""
        found = self.xray.systems[system]
        return np.isin(found.rows.best, list(found.left_out))

    def has_text(self, text: str) -> Mask:
        wanted = text.lower()
        return np.array([wanted in found for found in self.texts], dtype=bool)

    def unmatched(self, system: int, word: str) -> Mask:
        """Whether the alignment with the best reference leaves the word unmatched, on either side."""
        found = self.xray.systems[system]
        wanted, result = word.lower(), []
        for k, segment in enumerate(self.xray.segments):
            which, row = self.xray.best(system, k), int(found.rows.best[k])
            matches = row_matches(found.rows, row)
            sides = (
                (0, segment.references[which], segment.texts[which] if segment.texts else None),
                (2, found.hypotheses[k], found.texts[k] if found.texts else None),
            )
            result.append(
                any(
                    not any(match[at] <= place < match[at] + match[at + 1] for match in matches)
                    for at, words, text in sides
                    for place in places(words, text, wanted)
                )
            )
        return np.array(result, dtype=bool)

    def same_words(self, system: int, against: int) -> Mask:
        """Whether two systems have the same words, as the metric sees them."""
        first, second = (self.xray.systems[k].hypotheses for k in (system, against))
        return np.array([one == two for one, two in zip(first, second, strict=True)], dtype=bool)

    def contribution(self, system: int, against: int | None) -> Floats:
        """What each segment contributes to the difference of the corpus scores; without the statistics or
        without a second system, the lead weighted by length."""
        key = system, against
        if key not in self._contributions:
            found = None if against is None else contribution(self.xray, system, against)
            if found is None:
                found = weighted_lead(self.lead(system, against), self.lengths(system).astype(float))
            self._contributions[key] = found
        return self._contributions[key]

    def lead(self, system: int, against: int | None) -> Floats:
        """The lead of a system over another, or over the mean of all others."""
        others = np.delete(self.scores, system, axis=0) if against is None else self.scores[[against]]
        lead: Floats = self.scores[system] - (others.mean(axis=0) if len(others) else self.scores[system])
        return lead

    @property
    def spread(self) -> Floats:
        """The difference between the best and the worst system."""
        return np.asarray(np.ptp(self.scores, axis=0))


def places(words: Words, text: str | None, wanted: str) -> list[int]:
    """The places of a word, as the metric sees it or as the user wrote it.

    >>> places(("the", "us", "army"), "The U.S. army", "u.s."), places(("the", "us"), None, "us")
    ([1], [1])
    """
    written: Sequence[Span | None] = [None] * len(words) if text is None else spans(text, words)
    return [
        place
        for place, (word, span) in enumerate(zip(words, written, strict=True))
        if wanted in (word.lower(), span and text and text[slice(*span)].lower())
    ]


# Each filter: which segments pass, given its value.
FILTERS: dict[str, Callable[[Shelf, Selection, Any], Mask]] = {
    "low": lambda shelf, s, value: shelf.scores[s.system] >= value,
    "high": lambda shelf, s, value: shelf.scores[s.system] <= value,
    "low_b": lambda shelf, s, value: shelf.scores[s.against] >= value,
    "high_b": lambda shelf, s, value: shelf.scores[s.against] <= value,
    "module": lambda shelf, s, value: shelf.has_module(s.system, value),
    "shortest": lambda shelf, s, value: shelf.lengths(s.system) >= value,
    "longest": lambda shelf, s, value: shelf.lengths(s.system) <= value,
    "text": lambda shelf, s, value: shelf.has_text(value),
    "unmatched": lambda shelf, s, value: shelf.unmatched(s.system, value),
    "margin": lambda shelf, s, value: _beats(shelf.lead(s.system, s.against), value),
    "behind": lambda shelf, s, value: _beats(-shelf.lead(s.system, s.against), value),
    "lead_low": lambda shelf, s, value: shelf.lead(s.system, s.against) >= value,
    "lead_high": lambda shelf, s, value: shelf.lead(s.system, s.against) <= value,
    "left_out": lambda shelf, s, value: shelf.left_out(s.system) == (value == "yes"),
    "equal": lambda shelf, s, value: shelf.same_words(s.system, s.against or 0) == (value == "yes"),
    "metric": lambda shelf, s, value: ~np.isnan(shelf.metric(s.system, value)),
    "metric_low": lambda shelf, s, value: shelf.metric(s.system, s.metric) >= value,
    "metric_high": lambda shelf, s, value: shelf.metric(s.system, s.metric) <= value,
    "disagree": lambda shelf, s, value: shelf.disagreement(s.system, s.against or 0, value),
    "pick": lambda shelf, s, value: picks.passes(
        shelf.xray.words(), s.system, s.against, value, _sources(shelf.xray)
    ),
    "group": lambda shelf, s, value: picks.in_group(
        shelf.groupings, s.system, s.against, len(shelf.texts), value
    ),
}
# Filters that compare A with B.
PAIR = ("low_b", "high_b", "margin", "behind", "lead_low", "lead_high", "equal", "disagree")
YES_OR_NO = ("yes", "no")
LAST = 1e300  # the key of segments without a score
# Each order: the sort keys of segments; the lowest comes first.
ORDERS: dict[str, Callable[[Shelf, Selection], npt.NDArray[Any]]] = {
    "segment": lambda shelf, s: np.arange(shelf.scores.shape[1]),
    "score": lambda shelf, s: shelf.scores[s.system],
    "difference": lambda shelf, s: -shelf.lead(s.system, s.against),
    "contribution": lambda shelf, s: -shelf.contribution(s.system, s.against),
    "spread": lambda shelf, s: -shelf.spread,
    "length": lambda shelf, s: -shelf.lengths(s.system),
    "metric": lambda shelf, s: _known_first(_worst_first(shelf, s)),
    "metric_difference": lambda shelf, s: _known_first(-shelf.metric_lead(s.system, s.against, s.metric)),
}


def _worst_first(shelf: Shelf, s: Selection) -> Floats:
    """The scores of A by another metric, negated if low scores are good."""
    rises = [scores.rises for scores in shelf.xray.scores if s.metric in (None, scores.name)]
    found = shelf.metric(s.system, s.metric)
    return found if not rises or rises[0] else -found


def _known_first(keys: Floats) -> Floats:
    return np.nan_to_num(keys, nan=LAST)


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

SHARES = ("low", "high", "low_b", "high_b", "margin", "behind")
DIFFERENCES = ("lead_low", "lead_high")
COUNTS = ("shortest", "longest")
NUMBERS = ("metric_low", "metric_high")
RANGES = (("low", "high"), ("low_b", "high_b"), COUNTS, DIFFERENCES, NUMBERS)
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
    for low, high in RANGES:
        least, most = getattr(found, low), getattr(found, high)
        if least is not None and most is not None and least > most:
            raise ConfigurationError(f"{low} ({least}) is above {high} ({most})")
    return found


def whole_number(text: str) -> int | None:
    """The typed number; None if it is not a number, or too large."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None


def _share(xray: Xray, name: str, text: str) -> float:
    return _between(name, text, 0)


def _difference(xray: Xray, name: str, text: str) -> float:
    return _between(name, text, -1)


def _number(xray: Xray, name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ConfigurationError(f"{name} must be a number, such as 25.5, not '{text}'")
    return value


def _between(name: str, text: str, least: int) -> float:
    """The typed number, if it is from `least` to 1."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= 1:
        raise ConfigurationError(f"{name} must be a number from {least} to 1, such as 0.25, not '{text}'")
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
    modules = [module.name for module in xray.modules]
    metrics = [scores.name for scores in xray.scores]
    choices = {"order": list(ORDERS), "module": modules, "equal": YES_OR_NO, "left_out": YES_OR_NO}
    choices |= {"metric": metrics, "disagree": list(pairs_of_metrics(metrics))}
    return checks.choice(name, text, choices[name])


def _pick(xray: Xray, name: str, text: str) -> str:
    if picks.parsed(xray.words(), text, _sources(xray)) is None:
        raise ConfigurationError(f"{name} must be such as 'missed word: house', not '{text[:40]}'")
    return text


def _sources(xray: Xray) -> WordAnalysis | None:
    return None if xray.sources is None else xray.sources.analysis


def _group(xray: Xray, name: str, text: str) -> str:
    return checks.choice(name, text, picks.group_names(list(groupings(xray))))


_READERS: dict[str, Callable[[Xray, str, str], Any]] = {
    **dict.fromkeys(("system", "against"), _place),
    **dict.fromkeys(SHARES, _share),
    **dict.fromkeys(DIFFERENCES, _difference),
    **dict.fromkeys(COUNTS, _count),
    **dict.fromkeys(NUMBERS, _number),
    **dict.fromkeys(("module", "order", "equal", "left_out", "metric", "disagree"), _one_of),
    **dict.fromkeys(("text", "unmatched"), lambda xray, name, text: text),
    "pick": _pick,
    "group": _group,
}
_EMPTY = {field.name: field.default for field in fields(Selection)}


WORDS = {
    "low": "score ≥ {:g}",
    "high": "score ≤ {:g}",
    "low_b": "score of B ≥ {:g}",
    "high_b": "score of B ≤ {:g}",
    "module": "a match by {}",
    "shortest": "{} words or more",
    "longest": "{} words or fewer",
    "text": "“{}”",
    "unmatched": "“{}” unmatched",
    "margin": "A beats B by at least {:g}",
    "behind": "B beats A by at least {:g}",
    "lead_low": "A − B ≥ {:g}",
    "lead_high": "A − B ≤ {:g}",
    "left_out": "a match left out: {}",
    "equal": "A and B equal: {}",
    "metric": "a score by {}",
    "metric_low": "that score ≥ {:g}",
    "metric_high": "that score ≤ {:g}",
    "disagree": "{} disagree",
    "pick": "{}",
    "group": "{}",
}


def described(selection: Selection) -> str:
    """The active filters in words.

    >>> described(Selection(low=0.2, text="cat"))
    'score ≥ 0.2, “cat”'
    """
    found = {name: WORDS[name].format(value) for name, value in selection.filters.items()}
    for name, words in (("margin", "A beats B"), ("behind", "B beats A")):
        if selection.filters.get(name) == 0:
            found[name] = words
    return ", ".join(found.values())
