"""The page's payload: it matches the schema, is complete, and is only data."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import Meteor, _core
from bolide.comparison.compare import ComparisonOptions
from bolide.explanation.reasons import reason
from bolide.formula.layout import columns
from bolide.formula.statistics import COMPONENTS
from bolide.scoring.alignment import Match
from bolide.xray import Xray, of_texts
from bolide.xray.payload import payload, to_json
from tests.support.examples import examples
from tests.support.xray_texts import REFERENCES, SOURCES, SYSTEMS, small, validate

PLAIN = Meteor("linear", modules=["exact"], normalize="lower")
NO_PUNCTUATION = Meteor("linear", modules=["exact"], normalize="no-punctuation")
NOTHING_LIKE_IT = [
    "<script>alert(1)</script>",
    "</script><!--",
    '"><img src=x onerror=alert(1)>',
    "\u2028\u2029\u0000\u001b[31m\u202e",
    "𝔘𝔫𝔦 👩‍👩‍👧 é",
    "",
    "   ",
    "שלום <b>עולם</b>",
    "渡轮九点出发。",
    "w" * 5000,
]


def read(found: Xray) -> dict[str, Any]:
    """Parse the page as a browser would."""
    data: dict[str, Any] = json.loads(to_json(payload(found)))
    validate(data)
    return data


@pytest.fixture(scope="module")
def shown(english: Meteor) -> Xray:
    return small(english)


@pytest.fixture(scope="module")
def data(shown: Xray) -> dict[str, Any]:
    return read(shown)


def words_of(data: dict[str, Any], text: list[int]) -> tuple[str, ...]:
    """The words of a text, as the metric sees them."""
    return tuple(data["words"][data["pieces"][number][0]] for number in text if number >= 0)


def raw_text(data: dict[str, Any], text: list[int]) -> str:
    """A text as the user wrote it."""
    if text and text[0] < 0:
        return str(data["wordless"][-1 - text[0]])
    pieces = [data["pieces"][number] for number in text]
    return "".join("".join(piece[3:]) + (piece[1] or "") + piece[2] for piece in pieces)


def unpacked(data: dict[str, Any], system: int, segment: int, reference: int) -> tuple[Any, ...]:
    """Words, matches and reasons, restored from the numbers of the payload."""
    found = data["systems"][system]
    hypothesis = words_of(data, found["hypotheses"][segment])
    reference_words = words_of(data, data["references"][segment][reference])
    flat = found["alignments"][segment][reference]["matches"]
    rows = [flat[k : k + 7] for k in range(0, len(flat), 7)]
    modules = [module["name"] for module in data["modules"]]
    matches = tuple(Match(a, b, c, d, stage, modules[stage], chunk) for a, b, c, d, stage, chunk, _ in rows)
    return hypothesis, reference_words, matches, [data["reasons"][row[6]] for row in rows]


def test_nothing_is_lost(shown: Xray, data: dict[str, Any]) -> None:
    for s, system in enumerate(shown.systems):
        for k, segment in enumerate(shown.segments):
            for r in range(len(segment.references)):
                alignment = shown.alignment(s, k, r)
                reasons = [shown.reason(alignment, match) for match in alignment.matches]
                words = alignment.hypothesis, alignment.reference
                assert unpacked(data, s, k, r) == (*words, alignment.matches, reasons)
                values = data["systems"][s]["alignments"][k][r]["values"]
                known = [0.0 if value is None else value for value in values]
                assert known == [getattr(alignment.score, name) for name in COMPONENTS]
            assert data["systems"][s]["best"][k] == shown.best(s, k)
        assert data["systems"][s]["name"] == system.name


def test_the_text_of_the_user_is_whole(data: dict[str, Any]) -> None:
    for k, references in enumerate(REFERENCES):
        assert [raw_text(data, text) for text in data["references"][k]] == references
        for s, hypotheses in enumerate(SYSTEMS.values()):
            assert raw_text(data, data["systems"][s]["hypotheses"][k]) == hypotheses[k]
    assert data["raw"] is True


@given(
    st.lists(st.text(st.sampled_from("aB1.,-'“é \t\u3000日\u0301İ()"), max_size=15), min_size=1, max_size=4)
)
@settings(max_examples=examples(200))
def test_any_text_of_the_user_is_whole(texts: list[str]) -> None:
    for meteor in (PLAIN, NO_PUNCTUATION):
        data = read(of_texts({"x": texts}, texts, meteor, ComparisonOptions(test="none")))
        for text, found in zip(texts, data["systems"][0]["hypotheses"], strict=True):
            assert raw_text(data, found) == (text if found or text.strip() else "")


def test_without_the_text_of_the_user_there_are_words(shown: Xray) -> None:
    """As for alignments that Java wrote."""
    segments = tuple(replace(segment, texts=None) for segment in shown.segments)
    systems = tuple(replace(system, texts=None) for system in shown.systems)
    data = read(replace(shown, segments=segments, systems=systems))
    assert data["raw"] is False
    text = data["systems"][0]["hypotheses"][1]
    assert raw_text(data, text) == " ".join(words_of(data, text)) == "a cat sleeps on the old wall ."


def test_statistics_are_the_scorers(data: dict[str, Any], english: Meteor) -> None:
    for s, (name, hypotheses) in enumerate(SYSTEMS.items()):
        for k, hypothesis in enumerate(hypotheses):
            for r, reference in enumerate(data["references"][k]):
                tokens = list(words_of(data, reference))
                expected = english.statistics([english.normalized(hypothesis).split()], [tokens])[0]
                found = data["systems"][s]["alignments"][k][r]["statistics"]
                assert found == expected.tolist(), name
                assert len(found) == len(columns(english.modules))


def test_corpus_figures(data: dict[str, Any], shown: Xray, english: Meteor) -> None:
    for system, described in zip(shown.systems, data["systems"], strict=True):
        assert system.result is not None
        score = system.result.score
        for name in ("score", "precision", "recall", "fmean", "penalty", "chunks", "bounded", "unproven"):
            assert described[name] == getattr(score, name)
        assert described["interval"] == list(system.result.interval or ())
        assert described["lengths"] == {
            "hypothesis": score.hypothesis_length,
            "reference": score.reference_length,
        }
        values = english.evaluate(np.array(described["totals"]))[0]
        assert values[-1] == described["score"]
        assert [list(module.values()) for module in described["matches"]] == [
            described["totals"][4 + 4 * k : 8 + 4 * k] for k in range(len(english.modules))
        ]
    assert data["sources"] == SOURCES
    assert data["names"] is data["documents"] is None
    assert data["parameters"] == {
        "alpha": 0.85, "beta": 0.2, "gamma": 0.6, "delta": 0.75, "fmean": "harmonic", "whole": "unpenalised",
        "fragments": "chunks",
    }  # fmt: skip
    assert [module["weight"] for module in data["modules"]] == [1.0, 0.6, 0.8, 0.6]


def test_each_word_and_reason_once(data: dict[str, Any]) -> None:
    assert len(set(data["words"])) == len(data["words"])
    assert len(set(data["reasons"])) == len(data["reasons"])
    functions = {data["words"][w] for w in data["function"]}
    assert {"the", "at"} <= functions
    assert "ferry" not in functions


def test_reasons_are_found_out_once(english: Meteor, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def counting(stage: Any, *words: Any) -> Any:
        asked.append((stage.name, *words))
        return reason(stage, *words)

    monkeypatch.setattr("bolide.explanation.reasons.reason", counting)
    payload(of_texts({"x": ["the ferries leave"] * 50}, ["the ferry leaves"] * 50, english))
    assert asked
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize("normalize", ["keep-punctuation", "none"])
def test_text_is_data(normalize: str, english: Meteor) -> None:
    meteor = english if normalize == "keep-punctuation" else PLAIN
    systems = {"<script>": NOTHING_LIKE_IT, "</script>": NOTHING_LIKE_IT[::-1]}
    found = of_texts(systems, NOTHING_LIKE_IT, meteor, sources=NOTHING_LIKE_IT, documents=NOTHING_LIKE_IT)
    data = read(found)
    assert data["sources"] == data["documents"] == NOTHING_LIKE_IT
    for s, texts in enumerate(systems.values()):
        for k, text in enumerate(texts):
            words = words_of(data, data["systems"][s]["hypotheses"][k])
            assert list(words) == _core.split(meteor.normalized(text))


def test_numbers_that_are_not_there() -> None:
    """Without words or matches a number is null, never NaN, which JSON does not have."""
    data = read(of_texts({"x": ["", "a", "b"]}, ["a", "", "c"], PLAIN))
    values = [alignments[0]["values"] for alignments in data["systems"][0]["alignments"]]
    assert all(row[-1] == 0 for row in values)
    assert all(None in row for row in values)


def test_segments_with_documents_and_other_numbers_of_references() -> None:
    data = read(
        of_texts(
            {"x": ["a", "b"]}, [["a"], ["b", "c", "d"]], PLAIN, documents=["one", "two"], layout="segments"
        )
    )
    assert [len(references) for references in data["references"]] == [1, 3]
    assert [len(alignments) for alignments in data["systems"][0]["alignments"]] == [1, 3]
    assert data["documents"] == ["one", "two"]


def test_united() -> None:
    union = Meteor("linear", modules=["exact"], normalize="lower", references="union")
    data = read(of_texts({"x": ["a b"]}, [["a y", "b x"]], union, layout="segments"))
    (united,) = data["systems"][0]["united"]
    assert united["values"][-1] == union.sentence_score("a b", ["a y", "b x"]).score
    assert united["statistics"] != data["systems"][0]["alignments"][0][0]["statistics"]


def test_what_is_bounded_is_flagged() -> None:
    many = "the " * 2000
    data = read(of_texts({"x": [many + "a", "b"]}, [many, "b"], PLAIN, ComparisonOptions(test="none")))
    assert [alignments[0]["flags"] & 1 for alignments in data["systems"][0]["alignments"]] == [1, 0]
    assert data["systems"][0]["bounded"] == 1
