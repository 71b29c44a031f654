"""The exact aligner, checked against all alignments on small cases, and against the beam on large ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import core_testing
from tests.support.examples import examples
from tests.support.oracle.exact import best_alignment, cost, excludes
from tests.support.oracle.matchers import Match

# Gains as in the 1.3 paper, with exact matches doubled, as Java truncates them, and with unusual values.
WEIGHTS = ([1.0, 1.0, 1.0, 1.0], [2.0, 1.0, 1.0, 1.0], [1.0, 0.5, 0.5, 0.5], [0.0, 1.5, 0.5, 3.0])


def choose(
    matches: Iterable[Match],
    lengths: tuple[int, int],
    weights: list[float],
    aligner: str = "exact",
    **more: Any,
) -> tuple[tuple[Match, ...], bool]:
    rows = np.array(list(matches), dtype=np.int32).reshape(-1, 5)
    chosen, proven = core_testing.choose(rows, *lengths, aligner, weights, **more)
    return tuple(Match(*row) for row in chosen.tolist()), proven


def check_consistent(chosen: Sequence[Match], matches: Iterable[Match]) -> None:
    """Check that matches are listed, sorted by reference start, and use no word twice."""
    assert set(chosen) <= set(matches)
    assert list(chosen) == sorted(chosen)
    ordered = sorted(chosen, key=lambda match: match.hypothesis_start)
    for matches_in_order in (list(chosen), ordered):
        for one, next_one in pairwise(matches_in_order):
            assert not excludes(one, next_one)


@st.composite
def any_matches(draw: st.DrawFn) -> tuple[list[Match], tuple[int, int]]:
    """Matches anywhere, including phrases and duplicates."""
    hypothesis, reference = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    length = st.sampled_from([1, 1, 1, 2, 3])

    @st.composite
    def match(draw: st.DrawFn) -> Match:
        reference_length, hypothesis_length = min(draw(length), reference), min(draw(length), hypothesis)
        return Match(
            draw(st.integers(0, reference - reference_length)),
            reference_length,
            draw(st.integers(0, hypothesis - hypothesis_length)),
            hypothesis_length,
            draw(st.integers(0, 3)),
        )

    return draw(st.lists(match(), max_size=14)), (hypothesis, reference)


@st.composite
def words_matches(draw: st.DrawFn) -> tuple[list[Match], tuple[int, int]]:
    """Sentences of few words: every equal pair, some others, and a few phrases."""
    word = st.integers(0, draw(st.integers(1, 4)))
    hypothesis, reference = (
        draw(st.lists(word, min_size=1, max_size=6)),
        draw(st.lists(word, min_size=1, max_size=6)),
    )
    related = draw(st.integers(1, 9))  # words with this difference are related
    matches = [
        Match(r, 1, h, 1, int(a != b))
        for r, a in enumerate(reference)
        for h, b in enumerate(hypothesis)
        if abs(a - b) in (0, related)
    ]
    phrases, _ = draw(any_matches())
    inside = [
        m._replace(stage=3)
        for m in phrases[:4]
        if m.reference_start + m.reference_length <= len(reference)
        and m.hypothesis_start + m.hypothesis_length <= len(hypothesis)
    ]
    return matches + inside, (len(hypothesis), len(reference))


@settings(max_examples=examples(600), deadline=None)
@given(any_matches() | words_matches(), st.sampled_from(WEIGHTS))
def test_finds_the_best_of_all_alignments(
    case: tuple[list[Match], tuple[int, int]], weights: list[float]
) -> None:
    matches, lengths = case
    chosen, proven = choose(matches, lengths, weights)
    assert proven
    assert chosen == best_alignment(matches, weights)


def sentence_pair(random: Random, length: int, types: int) -> tuple[list[Match], tuple[int, int]]:
    """A reference with few word types, and a hypothesis made of pieces of it, with random phrase matches."""
    reference = [random.randrange(types) for _ in range(length)]
    hypothesis: list[int] = []
    while len(hypothesis) < length:
        start = random.randrange(length)
        hypothesis += reference[start : start + random.randrange(1, 5)]
        if random.random() < 0.3:
            hypothesis.append(random.randrange(types))
    matches = [
        Match(r, 1, h, 1, 0)
        for r, a in enumerate(reference)
        for h, b in enumerate(hypothesis)
        if a == b or ((a + b) % types == 1 and (r + h) % 3 == 0)
    ]
    for _ in range(length):
        sizes = random.randrange(1, 4), random.randrange(1, 4)
        starts = random.randrange(length - sizes[0] + 1), random.randrange(len(hypothesis) - sizes[1] + 1)
        matches.append(Match(starts[0], sizes[0], starts[1], sizes[1], random.randrange(1, 4)))
    return matches, (len(hypothesis), length)


@pytest.mark.parametrize("weights", WEIGHTS[:3])
@pytest.mark.parametrize(("length", "types"), [(12, 4), (25, 12), (60, 15), (150, 40), (300, 20)])
@pytest.mark.parametrize("budget", [0, 1, 3_000, 100_000, 20_000_000])
def test_is_never_worse_than_the_beam(weights: list[float], length: int, types: int, budget: int) -> None:
    for seed in range(3):
        matches, lengths = sentence_pair(Random(seed), length, types)
        chosen, _ = choose(matches, lengths, weights, budget=budget)
        check_consistent(chosen, matches)
        rival, _ = choose(matches, lengths, weights, "beam")
        assert cost(chosen, weights) <= cost(rival, weights)
        assert choose(matches, lengths, weights, budget=budget)[0] == chosen


def test_a_larger_budget_proves_the_same_alignment() -> None:
    for seed in range(30):
        matches, lengths = sentence_pair(Random(seed), 20, 9)
        by_budget = [choose(matches, lengths, WEIGHTS[0], budget=budget) for budget in (100_000, 20_000_000)]
        if all(proven for _, proven in by_budget):
            assert by_budget[0] == by_budget[1]


def equal_words(hypothesis: Sequence[int], reference: Sequence[int]) -> list[Match]:
    places: dict[int, list[int]] = {}
    for h, word in enumerate(hypothesis):
        places.setdefault(word, []).append(h)
    return [Match(r, 1, h, 1, 0) for r, word in enumerate(reference) for h in places.get(word, ())]


def zipf(random: Random, count: int) -> list[int]:
    return random.choices(range(20), [1 / (k + 1) for k in range(20)], k=count)


HOSTILE: dict[str, Callable[[], list[Match]]] = {
    "equal words, one differs": lambda: equal_words([0] * 1000, [0] * 500 + [1] + [0] * 499),
    "two alternating symbols": lambda: equal_words([0, 1] * 500, [1, 0] * 500),
    "function words": lambda: equal_words(zipf(Random(1), 1000), zipf(Random(2), 1000)),
    "dense phrases": lambda: [
        Match(r, a, h, b, 3)
        for r in range(200)
        for a in range(1, 5)
        for h in range(200)
        for b in range(1, 3)
        if (r * 7 + h * 3 + a + b) % 2 == 0 and r + a <= 200 and h + b <= 200
    ],
    "long phrases": lambda: [Match(0, 255, h, 255, 3) for h in range(1700)] * 12,
    "many words": lambda: [
        Match(r, 1, h, 1, 0) for r in range(20_000) for h in range(r, min(r + 8, 20_000))
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pairs_are_answered(name: str) -> None:
    matches = HOSTILE[name]()
    lengths = (
        max(m.hypothesis_start + m.hypothesis_length for m in matches),
        max(m.reference_start + m.reference_length for m in matches),
    )
    chosen, _ = choose(matches, lengths, WEIGHTS[0])
    check_consistent(chosen, matches)
    rival, _ = choose(matches, lengths, WEIGHTS[0], "beam")
    assert cost(chosen, WEIGHTS[0]) <= cost(rival, WEIGHTS[0])


def test_nothing_to_align() -> None:
    assert choose([], (0, 0), WEIGHTS[0]) == ((), True)
    assert choose([], (3, 0), WEIGHTS[0]) == ((), True)
    assert choose([], (0, 3), WEIGHTS[0]) == ((), True)


def test_a_match_without_gain_is_taken_where_it_joins_chunks() -> None:
    matches = [Match(0, 1, 0, 1, 0), Match(1, 1, 1, 1, 1), Match(2, 1, 2, 1, 0)]
    assert choose(matches, (3, 3), [1.0, 0.5]) == (tuple(matches), True)
    apart = [Match(0, 1, 0, 1, 0), Match(1, 1, 1, 1, 1), Match(2, 1, 3, 1, 0)]
    assert choose(apart, (4, 3), [1.0, 0.5]) == ((apart[0], apart[2]), True)
