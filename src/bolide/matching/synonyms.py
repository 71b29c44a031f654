"""Matchers over WordNet and thesauri, beside the one of METEOR 1.5 (`matchers.Synonym`).

    WordNetSynonym   words together in a synset, all senses, base forms included (2005)
    WordNetStem      words with a common base form in WordNet (2005's "WN-stem")
    NltkSynonym      what NLTK's meteor_score takes for a synonym: a directed relation
    Thesaurus        words together in a meaning of a MyThes thesaurus

Each is made from a pack: the first two from the English language pack or `open_synonyms("wordnet", "en")`,
NltkSynonym from the latter, Thesaurus from `open_synonyms("mythes", "de")`. They are pickled as the pack is,
by its path. The pack's hash names their data.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, ClassVar

import numpy as np

from bolide.errors import ConfigurationError
from bolide.language import porter
from bolide.language.dictionary import Dictionary, DictionaryArrays
from bolide.language.wordnet import SynsetArrays, WordNet, gather, key_offsets
from bolide.matching.matchers import BuiltIn, KeyArrays, Native, Resource, WordIdentity, one_each
from bolide.resources import Pack

_BEYOND_NAMES = 1 << 33  # hash codes may be negative


def _by_spelling() -> WordIdentity:
    return WordIdentity("spelling")


def _wordnet(pack: Pack) -> WordNet | Dictionary:
    if isinstance(pack.synonyms, DictionaryArrays):
        return Dictionary(pack.synonyms)
    if pack.synonyms is None:
        raise ConfigurationError(f"the {pack.language} pack has no WordNet: use the English one")
    return WordNet(pack.synonyms)


class FromPack:
    """A matcher that looks words up in a part of its pack, and refuses at once a pack without it."""

    pack: Pack

    def __post_init__(self) -> None:
        _ = self._source

    @property
    def _source(self) -> Any:
        raise NotImplementedError


class OverWordNet(FromPack):
    @property
    def _source(self) -> WordNet | Dictionary:
        return _wordnet(self.pack)


@dataclass(frozen=True)
class WordNetSynonym(OverWordNet, BuiltIn):
    """Words that are together in a synset, in any sense."""

    pack: Pack
    name: str = "synonym"

    def key_arrays(self, words: list[str]) -> KeyArrays:
        return self._source.synset_arrays(words)


@dataclass(frozen=True)
class WordNetStem(OverWordNet, BuiltIn):
    """Words with a common base form: "went" and "going". A word that WordNet does not have is its own."""

    pack: Pack
    identity: WordIdentity = field(default_factory=_by_spelling, repr=False, compare=False)
    name: str = "wn-stem"

    def base_forms(self, words: list[str]) -> list[tuple[str, ...]]:
        """At least one for each word."""
        found = self._source.base_forms(words)
        has_entry = self._source.arrays.words.find(words) >= 0
        own = ((word,) if here else () for word, here in zip(words, has_entry.tolist(), strict=True))
        forms = (tuple(dict.fromkeys(each + bases)) for each, bases in zip(own, found, strict=True))
        return [each or (word,) for word, each in zip(words, forms, strict=True)]

    def keys(self, word: str) -> Iterable[str]:
        return self.base_forms([word])[0]

    def key_arrays(self, words: list[str]) -> KeyArrays:
        forms = self.base_forms(words)
        offsets = np.cumsum([0, *map(len, forms)], dtype=np.int32)
        return offsets, self.identity(list(chain.from_iterable(forms)))


@dataclass(frozen=True)
class NltkSynonym(FromPack):
    """NLTK's synonyms. It stems the words first and looks the stems up: a hypothesis word matches a reference
    word whose stem is its own, or one of the lemma names, in their spelling, of all synsets of its stem.

    Words are lower-cased tokens. A match is a key of the hypothesis word that is a key of the reference word.
    """

    kind: ClassVar[str] = "directed"
    resource: ClassVar[Resource] = None
    pack: Pack
    identity: WordIdentity = field(default_factory=_by_spelling, repr=False, compare=False)
    name: str = "synonym"

    @property
    def _source(self) -> Dictionary:
        found = _wordnet(self.pack)
        if not isinstance(found, Dictionary):
            raise ConfigurationError(
                "NLTK's synonyms need WordNet itself: run `bolide resources install en --synonyms wordnet`"
            )
        return found

    @property
    def native(self) -> Native:
        return "names", porter.NLTK, self._source.arrays.native

    def columns(self, words: list[str]) -> list[KeyArrays]:
        stems, source = porter.nltk_stems(words), self._source
        # A stem that is a name has the name's number, others have numbers beyond all names.
        own = source.arrays.names.find(stems).astype(np.int64)
        unnamed = own < 0
        own[unnamed] = self.identity(stems)[unnamed] + _BEYOND_NAMES
        offsets, names = source.name_arrays(stems)
        with_own = np.arange(len(offsets), dtype=np.int32) + offsets, np.insert(names, offsets[:-1], own)
        return [with_own, one_each(own)]

    def hypothesis_keys(self, word: str) -> Iterable[str]:
        stem = porter.nltk_stem(word)
        return {stem} | self._source.synonyms(stem)

    def reference_keys(self, word: str) -> Iterable[str]:
        return (porter.nltk_stem(word),)


@dataclass(frozen=True)
class Thesaurus(FromPack, BuiltIn):
    """Words that are together in a meaning of a thesaurus."""

    pack: Pack
    name: str = "synonym"

    @property
    def _source(self) -> SynsetArrays:
        if self.pack.thesaurus is None:
            raise ConfigurationError(f"the pack {self.pack.path or self.pack.language} is no thesaurus")
        return self.pack.thesaurus

    def key_arrays(self, words: list[str]) -> KeyArrays:
        arrays = self._source
        numbers = arrays.words.find([word.lower() for word in words])
        owners = np.nonzero(numbers >= 0)[0]
        ids, counts = gather(arrays.offsets, arrays.ids, numbers[owners])
        return key_offsets(owners, counts, len(words)), ids.astype(np.int64)
