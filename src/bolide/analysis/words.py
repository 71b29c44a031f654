"""What systems do with words: which ones they miss, over-generate, find only by a stem, synonym or
paraphrase, and put out of order; by word, and by class of words.

    missed   a word of the reference without a match
    over     a word of the hypothesis without a match
    moved    a matched word of the reference whose chunk is out of order (`bolide.analysis.order`)
    found    the matched words of the reference, by module

Each system counts with one reference per segment. `WordAnalysis.contrast` compares two systems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bolide._support import checks
from bolide._support.arrays import Floats, Integers
from bolide.analysis import events, ngrams
from bolide.analysis.aligned import UNMATCHED, AlignedSystem, Mask, Side
from bolide.analysis.classes import WordKind
from bolide.analysis.events import Contrast, Events
from bolide.analysis.intervals import ClassIntervals, bounds, counted_in, draws
from bolide.analysis.label_ngrams import label_events
from bolide.comparison.discoveries import FEWEST, false_discovery_rates, sign_test
from bolide.comparison.significance import SEED
from bolide.errors import unknown

# What two systems are compared in. N-grams have two words or more.
WHATS = ("missed", "over", "ngrams", "extra")


@dataclass(frozen=True)
class WordCounts:
    """The counts of a system: one entry per word, or per class of words."""

    reference: Integers
    hypothesis: Integers
    missed: Integers
    over: Integers
    moved: Integers
    found: Integers  # modules × entries

    @property
    def precision(self) -> Floats:
        """The share of the words of the hypotheses that are matched; NaN if there are none."""
        return _share(self.hypothesis - self.over, self.hypothesis)

    @property
    def recall(self) -> Floats:
        """The share of the words of the references that are matched."""
        return _share(self.reference - self.missed, self.reference)

    @property
    def f1(self) -> Floats:
        """The harmonic mean of both; 0 if nothing is matched, NaN if there are no words."""
        one, two = np.nan_to_num(self.precision), np.nan_to_num(self.recall)
        mean = np.divide(2 * one * two, one + two, out=np.zeros(len(one)), where=one + two > 0)
        return np.where(self.reference + self.hypothesis > 0, mean, np.nan)


def _share(part: Integers, whole: Integers) -> Floats:
    return np.asarray(np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0))


@dataclass(frozen=True)
class WordRow:
    """A word with the counts of one system."""

    word: str
    reference: int
    hypothesis: int
    missed: int
    over: int
    moved: int
    found: dict[str, int]  # by module


@dataclass(frozen=True)
class ClassRow:
    """A class of words with the counts of one system. Shares are NaN if there is nothing to divide by."""

    name: str
    reference: int
    hypothesis: int
    missed: int
    over: int
    moved: int
    found: dict[str, int]
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class ClassTests:
    """Sign tests of two systems in each class: missed words (first row), and over-generated ones (second).

    - `wins`, `losses`: segments where the first system has fewer such words, and more.
    - `q_values`: the false-discovery rates among all these tests; NaN if fewer than six segments differ.
    """

    wins: Integers
    losses: Integers
    q_values: Floats


@dataclass(frozen=True)
class WordDifference:
    """A word or an n-gram in which two systems differ.

    - `counts`: of the first and of the second system. For "missed" and "over", words; for "ngrams", n-grams
      that the reference has, too; for "extra", those that it has not.
    - `wins`, `losses`: segments where the first system is better, and worse.
    - `p_value`: of the sign test; `q_value`: the false-discovery rate among all rows of the two systems, or
      None if fewer than six segments differ.
    """

    words: tuple[str, ...]
    counts: tuple[int, int]
    wins: int
    losses: int
    p_value: float
    q_value: float | None

    @property
    def odds(self) -> float:
        """How much of the counts is the first system's: (a + 1) / (a + b + 2), as in compare-mt."""
        a, b = self.counts
        return (a + 1) / (a + b + 2)


