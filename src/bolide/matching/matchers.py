"""Matchers: which words and phrases may be matched. This file has the protocols and the built-in matchers.

A word matcher is a function from a word to a set of keys: two words match if they share a key. It is called
once for each word *type*; the matching itself runs in the core. The matchers of METEOR 1.5:

    exact        the key is the word itself
    stem         the key is the stem
    synonym      the keys are the WordNet synsets of the word and of its base forms
    paraphrase   no keys, but pairs of phrases from a table

`bolide.matching.custom` describes custom matchers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bolide import _core
from bolide.language import stemmers
from bolide.language.wordnet import WordNet


@runtime_checkable
class Matcher(Protocol):
    """A word matcher, as users write it."""

    @property
    def name(self) -> str: ...

    def keys(self, word: str) -> Iterable[Hashable]: ...


@runtime_checkable
class DirectedMatcher(Protocol):
    """A word matcher with different keys for each side."""

    @property
    def name(self) -> str: ...

    def hypothesis_keys(self, word: str) -> Iterable[Hashable]: ...

    def reference_keys(self, word: str) -> Iterable[Hashable]: ...


# Offsets and keys of many words: the keys of word k are keys[offsets[k]:offsets[k + 1]], any integers.
KeyArrays: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int64]]
Answer = TypeVar("Answer")
Resource: TypeAlias = "_core.PhraseTable | _core.Vectors | None"


class Native(NamedTuple):
    """How the core finds the keys of words without Python. The class of a stage may define it as `native`. It
    is not inherited."""

    source: str  # see _core.Analyst
    tables: Mapping[str, Any] = {}  # what the source looks words up in: arguments of _core.Analyst


@runtime_checkable
class Stage(Protocol):
    """A matcher as the lexicon and the core need it: the kind of stage (see _core.Engine), the resource that
    the core looks things up in, and columns of keys for words: two columns if it is directed, else one."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def resource(self) -> Resource: ...

    def columns(self, words: list[str]) -> list[KeyArrays]: ...


AnyMatcher: TypeAlias = Matcher | DirectedMatcher | Stage
# A module as callers give it: the name of a built-in module, or a matcher.
Module: TypeAlias = str | AnyMatcher


def one_each(keys: NDArray[np.int64]) -> KeyArrays:
    """One key per word."""
    return np.arange(len(keys) + 1, dtype=np.int32), keys


def one_or_none(numbers: NDArray[np.int32]) -> KeyArrays:
    """One key for each word whose number is not negative."""
    there = numbers >= 0
    return np.concatenate(([0], np.cumsum(there))).astype(np.int32), numbers[there].astype(np.int64)


class Numbering(dict[Hashable, int]):
    """Numbers keys in the order in which they are first seen. Threads may share it: each number is given to
    one key, and a key keeps its number. A pickled copy is empty, since numbers belong to one vocabulary."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # comparing a key may number other keys

    def __missing__(self, key: Hashable) -> int:
        with self._lock:
            return self.setdefault(key, len(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return Numbering, ()

    def of(self, keys: Iterable[Hashable]) -> NDArray[np.int64]:
        number = self.setdefault  # faster than __missing__, which is a Python call for each new key
        with self._lock:
            return np.array([number(key, len(self)) for key in keys], dtype=np.int64)


class Remembering(Generic[Answer]):
    """A function of a list of words that keeps its last answer, because the stages of a lexicon ask for the
    same list one after the other. Threads may share it."""

    def __init__(self, function: Callable[[list[str]], Answer]) -> None:
        self._function = function
        self._last: tuple[list[str], Answer] | None = None

    def __call__(self, words: list[str]) -> Answer:
        last = self._last
        if last is None or last[0] is not words:
            last = self._last = words, self._function(words)
        return last[1]

    def __reduce__(self) -> tuple[Any, ...]:
        return Remembering, (self._function,)


class WordIdentity(Remembering[NDArray[np.int64]]):
    """Numbers words so that equal words have equal numbers. The rule "spelling" compares whole spellings;
    "java-hash" compares Java's 32-bit hash codes, as the Java release does: "al" and "c." are equal to it."""

    def __init__(self, rule: str) -> None:
        self.rule = rule
        super().__init__(_core.java_hashes if rule == "java-hash" else Numbering().of)

    def __reduce__(self) -> tuple[Any, ...]:
        return WordIdentity, (self.rule,)


