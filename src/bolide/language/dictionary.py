"""Looks up words in Princeton's WordNet with parts of speech, as NLTK does.

`wordnet.py` is for the files of METEOR, which have no parts of speech. Here a form of a word has several base
forms for each part of speech: the form itself, and those in the list of exceptions. If there are none in the
list, all rules of detachment, which replace endings, are applied. Only base forms that have an entry count
(`_morphy` of NLTK 3.10).

    leaves   noun: leaf, by the list    verb: leave, by a rule
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bolide import _core
from bolide._support import toml as _toml
from bolide.language.wordnet import AnyIntegers, SynonymArrays, WordIndex

PARTS = ("noun", "verb", "adjective", "adverb")

KeyArrays = tuple[NDArray[np.int32], NDArray[np.int64]]


def _rules() -> list[tuple[str, str, int]]:
    """Endings with their replacements, and the parts of speech of each as bits."""
    table = _toml.package_data("language/wordnet.toml")
    parts: dict[tuple[str, str], int] = {}
    for row in table["rules"] + table["nltk_rules"]:
        rule = row["ending"], row["base"]
        parts[rule] = parts.get(rule, 0) | 1 << PARTS.index(row["part"])
    return [(ending, base, bits) for (ending, base), bits in parts.items()]


@dataclass(frozen=True)
class DictionaryArrays(SynonymArrays):
    """What Princeton's files have beyond `SynonymArrays`. Synsets are numbered by part of speech."""

    part_starts: AnyIntegers  # the first synset of each part of speech, and the end
    exception_parts: AnyIntegers  # the part of speech of each of `exception_bases`
    names: WordIndex  # the words of the synsets in their original case, only those without "_"
    member_offsets: AnyIntegers
    members: AnyIntegers  # the words of each synset, as numbers in `names`

    @cached_property
    def native(self) -> _core.Dictionary:
        """The lookup in the core (core/tables/dictionary.hpp)."""
        names = (
            "words", "offsets", "ids", "exceptions", "exception_offsets", "exception_bases",
            "exception_parts", "bases", "part_starts", "names", "member_offsets", "members",
        )  # fmt: skip
        arrays: Any = {name: getattr(self, name) for name in names}
        return _core.Dictionary(**arrays, rules=_rules())


@dataclass(frozen=True)
class Dictionary:
    """Looks up batches of lower-case words."""

    arrays: DictionaryArrays

    def synset_arrays(self, words: Sequence[str]) -> KeyArrays:
        """The synsets of word k are ids[offsets[k]:offsets[k + 1]]. An id may occur twice."""
        return self.arrays.native.synsets(list(words))[:2]

    def name_arrays(self, words: Sequence[str]) -> KeyArrays:
        """The numbers, in `arrays.names`, of all single words in the synsets of each word."""
        return self.arrays.native.names(list(words))

    def synonyms(self, word: str) -> set[str]:
        """All single words in the synsets of a word."""
        return {self.arrays.names.word(number) for number in self.name_arrays([word])[1].tolist()}

    def base_forms(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        """The base forms of each word that have an entry, and the word itself if it has one."""
        offsets, _, entries = (array.tolist() for array in self.arrays.native.synsets(list(words)))
        return [
            tuple(self.arrays.words.word(number) for number in dict.fromkeys(entries[start:end]))
            for start, end in pairwise(offsets)
        ]