class WordAnalysis:
    """The words of aligned systems. `vocabulary` has the word of each number."""

    def __init__(
        self,
        systems: Sequence[AlignedSystem],
        vocabulary: Sequence[str],
        modules: Sequence[str],
        kinds: Sequence[WordKind] = (),
    ) -> None:
        self.systems = tuple(systems)
        self.vocabulary = tuple(vocabulary)
        self.modules = tuple(modules)
        self.kinds = {kind.name: kind for kind in kinds}
        self._events: dict[str, Events] = {}
        self._ngrams: dict[str, list[ngrams.NGrams]] = {}

    # ---- one system ------------------------------------------------------------------------------

    def place(self, system: int | str) -> int:
        """The place of a system, given by its place or its name."""
        names = [each.name for each in self.systems]
        if isinstance(system, str):
            if system not in names:
                raise unknown("system", system, names)
            return names.index(system)
        return range(len(names))[system]

    @cached_property
    def counts(self) -> tuple[WordCounts, ...]:
        """The counts of each system, one entry per word of the vocabulary."""
        size = len(self.vocabulary)
        return tuple(
            _counts(system, system.theirs.tokens.words, system.ours.tokens.words, size, len(self.modules))
            for system in self.systems
        )

    @cached_property
    def frequent(self) -> Integers:
        """The words as numbers, the most frequent ones first: by the highest count of a word in the texts of
        one system: its references, and what it over-generates. Words without a count are left out."""
        total = np.max([counts.reference + counts.over for counts in self.counts], axis=0)
        order: Integers = np.argsort(-total, kind="stable")
        return np.asarray(order[total[order] > 0])

    def rows(self, system: int | str, order: str = "missed", limit: int | None = 20) -> list[WordRow]:
        """The words with the highest counts: "missed", "over", "moved", "reference", "hypothesis", or the
        name of a module. Words with a count of 0 are left out."""
        counts = self.counts[self.place(system)]
        checks.choice("order", order, [*_COLUMNS, *self.modules])
        column = getattr(counts, order) if order in _COLUMNS else counts.found[self.modules.index(order)]
        places = self.frequent[np.argsort(-column[self.frequent], kind="stable")]
        places = places[column[places] > 0][:limit]
        return [WordRow(self.vocabulary[k], *self._row(counts, k)) for k in places.tolist()]

    def _row(self, counts: WordCounts, k: int) -> tuple[int, int, int, int, int, dict[str, int]]:
        found = dict(zip(self.modules, counts.found[:, k].tolist(), strict=True))
        reference, hypothesis, missed, over, moved = (int(getattr(counts, name)[k]) for name in _COLUMNS)
        return reference, hypothesis, missed, over, moved, found

    # ---- classes of words ------------------------------------------------------------------------

    def class_counts(self, kind: str) -> tuple[WordCounts, ...]:
        """The counts of each system, one entry per class of a kind. A matched word of a hypothesis is in the
        class of its partner, so that precision and recall count the same matches."""
        found = self._kind(kind)
        return tuple(
            _counts(
                system,
                found.theirs[s],
                partner_classes(system.ours, found.ours[s], found.theirs[s]),
                len(found.classes),
                len(self.modules),
            )
            for s, system in enumerate(self.systems)
        )

    def classes(self, system: int | str, kind: str) -> list[ClassRow]:
        """The classes of a kind of words, with the counts of a system."""
        counts = self.class_counts(kind)[self.place(system)]
        shares = counts.precision, counts.recall, counts.f1
        return [
            ClassRow(name, *self._row(counts, k), *(float(share[k]) for share in shares))
            for k, name in enumerate(self._kind(kind).classes)
        ]

    def class_intervals(
        self, system: int | str, kind: str, samples: int = 1000, seed: int = SEED
    ) -> list[ClassIntervals]:
        """The 95% intervals of precision, recall and F1 of each class, by bootstrap of the segments."""
        place, found = self.place(system), self._kind(kind)
        aligned, size = self.systems[place], len(found.classes)
        theirs, ours = found.theirs[place], found.ours[place]
        ours = partner_classes(aligned.ours, ours, theirs)
        drawn = draws(aligned.ours.tokens.size, samples, seed)
        columns = [
            _in_segments(side, classes, size, all_words=all_words)
            for all_words in (True, False)
            for side, classes in ((aligned.theirs, theirs), (aligned.ours, ours))
        ]
        counted = counted_in(drawn, np.hstack(columns))  # all at once, which is faster
        reference, hypothesis, missed, over = (part.ravel() for part in np.hsplit(counted, 4))
        nothing = np.zeros_like(reference)
        counts = WordCounts(reference, hypothesis, missed, over, nothing, nothing[None])
        shares = [
            bounds(share.reshape(samples, size)) for share in (counts.precision, counts.recall, counts.f1)
        ]
        return [ClassIntervals(*row) for row in zip(found.classes, *shares, strict=True)]

    def class_tests(self, kind: str) -> Iterator[tuple[int, int, ClassTests]]:
        """For each pair of systems, sign tests of the segments with more and with fewer missed words, and
        over-generated words, of each class."""
        found = self._kind(kind)
        size = len(found.classes)
        # In each segment, the missed words of each class, then the over-generated ones.
        lost = [
            np.hstack(
                [
                    _in_segments(system.theirs, found.theirs[s], size),
                    _in_segments(system.ours, found.ours[s], size),
                ]
            )
            for s, system in enumerate(self.systems)
        ]
        for a, b in events.pairs(len(self.systems)):
            difference = lost[b] - lost[a]
            wins, losses = (difference > 0).sum(axis=0), (difference < 0).sum(axis=0)
            q_values = np.full(2 * size, np.nan)
            tested = wins + losses >= FEWEST
            q_values[tested] = false_discovery_rates(sign_test(wins[tested], losses[tested]))
            yield a, b, ClassTests(*(each.reshape(2, size) for each in (wins, losses, q_values)))

    def _kind(self, kind: str) -> WordKind:
        if kind not in self.kinds:
            raise unknown("kind of words", kind, self.kinds)
        return self.kinds[kind]

    # ---- two systems -----------------------------------------------------------------------------

    def contrast(
        self, first: int | str, second: int | str, what: str = "missed", fewest: int = 1
    ) -> Contrast:
        """Two systems, as arrays. `thing_words` has the words of the things."""
        checks.choice("what", what, WHATS)
        return self._found(what).contrast(self.place(first), self.place(second), fewest)

    def differences(
        self, first: int | str, second: int | str, what: str = "missed", limit: int | None = 20
    ) -> list[WordDifference]:
        """The words ("missed", "over") or n-grams ("ngrams", "extra") in which two systems differ, those with
        the lowest p-values first; of those in favour of the first system, and of all others, at most `limit`.
        """
        return _differences(
            self.contrast(first, second, what), limit, lambda number: self.thing(what, number)
        )

    def label_differences(
        self,
        first: int | str,
        second: int | str,
        kind: str,
        what: str = "ngrams",
        limit: int | None = 20,
    ) -> list[WordDifference]:
        """The same for n-grams of the classes of a kind, such as parts of speech ("label 1"): of n-grams of
        words that the reference has ("ngrams") or has not ("extra")."""
        found, names = self.label_contrasts(kind, what)
        contrast = found.contrast(self.place(first), self.place(second))
        classes = self._kind(kind).classes
        return _differences(contrast, limit, lambda number: tuple(classes[k] for k in names[number]))

    def label_contrasts(self, kind: str, what: str = "ngrams") -> tuple[Events, list[list[int]]]:
        """The events of the n-grams of the classes of a kind, and the classes of each n-gram."""
        checks.choice("what", what, WHATS[2:])
        found, items = label_events(self.systems, self._kind(kind), found=what == "ngrams")
        return found, [row for part in items for row in part.tolist()]

    def thing(self, what: str, number: int) -> tuple[str, ...]:
        """The words of a thing in a contrast."""
        return tuple(self.vocabulary[word] for word in self.thing_words(what, number))

    def thing_words(self, what: str, number: int) -> list[int]:
        """The numbers of these words."""
        if what in _SIDES:
            return [number]
        for found in self._ngrams[what]:
            if number < len(found.items):
                return [int(word) for word in found.items[number]]
            number -= len(found.items)
        raise IndexError(f"there is no n-gram {number}")

    def consisting_of(self, what: str, words: Mask) -> Mask:
        """Which things of a contrast have only these words; `words` has one entry per word number."""
        self._found(what)
        if what in _SIDES:
            return words
        return np.concatenate([words[found.items].all(axis=1) for found in self._ngrams[what]] or [words[:0]])

    def _found(self, what: str) -> Events:
        if what not in self._events:
            self._events[what] = self._word_events(what) if what in _SIDES else self._ngram_events(what)
        return self._events[what]

    def _word_events(self, what: str) -> Events:
        found = []
        for system in self.systems:
            side: Side = getattr(system, _SIDES[what])
            places = np.flatnonzero(side.state == UNMATCHED)
            words, where = side.tokens.words[places], side.tokens.segments[places]
            found.append(events.counted(words, where, len(self.vocabulary)))
        return events.events(found, len(self.vocabulary), better=-1)

    def _ngram_events(self, what: str) -> Events:
        references = {id(system.theirs.tokens): system.theirs.tokens for system in self.systems}
        texts = {**references, **{id(system.ours.tokens): system.ours.tokens for system in self.systems}}
        # Only n-grams that a reference has can be shared.
        known = len(references) if what == "ngrams" else None
        self._ngrams[what] = found = list(ngrams.all_ngrams(list(texts.values()), known))[1:]
        offsets = np.cumsum([0, *(len(each.items) for each in found)])
        size = int(offsets[-1])
        counted = {}
        for k, text in enumerate(texts):
            numbers = [each.texts[k][0] + offset for each, offset in zip(found, offsets, strict=False)]
            where = [each.texts[k][1] for each in found]
            counted[text] = events.counted(np.concatenate(numbers), np.concatenate(where), size)
        chosen, better = (events.shared, 1) if what == "ngrams" else (events.extra, -1)
        keys = [chosen(counted[id(s.ours.tokens)], counted[id(s.theirs.tokens)]) for s in self.systems]
        return events.events(keys, size, better)


