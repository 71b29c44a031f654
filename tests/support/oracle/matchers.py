"""Every possible match between two sentences.

A word-level stage is a function from a word to a set of keys; two words match if they share a key:

    exact     the word itself
    stem      its stem
    synonym   its synset ids

Only the exact stage, and stages that say so, match equal words. The others skip them, whether or not an exact
stage is configured.
Java Meteor compares words and stems by their 32-bit hash code, so "equal" means an equal hash, and "al" and
"c." are the same word to it. Only the paraphrase table compares texts.

The phrase-level stage (paraphrases) has a table from a phrase to its paraphrases. It looks phrases up in both
directions. A match found twice is listed twice, because the search counts how many listed matches cover a
word.

A directed stage has different keys for hypothesis words and reference words. A near stage matches different
words whose vectors are close, the nearest first, each word at most once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

Identity = Callable[[str], Hashable]
Keys = Callable[[str], Collection[Hashable]]
Phrase = tuple[str, ...]
PhraseTable = Mapping[Phrase, Sequence[Phrase]]


class Match(NamedTuple):
    """A phrase of the reference matched with a phrase of the hypothesis."""

    reference_start: int
    reference_length: int
    hypothesis_start: int
    hypothesis_length: int
    stage: int


def java_hash(text: str) -> int:
    """``String.hashCode``: 31·h + unit over the UTF-16 code units, in 32 bits."""
    units = text.encode("utf-16-le", "surrogatepass")
    code = 0
    for low, high in zip(units[::2], units[1::2], strict=True):
        code = (31 * code + (high << 8 | low)) & 0xFFFFFFFF
    return code


@dataclass(frozen=True)
class ExactStage:
    """Equal words."""


@dataclass(frozen=True)
class RelatedStage:
    """Words that share a key: only different ones, or equal ones too."""

    keys: Keys
    equal_words: bool = False


@dataclass(frozen=True)
class DirectedStage:
    """Words where a key of the hypothesis word is also a key of the reference word."""

    hypothesis_keys: Keys
    reference_keys: Keys
    equal_words: bool = False


@dataclass(frozen=True)
class NearStage:
    """Different words with at least this closeness; a word without a vector is close to none."""

    closeness: Callable[[str, str], float]
    threshold: float


@dataclass(frozen=True)
class LetterStage:
    """Words that no other stage matches, by common runs of letters (see letters.py)."""

    letters: Callable[[str], Sequence[int]]


@dataclass(frozen=True)
class PhraseStage:
    """Phrases that are paraphrases in the table."""

    table: PhraseTable = field(repr=False)


KeyStage = ExactStage | RelatedStage | DirectedStage
Stage = KeyStage | PhraseStage | NearStage | LetterStage


def list_matches(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    stages: Sequence[Stage],
    identity: Identity = java_hash,
) -> list[Match]:
    """All matches, in the order of the stages. Identical sentences have only matches of the first stage."""
    identical = list(map(identity, hypothesis)) == list(map(identity, reference))
    matches: list[Match] = []
    for number, stage in enumerate(stages[:1] if identical else stages):
        if isinstance(stage, PhraseStage):
            matches += phrase_matches(hypothesis, reference, stage.table, number)
        elif isinstance(stage, NearStage):
            matches += near_matches(hypothesis, reference, stage, number, identity)
        elif not isinstance(stage, LetterStage):  # it sees what the alignment leaves over
            matches += word_matches(hypothesis, reference, stage, number, identity)
    return matches


def word_matches(
    hypothesis: Sequence[str], reference: Sequence[str], stage: KeyStage, number: int, identity: Identity
) -> Iterator[Match]:
    """By reference position, then hypothesis position. A pair that shares several keys is listed once."""

    def related(first: str, second: str) -> bool:
        equal = identity(first) == identity(second)
        if isinstance(stage, ExactStage):
            return equal
        if equal and not stage.equal_words:
            return False
        if isinstance(stage, DirectedStage):
            return not set(stage.hypothesis_keys(first)).isdisjoint(stage.reference_keys(second))
        return not set(stage.keys(first)).isdisjoint(stage.keys(second))

    for j, reference_word in enumerate(reference):
        for i, hypothesis_word in enumerate(hypothesis):
            if related(hypothesis_word, reference_word):
                yield Match(j, 1, i, 1, number)


def near_matches(
    hypothesis: Sequence[str], reference: Sequence[str], stage: NearStage, number: int, identity: Identity
) -> list[Match]:
    """Match only words that occur more often in their own sentence than in the other.

    The rest have equal partners.
    """

    def alone(sentence: Sequence[str], other: Sequence[str]) -> list[int]:
        def count(words: Sequence[str], word: str) -> int:
            return [identity(w) for w in words].count(identity(word))

        return [k for k, word in enumerate(sentence) if count(sentence, word) > count(other, word)]

    pairs = [
        (-closeness, j, i)
        for j in alone(reference, hypothesis)
        for i in alone(hypothesis, reference)
        if (closeness := stage.closeness(hypothesis[i], reference[j])) >= stage.threshold
    ]
    taken: list[Match] = []
    for _, j, i in sorted(pairs):
        if all(j != match.reference_start and i != match.hypothesis_start for match in taken):
            taken.append(Match(j, 1, i, 1, number))
    return sorted(taken)


def phrase_matches(
    hypothesis: Sequence[str], reference: Sequence[str], table: PhraseTable, number: int
) -> Iterator[Match]:
    """First with the left side in the reference, then with the left side in the hypothesis."""
    for j, left, i, right in phrase_pairs(reference, hypothesis, table):
        yield Match(j, left, i, right, number)
    for i, left, j, right in phrase_pairs(hypothesis, reference, table):
        yield Match(j, right, i, left, number)


def phrase_pairs(
    sentence: Sequence[str], other: Sequence[str], table: PhraseTable
) -> Iterator[tuple[int, int, int, int]]:
    """(start, length, other start, other length): shorter left phrases first, then in the table's order."""
    for start in range(len(sentence)):
        for end in range(start + 1, len(sentence) + 1):
            for paraphrase in table.get(tuple(sentence[start:end]), ()):
                for other_start in occurrences(paraphrase, other):
                    yield start, end - start, other_start, len(paraphrase)


def occurrences(phrase: Phrase, sentence: Sequence[str]) -> Iterator[int]:
    for start in range(len(sentence) - len(phrase) + 1):
        if tuple(sentence[start : start + len(phrase)]) == phrase:
            yield start