class BuiltIn:
    """A matcher that gives the keys of many words at once, in arrays."""

    resource: ClassVar[Resource] = None

    @property
    def kind(self) -> str:
        """Pairs of equal words are left to the exact stage, unless the matcher has `equal_words`."""
        return "exact" if getattr(self, "equal_words", False) else "related"

    def key_arrays(self, words: list[str]) -> KeyArrays:
        raise NotImplementedError

    def columns(self, words: list[str]) -> list[KeyArrays]:
        return [self.key_arrays(words)]

    def keys(self, word: str) -> Iterable[Hashable]:
        keys: list[int] = self.key_arrays([word])[1].tolist()
        return keys


@dataclass(frozen=True)
class Exact(BuiltIn):
    """Equal words, except stop words."""

    equal_words: ClassVar[bool] = True
    identity: WordIdentity
    stop_words: frozenset[str] = frozenset()
    name: str = "exact"

    @property
    def native(self) -> Native | None:
        return None if self.stop_words else Native("spelling")

    def key_arrays(self, words: list[str]) -> KeyArrays:
        keys = self.identity(words)
        if not self.stop_words:
            return one_each(keys)
        counts = np.array([word not in self.stop_words for word in words], dtype=bool)
        return np.concatenate(([0], np.cumsum(counts))).astype(np.int32), keys[counts]


@dataclass(frozen=True)
class Stem(BuiltIn):
    """Words with equal stems, by the Snowball stemmer of a language."""

    language: str
    identity: WordIdentity
    name: str = "stem"

    def __post_init__(self) -> None:
        # Imports the stemmer now, not in a thread: a fork during the import would keep the import lock.
        stemmers.get(self.language)

    @property
    def native(self) -> Native:
        stemmer = stemmers.get(self.language)
        return Native("stem", {"stem_words": stemmer, "english_stems": stemmer.language == "en"})

    def key_arrays(self, words: list[str]) -> KeyArrays:
        return one_each(self.identity(stemmers.get(self.language)(words)))


@dataclass(frozen=True)
class PorterStem(BuiltIn):
    """Words with equal stems, by one of the two versions in `bolide.language.porter`."""

    stems: Callable[[list[str]], list[str]]
    identity: WordIdentity
    name: str
    stemmer: _core.SuffixStemmer | None = None  # the same stems of lower-case words, for the core
    equal_words: bool = False

    @property
    def native(self) -> Native | None:
        return None if self.stemmer is None else Native("stem", {"stemmer": self.stemmer})

    def key_arrays(self, words: list[str]) -> KeyArrays:
        return one_each(self.identity(self.stems(words)))


@dataclass(frozen=True)
class Synonym(BuiltIn):
    """Words that share a synset."""

    wordnet: WordNet = field(repr=False)
    name: str = "synonym"

    @property
    def native(self) -> Native:
        return Native("synsets", {"synonyms": self.wordnet.arrays.look_up})

    def key_arrays(self, words: list[str]) -> KeyArrays:
        return self.wordnet.synset_arrays(words)


@dataclass(frozen=True)
class Paraphrase:
    """Phrase pairs from a table."""

    kind: ClassVar[str] = "phrase"
    table: _core.PhraseTable = field(repr=False)
    name: str = "paraphrase"

    @property
    def native(self) -> Native:
        return Native("phrases", {"phrase_words": self.table.words})

    @property
    def resource(self) -> _core.PhraseTable:
        return self.table

    def columns(self, words: list[str]) -> list[KeyArrays]:
        return [one_or_none(self.table.words.find(words))]
