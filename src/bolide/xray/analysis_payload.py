"""The words and groups of an X-ray as plain data for the page.

Not every row is included, so that reports of many systems stay small: of the words, the most frequent ones
(`MOST_WORDS`); of the differences of two systems, those with the lowest p-values (`MOST_ROWS` in favour of
each, with content words and without).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from bolide._support.arrays import Integers
from bolide.analysis.aligned import Mask
from bolide.analysis.classes import CASES, NAMES, WordKind, minor_words
from bolide.analysis.events import Contrast, pairs
from bolide.analysis.words import ClassTests, WordAnalysis, WordCounts
from bolide.comparison.compare import ComparisonOptions
from bolide.comparison.groups import Group, GroupedScores
from bolide.inputs.annotations import WordLinks
from bolide.xray.annotations import LABEL
from bolide.xray.model import Xray
from bolide.xray.source_words import SourceWords
from bolide.xray.words import CASE, NAME, piece_cases, piece_names

MOST_WORDS = 2000
MOST_ROWS = 40
# Differences in one segment only have p = 1.
FEWEST_SEGMENTS = 2
# What systems are compared in. Over-generated n-grams are too many.
CONTRASTS = ("missed", "over", "ngrams")
DIGITS = 3  # of p-values

Data = dict[str, Any]


def analysis_data(xray: Xray) -> Data:
    """The data of words and groups."""
    words = xray.words()
    minor = minor_words(words.vocabulary, xray.function_words)
    options = ComparisonOptions(test="bootstrap" if xray.pairs else "none")
    groups = xray.groups(options)
    return {
        "words": _words(words),
        "minor": np.flatnonzero(minor).tolist(),
        "kinds": [_kind(xray, kind) for kind in words.kinds.values()],
        "contrasts": {
            **{what: _word_contrasts(words, what, minor) for what in CONTRASTS},
            **{kind: _label_contrasts(words, kind) for kind in words.kinds if kind.startswith(LABEL)},
            **({"source": _source_contrasts(xray.sources)} if xray.sources else {}),
        },
        "groups": [_grouping(found) for found in groups.values()],
        "source": _source(xray, xray.sources) if xray.sources else None,
    }


# ---- words -------------------------------------------------------------------------------------------


def _words(words: WordAnalysis) -> Data:
    shown = words.frequent[:MOST_WORDS]
    return {
        "list": shown.tolist(),
        "left_out": len(words.frequent) - len(shown),
        "systems": [_counts(counts, shown) for counts in words.counts],
    }


COLUMNS = ("reference", "hypothesis", "missed", "over", "moved")


def _counts(counts: WordCounts, chosen: Integers | slice = slice(None)) -> Data:
    columns: Data = {name: getattr(counts, name)[chosen].tolist() for name in COLUMNS}
    return {**columns, "found": [row[chosen].tolist() for row in counts.found]}


def _kind(xray: Xray, kind: WordKind) -> Data:
    words = xray.words()
    alike = all(np.array_equal(kind.theirs[0], other) for other in kind.theirs[1:])
    by_piece = states = None
    if kind.name in (CASE, NAME):
        places = {name: k for k, name in enumerate(kind.classes)}
        names = CASES if kind.name == CASE else NAMES
        found, states = (piece_cases(xray), None) if kind.name == CASE else piece_names(xray)
        by_piece = [places.get(names[k], -1) for k in found.tolist()]
    placed = kind.of_word is None and by_piece is None
    return {
        "name": kind.name,
        "title": kind.title,
        "classes": list(kind.classes),
        "of_word": None if kind.of_word is None else kind.of_word.tolist(),
        "of_piece": by_piece,
        "states": None if states is None else states.tolist(),
        "theirs": [found.tolist() for found in kind.theirs[: 1 if alike else None]] if placed else None,
        "ours": [found.tolist() for found in kind.ours] if placed else None,
        "systems": [_counts(counts) for counts in words.class_counts(kind.name)],
        **_tested(words, kind.name),
    }


def _tested(words: WordAnalysis, kind: str) -> Data:
    """The tests of pairs of systems, and the intervals of recall, precision and F1 of each class."""
    intervals = [
        [
            _rounded(np.array([*row.recall, *row.precision, *row.f1]))
            for row in words.class_intervals(system, kind)
        ]
        for system in range(len(words.systems))
    ]
    return {
        "tests": [_class_tests(tests) for _, _, tests in words.class_tests(kind)],
        "intervals": intervals,
    }


def _class_tests(tests: ClassTests) -> Data:
    """What is tested: for each class, which system is better in more segments, and the q-value."""
    ahead = np.sign(tests.wins - tests.losses)
    return {
        what: {"ahead": ahead[k].tolist(), "q": _rounded(tests.q_values[k])}
        for k, what in enumerate(("missed", "over"))
    }


def _word_contrasts(words: WordAnalysis, what: str, minor: Mask) -> list[Data]:
    less = words.consisting_of(what, minor)
    found = [words.contrast(a, b, what, FEWEST_SEGMENTS) for a, b in pairs(len(words.systems))]
    return [_contrast(each, lambda thing: words.thing_words(what, thing), less) for each in found]


def _label_contrasts(words: WordAnalysis, kind: str) -> list[Data]:
    events, names = words.label_contrasts(kind)
    found = [events.contrast(a, b, FEWEST_SEGMENTS) for a, b in pairs(len(words.systems))]
    return [_contrast(each, lambda thing: names[thing]) for each in found]


def _source_contrasts(sources: SourceWords) -> list[Data]:
    words = sources.analysis
    found = [words.contrast(a, b, "missed", FEWEST_SEGMENTS) for a, b in pairs(len(words.systems))]
    return [_contrast(each, lambda thing: [thing]) for each in found]


def _contrast(contrast: Contrast, words: Callable[[int], list[int]], less: Mask | None = None) -> Data:
    """Two systems: all rows are counted, and the first ones in favour of each system listed; of those in
    `less`, and of all others."""
    sides = contrast.wins > contrast.losses, contrast.wins < contrast.losses
    own = np.zeros(len(contrast), dtype=bool) if less is None else less[contrast.things]
    chosen = [np.flatnonzero(side & kind)[:MOST_ROWS] for side in sides for kind in (own, ~own)]
    rows = np.sort(np.concatenate(chosen))
    return {
        "tested": int(np.isfinite(contrast.q_values).sum()),
        "things": [words(k) for k in contrast.things[rows].tolist()],
        "counts": contrast.counts[rows].ravel().tolist(),
        "wins": contrast.wins[rows].tolist(),
        "losses": contrast.losses[rows].tolist(),
        "p": _rounded(contrast.p_values[rows]),
        "q": _rounded(contrast.q_values[rows]),
    }


# ---- source words ------------------------------------------------------------------------------------


def _source(xray: Xray, sources: SourceWords) -> Data:
    words, texts = sources.analysis, sources.texts
    links = [each.lines for each in xray.annotations.alignments if isinstance(each, WordLinks)]
    return {
        "words": list(words.vocabulary),
        "texts": [texts.words[a:b].tolist() for a, b in pairwise(texts.starts.tolist())],
        "links": [[[place for link in line for place in link] for line in lines] for lines in links],
        "list": words.frequent[:MOST_WORDS].tolist(),
        "systems": [_counts(counts, words.frequent[:MOST_WORDS]) for counts in words.counts],
        "kinds": [
            {
                "name": kind.name,
                "title": kind.title,
                "classes": list(kind.classes),
                "of_place": sources.kinds[kind.name].tolist(),
                "systems": [_counts(counts) for counts in words.class_counts(kind.name)],
                **_tested(words, kind.name),
            }
            for kind in words.kinds.values()
        ],
    }


def _rounded(values: np.ndarray[Any, Any]) -> list[float | None]:
    """Values with few digits; None for NaN."""
    return [None if math.isnan(value) else float(f"{value:.{DIGITS}g}") for value in values.tolist()]


# ---- groups ------------------------------------------------------------------------------------------


def _grouping(found: GroupedScores) -> Data:
    grouping = found.grouping
    return {
        "name": found.name,
        "shared": grouping.shared,
        # The segments of each group, for all systems or for each one.
        "members": [[own.tolist() for own in members] for members in grouping.members],
        "groups": [_group(group) for group in found.groups],
    }


def _group(group: Group) -> Data:
    systems, pairs = group.systems, group.pairs
    return {
        "name": group.name,
        "segments": [system.segments for system in systems],
        "scores": [_short(system.score) for system in systems],
        "intervals": [
            None if system.interval is None else [_short(bound) for bound in system.interval]
            for system in systems
        ],
        "p": [_short(pair.p_value, DIGITS) for pair in pairs],
        "q": [_short(pair.q_value, DIGITS) for pair in pairs],
        "outcomes": [[pair.wins, pair.ties, pair.losses] for pair in pairs],
    }


def _short(value: float | None, digits: int = 6) -> float | None:
    return None if value is None or not math.isfinite(value) else float(f"{value:.{digits}g}")
