"""Matchers that use WordNet or a thesaurus, other than the one of METEOR 1.5 (`matchers.Synonym`).

    WordNetSynonym     words that share a synset, in any sense, base forms included (METEOR 2005)
    WordNetStem        words with a common base form in WordNet (the "WN-stem" of METEOR 2005)
    NltkSynonym        synonyms as NLTK's meteor_score defines them: a directed relation
    ThesaurusSynonym   words that share a meaning in a MyThes thesaurus

Each is made from a pack: the first two from the English language pack or `open_synonyms("wordnet", "en")`,
NltkSynonym from the latter, ThesaurusSynonym from `open_synonyms("mythes", "de")`. A pickled matcher holds
the path of its pack, not the data. The hash of the pack names the data.
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

# Added to the numbers of stems that are no names. Larger than any name's number minus any hash code, since
# hash codes may be negative.
_BEYOND_NAMES = 1 << 33


def _by_spelling() -> WordIdentity:
    return WordIdentity("spelling")


def _wordnet(pack: Pack) -> WordNet | Dictionary:
    if isinstance(pack.synonyms, DictionaryArrays):
        return Dictionary(pack.synonyms)
    if pack.synonyms is None:
        raise ConfigurationError(f"the {pack.language} pack has no WordNet; use the English pack")
    return WordNet(pack.synonyms)


class FromPack:
    """A matcher that looks words up in a part of its pack. A pack without that part is an error at once."""

    pack: Pack

    def __post_init__(self) -> None:
        _ = self._source

    @property
    def _source(self) -> Any:
        raise NotImplementedError


class FromWordNet(FromPack):
    @property
    def _source(self) -> WordNet | Dictionary:
        return _wordnet(self.pack)


@dataclass(frozen=True)
class WordNetSynonym(FromWordNet, BuiltIn):
    """Words that share a synset, in any sense."""

    pack: Pack
    name: str = "synonym"
    equal_words: bool = False

    def key_arrays(self, words: list[str]) -> KeyArrays:
        return self._source.synset_arrays(words)


@dataclass(frozen=True)
class WordNetStem(FromWordNet, BuiltIn):
    """Words with a common base form: "went" and "going". Words that are not in WordNet are their own."""

    pack: Pack
    identity: WordIdentity = field(default_factory=_by_spelling, repr=False, compare=False)
    name: str = "wn-stem"
    equal_words: bool = False

    def base_forms(self, words: list[str]) -> list[tuple[str, ...]]:
        """The base forms of each word, at least one."""
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
    """Synonyms as NLTK defines them. NLTK looks up stems, not words: a hypothesis word matches a reference
    word if their stems are equal, or if the reference word's stem is the name of a lemma in a synset of the
    hypothesis word's stem. If not `stemmed`, the words themselves are looked up, as NLTK did before 3.6.3.

    Words are lower-cased tokens. Words match if a key of the hypothesis word is a key of the reference word.
    """

    kind: ClassVar[str] = "directed"
    resource: ClassVar[Resource] = None
    pack: Pack
    identity: WordIdentity = field(default_factory=_by_spelling, repr=False, compare=False)
    name: str = "synonym"
    stemmed: bool = True

    @property
    def _source(self) -> Dictionary:
        found = _wordnet(self.pack)
        if not isinstance(found, Dictionary):
            install = "bolide resources install en --synonyms wordnet"
            raise ConfigurationError(f"NLTK's synonyms need WordNet's own files: run `{install}`")
        return found

    @property
    def native(self) -> Native | None:
        tables = {"stemmer": porter.NLTK, "dictionary": self._source.arrays.native}
        return Native("names", tables) if self.stemmed else None

    def columns(self, words: list[str]) -> list[KeyArrays]:
        stems, source = porter.nltk_stems(words) if self.stemmed else words, self._source
        # A stem that is a name has the number of the name. Other stems have numbers beyond all names.
        own = source.arrays.names.find(stems).astype(np.int64)
        unnamed = own < 0
        own[unnamed] = self.identity(stems)[unnamed] + _BEYOND_NAMES
        offsets, names = source.name_arrays(stems)
        with_own = np.arange(len(offsets), dtype=np.int32) + offsets, np.insert(names, offsets[:-1], own)
        return [with_own, one_each(own)]

    def hypothesis_keys(self, word: str) -> Iterable[str]:
        form = self._form(word)
        return {form} | self._source.synonyms(form)

    def reference_keys(self, word: str) -> Iterable[str]:
        return (self._form(word),)

    def _form(self, word: str) -> str:
        return porter.nltk_stem(word) if self.stemmed else word


@dataclass(frozen=True)
class ThesaurusSynonym(FromPack, BuiltIn):
    """Words that share a meaning in a thesaurus."""

    pack: Pack
    name: str = "synonym"

    @property
    def _source(self) -> SynsetArrays:
        if self.pack.thesaurus is None:
            raise ConfigurationError(f"the pack {self.pack.path or self.pack.language} has no thesaurus")
        return self.pack.thesaurus

    def key_arrays(self, words: list[str]) -> KeyArrays:
        arrays = self._source
        numbers = arrays.words.find([word.lower() for word in words])
        owners = np.nonzero(numbers >= 0)[0]
        ids, counts = gather(arrays.offsets, arrays.ids, numbers[owners])
        return key_offsets(owners, counts, len(words)), ids.astype(np.int64)
