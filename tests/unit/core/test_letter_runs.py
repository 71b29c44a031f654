"""Words that share runs of letters. test_beam.py and test_pairwise.py compare the matches with the oracle."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import Meteor, _core
from bolide.errors import ConfigurationError
from bolide.resources import Pack
from tests.support.examples import examples
from tests.support.oracle import letters
from tests.unit.matching.test_matchers import pairs

WORDS = st.lists(st.integers(0, 3), max_size=12) | st.lists(st.integers(0, 1), max_size=40)


def meteor(*modules: str, **options: Any) -> Meteor:
    modules = modules or ("exact", "letter-runs")
    weights = [1.0, *[0.8] * (len(modules) - 1)]
    options = {"unit": "characters", "aligner": "exact", **options}
    return Meteor("1.5", "other", modules=list(modules), weights=weights, resources=Pack("other"), **options)


def counts(scorer: Meteor, hypothesis: str, reference: str) -> tuple[int, int]:
    """The letters that the module counts on each side."""
    columns = _core.StatisticsLayout(scorer.modules).columns
    row = dict(zip(columns, scorer.statistics([hypothesis], [reference])[0].tolist(), strict=True))
    return row["letter-runs_hypothesis_content"], row["letter-runs_reference_content"]


@given(WORDS, WORDS)
@settings(max_examples=examples(1000))
def test_common_runs_equal_the_oracle(one: list[int], two: list[int]) -> None:
    assert _core.common_runs(one, two) == letters.common_runs(one, two)


def test_the_letters_of_runs_count() -> None:
    scorer = meteor()
    assert pairs(scorer, "Bundesregierung", "Regierung") == [("bundesregierung", "regierung", "letter-runs")]
    assert counts(scorer, "Bundesregierung", "Regierung") == (9, 9)
    assert counts(scorer, "geöffnet", "eröffnete") == (6, 6)  # öffnet
    assert counts(scorer, "abcxdef", "abcydef") == (6, 6)  # abc, def
    assert counts(scorer, "defabc", "abcxdef") == (3, 3)  # abc: def is on the other side of it


def test_the_closest_pair_is_matched_first() -> None:
    found = pairs(meteor(), "bootshaus hausboot", "hausboote")
    assert found == [("hausboot", "hausboote", "letter-runs")]


def test_a_pair_that_continues_a_match_is_preferred() -> None:
    assert pairs(meteor(), "laufend haus laufen", "das haus laufe") == [
        ("haus", "haus", "exact"),
        ("laufen", "laufe", "letter-runs"),
    ]
    scorer = meteor()
    alone = scorer.align("abcdef x abcdeg", "abcdeh")
    assert [match.hypothesis_start for match in alone.matches] == [0]
    beside = scorer.align("abcdef x abcdeg", "x abcdeh")
    assert [match.hypothesis_start for match in beside.matches] == [1, 2]


def test_only_words_that_no_other_module_matches() -> None:
    found = pairs(meteor("exact", "half-letters", "letter-runs"), "works handed", "work hammer")
    assert sorted(found) == [("handed", "hammer", "letter-runs"), ("works", "work", "half-letters")]


@pytest.mark.parametrize(("one", "two"), [("1998", "1999"), ("...", "...."), ("a", "b"), ("ab", "ba")])
def test_words_that_share_nothing(one: str, two: str) -> None:
    assert pairs(meteor(), one, two) == []


def test_hostile_pairs_are_bounded() -> None:
    hypothesis, reference = (" ".join(f"{side}word{k}" for k in range(2500)) for side in "xy")
    score = meteor(threads=1).sentence_score(hypothesis, reference)
    assert score.bounded and not score.optimal and score.matches > 2000
    assert not meteor().sentence_score("xword1 xword2", "yword1 yword2").bounded


def test_reasons() -> None:
    scorer = meteor(normalize="keep-case")
    alignment = scorer.align("Bundesregierung", "REGIERUNG")
    assert [str(scorer.reason(alignment, match)) for match in alignment.matches] == [
        "9 letters of 15 and 9: regierung"
    ]


def test_a_copy_is_the_same() -> None:
    scorer = meteor()
    copy = pickle.loads(pickle.dumps(scorer))
    texts = (["the cats", "a house boat"], ["the catsuit", "houseboats"])
    assert (copy.statistics(*texts) == scorer.statistics(*texts)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit": "words"}, "counts parts of words, but the unit is words; choose unit characters or"),
        ({"references": "union"}, "but references 'union' counts whole words; choose references best or all"),
    ],
)
def test_what_cannot_count_parts(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        meteor(**options)
