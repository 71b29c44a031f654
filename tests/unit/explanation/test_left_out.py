"""Matches that the search left out, against a slow search for free words that match."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import Match, Meteor
from bolide.explanation.left_out import LeftOut, left_out
from tests.support.examples import examples

Make = Callable[..., Meteor]


def found(meteor: Meteor, hypothesis: str, reference: str) -> tuple[LeftOut, ...]:
    return meteor.explain(hypothesis, reference).left_out


@pytest.mark.parametrize(
    "options",
    [
        {"aligner": "exact"},
        {"profile": "1.3"},
        {"aligner": "exact", "search_weights": "halves"},
        {"search_weights": "paper"},
        {"aligner": "staged", "modules": ["exact", "stem"]},
    ],
)
def test_the_settings_that_are_named_count_the_words(meteor: Make, options: dict[str, Any]) -> None:
    java = meteor()
    assert java.sentence_score("cats", "cat").score == 0
    explanation = java.explain("cats", "cat")
    other = meteor(**options)
    assert (explanation.left_out != (), other.explain("cats", "cat").left_out) == (True, ())
    assert other.sentence_score("cats", "cat").score > 0
    assert other.explain("cats", "cat").notes == ()


def test_the_notes_name_words_reason_and_remedy(meteor: Make) -> None:
    explanation = meteor().explain("cats", ["cat", "a dog"])
    text = explanation.text()
    assert "  stem: cats = cat  (stem cat)" in text
    assert "Java's search gives no value to a single word" in text
    score = meteor(aligner="exact").sentence_score("cats", ["cat", "a dog"]).score
    assert f"--aligner exact, as in profile 1.3, counts every word: then the score is {score:.4f}." in text
    assert [each["module"] for each in explanation.to_dict()["left_out"]] == ["stem"]
    assert "cats = cat" in explanation._repr_html_()


def test_nothing_is_said_where_nothing_is_left_out(meteor: Make) -> None:
    for pair in (("the cat", "the cat"), ("a", "b"), ("", "a"), ("a", ""), ("the cats sat", "the cat sat")):
        explanation = meteor().explain(*pair)
        assert (explanation.left_out, explanation.notes) == ((), ())


def test_words_of_matches_are_not_free(meteor: Make) -> None:
    [one] = found(meteor(modules=["exact", "stem"]), "the new cats and cats", "the cat here")
    assert (one.reference_start, one.module) == (1, "stem")


class Anything:
    """Matches any word with any other."""

    name = "anything"

    def keys(self, word: str) -> list[str]:
        return ["x"]


def test_marks_match_nothing_even_with_a_strange_matcher() -> None:
    scorer = Meteor(modules=["exact", Anything()], weights=[1, 1], search_weights={"exact": 1, "other": 0.5})
    for each in found(scorer, "a b c", "a x y"):
        assert 0 not in (each.reference_start, each.hypothesis_start)


WORDS = st.lists(st.sampled_from(["cat", "cats", "the", "runs", "run", "x"]), max_size=6).map(tuple)


@settings(max_examples=examples(200))
@given(WORDS, WORDS)
def test_free_words_that_match_are_found(english: Meteor, hypothesis: Any, reference: Any) -> None:
    """The most free pairs that match, found by trying all subsets."""
    scorer = Meteor(modules=["exact", "stem"])
    alignment = scorer.align([*hypothesis], [*reference])
    rows = [_row(match) for match in alignment.matches]
    [missing] = left_out(scorer, [alignment.hypothesis], [alignment.reference], [rows])
    taken_ours = {row[2] for row in rows}
    taken_theirs = {row[0] for row in rows}
    pairs = [
        (h, r)
        for h, r in itertools.product(range(len(hypothesis)), range(len(reference)))
        if h not in taken_ours and r not in taken_theirs and _alike(hypothesis[h], reference[r])
    ]
    assert len(missing) == _most(pairs)
    assert all((each.hypothesis_start, each.reference_start) in pairs for each in missing)
    assert all(each.worthless for each in missing if each.module == "stem")


def _row(match: Match) -> list[int]:
    return [match.reference_start, match.reference_length, match.hypothesis_start, match.hypothesis_length]


def _alike(one: str, two: str) -> bool:
    return one.rstrip("s") == two.rstrip("s")


def _most(pairs: list[tuple[int, int]]) -> int:
    """The size of the largest set of pairs without a word in two of them."""
    if not pairs:
        return 0
    (h, r), *rest = pairs
    return max(_most(rest), 1 + _most([pair for pair in rest if pair[0] != h and pair[1] != r]))
