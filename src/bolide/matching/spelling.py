"""Words that are spelled alike: matchers that need no resource of any language.

    Case        equal but for upper and lower case
    Substring   a run of letters in common that is at least a given share of the longer word

A share of 1/2 ties "Arbeiten" and "erarbeitet", by "arbeite": inflected, derived and compound forms, where a
language has no stemmer, or its stemmer cuts endings only. Both work by keys: those of a word for `Substring`
are its own runs that are long enough, so that two words share one exactly if the run is long enough for both.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np

from bolide.matching.matchers import BuiltIn, KeyArrays, Numbering, WordIdentity, one_each

# A run shorter than this says nothing.
SHORTEST = 3
# Longer words are addresses and the like: of those only so many letters are looked at.
LONGEST = 32


@dataclass(frozen=True)
class Case(BuiltIn):
    """Words that differ in case only. It finds something where words are not lower-cased before."""

    identity: WordIdentity
    name: str = "case"

    def key_arrays(self, words: list[str]) -> KeyArrays:
        return one_each(self.identity([word.lower() for word in words]))


class Substring(BuiltIn):
    """Words with a common run of at least `SHORTEST` letters that is a `share` of the longer one."""

    def __init__(self, share: Fraction, name: str) -> None:
        self.share = share
        self.name = name
        self._numbering = Numbering()

    def __reduce__(self) -> tuple[Any, ...]:
        return Substring, (self.share, self.name)

    def runs(self, word: str) -> list[str]:
        """The runs of letters of which another word must have one, to be like this one.

        >>> sorted(Substring(Fraction(3, 4), "substring").runs("works"))
        ['orks', 'work', 'works']
        """
        return list(dict.fromkeys(_runs(word[:LONGEST], self.share)))

    def key_arrays(self, words: list[str]) -> KeyArrays:
        runs = [self.runs(word) for word in words]
        offsets = np.concatenate(([0], np.cumsum([len(each) for each in runs], dtype=np.int64)))
        return offsets.astype(np.int32), self._numbering.of(chain.from_iterable(runs))


def _runs(word: str, share: Fraction) -> Iterator[str]:
    """A run must be long enough for both words. Where one is, so is its beginning of just the length that the
    longer word asks for, and no word asks for more than the longest: longer runs need not be keys."""
    least, most = (max(SHORTEST, math.ceil(share * length)) for length in (len(word), LONGEST))
    for length in range(least, min(most, len(word)) + 1):
        for start in range(len(word) - length + 1):
            yield word[start : start + length]


def common_run(one: str, two: str) -> str:
    """The first of the longest runs that both words have.

    >>> common_run("neighbourly", "neighbourhood")
    'neighbour'
    """
    found = SequenceMatcher(None, one, two, autojunk=False).find_longest_match()
    return one[found.a : found.a + found.size]
