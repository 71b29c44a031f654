"""Where the words of the metric are in the user's text: for any text, and against an oracle."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import Meteor
from bolide.xray.pieces import Pieces
from bolide.xray.spans import spans
from tests.support.examples import examples

USUAL = st.text(st.sampled_from("abAB12.,-'\"()&%:;?!€ “”’–éÉßЖ"), max_size=30)
ANY = st.text(max_size=20) | st.text(
    st.sampled_from("İıǅﬁ½…\u0301\u200b\u00a0\u3000\t日本👩‍👧'-.aA"), max_size=20
)
LANGUAGES = ["en", "fr", "de"]


@pytest.fixture(scope="module", params=["keep-punctuation", "no-punctuation", "keep-case", "lower", "none"])
def metric(request: pytest.FixtureRequest) -> Meteor:
    return Meteor("linear", modules=["exact"], normalize=request.param)


def letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


def words_of(metric: Meteor, text: str) -> list[str]:
    return metric.normalized(text).split(" ") if metric.normalized(text) else []


def oracle(text: str, words: list[str]) -> list[tuple[int, int] | None]:
    """The k-th letter of the words is the k-th letter of the text. Words without letters: None."""
    places = [k for k, letter in enumerate(text) if letter.isalnum()]
    found: list[tuple[int, int] | None] = []
    for word in words:
        mine = [places.pop(0) for letter in word if letter.isalnum()]
        found.append((mine[0], mine[-1] + 1) if mine else None)
    assert not places
    return found


@given(st.data())
@settings(max_examples=examples(400))
def test_usual_texts_against_the_oracle(metric: Meteor, data: st.DataObject) -> None:
    """Every letter of the text is in the span of its word, and every word has a span."""
    text = data.draw(USUAL)
    words = words_of(metric, text)
    found = spans(text, words)
    assert None not in found
    for word, span, expected in zip(words, found, oracle(text, words), strict=True):
        assert span is not None
        if expected is not None:
            assert letters(text[slice(*span)]) == letters(word)
            assert span[0] <= expected[0] and expected[1] <= span[1]


def check(text: str, words: list[str], found: list[tuple[int, int] | None]) -> None:
    """Spans are in order, in the text, and have the letters of their word."""
    at = 0
    assert len(found) == len(words)
    for word, span in zip(words, found, strict=True):
        if span is None:
            continue
        first, last = span
        assert at <= first < last <= len(text)
        assert set(letters(word)) <= set(letters(text[first:last]))
        at = last


@given(st.data())
@settings(max_examples=examples(400))
def test_any_text(metric: Meteor, data: st.DataObject) -> None:
    text = data.draw(ANY)
    words = words_of(metric, text)
    check(text, words, spans(text, words))


@given(USUAL, st.lists(USUAL, max_size=5))
@settings(max_examples=examples(300))
def test_words_of_another_text(text: str, others: list[str]) -> None:
    """Nothing can be wrong with the positions, even if the words are not those of the text."""
    words = [word for other in others for word in other.lower().split()]
    found = spans(text, words)
    at = 0
    for span in found:
        if span is not None:
            assert at <= span[0] < span[1] <= len(text)
            at = span[1]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Re-election", ["Re", "election"]),
        ("the U.S. army", ["the", "U.S.", "army"]),
        ("''Yes,'' he said -- twice", ["''", "Yes", ",", "''", "he", "said", "--", "twice"]),
        ("3,000.50 it’s", ["3,000.50", "it", "’s"]),
        ("¿Qué? …", ["¿", "Qué", "?", "…"]),
        ("  wide   space ", ["wide", "space"]),
    ],
)
def test_examples(text: str, pieces: list[str]) -> None:
    words = words_of(Meteor("linear", modules=["exact"], normalize="keep-punctuation"), text)
    found = spans(text, words)
    assert [text[slice(*span)] for span in found if span is not None] == pieces
    assert len(found) == len(pieces)


def test_words_that_are_not_in_the_text_have_no_span() -> None:
    assert spans("( a )", ["-lrb-", "a", "-rrb-"]) == [None, (2, 3), None]
    assert spans("xyz a", ["q", "a"]) == [None, (4, 5)]
    assert spans("", ["a"]) == [None]


def pieces_of(texts: list[tuple[tuple[str, ...], str]], *, fast: bool) -> tuple[list[list[int]], Pieces]:
    """The numbers of the pieces of texts, as `Pieces.add` makes them or by the slow way alone."""
    pieces = Pieces()
    return [pieces.add(*text) if fast else pieces.by_word(*text) for text in texts], pieces


@given(st.data())
@settings(max_examples=examples(400))
def test_remembered_tokens_have_the_pieces_of_whole_texts(metric: Meteor, data: st.DataObject) -> None:
    """The same tokens occur again, with the same and with other words around them."""
    tokens = data.draw(st.lists(USUAL | ANY, min_size=1, max_size=4))
    lists = st.lists(st.lists(st.sampled_from(tokens), min_size=1, max_size=5), max_size=5)
    texts = [(tuple(words_of(metric, text)), text) for text in map(" ".join, data.draw(lists))]
    texts = [(words, text) for words, text in texts if words]
    (found, fast), (expected, slow) = (pieces_of(texts, fast=fast) for fast in (True, False))
    assert found == expected
    assert (list(fast.words), list(fast.pieces)) == (list(slow.words), list(slow.pieces))


def test_a_token_with_other_words_than_before_is_read_again() -> None:
    texts = [(("a", "b", "c"), "a-b c"), (("a-b", "c"), "a-b c"), (("a", "b"), "a-b"), (("a",), "a b")]
    (found, _), (expected, _) = (pieces_of(texts, fast=fast) for fast in (True, False))
    assert found == expected
