"""The score formula on random statistics, and the whole scorer on English sentences, against the oracle.

The oracle itself is checked against known answers here, so that the two cannot have the same error unnoticed.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import Meteor, Parameters
from bolide.errors import InputError
from bolide.formula import parameters
from bolide.formula.layout import columns
from bolide.formula.parameters import Formula
from bolide.formula.statistics import aggregate, checked, evaluate
from bolide.inputs.segments import by_segment
from bolide.language import stemmers
from bolide.language.wordnet import WordNet
from tests.support import core_testing, generate
from tests.support.oracle import beam, power, statistics
from tests.support.oracle.matchers import (
    ExactStage,
    Match,
    Phrase,
    PhraseStage,
    RelatedStage,
    Stage,
    java_hash,
)

HASHES = {"": 0, "a": 97, "Aa": 2112, "BB": 2112, "c.": 3115, "al": 3115, "😀": 1772899}


@pytest.mark.parametrize(("word", "code"), HASHES.items())
def test_java_hash(word: str, code: int) -> None:
    assert java_hash(word) == code


def align(hypothesis: str, reference: str, *stages: Stage, width: int = 40) -> list[tuple[int, int]]:
    """(reference, hypothesis) starts."""
    matches = beam.align(hypothesis.split(), reference.split(), stages or [ExactStage()], width=width)
    return [(match.reference_start, match.hypothesis_start) for match in matches]


def test_the_search_prefers_few_chunks() -> None:
    assert align("the cat the dog", "the dog") == [(0, 2), (1, 3)]


def test_a_single_related_word_gains_nothing_and_so_is_left_out_where_it_costs_a_chunk() -> None:
    # Both "b" could match a "B". This is ambiguous, and the gain is floor(0.5) = 0: the extra chunk decides.
    related = RelatedStage(lambda word: [word.lower()])
    assert align("B x B", "y b z", ExactStage(), related) == []
    assert align("B x", "y b z", ExactStage(), related) == [(1, 0)]  # unambiguous: fixed before the search


def test_identical_sentences_meet_the_first_stage_only() -> None:
    related = RelatedStage(lambda word: [word.lower()])
    assert align("a B", "a B", related, ExactStage()) == []
    assert align("a B x", "a B", related, ExactStage()) == [(0, 0), (1, 1)]


def test_a_paraphrase_listed_twice_competes_with_itself() -> None:
    once = PhraseStage({("a",): [("b",)]})
    twice = PhraseStage({("a",): [("b",), ("b",)]})
    assert align("x b", "a y", ExactStage(), once) == [(0, 1)]  # fixed
    assert align("x b", "a y", ExactStage(), twice) == []  # gains nothing, costs a chunk


def test_words_of_a_paraphrase_are_compared_by_text() -> None:
    table = PhraseStage({("Aa",): [("x",)]})
    assert align("x", "Aa", ExactStage(), table) == [(0, 0)]
    assert align("x", "BB", ExactStage(), table) == []
    assert align("BB", "Aa") == [(0, 0)]


def test_chunks() -> None:
    assert statistics.count_chunks([Match(0, 2, 3, 1, 0), Match(2, 1, 4, 1, 0), Match(4, 1, 5, 1, 0)]) == 2


def row(stages: int) -> st.SearchStrategy[list[int]]:
    """Any counts; a sentence has at least as many words as function words."""
    counts = st.lists(st.integers(0, 6), min_size=7 + 4 * stages, max_size=7 + 4 * stages)
    return counts.map(lambda c: [c[0] + c[2], c[1] + c[3], *c[2:]])


ROWS = st.integers(0, 4).flatmap(lambda stages: st.lists(row(stages), min_size=1, max_size=5))
NUMBERS = st.floats(0, 1)


@given(ROWS, NUMBERS, st.floats(0, 10), NUMBERS, NUMBERS, st.lists(NUMBERS, max_size=5).map(tuple))
def test_scores_equal_the_oracle(
    rows: list[list[int]], alpha: float, beta: float, gamma: float, delta: float, weights: tuple[float, ...]
) -> None:
    numbers = (alpha, beta, gamma, delta, weights)
    expected = [list(statistics.evaluate(row, statistics.Parameters(*numbers))) for row in rows]
    found = evaluate(np.array(rows), Parameters(*numbers, formula=Formula(power="exact")))
    assert repr(found.tolist()) == repr(expected)


def java_powers() -> list[tuple[float, int, int, float]]:
    path = Path(parameters.__file__).with_name("java_powers.tsv")
    rows = [line.split("\t") for line in path.read_text(encoding="ascii").splitlines()[1:]]
    return [(float(row[0]), int(row[1]), int(row[2]), float(row[3])) for row in rows]


def test_the_choices_of_a_power() -> None:
    """Java rounds the powers of the table to a neighbour of the nearest number."""

    def penalty(choice: str) -> float:
        formula = Parameters(0.5, beta, 1.0, 0.5, (), Formula(power=choice))
        both = [matches // 2, matches - matches // 2]
        return float(evaluate(np.array([[*both, 0, 0, chunks, *both]]), formula)[0, 4])

    table = java_powers()
    assert table
    for beta, chunks, matches, value in table:
        fragmentation = chunks / (matches / 2)
        nearest = power.power(fragmentation, beta)
        assert penalty("exact") == nearest
        assert penalty("java") == value
        assert value in (math.nextafter(nearest, 0), math.nextafter(nearest, 1))
        assert penalty("library") == math.pow(fragmentation, beta)


@given(ROWS)
def test_corpus_statistics_equal_the_oracle(rows: list[list[int]]) -> None:
    assert aggregate(np.array(rows)).tolist() == statistics.aggregate(rows)


class Paraphrases(dict[Phrase, list[Phrase]]):
    """The installed table, looked up phrase by phrase."""

    def __init__(self, scorer: Meteor) -> None:
        self.table = scorer.settings.pack.paraphrases

    def get(self, phrase: Phrase, default: object = ()) -> list[Phrase]:
        assert self.table is not None
        return [tuple(words) for words in core_testing.paraphrases(self.table, list(phrase))]


def stages_of(scorer: Meteor) -> list[Stage]:
    assert scorer.settings.pack.synonyms is not None
    wordnet = WordNet(scorer.settings.pack.synonyms)
    stem = stemmers.get("en")

    @cache
    def stem_keys(word: str) -> Sequence[Hashable]:
        return [java_hash(stem([word])[0])]

    @cache
    def synonym_keys(word: str) -> Sequence[Hashable]:
        return wordnet.synset_ids([word])[0]

    return [
        ExactStage(),
        RelatedStage(stem_keys),
        RelatedStage(synonym_keys),
        PhraseStage(Paraphrases(scorer)),
    ]


def english_pairs() -> Iterator[generate.Pair]:
    yield from generate.pairs("en", 150, seed=3)
    yield from generate.salad(generate.read_lines(generate.TEXT / "salad.txt"), 50, longest=12, seed=4)


def test_english_equals_the_oracle(english: Meteor) -> None:
    stages = stages_of(english)
    pairs = list(english_pairs())
    rows = english.statistics([pair.hypothesis for pair in pairs], [pair.reference for pair in pairs])
    segments = by_segment([pair.hypothesis for pair in pairs], [[pair.reference] for pair in pairs])
    for row, alignment in zip(rows.tolist(), english.align_all(segments), strict=True):
        expected = beam.align(alignment.hypothesis, alignment.reference, stages)
        found = [
            Match(m.reference_start, m.reference_length, m.hypothesis_start, m.hypothesis_length, m.stage)
            for m in alignment.matches
        ]
        assert found == list(expected)
        function_words = english.settings.pack.function_words
        assert row == statistics.count(alignment.hypothesis, alignment.reference, expected, function_words)


@pytest.mark.parametrize("value", [1e300, -1e300, float("nan"), float("inf"), -1, 2.0**54])
def test_sums_of_numbers_that_are_no_counts(value: float) -> None:
    """Cast to integers, they would be large negative numbers."""
    rows = np.ones((3, len(columns(("exact",)))))
    assert aggregate(rows).min() > 0
    rows[1, 4] = value
    rows[2, 4] = -value
    for wrong in (rows, rows[:2], rows[:, ::-1]):
        with pytest.raises(InputError, match="counts: numbers of at least 0, with sums of at most 9007"):
            aggregate(wrong)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        (
            "hypothesis_function_words",
            6,
            "is 6, but hypothesis_length is 5; at most all words can be",
        ),
        ("reference_function_words", 6, "is 6, but reference_length is 5; at most all words can be"),
        ("reference_matches", 6, "is 6, but reference_length is 5; at most all words can match"),
        ("chunks", 1e300, r"is 1e\+300, but counts must be numbers of at most 9007199254740992"),
        ("chunks", float("inf"), "is inf, but counts must be numbers of at most 9007199254740992"),
        ("chunks", float("nan"), "is nan, but counts must be numbers of at least 0"),
    ],
)
def test_statistics_that_no_text_can_have(column: str, value: float, message: str) -> None:
    names = columns(("exact",))
    row = np.zeros((1, len(names)))
    row[0, :2] = 5
    checked(row, ("exact",))
    row[0, names.index(column)] = value
    with pytest.raises(InputError, match=f"row 1: {column} {message}"):
        checked(row, ("exact",))
