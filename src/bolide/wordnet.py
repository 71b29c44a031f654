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

    def word(self, number: int, /) -> str:
        """The word with this number."""


@dataclass(frozen=True)
class SynonymArrays:
    """A WordNet as it lies in a language pack.

    Lists of varying length lie one after the other: those of item k are `values[offsets[k]:offsets[k + 1]]`.
    """

    words: WordIndex  # words that have synsets
    offsets: Integers
    ids: Integers  # their synsets
    exceptions: WordIndex  # irregular forms
    exception_offsets: Integers
    exception_bases: Integers  # their base forms, as numbers in `bases`
    bases: WordIndex  # base forms of irregular forms; not all of them have synsets


@dataclass(frozen=True)
class Detachment:
    """The rules of detachment, by the last letter of the form."""

    shortest: int
    without: tuple[str, ...]
    by_last_letter: dict[str, tuple[tuple[str, str], ...]]

    def candidates(self, form: str) -> list[str]:
        """Possible base forms of a regular form, the most preferred first."""
        rules = self.by_last_letter.get(form[-1:])
        if rules is None or len(form) < self.shortest or form.endswith(self.without):
            return []
        return [form[: -len(ending)] + base for ending, base in rules if form.endswith(ending)]


@lru_cache(maxsize=1)
def detachment() -> Detachment:
    """The rules in wordnet.toml."""
    table = _toml.package_data("wordnet.toml")
    by_last_letter: dict[str, dict[tuple[str, str], None]] = {}
    for rule in table["rules"]:
        # A rule that nouns and verbs share counts once, at its first place.
        by_last_letter.setdefault(rule["ending"][-1], {})[rule["ending"], rule["base"]] = None
    return Detachment(
        table["shortest"],
        tuple(table["without"]),
        {letter: tuple(rules) for letter, rules in by_last_letter.items()},
    )


@dataclass(frozen=True)
class WordNet:
    """The synsets of words."""

    arrays: SynonymArrays

    def synset_ids(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The synsets of each word: its own, then those of its base forms; none twice."""
        offsets, ids = (array.tolist() for array in self.synset_arrays(words))
        return [tuple(dict.fromkeys(ids[start:end])) for start, end in pairwise(offsets)]

    def synset_arrays(self, words: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The same as arrays, for speed; an id may stand twice. Those of word k are ids[offsets[k]:offsets[k + 1]]."""
        words = list(words)
        bases = self.base_forms(words)
        inflected = [index for index, forms in enumerate(bases) for _ in forms]
        forms = words + [form for index in dict.fromkeys(inflected) for form in bases[index]]
        numbers = self.arrays.words.find(forms)
        owners = np.array([*range(len(words)), *inflected], dtype=np.int64)
        order = np.argsort(owners, kind="stable")
        order = order[numbers[order] >= 0]
        numbers, owners = numbers[order], owners[order]
        starts = self.arrays.offsets[numbers].astype(np.int64)
        counts = self.arrays.offsets[numbers + 1] - starts
        ids = self.arrays.ids[np.arange(counts.sum()) + np.repeat(starts - np.cumsum(counts) + counts, counts)]
        ends = np.cumsum(np.bincount(owners, weights=counts, minlength=len(words)))
        return np.concatenate(([0], ends)).astype(np.int32), ids.astype(np.int64)

    def base_forms(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        """The base forms of each word, without the word itself unless it is listed as its own: often none."""
        words = list(words)
        irregular = self.arrays.exceptions.find(words).tolist()
        found: list[tuple[str, ...]] = [
            () if number < 0 else self._irregular_bases(number) for number in irregular
        ]
        candidates: list[str] = []
        owners: list[int] = []
        rules = detachment()
        inflected = rules.by_last_letter.keys()
        for index, word in enumerate(words):
            if word[-1:] in inflected and irregular[index] < 0:
                possible = rules.candidates(word)
                candidates += possible
                owners += [index] * len(possible)
        hits = np.flatnonzero(self.arrays.words.find(candidates) >= 0).tolist()
        # Backwards, so that a word's first candidate with synsets is the one that stays.
        for hit in reversed(hits):
            found[owners[hit]] = (candidates[hit],)
        return found

    def _irregular_bases(self, number: int) -> tuple[str, ...]:
        start, end = self.arrays.exception_offsets[number : number + 2].tolist()
        return tuple(map(self.arrays.bases.word, self.arrays.exception_bases[start:end].tolist()))
