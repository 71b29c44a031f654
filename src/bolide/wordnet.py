"""WordNet: which words may stand for one another.

A synset is a set of words with one meaning, and has a number. Two words are synonyms if they share a number.
The numbers of a word are its own and those of its base forms:

    feet     irregular, in the list of exceptions: foot
    dresses  regular: dress, by the first rule of detachment (wordnet.toml) that leads to a word with synsets
    glass    has no other base form

Words come in batches: all look-ups of a batch are one call to each index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bolide import _toml

Integers = NDArray[np.integer[Any]]


class WordIndex(Protocol):
    """Words and their numbers. The packs' own, `_core.WordIndex`, is memory-mapped."""

    def find(self, words: list[str], /) -> Integers:
        """The number of each word, -1 where it is unknown."""

    def find_rewritten(self, words: list[str], rules: list[tuple[str, str]], /) -> Integers:
        """The number of the first word that a rule (ending, new ending) makes of each, -1 where none does."""

    def word(self, number: int, /) -> str:
        """The word with this number."""

    def __len__(self) -> int: ...


@dataclass(frozen=True)
class SynsetArrays:
    """Words and their synsets, as they lie in a pack.

    Lists of varying length lie one after the other: those of item k are `values[offsets[k]:offsets[k + 1]]`.
    """

    words: WordIndex  # words that have synsets
    offsets: Integers
    ids: Integers  # their synsets


@dataclass(frozen=True)
class SynonymArrays(SynsetArrays):
    """A WordNet: besides the synsets, the irregular forms."""

    exceptions: WordIndex  # irregular forms
    exception_offsets: Integers
    exception_bases: Integers  # their base forms, as numbers in `bases`
    bases: WordIndex  # base forms of irregular forms; not all of them have synsets


def gather(offsets: Integers, values: Integers, items: Integers) -> tuple[Integers, Integers]:
    """The values of some items, one list after the other, and how many each has."""
    starts = offsets[items].astype(np.int64)
    counts = offsets[items.astype(np.int64) + 1] - starts
    places = np.arange(counts.sum()) + np.repeat(starts - np.cumsum(counts) + counts, counts)
    return values[places], counts


def key_offsets(owners: Integers, counts: Integers | None, words: int) -> NDArray[np.int32]:
    """Where the keys of each of so many words begin and end, if its `owners`, in order, have so many each."""
    ends = np.cumsum(np.bincount(owners, weights=counts, minlength=words))
    return np.concatenate(([0], ends)).astype(np.int32)


@dataclass(frozen=True)
class Detachment:
    """The rules of detachment: endings and what to put in their place, the most preferred first."""

    shortest: int
    without: tuple[str, ...]
    rules: list[tuple[str, str]]
    endings: tuple[str, ...]

    def may_apply(self, form: str) -> bool:
        return form.endswith(self.endings) and len(form) >= self.shortest and not form.endswith(self.without)


@lru_cache(maxsize=1)
def detachment() -> Detachment:
    """The rules in wordnet.toml."""
    table = _toml.package_data("wordnet.toml")
    # A rule that nouns and verbs share counts once, at its first place.
    rules = list(dict.fromkeys((rule["ending"], rule["base"]) for rule in table["rules"]))
    endings = tuple(dict.fromkeys(ending for ending, _ in rules))
    return Detachment(table["shortest"], tuple(table["without"]), rules, endings)


@dataclass(frozen=True)
class WordNet:
    """The synsets of words."""

    arrays: SynonymArrays

    def synset_ids(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The synsets of each word: its own, then those of its base forms; none twice."""
        offsets, ids = (array.tolist() for array in self.synset_arrays(words))
        return [tuple(dict.fromkeys(ids[start:end])) for start, end in pairwise(offsets)]

    def synset_arrays(self, words: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The same as arrays, for speed: those of word k are ids[offsets[k]:offsets[k + 1]]; an id may stand
        twice."""
        words = list(words)
        own = self.arrays.words.find(words)
        listed = self.arrays.exceptions.find(words)
        irregular, base_entries = self._irregular_entries(listed)
        regular, entries = self._regular_entries(words, listed)
        owners = np.concatenate((np.arange(len(words)), irregular, regular))
        numbers = np.concatenate((own, base_entries, entries))
        order = np.argsort(owners, kind="stable")
        order = order[numbers[order] >= 0]
        ids, counts = gather(self.arrays.offsets, self.arrays.ids, numbers[order])
        return key_offsets(owners[order], counts, len(words)), ids.astype(np.int64)

    def _irregular_entries(self, listed: Integers) -> tuple[Integers, Integers]:
        """Whose base form, and which entry of `arrays.words` that is, or -1."""
        owners = np.flatnonzero(listed >= 0)
        bases, counts = gather(self.arrays.exception_offsets, self.arrays.exception_bases, listed[owners])
        different, places = np.unique(bases, return_inverse=True)
        entries = self.arrays.words.find([self.arrays.bases.word(base) for base in different.tolist()])
        return np.repeat(owners, counts), entries[places]

    def _regular_entries(self, words: list[str], listed: Integers) -> tuple[Integers, Integers]:
        """The same of words that are not listed."""
        rules, is_listed = detachment(), (listed >= 0).tolist()
        owners = [k for k, word in enumerate(words) if not is_listed[k] and rules.may_apply(word)]
        entries = self.arrays.words.find_rewritten([words[k] for k in owners], rules.rules)
        return np.array(owners, dtype=np.int64), entries

    def base_forms(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        """The base forms of each word, without the word itself unless it is listed as its own: often none."""
        words = list(words)
        listed = self.arrays.exceptions.find(words)
        found: list[tuple[str, ...]] = [
            () if number < 0 else self._irregular_bases(number) for number in listed.tolist()
        ]
        for k, number in zip(
            *(array.tolist() for array in self._regular_entries(words, listed)), strict=True
        ):
            if number >= 0:
                found[k] = (self.arrays.words.word(number),)
        return found

    def _irregular_bases(self, number: int) -> tuple[str, ...]:
        start, end = self.arrays.exception_offsets[number : number + 2].tolist()
        return tuple(map(self.arrays.bases.word, self.arrays.exception_bases[start:end].tolist()))
