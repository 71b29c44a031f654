"""Matchers: what may be tied to what.

A word matcher is nothing but a function from a word to a set of keys: two words match if they share one. It
is asked once for each word *type*; the matching itself is native.

    exact      the word itself
    stem       its stem
    synonym    its WordNet synsets (and those of its base forms)

The paraphrase matcher ties phrases, by a table, and has one native structure of its own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bolide import _core, stemmers
from bolide.wordnet import WordNet


@runtime_checkable
class Matcher(Protocol):
    """A word-level matcher. Pairs of equal words are left to the exact stage."""

    @property
    def name(self) -> str: ...

    def keys(self, word: str) -> Iterable[Hashable]: ...


# The keys of many words: those of word k are keys[offsets[k]:offsets[k + 1]]. Any integers will do.
KeyArrays = tuple[NDArray[np.int32], NDArray[np.int64]]


def _one_each(keys: NDArray[np.int64]) -> KeyArrays:
    return np.arange(len(keys) + 1, dtype=np.int32), keys


class Numbering(dict[Hashable, int]):
    """Numbers keys in the order in which they are first seen."""

    def __missing__(self, key: Hashable) -> int:
        self[key] = number = len(self)
        return number

    def of(self, keys: Iterable[Hashable]) -> NDArray[np.int64]:
        return np.array([self[key] for key in keys], dtype=np.int64)


class WordIdentity:
    """When two spellings are the same word, as numbers: by the whole spelling, or by Java's 32-bit hash code,
    as the release compares words, so that "al" and "c." are one word to it."""

    def __init__(self, rule: str) -> None:
        self._numbering = None if rule == "java-hash" else Numbering()

    def __call__(self, words: list[str]) -> NDArray[np.int64]:
        return _core.java_hashes(words) if self._numbering is None else self._numbering.of(words)


class BuiltIn:
    """A matcher that answers for many words at once, in arrays."""

    def key_arrays(self, words: list[str]) -> KeyArrays:
        raise NotImplementedError

    def keys(self, word: str) -> Iterable[Hashable]:
        keys: list[int] = self.key_arrays([word])[1].tolist()
        return keys


@dataclass(frozen=True)
class Exact(BuiltIn):
    """Equal words."""

    identity: WordIdentity
    name: str = "exact"

    def key_arrays(self, words: list[str]) -> KeyArrays:
        return _one_each(self.identity(words))


@dataclass(frozen=True)
class Stem(BuiltIn):
    """Words with equal stems, by the language's Snowball stemmer."""

    language: str
    identity: WordIdentity
    name: str = "stem"

    def key_arrays(self, words: list[str]) -> KeyArrays:
        return _one_each(self.identity(stemmers.get(self.language)(words)))


@dataclass(frozen=True)
class Synonym(BuiltIn):
    """Words that are together in a synset."""

    wordnet: WordNet = field(repr=False)
    name: str = "synonym"

    def key_arrays(self, words: list[str]) -> KeyArrays:
        return self.wordnet.synset_arrays(words)


@dataclass(frozen=True)
class Paraphrase:
    """Phrase pairs of a table."""

    table: _core.PhraseTable = field(repr=False)
    name: str = "paraphrase"


Stage = Matcher | Paraphrase


def key_arrays(matcher: Matcher, words: list[str], numbering: Numbering) -> KeyArrays:
    """The keys of any matcher, in arrays; `numbering` is for those that are not integers."""
    if isinstance(matcher, BuiltIn):
        return matcher.key_arrays(words)
    keys = [list(matcher.keys(word)) for word in words]
    offsets = np.cumsum([0, *map(len, keys)], dtype=np.int32)
    return offsets, numbering.of(chain.from_iterable(keys))


def core_kind(stage: Stage) -> str:
    """What the core calls a stage: exact (equal words too), related (different words only), or phrase."""
    if isinstance(stage, Paraphrase):
        return "phrase"
    return "exact" if isinstance(stage, Exact) else "related"
