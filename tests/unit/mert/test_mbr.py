"""Minimum Bayes risk decoding of n-best lists."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bolide
from bolide.errors import ConfigurationError, InputError
from bolide.mert import NBest, Weights
from bolide.mert.mbr import minimum_risk, posteriors
from bolide.scoring.decision import MbrPlan
from tests.support.examples import examples
from tests.unit.mert.test_lists import written

# A sentence, a text, a feature, and a score that depends on the feature.
lines = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from("abc"), st.integers(-3, 3)), min_size=1, max_size=12
).map(lambda rows: [(0, "a", 0), (1, "a", 0), (2, "b", 0), *rows])


def read(rows: list[tuple[int, str, int]], folder: Path) -> NBest:
    return NBest.read([written(folder, *(f"{s} ||| {t} ||| LM0= {f} ||| {2 * f}" for s, t, f in rows))])


@given(lines, st.sampled_from([None, 0.0, 0.5, 2.0]), st.booleans())
@settings(max_examples=examples(100))
def test_posteriors(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, str, int]], scale: float | None, own: bool
) -> None:
    """The weight of a text is the sum of those of its lines, or of its distinct hypotheses."""
    weights = Weights.of({"LM0": 2.0}) if own and scale is not None else None
    found = list(posteriors(read(rows, tmp_path_factory.mktemp("lists")), scale, weights))
    for sentence, (texts, values) in enumerate(found):
        of_sentence = [(text, feature) for s, text, feature in rows if s == sentence]
        expected: Counter[str] = Counter()
        for text, feature in of_sentence if scale is None else dict.fromkeys(of_sentence):
            expected[text] += 1 if scale is None else math.exp(scale * 2 * feature)  # type: ignore[assignment]
        assert texts == list(dict.fromkeys(text for text, _ in of_sentence))
        total = sum(expected.values())
        assert values.tolist() == pytest.approx([expected[text] / total for text in texts])


def test_choices_are_those_of_the_scorer(english: bolide.Meteor, tmp_path: Path) -> None:
    texts = [["the cat sat", "a dog barked", "the cat sat down"], ["x"], ["one two", "three four"]]
    rows = [(s, text, -k) for s, each in enumerate(texts) for k, text in enumerate(each)]
    lists = read([*rows, (2, "three four", -1)], tmp_path)
    steps: list[tuple[int, int]] = []
    found = minimum_risk(lists, english, progress=lambda *step: steps.append(step))
    expected = english.mbr(texts, weights=[[1, 1, 1], [1], [1, 2]])
    assert [each.index for each in found] == [each.index for each in expected] == [2, 0, 1]
    assert [each.expected.tolist() for each in found] == [each.expected.tolist() for each in expected]
    assert steps == [(0, 3), (3, 3)]
    weighted = minimum_risk(lists, english, MbrPlan("prune", 1), scale=4)
    assert [each.candidate for each in weighted] == ["the cat sat", "x", "one two"]
    # Many other texts are like the second, but the first has nearly all of the weight.
    assert minimum_risk(lists, english, scale=100)[2].score == pytest.approx(1)


def test_scores_that_differ(tmp_path: Path, english: bolide.Meteor) -> None:
    one = written(tmp_path, "0 ||| a ||| 1 ||| 5", "0 ||| b ||| 2 ||| 6", name="one")
    two = written(tmp_path, "0 ||| c ||| 1 ||| 5", "0 ||| b ||| 2 ||| 7", name="two")
    lists = NBest.read([one, two])
    assert [each[1].tolist() for each in posteriors(lists)] == [[0.25, 0.5, 0.25]]
    with pytest.raises(InputError, match=r"two, line 2: a hypothesis has another score .* \(--weights\)"):
        list(posteriors(lists, 1))
    ((texts, values),) = posteriors(lists, math.log(3), Weights.of({"0": 1.0}))
    assert (texts, values.tolist()) == (["a", "b", "c"], pytest.approx([0.2, 0.6, 0.2]))


def test_lists_without_scores() -> None:
    lists = NBest.of([[("a", {"lm": 1.0}), ("b", {"lm": 2.0})]])
    assert [each[1].tolist() for each in posteriors(lists)] == [[0.5, 0.5]]
    with pytest.raises(InputError, match="these lists have no scores"):
        list(posteriors(lists, 1.0))


def test_weights_need_a_scale() -> None:
    lists = NBest.of([[("a", {"lm": 1.0})]])
    with pytest.raises(ConfigurationError, match="give the scale too"):
        list(posteriors(lists, None, Weights.of({"lm": 1.0})))
    with pytest.raises(ConfigurationError, match="scale must be a number of at least 0"):
        list(posteriors(lists, -1))
