"""The filters that words and groups set: which segments have such a word, or are in such a group.

    pick    "missed word: house"     a word that A misses; also "over", "moved", or the name of a module
            "over frequency: 5–9"    a word of this class
            "B missed word: house"   a word that B misses; B may stand before all of these but "differ"
            "differ ngrams: of the"  the counts of A and B differ: "missed", "over", "ngrams"; of labels
                                     "label 1: DET · NOUN"; of source words "source: Haus"
            "missed source: Haus"    a source word that A misses; "missed source case: upper" of a class
    group   "domain: news"
            "B length ratio: < 0.7"  of B, if the systems have their own segments in the groups

The page has the same ones (page/picks.js).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bolide._support.arrays import Integers
from bolide.analysis.aligned import UNMATCHED, Side
from bolide.analysis.words import WordAnalysis
from bolide.comparison.grouping import Grouping
from bolide.xray.annotations import LABEL

Mask = npt.NDArray[np.bool_]

WORD, DIFFER = "word", "differ"
CONTRASTS = ("missed", "over", "ngrams")
OUTCOMES = ("missed", "over", "moved")
MISSED, SOURCE = "missed", "source"
OF_B = "B "  # begins the filters that are about B
LABEL_SPACE = " · "  # between the labels of an n-gram


@dataclass(frozen=True)
class Pick:
    """The parts of a filter of words: `type` is a kind of words, or what is compared."""

    outcome: str
    type: str
    value: str
    of_b: bool = False


def parsed(words: WordAnalysis, text: str, sources: WordAnalysis | None = None) -> Pick | None:
    """The parts of a filter; None if it does not fit."""
    of_b = text.startswith(OF_B)
    head, colon, value = text.removeprefix(OF_B).partition(": ")
    for outcome in (*OUTCOMES, *words.modules[1:], *(() if of_b else (DIFFER,))):
        if not colon or not head.startswith(f"{outcome} "):
            continue
        kind = head[len(outcome) + 1 :]
        types = (WORD, *words.kinds)
        if outcome == DIFFER:
            types = (*CONTRASTS, *(name for name in words.kinds if name.startswith(LABEL)))
        if sources is not None and outcome in (DIFFER, MISSED):
            types += (SOURCE,) if outcome == DIFFER else (SOURCE, *map(source_type, sources.kinds))
        if kind in types:
            return Pick(outcome, kind, value, of_b)
    return None


def source_type(kind: str) -> str:
    """The type of filters of a kind of source words."""
    return f"{SOURCE} {kind}"


def passes(
    words: WordAnalysis, system: int, against: int | None, text: str, sources: WordAnalysis | None = None
) -> Mask:
    """Which segments pass a filter of words. `sources` has the source words, if they are aligned."""
    pick = parsed(words, text, sources)
    size = words.systems[system].ours.tokens.size
    if pick is not None and sources is not None and pick.type.split(" ")[0] == SOURCE:
        own = WORD if pick.type == SOURCE else pick.type.removeprefix(f"{SOURCE} ")
        words = sources
        pick = replace(pick, type=MISSED if pick.outcome == DIFFER else own)
    if pick is None:
        return np.zeros(size, dtype=bool)
    if against is None:
        if pick.of_b or pick.outcome == DIFFER:
            return np.zeros(size, dtype=bool)
    elif pick.outcome == DIFFER:
        counts = [_counted(words, which, pick, size) for which in (system, against)]
        return np.asarray(counts[0] != counts[1])
    elif pick.of_b:
        system = against
    side = _side(words, system, pick.outcome)
    found = _happened(words, side, pick.outcome) & _wanted(words, system, side, pick)
    return np.bincount(side.tokens.segments[found], minlength=size) > 0


def group_names(groupings: list[Grouping]) -> list[str]:
    """The names of all groups, as in filters; of B, too, if the systems have their own segments."""
    found = [f"{grouping.name}: {group}" for grouping in groupings for group in grouping.groups]
    own = [grouping for grouping in groupings if not grouping.shared]
    return [*found, *(f"{OF_B}{grouping.name}: {group}" for grouping in own for group in grouping.groups)]


def in_group(groupings: list[Grouping], system: int, against: int | None, segments: int, text: str) -> Mask:
    """Which segments are in a group."""
    found = np.zeros(segments, dtype=bool)
    places = [(grouping, k) for grouping in groupings for k in range(len(grouping.groups))]
    own = [(grouping, k) for grouping, k in places if not grouping.shared]
    named = zip(group_names(groupings), [*places, *own], strict=True)
    for number, (name, (grouping, k)) in enumerate(named):
        if name == text:
            which = system if number < len(places) else against
            if which is not None:
                found[grouping.of_system(which)[k]] = True
            return found
    return found


def _side(words: WordAnalysis, system: int, outcome: str) -> Side:
    return words.systems[system].ours if outcome == "over" else words.systems[system].theirs


def _happened(words: WordAnalysis, side: Side, outcome: str) -> Mask:
    if outcome == "moved":
        return side.moved
    wanted = UNMATCHED if outcome in ("missed", "over") else words.modules.index(outcome)
    return np.asarray(side.state == wanted)


def _wanted(words: WordAnalysis, system: int, side: Side, pick: Pick) -> Mask:
    if pick.type == WORD:
        return np.asarray(side.tokens.words == _number(words, pick.value))
    kind = words.kinds[pick.type]
    if pick.value not in kind.classes:
        return np.zeros(len(side.tokens), dtype=bool)
    classes = kind.ours if pick.outcome == "over" else kind.theirs
    return np.asarray(classes[system] == kind.classes.index(pick.value))


def _counted(words: WordAnalysis, system: int, pick: Pick, size: int) -> Integers:
    """How often a word is missed or over-generated, or an n-gram is in both texts, in each segment."""
    numbers = [_number(words, word) for word in pick.value.split(" ")]
    if pick.type in words.kinds:
        return _label_ngrams(words, system, pick, size)
    if pick.type == "ngrams":
        aligned = words.systems[system]
        both = [_occurrences(side, numbers) for side in (aligned.ours, aligned.theirs)]
        return np.minimum(*both)
    side = _side(words, system, pick.type)
    lost = _happened(words, side, pick.type) & (side.tokens.words == numbers[0])
    return np.bincount(side.tokens.segments[lost], minlength=size)


def _label_ngrams(words: WordAnalysis, system: int, pick: Pick, size: int) -> Integers:
    """How often an n-gram of labels is found in each segment."""
    names = words.kinds[pick.type].classes
    wanted = [names.index(name) if name in names else -1 for name in pick.value.split(LABEL_SPACE)]
    found, items = words.label_contrasts(pick.type)
    here = found.things == (items.index(wanted) if wanted in items else -1)
    return np.bincount(found.segments[here], weights=found.counts[here, system], minlength=size).astype(int)


def _occurrences(side: Side, numbers: list[int]) -> Integers:
    tokens = side.tokens
    starts = np.arange(max(len(tokens) - len(numbers) + 1, 0))
    found = np.ones(len(starts), dtype=bool)
    for k, number in enumerate(numbers):
        found &= tokens.words[starts + k] == number
        found &= tokens.segments[starts + k] == tokens.segments[starts]
    return np.bincount(tokens.segments[starts[found]], minlength=tokens.size)


def _number(words: WordAnalysis, word: str) -> int:
    return words.vocabulary.index(word) if word in words.vocabulary else -1
