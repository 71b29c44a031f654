"""Every possible match between two sentences.

A word-level stage is a function from a word to a set of keys; two words match if they share a key:

    exact     the word itself
    stem      its stem
    synonym   its synset ids

Only the exact stage ties equal words; the others skip them, whether or not an exact stage is configured.
Java Meteor compares words and stems by their 32-bit hash code, so "equal" means an equal hash, and "al" and
"c." are the same word to it. The paraphrase table alone compares texts.

The phrase-level stage (paraphrases) has a table from a phrase to its paraphrases. It is asked in both
directions, and a match found twice is listed twice: the search counts how many listed matches cover a word.
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
    """A phrase of the reference tied to a phrase of the hypothesis."""

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
    """Different words that share a key."""

    keys: Keys


@dataclass(frozen=True)
class PhraseStage:
    """Phrases that the table calls paraphrases."""

    table: PhraseTable = field(repr=False)


Stage = ExactStage | RelatedStage | PhraseStage


def list_matches(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    stages: Sequence[Stage],
    identity: Identity = java_hash,
) -> list[Match]:
    """All matches in the order of the stages; of identical sentences only the first stage's."""
    identical = list(map(identity, hypothesis)) == list(map(identity, reference))
    matches: list[Match] = []
    for number, stage in enumerate(stages[:1] if identical else stages):
        if isinstance(stage, PhraseStage):
            matches += phrase_matches(hypothesis, reference, stage.table, number)
        else:
            matches += word_matches(hypothesis, reference, stage, number, identity)
    return matches


def word_matches(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    stage: ExactStage | RelatedStage,
    number: int,
    identity: Identity,
) -> Iterator[Match]:
    """By reference position, then hypothesis position. A pair that shares several keys is listed once."""

    def related(first: str, second: str) -> bool:
        equal = identity(first) == identity(second)
        if isinstance(stage, ExactStage):
            return equal
        return not equal and not set(stage.keys(first)).isdisjoint(stage.keys(second))

    for j, reference_word in enumerate(reference):
        for i, hypothesis_word in enumerate(hypothesis):
            if related(hypothesis_word, reference_word):
                yield Match(j, 1, i, 1, number)


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
