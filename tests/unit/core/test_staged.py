"""METEOR 2005's alignment: the native search against trying everything, and cases computed by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import core_testing
from tests.support.examples import examples
from tests.support.oracle import staged as oracle
from tests.support.staged_cases import Case, cases, choose, is_one_to_one, of_texts


@settings(max_examples=examples(500), deadline=None)
@given(cases())
def test_chooses_as_the_definition_says(case: Case) -> None:
    assert choose(case, "staged") == (oracle.align(case.stages), True)


@settings(max_examples=examples(200), deadline=None)
@given(cases(), st.integers(1, 60))
def test_with_little_work_the_answer_is_a_largest_set_and_says_if_it_is_best(case: Case, budget: int) -> None:
    best = oracle.align(case.stages)
    chosen, proven = choose(case, "staged", budget)
    assert is_one_to_one(chosen)
    assert chosen == best or not proven
    # Later stages depend on the choice of the first one.
    assert [stage for *_, stage in chosen].count(0) == [stage for *_, stage in best].count(0)


def test_a_proof_takes_work() -> None:
    case = of_texts("a b c " * 12, "c a b b " * 7)
    assert not choose(case, "staged", budget=1)[1]


def pairs(case: Case) -> list[tuple[int, int]]:
    return [(j, i) for j, i, _ in choose(case, "staged")[0]]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "matches", "crosses", "chunks"),
    [
        ("the cat sat on the mat", "the cat sat on the mat", 6, 0, 1),
        ("on the mat sat the cat", "the cat sat on the mat", 6, 8, 6),
        ("the cat was sat on the mat", "the cat sat on the mat", 6, 0, 2),
        ("the president spoke to the audience", "the president then spoke to the audience", 6, 0, 2),
        ("under the starry night we danced with glee", "we danced with joy under the starry night", 7, 12, 2),
        ("", "the cat", 0, 0, 0),
        ("a b", "c d", 0, 0, 0),
    ],
)
def test_worked_examples(hypothesis: str, reference: str, matches: int, crosses: int, chunks: int) -> None:
    chosen = pairs(of_texts(hypothesis, reference))
    assert (len(chosen), oracle.crosses(chosen), oracle.chunks(chosen)) == (matches, crosses, chunks)


def test_fewer_crosses_win_over_fewer_chunks() -> None:
    """With three chunks the words would cross more often."""
    by_chunks = [(0, 4), (1, 5), (2, 3), (3, 0), (4, 1), (5, 2)]
    chosen = pairs(of_texts("on the mat sat the cat", "the cat sat on the mat"))
    assert oracle.crosses(chosen) < oracle.crosses(by_chunks)
    assert oracle.chunks(chosen) > oracle.chunks(by_chunks)


def test_more_mappings_win_over_fewer_crosses() -> None:
    assert pairs(of_texts("a b", "b a")) == [(0, 1), (1, 0)]


def test_fewer_chunks_win_where_crosses_are_equal() -> None:
    assert pairs(of_texts("a x a b", "a b")) == [(0, 2), (1, 3)]


def test_leftmost_wins_where_all_else_is_equal() -> None:
    assert pairs(of_texts("a x a", "a")) == [(0, 0)]
    assert pairs(of_texts("a", "a x a")) == [(0, 0)]


def test_an_earlier_stage_takes_its_words_even_if_fewer_can_be_mapped_then() -> None:
    case = Case(2, 2, (((0, 0),), ((0, 0), (0, 1), (1, 0))))
    assert choose(case, "staged") == ([(0, 0, 0)], True)


def test_crosses_with_mappings_of_earlier_stages_count() -> None:
    # The second stage may map reference word 0 before or after the word of the first stage.
    assert choose(Case(3, 2, (((1, 1),), ((0, 0), (0, 2)))), "staged") == ([(0, 0, 1), (1, 1, 0)], True)
    assert choose(Case(3, 2, (((0, 1),), ((1, 0), (1, 2)))), "staged") == ([(0, 1, 0), (1, 2, 1)], True)


def test_synonyms_need_not_keep_their_order() -> None:
    """Equal words do. Here only 0 ~ 1 and 1 ~ 0 match, so the two cross."""
    assert choose(Case(2, 2, (((0, 1), (1, 0)),)), "staged") == ([(0, 1, 0), (1, 0, 0)], True)


def test_a_pair_listed_twice_is_one_pair() -> None:
    assert choose(Case(2, 1, (((0, 1), (0, 0), (0, 1)),)), "staged") == ([(0, 0, 0)], True)


@pytest.mark.parametrize("aligner", ["staged", "greedy", "repeat"])
def test_phrases_are_refused(aligner: str) -> None:
    phrase = np.array([[0, 2, 0, 1, 0]], dtype=np.int32)
    with pytest.raises(ValueError, match="only single words are aligned"):
        core_testing.choose(phrase, 2, 2, aligner, [1.0])


def test_many_equal_words_are_proven() -> None:
    chosen, proven = choose(of_texts("the " * 300, "the " * 299), "staged")
    assert proven
    assert chosen == [(j, j, 0) for j in range(299)]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "matches"),
    [
        ("a b " * 100, "b a " * 90, 180),
        ("a a b " * 66, "b a b " * 60, 126),
        ("a b c d e f g h " * 20, "h c b a a d e g f " * 15, 125),
    ],
)
def test_hostile_text_is_answered_by_a_largest_set(hypothesis: str, reference: str, matches: int) -> None:
    chosen, _ = choose(of_texts(hypothesis, reference), "staged")
    assert len(chosen) == matches
    assert is_one_to_one(chosen)


def test_hostile_synonyms_are_answered_by_a_largest_set() -> None:
    """Each word matches six others, in no order."""
    length = 200
    ring = tuple((j, i) for j in range(length) for i in ((j * 7 + d) % length for d in range(6)))
    chosen, _ = choose(Case(length, length, (ring,)), "staged")
    assert len(chosen) == length
    assert is_one_to_one(chosen)
