"""Groups of segments: each is scored and tested as a corpus of its own."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bolide
from bolide import InputError, Meteor
from bolide.comparison.compare import ComparisonOptions
from bolide.comparison.discoveries import false_discovery_rates
from bolide.comparison.grouping import DISTINCT, PARTS, by_document, by_number, by_tag
from bolide.comparison.groups import GroupedScores
from bolide.errors import ConfigurationError
from bolide.xray import Annotations, Xray, of_texts
from tests.support.examples import examples

SYSTEMS = {
    "one": ["a b c d", "a b", "c d e", "", "a c b d", "f", "a b c"],
    "two": ["a b c", "a x", "c d", "b", "a b c d", "f g", "x"],
    "three": ["d c b a", "a b", "c e", "a b", "a b", "f g", "a b c"],
}
REFERENCES = ["a b c d", "a b", "c d e", "a b", "a b c d", "f g h", "a b c"]
TAGS: dict[str, Any] = {
    "domain": ["news", "web", "news", "web", "news", "web|rare", "news"],
    "year": [2012, 2013, 2012, None, 2013, 2012, 2012],
}
MEAN = Meteor("nltk")
SUM = Meteor("linear", modules=["exact"], normalize="lower")


def xray(meteor: Meteor = SUM, **options: Any) -> Xray:
    return of_texts(SYSTEMS, REFERENCES, meteor, annotations=Annotations(TAGS), **options)


def options(test: Any) -> ComparisonOptions:
    return ComparisonOptions(test=test, samples=200)


@pytest.mark.parametrize("meteor", [SUM, MEAN], ids=["sum", "mean"])
@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_a_group_is_like_a_corpus_of_its_segments(meteor: Meteor, test: Any) -> None:
    found = xray(meteor).groups(options(test))
    assert list(found) == ["domain", "year", "length", "length ratio"]
    for name in ("domain", "year"):
        members = dict(zip(found[name].grouping.groups, found[name].grouping.members[0], strict=True))
        for group in found[name]:
            chosen = members[group.name].tolist()
            systems = {s: [texts[k] for k in chosen] for s, texts in SYSTEMS.items()}
            references = [REFERENCES[k] for k in chosen]
            alone = bolide.compare(
                systems, references, meteor=meteor, test=test, samples=200, all_pairs=len(chosen) > 1
            )
            for own, expected in zip(group.systems, alone.systems, strict=True):
                assert own.segments == len(chosen)
                assert own.score == pytest.approx(expected.score.score, abs=1e-12)
                if test == "bootstrap":
                    assert own.interval == pytest.approx(expected.interval, abs=1e-12)
            for pair in alone.pairs or ():
                of_group = group.pair(pair.first, pair.second)
                assert of_group.p_value == pair.p_value
                assert of_group.difference == pytest.approx(pair.difference, abs=1e-12)
                assert (of_group.wins, of_group.ties, of_group.losses) == (pair.wins, pair.ties, pair.losses)


def test_the_rates_are_those_of_the_groups() -> None:
    found = xray().groups(options("bootstrap"))["domain"]
    pairs = [group.pair("one", "two") for group in found]
    tested = [pair.p_value for pair in pairs if pair.p_value is not None]
    assert [pair.q_value for pair in pairs if pair.q_value is not None] == false_discovery_rates(
        tested
    ).tolist()
    assert found["rare"].pair("one", "two").q_value is None  # one segment
    turned = found["news"].pair("two", "one")
    straight = found["news"].pair("one", "two")
    assert straight.difference is not None
    assert (turned.difference, turned.wins) == (-straight.difference, straight.losses)


def test_length_ratios_are_of_each_system() -> None:
    found = xray().groups(ComparisonOptions(test="none"))["length ratio"]
    assert not found.grouping.shared
    assert found["< 0.7"]["one"].segments == 2  # nothing of 2 words, 1 of 3
    assert found["< 0.7"]["two"].segments == 4  # 2 of 3 (twice), 1 of 2, 1 of 3
    assert found["< 0.7"].pairs == ()
    assert found["≥ 1.3"]["one"].score is None


def test_without_a_test_there_are_only_intervals() -> None:
    group = xray().groups(ComparisonOptions(test="none"))["domain"]["news"]
    assert group["one"].interval is not None
    assert group.pair("one", "two").p_value is None


def test_documents_and_sources() -> None:
    ids = ["x", "x", "y", "y", "x", "z", "z"]
    found = xray(documents=ids, sources=["w " * 12] * 3 + ["字" * 4] * 4).groups()
    assert [group.name for group in found["document"]] == ["x", "y", "z"]
    assert found["document"]["x"].systems[0].segments == 3
    assert "source length" in found
    characters = xray(sources=["字" * 12] * 7).groups()["source length"]
    assert characters["11–20"]["one"].segments == 7


def test_names_that_do_not_exist() -> None:
    found: GroupedScores = xray().groups()["domain"]
    for call in (lambda: found["new"], lambda: found["news"]["on"], lambda: found["news"].pair("one", "to")):
        with pytest.raises(ConfigurationError, match=r"did you mean|[Cc]hoose"):
            call()


# ---- groupings ---------------------------------------------------------------------------------------


@given(st.lists(st.none() | st.integers(-50, 50) | st.floats(-1e6, 1e6), min_size=1, max_size=60))
@settings(max_examples=examples(200))
def test_numbers_are_in_one_group_each(values: list[float | None]) -> None:
    found = by_tag("x", values)
    known = [k for k, value in enumerate(values) if value is not None]
    assert sorted(k for members in found.members[0] for k in members.tolist()) == known
    if len({value for value in values if value is not None}) > DISTINCT:
        assert 1 <= len(found.groups) <= PARTS
        groups = [[values[k] for k in members] for members in found.members[0]]
        for low, high in pairwise(groups):
            assert max(low, default=-np.inf) < min(high, default=np.inf)


def test_tags_are_kept_in_the_order_of_the_text() -> None:
    found = by_tag("t", ["b|a", "", " a ", "b||a|b"])
    assert (found.groups, [m.tolist() for m in found.members[0]]) == (("b", "a"), [[0, 3], [0, 2, 3]])


def test_of_many_groups_the_largest_are_kept() -> None:
    found = by_document(["a", "b", "b", "c", "c", None], most=2)
    assert found.groups == ("b", "c")


def test_bounds_must_increase() -> None:
    with pytest.raises(InputError, match="the bounds of x must increase"):
        by_number("x", [1, 2], [3, 3])


def test_close_bounds_have_different_names() -> None:
    assert by_number("x", [1, 2], [1.00001, 1.00002]).groups == (
        "< 1.00001", "1.00001 – < 1.00002", "≥ 1.00002",
    )  # fmt: skip


def test_repeated_sources_and_unseen_words() -> None:
    sources = ["eins", "zwei", "eins", "drei", "zwei", "vier", "eins"]
    about = Annotations(frequencies={"a": 1, "b": 2, "C": 3})
    found = of_texts(SYSTEMS, REFERENCES, SUM, sources=sources, annotations=about)
    groups = found.groups(options("none"))
    members = {name: [own.tolist() for own in groups[name].grouping.members[0]] for name in groups}
    assert groups["repeated source"].grouping.groups == ("first time", "repeated")
    assert members["repeated source"] == [[0, 1, 3, 5], [2, 4, 6]]
    assert groups["unseen words"].grouping.groups == ("0", "1", "2", "3–4", "≥ 5")
    assert members["unseen words"] == [[1, 3, 6], [0, 4], [2], [5], []]
    distinct = of_texts(SYSTEMS, REFERENCES, SUM, sources=[str(k) for k in range(7)])
    assert "repeated source" not in distinct.groups(options("none"))
