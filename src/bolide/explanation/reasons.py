"""Why words match: what two phrases have in common for a matcher.

>>> from bolide.matching.matchers import Stem, WordIdentity
>>> print(reason(Stem("en", WordIdentity("spelling")), ("running",), ("runs",)))
stem run
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np

from bolide.language import stemmers
from bolide.language.dictionary import Dictionary, DictionaryArrays
from bolide.language.wordnet import SynsetArrays, WordNet
from bolide.matching.matchers import (
    AnyMatcher,
    DirectedMatcher,
    Exact,
    Matcher,
    Paraphrase,
    PorterStem,
    Stem,
    Synonym,
)
from bolide.matching.phrases import Phrases
from bolide.matching.spelling import LONGEST, Case, LetterRuns, Substring, common_run
from bolide.matching.synonyms import NltkSynonym, ThesaurusSynonym, WordNetStem, WordNetSynonym
from bolide.matching.vectors import Related

Phrase = tuple[str, ...]
# A synset may have dozens of words. This many are shown.
MOST_MEMBERS = 6


@dataclass(frozen=True)
class Reason:
    """What two phrases share: the kind of thing, and the things."""

    kind: str
    shared: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind} {', '.join(self.shared)}" if self.shared else self.kind


@singledispatch
def reason(matcher: AnyMatcher, ours: Phrase, theirs: Phrase) -> Reason:
    """Why the matcher matches a phrase of the hypothesis with one of the reference. For a custom matcher, the
    reason is the keys that the two words share."""
    if isinstance(matcher, DirectedMatcher):
        sides: tuple[Iterable[Any], Iterable[Any]] = (
            matcher.hypothesis_keys(ours[0]),
            matcher.reference_keys(theirs[0]),
        )
    elif isinstance(matcher, Matcher):
        sides = matcher.keys(ours[0]), matcher.keys(theirs[0])
    else:
        return Reason(matcher.name)
    other = list(sides[1])
    shared = [key for key in dict.fromkeys(sides[0]) if key in other]
    return Reason("key", tuple(key if isinstance(key, str) else repr(key) for key in shared))


@reason.register
def _(matcher: Exact, ours: Phrase, theirs: Phrase) -> Reason:
    # Java compares words by a hash code, which is equal for a few different words.
    return Reason("equal words") if ours == theirs else Reason("words with equal hash codes in Java")


@reason.register
def _(matcher: Case, ours: Phrase, theirs: Phrase) -> Reason:
    return Reason("equal except for case")


@reason.register
def _(matcher: Substring, ours: Phrase, theirs: Phrase) -> Reason:
    return Reason("letters", (common_run(ours[0], theirs[0]),))


@reason.register
def _(matcher: LetterRuns, ours: Phrase, theirs: Phrase) -> Reason:
    runs = matcher.runs(ours[0], theirs[0])
    letters, *of = (sum(map(len, runs)), *(min(len(each[0]), LONGEST) for each in (ours, theirs)))
    return Reason(f"{letters} letters of {of[0]} and {of[1]}:", tuple(runs))


@reason.register
def _(matcher: Stem, ours: Phrase, theirs: Phrase) -> Reason:
    return _stems("stem", stemmers.get(matcher.language)([*ours, *theirs]))


@reason.register
def _(matcher: PorterStem, ours: Phrase, theirs: Phrase) -> Reason:
    return _stems("stem", matcher.stems([*ours, *theirs]))


def _stems(kind: str, stems: list[str]) -> Reason:
    return Reason(kind, tuple(dict.fromkeys(stems)))


@reason.register
def _(matcher: Synonym, ours: Phrase, theirs: Phrase) -> Reason:
    return _synsets(matcher.wordnet, ours, theirs)


@reason.register
def _(matcher: WordNetSynonym, ours: Phrase, theirs: Phrase) -> Reason:
    return _synsets(matcher._source, ours, theirs)


def _synsets(wordnet: WordNet | Dictionary, ours: Phrase, theirs: Phrase) -> Reason:
    _, one = wordnet.synset_arrays(ours)
    _, two = wordnet.synset_arrays(theirs)
    return _described("synset", wordnet.arrays, one.tolist(), two.tolist())


@reason.register
def _(matcher: ThesaurusSynonym, ours: Phrase, theirs: Phrase) -> Reason:
    one, two = (matcher.key_arrays(list(phrase))[1].tolist() for phrase in (ours, theirs))
    return _described("meaning", matcher._source, one, two)


def _described(kind: str, arrays: SynsetArrays, one: list[int], two: list[int]) -> Reason:
    shared = [number for number in dict.fromkeys(one) if number in two]
    return Reason(kind, tuple(f"{number} ({_members(arrays, number)})" for number in shared[:1]))


def _members(arrays: SynsetArrays, synset: int) -> str:
    """Some words of a synset."""
    if isinstance(arrays, DictionaryArrays):
        start, end = arrays.member_offsets[synset : synset + 2].tolist()
        words = list(map(arrays.names.word, arrays.members[start:end].tolist()))
    else:
        places = np.flatnonzero(np.asarray(arrays.ids) == synset)
        owners = np.searchsorted(arrays.offsets, places, side="right") - 1
        words = list(map(arrays.words.word, dict.fromkeys(owners.tolist())))
    return ", ".join([*words[:MOST_MEMBERS], *(["…"] if len(words) > MOST_MEMBERS else [])])


@reason.register
def _(matcher: WordNetStem, ours: Phrase, theirs: Phrase) -> Reason:
    one, two = matcher.base_forms([ours[0], theirs[0]])
    return Reason("base form", tuple(form for form in one if form in two))


@reason.register
def _(matcher: NltkSynonym, ours: Phrase, theirs: Phrase) -> Reason:
    one, two = (next(iter(matcher.reference_keys(phrase[0]))) for phrase in (ours, theirs))
    return Reason("stem", (one,)) if one == two else Reason(f"in a synset with {one}:", (two,))


@reason.register(Paraphrase)
@reason.register(Phrases)
def _(matcher: Paraphrase | Phrases, ours: Phrase, theirs: Phrase) -> Reason:
    return Reason("in the table of phrases")


@reason.register
def _(matcher: Related, ours: Phrase, theirs: Phrase) -> Reason:
    rows = [int(keys[0]) for phrase in (ours, theirs) for _, keys in matcher.columns(list(phrase))]
    return Reason(f"cosine {matcher.resource.cosine(*rows):.3f}")
