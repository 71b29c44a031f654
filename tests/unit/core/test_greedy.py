"""NLTK's alignment: the native one against its definition, and against NLTK itself."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.oracle import greedy as oracle
from tests.support.staged_cases import Case, cases, choose, equal_words, of_texts


class FirstLetter:
    """A fake stemmer."""

    def stem(self, word: str) -> str:
        return word[0]


class NoSynonyms:
    """A fake WordNet."""

    def synsets(self, word: str) -> list[object]:
        return []


@settings(max_examples=examples(300), deadline=None)
@given(cases(longest=10, most_pairs=40))
def test_chooses_as_the_definition_says(case: Case) -> None:
    assert choose(case, "greedy") == (oracle.align(case.stages), True)


@settings(max_examples=300, deadline=None)
@given(cases(longest=10, most_pairs=40))
def test_repeats_as_the_definition_says(case: Case) -> None:
    assert choose(case, "repeat") == (oracle.repeat(case.stages), True)


WORDS = st.lists(st.sampled_from(["ab", "ac", "b", "ba", "c", "cc"]), max_size=12)


@settings(max_examples=examples(300), deadline=None)
@given(WORDS, WORDS)
def test_chooses_as_nltk_does(hypothesis: list[str], reference: list[str]) -> None:
    assert native(hypothesis, reference) == nltk(hypothesis, reference)


def nltk(hypothesis: Sequence[str], reference: Sequence[str]) -> list[tuple[int, int]]:
    align_words = pytest.importorskip("nltk.translate.meteor_score").align_words
    pairs, _, _ = align_words(hypothesis, reference, stemmer=FirstLetter(), wordnet=NoSynonyms())
    return sorted((j, i) for i, j in pairs)


def native(hypothesis: Sequence[str], reference: Sequence[str]) -> list[tuple[int, int]]:
    letters = [word[0] for word in hypothesis], [word[0] for word in reference]
    stages = (equal_words(hypothesis, reference), equal_words(*letters))
    chosen, _ = choose(Case(len(hypothesis), len(reference), stages), "greedy")
    return [(j, i) for j, i, _ in chosen]


def test_last_words_first() -> None:
    """The best alignment would match `a b` with the first two reference words."""
    assert nltk(["a", "b"], ["a", "b", "a"]) == [(1, 1), (2, 0)]
    assert choose(of_texts("a b", "a b a"), "greedy") == ([(1, 1, 0), (2, 0, 0)], True)
