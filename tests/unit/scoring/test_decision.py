"""Minimum Bayes risk decoding: the same choices as those of the slow version."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import bolide
from bolide.errors import ConfigurationError, InputError
from bolide.scoring import decision
from bolide.scoring.decision import MbrPlan, decide, softmax
from tests.support.examples import examples
from tests.support.oracle import mbr as oracle


def metric(candidate: str, reference: str) -> float:
    """A score of texts that are numbers."""
    return 1 / (2 + abs(int(candidate) - int(reference)) + 0.37 * int(candidate))


class Pairs:
    """Scores all pairs by this metric, and counts them."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def pairwise_batch(
        self, hypotheses: Sequence[Any], references: Any = None, *, symmetric: bool = False
    ) -> list[Any]:
        assert not symmetric
        pairs = zip(hypotheses, references, strict=True)
        found = [np.array([[metric(a, b) for b in theirs] for a in ours]) for ours, theirs in pairs]
        self.calls.append(sum(each.size for each in found))
        return found


texts = st.lists(st.integers(0, 5).map(str), min_size=1, max_size=7)
sources = st.lists(st.tuples(texts, texts), max_size=4)


@given(sources, st.sampled_from(decision.METHODS), st.integers(1, 5), st.integers(1, 12), st.data())
@settings(max_examples=examples(300))
def test_choices_are_those_of_the_oracle(
    given_sources: list[tuple[list[str], list[str]]], method: str, keep: int, block: int, data: st.DataObject
) -> None:
    weights = [
        data.draw(st.lists(st.integers(1, 4), min_size=len(theirs), max_size=len(theirs)))
        for _, theirs in given_sources
    ]
    pairs = Pairs()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decision, "BLOCK", block)
        found = decide(
            pairs,
            [ours for ours, _ in given_sources],
            [theirs for _, theirs in given_sources],
            weights,
            MbrPlan(method, keep),
        )
    widest = max((len(theirs) for _, theirs in given_sources), default=0)
    assert max(pairs.calls, default=0) <= max(block, widest)
    for choice, (ours, theirs), weight in zip(found, given_sources, weights, strict=True):
        assume(not oracle.has_near_ties(ours, theirs, weight, metric, keep))
        index, expected = oracle.decide(ours, theirs, weight, metric, method, keep)
        assert choice.expected.tolist() == pytest.approx(
            [math.nan if value is None else value for value in expected], nan_ok=True, abs=1e-12
        )
        assert (choice.index, choice.candidate) == (index, ours[index])
        assert choice.score == choice.expected[index]


def test_of_equal_candidates_the_first_is_chosen() -> None:
    for method in decision.METHODS:
        (found,) = decide(Pairs(), [["1", "0", "0", "1"]], [["0"] * 3], None, MbrPlan(method, 2))
        assert found.index == 1


def test_methods_compare_fewer_pairs() -> None:
    counts = {}
    for method in decision.METHODS:
        pairs = Pairs()
        decide(pairs, [["3"] * 20], None, None, MbrPlan(method, 4))
        counts[method] = sum(pairs.calls)
    assert counts == {"all": 400, "subset": 80, "prune": 160}


def test_progress() -> None:
    steps: list[tuple[int, int]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decision, "BLOCK", 4)
        decide(Pairs(), [["1", "2"]] * 3, progress=lambda *step: steps.append(step))
    assert steps == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_methods_of_a_scorer(english: bolide.Meteor) -> None:
    """If nothing is left out, all methods agree."""
    candidates = [["a dog barked", "the cat sat on the mat", "the cat sat on a mat"], ["x"]]
    exact = english.mbr(candidates, method="all")
    for method in ("subset", "prune"):
        found = english.mbr(candidates, method=method, keep=3)
        assert [each.expected.tolist() for each in found] == [each.expected.tolist() for each in exact]
    (pruned, _) = english.mbr(candidates, method="prune", keep=1)
    assert (pruned.index, np.isnan(pruned.expected).tolist()) == (0, [False, True, True])
    (same, _) = english.mbr(candidates, symmetric=True)
    assert same.candidate == exact[0].candidate


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "none"}, "unknown method 'none'"),
        ({"keep": 0}, "keep must be a whole number of at least 1"),
        ({"symmetric": True, "method": "prune"}, "symmetric=True needs method='all'"),
        ({"symmetric": True, "references": [["a"]]}, "the candidates as references"),
    ],
)
def test_settings_that_are_wrong(options: dict[str, Any], message: str, english: bolide.Meteor) -> None:
    with pytest.raises(ConfigurationError, match=message):
        english.mbr([["a", "b"]], **options)