def _differences(
    found: Contrast, limit: int | None, words: Callable[[int], tuple[str, ...]]
) -> list[WordDifference]:
    ahead = found.wins > found.losses
    rows = np.sort(np.concatenate([np.flatnonzero(ahead)[:limit], np.flatnonzero(~ahead)[:limit]]))
    return [
        WordDifference(
            words(int(found.things[k])),
            (int(found.counts[k, 0]), int(found.counts[k, 1])),
            int(found.wins[k]),
            int(found.losses[k]),
            float(found.p_values[k]),
            None if np.isnan(found.q_values[k]) else float(found.q_values[k]),
        )
        for k in rows.tolist()
    ]


_COLUMNS = ("reference", "hypothesis", "missed", "over", "moved")
_SIDES = {"missed": "theirs", "over": "ours"}


def partner_classes(ours: Side, own: Integers, theirs: Integers) -> Integers:
    """The class of each word of the hypotheses: that of its partner, or its own."""
    return np.where(ours.partner >= 0, theirs[ours.partner], own) if len(theirs) else own


def _counts(system: AlignedSystem, theirs: Integers, ours: Integers, size: int, modules: int) -> WordCounts:
    """Counts by the entries of the words of the references (`theirs`) and of the hypotheses (`ours`)."""

    def counted(entries: Integers) -> Integers:
        return np.bincount(entries, minlength=size)

    return WordCounts(
        reference=counted(theirs),
        hypothesis=counted(ours),
        missed=counted(theirs[system.theirs.state == UNMATCHED]),
        over=counted(ours[system.ours.state == UNMATCHED]),
        moved=counted(theirs[system.theirs.moved]),
        found=np.array([counted(theirs[system.theirs.state == m]) for m in range(modules)]),
    )


def _in_segments(side: Side, entries: Integers, size: int, *, all_words: bool = False) -> Integers:
    """The number of unmatched words, or of all words, of each class in each segment: segments × classes."""
    lost = np.flatnonzero((side.state == UNMATCHED) | all_words)
    keys = side.tokens.segments[lost] * size + entries[lost]
    return np.bincount(keys, minlength=side.tokens.size * size).reshape(side.tokens.size, size)
