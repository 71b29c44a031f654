"""What statistics count: breaks between chunks, all references together, and the information in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import Meteor, profiles
from bolide._core import StatisticsLayout
from bolide.errors import ConfigurationError
from bolide.formula.parameters import Formula
from bolide.resources import Pack
from tests.support.examples import examples

PLAIN: dict[str, Any] = {
    "modules": ["exact", "stem"], "normalize": "lower", "aligner": "exact", "resources": Pack("en")
}  # fmt: skip
BREAKS = Formula(fragments="breaks")
TEXT = st.lists(st.sampled_from(["the", "cat", "cats", "sat", "mat"]), max_size=7).map(" ".join)


def scorer(formula: Formula = BREAKS, **options: Any) -> Meteor:
    profile = replace(profiles.get("1.3"), name="mine", formula=formula, function_words="none")
    return Meteor(profile, weights=[1.0, 0.6], **{**PLAIN, **options})


CHUNKS, WITH_BREAKS = scorer(Formula()), scorer()
ALL, POOL = (scorer(references=use) for use in ("all", "pool"))
COLUMN = StatisticsLayout(PLAIN["modules"]).chunks


@settings(max_examples=examples(300))
@given(hypothesis=TEXT, reference=TEXT)
def test_breaks_are_the_chunks_after_the_first(hypothesis: str, reference: str) -> None:
    expected = CHUNKS.statistics([hypothesis], [reference])
    expected[:, COLUMN] -= expected[:, COLUMN] > 0
    found = WITH_BREAKS.statistics([hypothesis], [reference])
    assert found.tolist() == expected.tolist()


@settings(max_examples=examples(100))
@given(hypothesis=TEXT, references=st.lists(TEXT, min_size=1, max_size=3))
def test_breaks_with_words_of_any_reference(hypothesis: str, references: list[str]) -> None:
    united = [scorer(formula, references="union") for formula in (Formula(whole="penalised"), BREAKS)]
    chunks, breaks = (each.statistics([hypothesis], [references])[0] for each in united)
    assert breaks[COLUMN] <= chunks[COLUMN]
    assert all(each.sentence_score(hypothesis, references).score <= 1 for each in united)


@settings(max_examples=examples(200))
@given(hypothesis=TEXT, references=st.lists(TEXT, min_size=1, max_size=4))
def test_all_references_are_added_up(hypothesis: str, references: list[str]) -> None:
    rows = WITH_BREAKS.statistics([hypothesis] * len(references), references)
    found = ALL.statistics([hypothesis], [references])
    assert found.tolist() == [rows.sum(axis=0).tolist()]
    assert ALL.sentence_score(hypothesis, references).score == ALL.score(found)[0]


@settings(max_examples=examples(200))
@given(hypothesis=TEXT, references=st.lists(TEXT, min_size=1, max_size=4))
def test_a_pool_has_the_recall_of_all_and_no_lower_precision(hypothesis: str, references: list[str]) -> None:
    every, pool = (each.sentence_score(hypothesis, references) for each in (ALL, POOL))
    assert pool.recall == pytest.approx(every.recall, nan_ok=True)
    assert not pool.precision < every.precision - 1e-12
    found = POOL.statistics([hypothesis], [references])
    assert POOL.score(found)[0] == pool.score


def test_one_chunk_has_no_penalty_wherever_it_is() -> None:
    """Without breaks, a hypothesis that matches completely and one that lacks a word differ by a jump."""
    for formula, jump in ((Formula(), True), (BREAKS, False)):
        meteor = scorer(formula)
        whole = meteor.sentence_score("the cat sat", "the cat sat")
        part = meteor.sentence_score("the cat sat", "the cat sat there")
        assert whole.penalty == 0
        assert (part.penalty > 0) is jump


def test_the_corpus_adds_up_breaks() -> None:
    pairs = [("the cat sat", "the cat sat"), ("sat the cat", "the cat sat"), ("a", "b")]
    found = scorer().corpus_score(*map(list, zip(*pairs, strict=True)))
    assert (found.chunks, found.matches) == (1, 6)
    assert found.penalty == pytest.approx(0.6 * (1 / 6) ** 0.2)


def test_explained() -> None:
    lines = scorer().explain("sat the cat", "the cat sat").lines
    shown = {line.name: str(line) for line in lines}
    assert "chunks" not in shown
    assert shown["breaks"].endswith("= 1   (chunks after the first one)")
    notes = ALL.explain("the cat", ["the cat", "a cat"]).notes
    assert any("the sums over all references" in note for note in notes)
    notes = POOL.explain("the cat", ["the cat", "a cat"]).notes
    assert any("counts as matched with each if any matches it" in note for note in notes)


def test_signature_tells_how_references_are_used() -> None:
    assert "|refs:2all|" in ALL.get_signature(references=2)
    best = Meteor("2005", references="all", resources=Pack("en"), modules=["exact"])
    again = Meteor.from_signature(best.get_signature(references=3))
    assert again.settings.references == "all"
    assert "|refs:2pool|" in POOL.get_signature(references=2)


def test_tasks_have_settings_of_their_own() -> None:
    row = {"alpha": 0.5, "beta": 1, "gamma": 0, "delta": 0.5, "weights": {"other": 1}, "modules": ["exact"]}
    tasks = {"plain": {"any": row}, "own": {"any": {**row, "unit": "characters", "references": "pool"}}}
    profile = replace(profiles.get("1.3"), name="mine", tasks=tasks, task="plain", formula=BREAKS)
    for task, unit, use in ((None, "words", "best"), ("own", "characters", "pool")):
        meteor = Meteor(profile, task=task, resources=Pack("en"))
        assert (meteor.settings.unit, meteor.settings.references) == (unit, use)
    given = Meteor(profile, task="own", unit="words", references="all", resources=Pack("en"))
    assert (given.settings.unit, given.settings.references) == ("words", "all")
    wrong = {"own": {"any": {**row, "references": "pol"}}}
    with pytest.raises(
        ConfigurationError, match=r"tasks.own.any: unknown references 'pol'; did you mean 'pool'"
    ):
        Meteor(replace(profile, tasks=wrong, task="own"))


@pytest.fixture(scope="module")
def informed(meteor: Callable[..., Meteor]) -> Meteor:
    return meteor(profile="2005", modules=["exact"], normalize="lower", unit="information")


def test_size_is_letters_and_bits(informed: Meteor) -> None:
    layout = StatisticsLayout(["exact"])
    words = ["the", "house", "qqqqqqq", "."]
    rows = informed.statistics(words, words)
    pack = informed.settings.frequencies
    assert pack is not None
    assert pack.frequencies is not None
    bits = pack.frequencies.bits(words)
    assert rows[:, layout.hypothesis_length].tolist() == (np.array([3, 5, 7, 1]) + bits).tolist()
    assert bits[0] < bits[1] < bits[2]
    assert rows[:, layout.hypothesis_matches].tolist() == [1, 1, 1, 1]


def test_size_is_the_square_of_the_bits(meteor: Callable[..., Meteor]) -> None:
    scorer = meteor(profile="2005", modules=["exact"], normalize="lower", unit="squared-bits")
    layout = StatisticsLayout(["exact"])
    words = ["the", "house", "qqqqqqq", "."]
    pack = scorer.settings.frequencies
    assert pack is not None
    assert pack.frequencies is not None
    rows = scorer.statistics(words, words)
    assert rows[:, layout.hypothesis_length].tolist() == (pack.frequencies.bits(words) ** 2).tolist()
    assert "|unit:squared-bits|" in scorer.get_signature()
    assert "|frequencies:none|" not in scorer.get_signature()
    again = Meteor.from_signature(scorer.get_signature())
    assert again.settings.unit == "squared-bits"


def test_without_frequencies_letters_count() -> None:
    meteor = Meteor("bolide-2", "other", resources=Pack("other"))
    assert meteor.settings.frequencies is None
    assert "|unit:squared-bits|" in meteor.get_signature()
    assert "|frequencies:none|" in meteor.get_signature()
    assert meteor.modules == ("exact", "case", "letter-runs")
    row = meteor.statistics(["naïve 😀"], ["naïve"])[0]
    assert row[StatisticsLayout(meteor.modules).hypothesis_length] == 7
