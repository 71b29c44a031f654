"""Native phrase pairs: symmetric alignments, extraction, lexical weights; by hand, and against the oracle."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import _core
from tests.support.oracle import phrase_pairs as oracle
from tests.support.oracle.phrase_pairs import Extracted, Link, Pair


def line(links: Sequence[Link] | frozenset[Link] | set[Link]) -> str:
    return " ".join(f"{s}-{t}" for s, t in sorted(links))


def links_of(text: str) -> frozenset[Link]:
    pairs = (link.split("-") for link in text.split())
    return frozenset((int(s), int(t)) for s, t in pairs)


def pair(source: str, target: str, links: str) -> Pair:
    return Pair(source.split(), target.split(), links_of(links))


def texts(column: tuple[object, object]) -> list[str]:
    data, offsets = column
    raw, bounds = bytes(data), list(offsets)  # type: ignore[call-overload]
    return [raw[a:b].decode() for a, b in pairwise(bounds)]


def extracted(pairs: Sequence[Pair], longest: int, threads: int = 1) -> list[tuple[Extracted, float, float]]:
    extractor = _core.PhraseExtractor(longest)
    columns = (
        [" ".join(p.source) for p in pairs],
        [" ".join(p.target) for p in pairs],
        [line(p.links) for p in pairs],
    )
    extractor.count(*columns)
    rows = []
    for source, target, links, forward, backward in extractor.extract(*columns, threads):
        for s, t, a, f, b in zip(
            texts(source), texts(target), texts(_core.link_texts(links)), forward, backward, strict=True
        ):
            rows.append((Extracted(s, t, tuple(sorted(links_of(a)))), float(f), float(b)))
    return rows


# ---- symmetric alignments ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "both"),
    [
        ("", "", ""),
        ("0-0", "0-0", "0-0"),
        # There is no common link, so nothing grows. Then each direction adds links between two free words.
        ("0-0 1-0", "1-1", "0-0 1-1"),
        ("1-1", "0-0 1-0", "1-1 0-0"),
        # A neighbour of a common link is added if one of its words is free, in either direction.
        ("0-0 1-1 2-1", "0-0 1-1", "0-0 1-1 2-1"),
        ("0-0 1-1", "0-0 1-1 1-2", "0-0 1-1 1-2"),
        # Grow along the diagonal, several times.
        ("0-0 1-1 2-2", "0-0", "0-0 1-1 2-2"),
        # Not a neighbour, and one of its words is taken: neither step adds it.
        ("0-0 0-2", "0-0", "0-0"),
        # Far away, but both words free: the last step adds it.
        ("0-0 4-7", "0-0", "0-0 4-7"),
        # Both neighbours of 1-1 would be the first link of word 2; the upper one comes first and takes it.
        ("1-1 2-0 2-2", "1-1", "1-1 2-0 2-2"),
    ],
)
def test_symmetric_by_hand(first: str, second: str, both: str) -> None:
    assert _core.grow_diag_final_and([first], [second]) == [line(links_of(both))]


alignments = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14)


@given(alignments, alignments)
def test_symmetric_like_oracle(first: set[Link], second: set[Link]) -> None:
    [found] = _core.grow_diag_final_and([line(first)], [line(second)])
    assert links_of(found) == oracle.grow_diag_final_and(first, second)
    assert first & second <= links_of(found) <= first | second


@pytest.mark.parametrize("text", ["0", "0-", "-1", "0-0,1-1", "0:0", "a-b", "0-0 1", "-1-0", "99999999999-0"])
def test_malformed_links(text: str) -> None:
    with pytest.raises(ValueError, match=r"^1: not links such as 0-0 1-2$"):
        _core.grow_diag_final_and(["", text], ["", ""])
    with pytest.raises(ValueError, match=r"^1: not links"):
        _core.PhraseExtractor(7).count(["a", "a"], ["b", "b"], ["0-0", text])


# ---- extraction ----------------------------------------------------------------------------------


def test_extraction_by_hand() -> None:
    # Koehn's example (Statistical Machine Translation, figure 5.6), with different words.
    example = pair("wir glauben dass er bleibt", "we think he stays", "0-0 1-1 3-2 4-3")
    found = {(row.source, row.target) for row, _, _ in extracted([example], 7)}
    assert found == {
        ("wir", "we"),
        ("wir glauben", "we think"),
        ("wir glauben dass", "we think"),
        ("wir glauben dass er", "we think he"),
        ("wir glauben dass er bleibt", "we think he stays"),
        ("glauben", "think"),
        ("glauben dass", "think"),
        ("glauben dass er", "think he"),
        ("glauben dass er bleibt", "think he stays"),
        ("dass er", "he"),
        ("dass er bleibt", "he stays"),
        ("er", "he"),
        ("er bleibt", "he stays"),
        ("bleibt", "stays"),
    }


def test_crossing_links_by_hand() -> None:
    # "rot" and "das" cross: no pair has one of them without the words between.
    example = pair("das haus rot", "the red house", "0-0 1-2 2-1")
    found = {(row.source, row.target) for row, _, _ in extracted([example], 7)}
    assert found == {
        ("das", "the"),
        ("haus", "house"),
        ("rot", "red"),
        ("haus rot", "red house"),
        ("das haus rot", "the red house"),
    }


def test_lexical_weights_by_hand() -> None:
    pairs = [
        pair("la casa", "the house", "0-0 1-1"),
        pair("la casa", "the home", "0-0 1-1"),
        pair("casa", "at home", "0-1"),
        pair("casa grande", "big house", "0-1 1-0"),
    ]
    weights = {
        (row.source, row.target): (forward, backward) for row, forward, backward in extracted(pairs, 7)
    }
    # casa is linked to house twice, to home twice; house and home are linked only to casa.
    assert weights["casa", "house"] == (1.0, 0.5)
    assert weights["la casa", "the home"] == (1.0, 0.5)
    # "at" is the only word without a link.
    assert weights["casa", "at home"] == (1.0, 1.0 * 0.5)


def test_several_links_by_hand() -> None:
    pairs = [pair("zum", "to the", "0-0 0-1"), pair("zu", "to", "0-0"), pair("der", "the", "0-0")]
    weights = {
        (row.source, row.target): (forward, backward) for row, forward, backward in extracted(pairs, 7)
    }
    # w(zum | to) = w(zum | the) = 1/2; w(to | zum) = w(the | zum) = 1/2.
    assert weights["zum", "to the"] == ((0.5 + 0.5) / 2, 0.5 * 0.5)


words = st.sampled_from("abcd")


@st.composite
def sentence_pairs(draw: st.DrawFn) -> Pair:
    source, target = (draw(st.lists(words, min_size=1, max_size=9)) for _ in range(2))
    points = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    return Pair(source, target, draw(st.frozensets(points, max_size=10)))


@given(st.lists(sentence_pairs(), max_size=4), st.integers(1, 8))
def test_extraction_like_oracle(pairs: list[Pair], longest: int) -> None:
    found = extracted(pairs, longest)
    expected = Counter(row for each in pairs for row in oracle.extract(each, longest))
    assert Counter(row for row, _, _ in found) == expected
    lexicon = oracle.Lexicon(pairs)
    for row, forward, backward in found:
        assert (forward, backward) == pytest.approx(lexicon.weights(row), rel=1e-12)


def test_threads_find_the_same() -> None:
    numbers = random.Random(5)
    pairs = []
    for _ in range(1000):
        source, target = ([numbers.choice("abcdefgh") for _ in range(numbers.randint(1, 12))] for _ in "st")
        links = frozenset((k, numbers.randrange(len(target))) for k in range(len(source)))
        pairs.append(Pair(source, target, links))
    assert extracted(pairs, 7, threads=1) == extracted(pairs, 7, threads=4)


@pytest.mark.parametrize("longest", [0, 9, -1])
def test_lengths_that_cannot_be(longest: int) -> None:
    with pytest.raises(ValueError, match="from 1 to 8 words"):
        _core.PhraseExtractor(longest)


def test_mistakes() -> None:
    extractor = _core.PhraseExtractor(7)
    with pytest.raises(ValueError, match=r"^0: link 1-0 of words that are not there: there are 1 and 2$"):
        extractor.count(["a"], ["b c"], ["1-0"])
    with pytest.raises(ValueError, match="as many"):
        extractor.count(["a"], ["b"], [])
    with pytest.raises(ValueError, match=r"^0: a word was not counted before$"):
        extractor.extract(["a"], ["z"], ["0-0"], 1)
