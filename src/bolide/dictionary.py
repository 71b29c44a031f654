"""WordNet with its parts of speech, as in Princeton's files, looked up as NLTK does.

`wordnet.py` serves the official METEOR files, which do not know parts of speech. Here a form has, for each
part of speech, these base forms, as far as they have an entry there: itself; and those in the list of
exceptions or, if it is not listed, those that any rule of detachment leads to (`_morphy` of NLTK 3.10).

    leaves   noun: leaf, by the list    verb: leave, by a rule
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bolide import _toml
from bolide.wordnet import Integers, SynonymArrays, WordIndex, gather, key_offsets

PARTS = ("noun", "verb", "adjective", "adverb")
_ANY = -1  # part of speech of a form as it stands

KeyArrays = tuple[NDArray[np.int32], NDArray[np.int64]]


@dataclass(frozen=True)
class DictionaryArrays(SynonymArrays):
    """What Princeton's files say beyond `SynonymArrays`. Synsets are numbered by part of speech."""

    part_starts: Integers  # the first synset of each part of speech, and the end
    exception_parts: Integers  # the part of speech that each of `exception_bases` is for
    names: WordIndex  # the words of the synsets in their spelling, only those without "_"
    member_offsets: Integers
    members: Integers  # of each synset, as numbers in `names`


@lru_cache(maxsize=1)
def _rules() -> tuple[list[tuple[str, str]], Integers]:
    """Endings with what to put in their place, and the part of speech of each."""
    table = _toml.package_data("wordnet.toml")
    rows = table["rules"] + table["nltk_rules"]
    rules = [(row["ending"], row["base"]) for row in rows]
    return rules, np.array([PARTS.index(row["part"]) for row in rows])


@dataclass(frozen=True)
class Dictionary:
    """The look-up. Words come in batches, in lower case."""

    arrays: DictionaryArrays

    def synset_arrays(self, words: Sequence[str]) -> KeyArrays:
        """The synsets of each word: those of word k are ids[offsets[k]:offsets[k + 1]]; an id may stand
        twice."""
        owners, ids, _ = self._synsets(list(words))
        return key_offsets(owners, None, len(words)), ids.astype(np.int64)

    def name_arrays(self, words: Sequence[str]) -> KeyArrays:
        """The numbers, in `arrays.names`, of all single words in the synsets of each word."""
        owners, ids, _ = self._synsets(list(words))
        names, counts = gather(self.arrays.member_offsets, self.arrays.members, ids)
        return key_offsets(owners, counts, len(words)), names.astype(np.int64)

    def synonyms(self, word: str) -> set[str]:
        """All single words in the synsets of a word."""
        return {self.arrays.names.word(number) for number in self.name_arrays([word])[1].tolist()}

    def base_forms(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        """The base forms of each word that have an entry, with the word itself if it has one."""
        owners, _, numbers = self._synsets(list(words))
        offsets = key_offsets(owners, None, len(words)).tolist()
        found = numbers.tolist()
        return [
            tuple(self.arrays.words.word(number) for number in dict.fromkeys(found[start:end]))
            for start, end in pairwise(offsets)
        ]

    def _synsets(self, words: list[str]) -> tuple[Integers, Integers, Integers]:
        """In the order of the words: whose synset, which, and by which entry of `arrays.words`."""
        own = np.arange(len(words)), np.full(len(words), _ANY), self.arrays.words.find(words)
        rows = [own, *self._inflected(words)]
        owners, parts, numbers = (np.concatenate(column) for column in zip(*rows, strict=True))
        there = np.nonzero(numbers >= 0)[0]
        order = there[np.lexsort((numbers[there], parts[there], owners[there]))]
        ids, counts = gather(self.arrays.offsets, self.arrays.ids, numbers[order])
        rows_of_ids = np.repeat(order, counts)
        part_of_ids = np.searchsorted(self.arrays.part_starts[1:], ids, side="right")
        fits = (parts[rows_of_ids] == _ANY) | (parts[rows_of_ids] == part_of_ids)
        fitting = rows_of_ids[fits]
        return owners[fitting], ids[fits], numbers[fitting]

    def _inflected(self, words: list[str]) -> Iterator[tuple[Integers, Integers, Integers]]:
        """Whose, for which part of speech, what: the base forms that there may be, as numbers in
        `arrays.words`, -1 for one without an entry."""
        listed = self.arrays.exceptions.find(words)
        owners = np.nonzero(listed >= 0)[0]
        places, counts = gather(
            self.arrays.exception_offsets, np.arange(len(self.arrays.exception_bases)), listed[owners]
        )
        owners, parts = np.repeat(owners, counts), self.arrays.exception_parts[places]
        bases = map(self.arrays.bases.word, self.arrays.exception_bases[places].tolist())
        yield owners, parts, self.arrays.words.find(list(bases))
        irregular = np.zeros((len(PARTS), len(words)), dtype=bool)
        irregular[parts, owners] = True
        rules, part_of_rule = _rules()
        whose, applied, numbers = self.arrays.words.find_all_rewritten(words, rules)
        regular = ~irregular[part_of_rule[applied], whose]
        yield whose[regular], part_of_rule[applied[regular]], numbers[regular]
