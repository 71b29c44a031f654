"""Matchers of words with similar spelling. They need no language resources.

    Case        words that differ only in upper and lower case
    Substring   words with a common run of letters that is at least a given part of the longer word
    LetterRuns  words that no other module matches, with any common runs of letters; only these letters count

With 50% it matches "Arbeiten" and "erarbeitet" by "arbeite": inflected, derived and compound forms. This
helps if a language has no stemmer, or if its stemmer removes endings only. The keys of a word for `Substring`
are all its runs that are long enough, so two words share a key exactly if a run is long enough for both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar

import numpy as np

from bolide import _core
from bolide.matching.matchers import BuiltIn, KeyArrays, Numbering, WordIdentity, one_each

# Shorter runs of letters are too common to mean anything.
SHORTEST = 3
# Only so many letters of a word are used. Longer words are mostly web addresses.
LONGEST = 32


@dataclass(frozen=True)
class Case(BuiltIn):
    """Words that differ only in case. It has an effect only if words are not lower-cased before."""

    identity: WordIdentity
    name: str = "case"

    def key_arrays(self, words: list[str]) -> KeyArrays:
        return one_each(self.identity([word.lower() for word in words]))


class Substring(BuiltIn):
    """Words with a common run of letters: at least `SHORTEST`, and this part of the longer word."""

    def __init__(self, percent: int, name: str) -> None:
        self.percent = percent
        self.name = name
        self._numbering = Numbering()

    def __reduce__(self) -> tuple[Any, ...]:
        return Substring, (self.percent, self.name)

    def runs(self, word: str) -> list[str]:
        """The runs of letters that are keys of the word. Another word matches if it has one of them as a key.

        >>> sorted(Substring(75, "substring").runs("works"))
        ['orks', 'work', 'works']
        """
        return list(dict.fromkeys(_runs(word[:LONGEST], self.percent)))

    def key_arrays(self, words: list[str]) -> KeyArrays:
        runs = [self.runs(word) for word in words]
        offsets = np.concatenate(([0], np.cumsum([len(each) for each in runs], dtype=np.int64)))
        return offsets.astype(np.int32), self._numbering.of(chain.from_iterable(runs))


def _runs(word: str, percent: int) -> Iterator[str]:
    """The runs that can be keys. A common run must be long enough for both words. If it is, its beginning
    with just the length that the longer word needs is long enough too. No word needs a longer run than a word
    of `LONGEST` letters, so longer runs need not be keys."""
    least, most = (max(SHORTEST, -(-percent * length // 100)) for length in (len(word), LONGEST))
    for length in range(least, min(most, len(word)) + 1):
        for start in range(len(word) - length + 1):
            yield word[start : start + length]


@dataclass(frozen=True)
class LetterRuns:
    """Words that are left over when all other modules are aligned, and share runs of letters
    (core/match/letter_runs.hpp). Words without letters, such as numbers, take no part."""

    kind: ClassVar[str] = "letters"
    resource: ClassVar[None] = None
    name: str = "letter-runs"

    def columns(self, words: list[str]) -> list[KeyArrays]:
        letters = [_letters(word) for word in words]
        offsets = np.concatenate(([0], np.cumsum([len(each) for each in letters], dtype=np.int64)))
        return [(offsets.astype(np.int32), np.fromiter(chain.from_iterable(letters), dtype=np.int64))]

    def runs(self, one: str, two: str) -> list[str]:
        """The runs that two words share.

        >>> LetterRuns().runs("bootshaus", "hausboote")
        ['boot']
        """
        return [
            one[start : start + length] for start, _, length in _core.common_runs(*map(_letters, (one, two)))
        ]


def _letters(word: str) -> list[int]:
    return list(map(ord, word)) if any(map(str.isalpha, word)) else []


def common_run(one: str, two: str) -> str:
    """The longest run of letters that both words have; the first one if there are several.

    >>> common_run("neighbourly", "neighbourhood")
    'neighbour'
    """
    from difflib import SequenceMatcher  # slow to import, and only needed for explanations

    found = SequenceMatcher(None, one, two, autojunk=False).find_longest_match()
    return one[found.a : found.a + found.size]
