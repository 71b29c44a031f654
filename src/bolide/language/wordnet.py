"""Looks up synonyms in METEOR's WordNet files.

A synset is a set of words with one meaning, and has a number. Two words are synonyms if they share a number.
The numbers of a word are its own and those of its base forms:

    feet     irregular, in the list of exceptions: foot
    dresses  regular: dress, by the first rule of detachment (wordnet.toml) that gives a word with synsets
    glass    has no other base form

Words are looked up in batches, one native call each. Sorted words are fastest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bolide import _core
from bolide._support import toml as _toml

AnyIntegers = NDArray[np.integer[Any]]


class WordIndex(Protocol):
    """Words and their numbers. In packs, this is the memory-mapped `_core.WordIndex`."""

    def find(self, words: list[str], /) -> AnyIntegers:
        """The number of each word; -1 if it is unknown."""

    def word(self, number: int, /) -> str:
        """The word with this number."""

    def __len__(self) -> int: ...


@dataclass(frozen=True)
class SynsetArrays:
    """Words and their synsets, as stored in a pack.

    Lists of different lengths are concatenated: the list of item k is `values[offsets[k]:offsets[k + 1]]`.
    """

    words: WordIndex  # words that have synsets
    offsets: AnyIntegers
    ids: AnyIntegers  # their synsets


@dataclass(frozen=True)
class SynonymArrays(SynsetArrays):
    """A WordNet: synsets and irregular forms."""

    exceptions: WordIndex  # irregular forms
    exception_offsets: AnyIntegers
    exception_bases: AnyIntegers  # their base forms, as numbers in `bases`
    bases: WordIndex  # base forms of irregular forms; not all of them have synsets

    @cached_property
    def look_up(self) -> _core.Synonyms:
        """The lookup in the core (core/tables/synonyms.hpp)."""
        names = (
            "words", "offsets", "ids", "exceptions", "exception_offsets", "exception_bases", "bases",
        )  # fmt: skip
        arrays: Any = {name: getattr(self, name) for name in names}
        rules = detachment()
        return _core.Synonyms(**arrays, shortest=rules.shortest, without=rules.without, rules=rules.rules)


def gather(offsets: AnyIntegers, values: AnyIntegers, items: AnyIntegers) -> tuple[AnyIntegers, AnyIntegers]:
    """The concatenated values of some items, and the number of values of each."""
    starts = offsets[items].astype(np.int64)
    counts = offsets[items.astype(np.int64) + 1] - starts
    places = np.arange(counts.sum()) + np.repeat(starts - np.cumsum(counts) + counts, counts)
    return values[places], counts


def key_offsets(owners: AnyIntegers, counts: AnyIntegers | None, words: int) -> NDArray[np.int32]:
    """The offsets of the keys of `words` words. `owners` are sorted words, with `counts` keys each."""
    ends = np.cumsum(np.bincount(owners, weights=counts, minlength=words))
    return np.concatenate(([0], ends)).astype(np.int32)


@dataclass(frozen=True)
class Detachment:
    """The rules of detachment: endings and their replacements, by preference."""

    shortest: int  # forms with fewer letters have no base form
    without: list[str]  # forms with these endings have no base form
    rules: list[tuple[str, str]]


@lru_cache(maxsize=1)
def detachment() -> Detachment:
    """The rules in wordnet.toml."""
    table = _toml.package_data("language/wordnet.toml")
    # A rule for both nouns and verbs is used once, at its first place.
    rules = list(dict.fromkeys((rule["ending"], rule["base"]) for rule in table["rules"]))
    return Detachment(table["shortest"], table["without"], rules)


@dataclass(frozen=True)
class WordNet:
    """The synsets of words."""

    arrays: SynonymArrays

    def synset_ids(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The synsets of each word: its own, then those of its base forms, without repetition."""
        offsets, ids = (array.tolist() for array in self.synset_arrays(words))
        return [tuple(dict.fromkeys(ids[start:end])) for start, end in pairwise(offsets)]

    def synset_arrays(self, words: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The synsets as arrays, which is faster: those of word k are ids[offsets[k]:offsets[k + 1]]. An id
        may occur twice."""
        return self.arrays.look_up.synsets(list(words))

    def base_forms(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        """The base forms of each word. The word itself is included only if it is listed. Often there are
        none."""
        return self.arrays.look_up.base_forms(list(words))