def test_errors_name_a_text_by_its_place_among_all(
    english: bolide.Meteor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decision, "BLOCK", 2)
    long = "w " * 100_001
    with pytest.raises(InputError, match="source 3, hypothesis 4: 100001 words"):
        english.mbr([["a", "b"], ["a"], ["a", "b", "c", long]], [["a"]] * 3)
    with pytest.raises(InputError, match="source 2, reference 2: 100001 words"):
        english.mbr([["a", "b"], ["a"]], [["a"], ["a", long]], method="prune", keep=1)
    with pytest.raises(InputError, match="references for 1 source, and candidates for 2"):
        english.mbr([["a"], ["b"]], [["a"]])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([[1.0, math.nan]], "source 1: weights must be finite and not negative, and one must be positive"),
        ([[1.0, math.inf]], "finite"),
        ([[1.0, -1.0]], "not negative"),
        ([[0.0, 0.0]], "one must be positive"),
        ([[1.0]], "source 1: 1 weight for 2 references"),
        ([], "weights for 0 sources"),
        ([[1.0, 1.0], [1.0]], "weights for 2 sources, and references for 1"),
        ([["a", "b"]], "source 1: weights must be a list of numbers"),
        ([None], "source 1: weights must be a list of numbers"),
        ([[[1.0], [2.0]]], "source 1: weights must be a list of numbers"),
        (1.0, "weights must have a list of numbers for each source"),
    ],
)
def test_weights_that_are_wrong(weights: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        decide(Pairs(), [["1", "2"]], weights=weights)


def test_weights_of_any_size() -> None:
    """Only their ratios count, also if their sum is too large for a number."""
    for size in (1e-300, 1.0, 1e308):
        (choice,) = decide(Pairs(), [["1", "2", "7"]], weights=[[size, size, size]])
        (equal,) = decide(Pairs(), [["1", "2", "7"]])
        assert choice.expected.tolist() == pytest.approx(equal.expected.tolist())


def test_generators() -> None:
    candidates = [["1", "2"], ["3"]]
    lists = decide(Pairs(), candidates, candidates, [[1, 2], [1]])
    once = decide(
        Pairs(),
        (iter(each) for each in candidates),  # type: ignore[arg-type]
        (iter(each) for each in candidates),  # type: ignore[arg-type]
        (iter(each) for each in [[1, 2], [1]]),  # type: ignore[arg-type]
    )
    assert [each.candidate for each in once] == [each.candidate for each in lists]
    assert [each.expected.tolist() for each in once] == [each.expected.tolist() for each in lists]


def test_softmax() -> None:
    assert softmax([0.0, math.log(3)]).tolist() == pytest.approx([0.25, 0.75])
    assert softmax([0.0, math.log(9)], 2).tolist() == pytest.approx([0.25, 0.75])
    assert softmax([-5000.0, 0.0, -1e9]).tolist() == [0.0, 1.0, 0.0]
    assert softmax([]).tolist() == []
    for wrong in (0, -1, math.nan, math.inf):
        with pytest.raises(InputError, match="temperature must be a positive number"):
            softmax([1.0], wrong)
    with pytest.raises(InputError, match="finite"):
        softmax([math.inf])
