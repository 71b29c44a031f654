"""The X-ray of texts shows the results of the scorer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bolide
from bolide import BolideError, ConfigurationError, InputError, Meteor, xray
from bolide.comparison.compare import ComparisonOptions
from bolide.errors import OutputError
from bolide.inputs.text_files import read_lines
from bolide.xray import Xray, of_texts
from bolide.xray.assembly import direction
from tests.support.xray_texts import REFERENCES, SYSTEMS, small

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "<b>", "שלום"]), max_size=8).map(" ".join)
PLAIN = Meteor("linear", modules=["exact"], normalize="lower")


@pytest.fixture(scope="module")
def found(english: Meteor) -> Xray:
    return small(english)


def test_alignments_are_the_scorers(found: Xray, english: Meteor) -> None:
    for name, hypotheses in SYSTEMS.items():
        for k, (hypothesis, references) in enumerate(zip(hypotheses, REFERENCES, strict=True)):
            assert found.alignment(name, k) == english.align(hypothesis, references)
            for r, reference in enumerate(references):
                assert found.alignment(name, k, r) == english.align(hypothesis, reference)


def test_reasons_are_those_of_explanations(found: Xray, english: Meteor) -> None:
    seen = set()
    for name, hypotheses in SYSTEMS.items():
        for k, hypothesis in enumerate(hypotheses):
            alignment = found.alignment(name, k)
            reasons = [found.reason(alignment, match) for match in alignment.matches]
            explained = english.explain(hypothesis, REFERENCES[k])
            assert reasons == [str(reason) for reason in explained.reasons]
            seen |= {match.module for match in alignment.matches}
    assert seen == set(english.modules)  # otherwise these sentences prove nothing


def test_corpus_scores_and_pairs_are_those_of_compare(found: Xray, english: Meteor) -> None:
    compared = bolide.compare(SYSTEMS, REFERENCES, meteor=english, layout="segments", all_pairs=True)
    for system, expected in zip(found.systems, compared.systems, strict=True):
        assert system.result is not None
        assert (system.result.score, system.result.interval) == (expected.score, expected.interval)
        assert system.result.rank == expected.rank
        np.testing.assert_array_equal(system.scores, expected.score.segments)
    assert compared.pairs is not None
    for pair, tested in zip(found.pairs, compared.pairs, strict=True):
        assert (pair.difference, pair.p_value) == (tested.difference, tested.p_value)
        assert (pair.wins, pair.ties, pair.losses) == (tested.wins, tested.ties, tested.losses)
    assert found.signature == compared.systems[0].score.signature
    assert found.eval_id == compared.systems[0].score.eval_id


@given(st.data())
def test_any_texts(data: st.DataObject) -> None:
    """Against the scorer, one segment and one reference at a time."""
    count = data.draw(st.integers(1, 4))
    systems = {name: data.draw(st.lists(WORDS, min_size=count, max_size=count)) for name in ("x", "y")}
    references = data.draw(st.lists(st.lists(WORDS, min_size=1, max_size=3), min_size=count, max_size=count))
    shown = of_texts(systems, references, PLAIN, ComparisonOptions(samples=2), layout="segments")
    for name, hypotheses in systems.items():
        for k, hypothesis in enumerate(hypotheses):
            alone = [PLAIN.align(hypothesis, reference) for reference in references[k]]
            assert [shown.alignment(name, k, r) for r in range(len(alone))] == alone
            scores = [alignment.score.score for alignment in alone]
            assert shown.best(name, k) == scores.index(max(scores))
            assert shown.system(name).scores[k] == max(scores)
    (pair,) = shown.pairs
    differences = [
        PLAIN.sentence_score(x, refs).score - PLAIN.sentence_score(y, refs).score
        for x, y, refs in zip(systems["x"], systems["y"], references, strict=True)
    ]
    assert (pair.wins, pair.losses) == (
        sum(d > 1e-12 for d in differences),
        sum(d < -1e-12 for d in differences),
    )
    assert pair.wins + pair.ties + pair.losses == count


def test_words_matched_in_any_reference() -> None:
    union = Meteor("linear", modules=["exact"], normalize="lower", references="union")
    shown = of_texts({"x": ["a b", "c"]}, [["a y", "b x"], ["c", "d"]], union, layout="segments")
    expected = union.corpus_score(["a b", "c"], [["a y", "b x"], ["c", "d"]], layout="segments")
    np.testing.assert_array_equal(shown.system("x").scores, expected.segments)
    assert shown.alignment("x", 0) == union.align("a b", ["a y", "b x"])
    assert shown.alignment("x", 0).score.hypothesis_matches == 2
    assert shown.alignment("x", 0, 0).score.hypothesis_matches == 1


def test_many_segments_are_aligned_as_few() -> None:
    """More than one native batch."""
    hypotheses = [f"w{k} a w{k + 1}" for k in range(5000)]
    references = [[f"a w{k}", f"w{k + 1} a"] for k in range(5000)]
    shown = of_texts({"x": hypotheses}, references, PLAIN, ComparisonOptions(test="none"), layout="segments")
    for k in (0, 2047, 2048, 4095, 4096, 4999):
        for r in range(2):
            assert shown.alignment("x", k, r) == PLAIN.align(hypotheses[k], references[k][r])
    np.testing.assert_array_equal(
        shown.system("x").scores, PLAIN.corpus_score(hypotheses, references, layout="segments").segments
    )


def test_one_segment_has_no_interval() -> None:
    shown = of_texts({"x": ["a"], "y": ["b"]}, ["a b"], PLAIN)
    assert shown.systems[0].result is not None
    assert shown.systems[0].result.interval is None
    assert shown.pairs[0].p_value is None
    assert shown.pairs[0].difference == 0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("the ferry", "ltr"),
        ("המעבורת יוצאת בתשע", "rtl"),
        ("العبارة تغادر", "rtl"),
        ("NATO היא ברית", "rtl"),
        ("渡轮 九点 出发", "ltr"),
        ("12 : 30", "ltr"),
        ("", "ltr"),
    ],
)
def test_direction(words: str, expected: str) -> None:
    assert direction([tuple(words.split())]) == expected


def test_function_words(found: Xray) -> None:
    assert {"the", "at"} <= found.function_words
    assert not found.function_words & {"ferry", "letter"}


def wrong() -> dict[str, tuple[Any, type[BolideError], str]]:
    texts = {"x": ["a", "b"]}
    return {
        "no system": (lambda: of_texts({}, ["a"], PLAIN), InputError, "dictionary"),
        "a list": (lambda: of_texts(["a"], ["a"], PLAIN), InputError, "dictionary"),  # type: ignore[arg-type]
        "lengths": (lambda: of_texts(texts, ["a"], PLAIN), InputError, "1 text for 2 hypotheses"),
        "sources": (lambda: of_texts(texts, ["a", "b"], PLAIN, sources=["s"]), InputError, "1 source for 2"),
        "documents": (lambda: of_texts(texts, ["a", "b"], PLAIN, documents=["d"]), InputError, "1 ids for 2"),
        "which system": (
            lambda: of_texts({**texts, "y": ["a"]}, ["a", "b"], PLAIN),
            InputError,
            "y: references: 2 texts for 1",
        ),
        "a number as name": (
            lambda: of_texts({1: ["a"]}, ["a"], PLAIN),  # type: ignore[dict-item]
            InputError,
            "the name of a system must be text, not 1",
        ),
        "surrogate in a name": (
            lambda: of_texts({"\ud800": ["a"]}, ["a"], PLAIN),
            InputError,
            "the name of a system",
        ),
        "surrogate in a title": (
            lambda: of_texts({"x": ["a"]}, ["a"], PLAIN, title="\ud800"),
            InputError,
            "the title has a lone surrogate",
        ),
        "surrogate in a source": (
            lambda: of_texts({"x": ["a"]}, ["a"], PLAIN, sources=["\ud800"]),
            InputError,
            r"the source of a segment has a lone surrogate \(U\+D800\)",
        ),
        "surrogate": (lambda: of_texts({"x": ["\ud800"]}, ["a"], PLAIN), InputError, "lone surrogate"),
        "system": (
            lambda: of_texts(texts, ["a", "b"], PLAIN).alignment("z", 0),
            ConfigurationError,
            "unknown system 'z'",
        ),
        "no references": (lambda: xray.report(texts, output="x.html"), InputError, "references are missing"),
        "ending": (
            lambda: xray.report(texts, ["a"], output="x.pdf"),
            ConfigurationError,
            "must end in .html",
        ),
        "folder": (lambda: xray.report(texts, ["a"], output="no/x.html"), OutputError, "no folder no"),
        "samples": (
            lambda: xray.report(texts, ["a", "b"], output="x.html", meteor=PLAIN, samples=0),
            ConfigurationError,
            "samples",
        ),
        "both": (lambda: xray.report(["a-align.out"], ["a"], output="x.html"), InputError, "dictionary"),
    }


@pytest.mark.parametrize("name", wrong())
def test_wrong(name: str) -> None:
    call, error, message = wrong()[name]
    with pytest.raises(error, match=message):
        call()


def test_a_reference_that_is_not_there(found: Xray) -> None:
    with pytest.raises(IndexError, match="segment 1 of north has no alignment with reference 2"):
        found.alignment("north", 0, 2)


def test_wmt12(shared: Path, english: Meteor) -> None:
    """Java's scores of real systems, in the X-ray."""
    folder = shared / "data" / "wmt"
    rows = [line.split("\t") for line in read_lines(str(folder / "wmt12.cs-en.hyp.tsv.gz"))][1:]
    first = rows[0][0]
    hypotheses = [text for system, _, text in rows if system == first][:300]
    references = [line.split("\t")[1] for line in read_lines(str(folder / "wmt12.cs-en.ref.tsv.gz"))][1:301]
    known = [line.split("\t") for line in read_lines(str(folder / "wmt12.cs-en.scores.tsv.gz"))]
    column = known[0].index("meteor15")
    expected = [float(row[column]) for row in known[1:] if row[0] == first][:300]
    shown = of_texts({first: hypotheses}, references, english, ComparisonOptions(test="none"))
    np.testing.assert_allclose(shown.system(first).scores, expected, atol=1e-9)
