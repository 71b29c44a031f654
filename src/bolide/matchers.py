"""Matchers: what may be tied to what.

A word matcher is nothing but a function from a word to a set of keys: two words match if they share one. It is asked
once for each word *type*; the matching itself is native.

    exact      the word itself
    stem       its stem
    synonym    its WordNet synsets (and those of its base forms)

The paraphrase matcher ties phrases, by a table, and has one native structure of its own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from bolide import _core, stemmers
from bolide.wordnet import WordNet


@runtime_checkable
class Matcher(Protocol):
    """A word-level matcher. Pairs of equal words are left to the exact stage."""

    @property
    def name(self) -> str: ...

    def keys(self, word: str) -> Iterable[Hashable]: ...


class BatchMatcher(Matcher, Protocol):
    """A matcher that answers for many words at once, for speed."""

    def batch_keys(self, words: Sequence[str]) -> Iterable[Iterable[Hashable]]: ...


class WordIdentity:
    """When two spellings are the same word."""

    def __init__(self, rule: str) -> None:
        self.rule = rule

    def __call__(self, words: list[str]) -> Iterable[Hashable]:
        # The Java release compares words by their 32-bit hash codes, so "al" and "c." are one word to it.
        return _core.java_hashes(words).tolist() if self.rule == "java-hash" else words


@dataclass(frozen=True)
class Exact:
    """Equal words."""

    identity: WordIdentity
    name: str = "exact"

    def keys(self, word: str) -> Iterable[Hashable]:
        return tuple(self.identity([word]))

    def batch_keys(self, words: Sequence[str]) -> Iterable[Iterable[Hashable]]:
        return ((key,) for key in self.identity(list(words)))


@dataclass(frozen=True)
class Stem:
    """Words with equal stems, by the language's Snowball stemmer."""

    language: str
    identity: WordIdentity
    name: str = "stem"

    def keys(self, word: str) -> Iterable[Hashable]:
        return tuple(self.identity(stemmers.get(self.language)([word])))

    def batch_keys(self, words: Sequence[str]) -> Iterable[Iterable[Hashable]]:
        return ((key,) for key in self.identity(stemmers.get(self.language)(words)))


@dataclass(frozen=True)
class Synonym:
    """Words that are together in a synset."""

    wordnet: WordNet = field(repr=False)
    name: str = "synonym"

    def keys(self, word: str) -> Iterable[Hashable]:
        return self.wordnet.synset_ids([word])[0]

    def batch_keys(self, words: Sequence[str]) -> Iterable[Iterable[Hashable]]:
        return self.wordnet.synset_ids(words)


@dataclass(frozen=True)
class Paraphrase:
    """Phrase pairs of a table."""

    table: _core.PhraseTable = field(repr=False)
    name: str = "paraphrase"


Stage = Matcher | Paraphrase


def keys_of(matcher: Matcher, words: Sequence[str]) -> Iterable[Iterable[Hashable]]:
    """The matcher's keys for each word, in batch where it can."""
    batch = getattr(matcher, "batch_keys", None)
    return batch(words) if batch is not None else (matcher.keys(word) for word in words)


def core_kind(stage: Stage) -> str:
    """What the core calls a stage: exact (equal words too), related (different words only), or phrase."""
    if isinstance(stage, Paraphrase):
        return "phrase"
    return "exact" if isinstance(stage, Exact) else "related"
