"""Texts with judgments in JSON Lines: what is read, what is refused, and the scores in their places."""

from __future__ import annotations

import gzip
import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import Meteor
from bolide.errors import BolideError, ConfigurationError, InputError
from bolide.evaluation import StudySets, Texts, compute, correlate, read_judged_texts
from bolide.evaluation.measures import OF_SYSTEMS, RANKED
from bolide.evaluation.rouge import common_subsequence, rouge_l
from bolide.evaluation.rows import Condition
from bolide.evaluation.scores import Scores
from bolide.evaluation.study_sets import set_names
from tests.support.paths import EXAMPLES

CAPTIONS = EXAMPLES / "judged" / "captions.jsonl"
PAIRS = EXAMPLES / "judged" / "captions.pairs.jsonl"
ROW = {"segment": "s", "system": "a", "hypothesis": "a cat", "references": ["the cat", "cats"], "human": 1}
PAIR = {"a": "a cat", "b": "a dog", "references": ["the cat"], "preferred": "a"}


def written(path: Path, *rows: Any) -> Path:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    return lambda *rows: written(tmp_path / "data.jsonl", *rows)


def words(texts: Texts) -> list[Scores]:
    """A metric: the number of words in common with all references."""
    (outputs,) = texts.hypotheses.values()
    values = [
        [float(sum(word in text.split() for text in own for word in output.split()))]
        for output, own in zip(outputs, texts.references, strict=True)
    ]
    return [Scores("words", texts.systems, texts.segments, np.array(values))]


def test_numbers_raters_and_named_scores(file: Callable[..., Path]) -> None:
    rows = [
        ROW,
        {**ROW, "system": "b", "human": [1, None, 4]},
        {**ROW, "system": "c", "human": {"x": 2, "y": 4}},
        {**ROW, "system": "d", "human": {"x": [2, 3], "y": [4, 5]}},
        {**ROW, "system": "e", "human": None},
    ]
    judged = read_judged_texts(file(*rows))
    assert judged.judgments.systems == ("a", "b", "c", "d")
    assert judged.judgments.matrix.tolist() == [[1, 2.5, 3, 3.5]]
    assert judged.judgments.judges == ("", "1", "3", "2")
    only = read_judged_texts(file(*rows[2:4]), human=["y"])
    assert only.judgments.matrix.tolist() == [[4, 4.5]]


def test_a_named_score_may_be_another_key(file: Callable[..., Path]) -> None:
    judged = read_judged_texts(file({**ROW, "raw": 7, "n": 1}), human=["raw", "n"])
    assert judged.judgments.matrix.tolist() == [[4]]


def test_systems_without_names_and_repeated_ones(file: Callable[..., Path]) -> None:
    rows = [{**ROW, "system": system} for system in (None, None, "a", "a", "a", "a#2")]
    rows.append({key: value for key, value in ROW.items() if key != "system"} | {"segment": 2})
    judged = read_judged_texts(file(*rows))
    assert judged.judgments.systems == ("1", "2", "a", "a#2", "a#3", "a#2#2")
    assert judged.judgments.segments == ("s", "2")


def test_references_of_each_text(file: Callable[..., Path]) -> None:
    rows = [ROW, {**ROW, "system": "b", "references": ["a cat"]}]
    judged = read_judged_texts(file(*rows))
    assert judged.texts.references == [["the cat", "cats"], ["a cat"]]
    (scores,) = judged.score(words)
    assert scores.values is not None and scores.values.tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("own", "counts"), {"keep": [2, 1, 2], "drop": [1], "remove": [1, 1]}.items(), ids=str
)
def test_own_references(own: str, counts: list[int], file: Callable[..., Path]) -> None:
    rows = [
        {**ROW, "references": ["a cat", "x"]},
        {**ROW, "system": "b", "references": ["a cat"]},
        {**ROW, "system": "c", "references": ["A cat", "a cat"]},
    ]
    rows[2]["references"] = ["A cat", "a  cat"] if own == "keep" else ["A cat"]
    judged = read_judged_texts(file(*rows), own_references=own)
    assert [len(each) for each in judged.texts.references] == counts


def test_pairs_share_texts_of_a_segment_with_equal_references(file: Callable[..., Path]) -> None:
    rows = [
        {**PAIR, "segment": 1, "preferred": "b"},
        {**PAIR, "segment": 1, "b": "cats", "preferred": None, "references_a": ["x"]},
        PAIR,
    ]
    judged = read_judged_texts(file(*rows))
    texts = judged.texts.hypotheses[""]
    assert texts == ["a cat", "a dog", "a cat", "cats", "a cat", "a dog"]
    assert judged.texts.references[2] == ["x"]
    pairs, ties = judged.judgments.pairs, judged.judgments.ties
    assert (pairs.segments.tolist(), pairs.better.tolist()) == ([0, 1], [1, 0])
    assert (ties.better.tolist(), ties.worse.tolist()) == ([2], [3])
    with pytest.raises(ConfigurationError, match="their measures are kendall-wmt14"):
        judged.check(["pearson"])
    assert judged.measures == RANKED


def test_conditions(file: Callable[..., Path]) -> None:
    path = file({**ROW, "ref": False, "n": 1.0}, {**ROW, "system": "b", "ref": True}, {**ROW, "system": "c"})
    kept = {
        ("ref=false",): "a", ("ref!=true",): "ac", ("n=1",): "a", ("system!=b", "ref!=false"): "c",
        ("system=b",): "b",
    }  # fmt: skip
    for where, systems in kept.items():
        assert read_judged_texts(path, where=where).judgments.systems == tuple(systems)
    with pytest.raises(InputError, match="no line has the key 'none' of a condition"):
        read_judged_texts(path, where=["none!=1"])
    with pytest.raises(InputError, match="no line has system=x"):
        read_judged_texts(path, where=["system=x"])
    for text in ("ref", "=x", "!=x"):
        with pytest.raises(ConfigurationError, match="KEY=VALUE"):
            Condition.of(text)


WRONG: dict[str, tuple[Any, str]] = {
    "not JSON": ("{", "line 2: not JSON"),
    "not an object": ([1], "line 2: must be an object"),
    "no key": ({"human": 1}, "line 2: no key 'hypothesis'; the keys are: human"),
    "a text": ({**ROW, "hypothesis": 3}, "line 2: 'hypothesis' must be a text, not 3"),
    "no list": ({**ROW, "references": "a"}, "line 2: 'references' must be a list of texts, not \"a\""),
    "no texts": ({**ROW, "references": ["a", 1]}, "line 2: 'references' must be a list of texts, but has 1"),
    "no references": ({**ROW, "references": []}, "line 2: 'references' is empty"),
    "segment": ({**ROW, "segment": [1]}, "line 2: 'segment' must be a text or a number"),
    "NaN": (
        '{"segment": 1, "hypothesis": "a", "references": ["a"], "human": NaN}',
        "'human' must be a finite",
    ),
    "true": ({**ROW, "human": True}, "line 2: 'human' must be a number, not true"),
    "a rater": ({**ROW, "human": [1, "a"]}, "line 2: 'human' must be a number, not \"a\""),
    "a score": ({**ROW, "human": {"x": "a"}}, "line 2: 'x' must be a number, not \"a\""),
    "no raters": ({**ROW, "human": []}, "line 2: 'human' is empty"),
    "no scores": ({**ROW, "human": {}}, "line 2: 'human' is empty"),
    "half a character": ('{"hypothesis": "\\ud800"}', "line 2: \\ud800 is half a character"),
}


@pytest.mark.parametrize("name", WRONG)
def test_mistakes_name_the_line(name: str, file: Callable[..., Path]) -> None:
    row, message = WRONG[name]
    with pytest.raises(InputError) as caught:
        read_judged_texts(file(ROW, row))
    assert message in str(caught.value)


OTHERS: dict[str, tuple[list[Any], dict[str, Any], str]] = {
    "empty": ([], {}, "is empty"),
    "no judgment": ([{"a": "x"}], {}, "no key 'human' (a rating) nor 'preferred'"),
    "only null": ([{**ROW, "human": None}], {}, "no text has a judgment"),
    "preferred": ([{**PAIR, "preferred": "c"}], {}, "'preferred' must be"),
    "mixed": ([PAIR, ROW], {}, "line 2: no key 'a'"),
    "human of pairs": ([PAIR], {"human": ["x"]}, "no named human scores"),
    "unknown score": ([{**ROW, "human": {"x": 1}}], {"human": ["y"]}, "'human' has no score 'y'; it has: x"),
    "own references": ([ROW], {"own_references": "x"}, "own_references"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_mistakes(name: str, file: Callable[..., Path]) -> None:
    rows, options, message = OTHERS[name]
    with pytest.raises(BolideError) as caught:
        read_judged_texts(file(*rows), **options)
    assert message in str(caught.value)


def test_corpus_scores_are_those_of_the_texts_of_a_system(tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu")
    path = tmp_path / "captions.jsonl.gz"
    path.write_bytes(gzip.compress(CAPTIONS.read_bytes()))
    judged = read_judged_texts(path, where=["system!=human"])

    def bleu(texts: Texts) -> list[Scores]:
        return compute(["bleu"], texts, Meteor)

    (scores,) = judged.score(bleu, systems=True)
    for m, system in enumerate(judged.judgments.systems):
        rows = [json.loads(line) for line in CAPTIONS.read_text().splitlines()]
        own = [row for row in rows if row["system"] == system]
        texts = Texts(
            tuple(row["segment"] for row in own),
            {system: [row["hypothesis"] for row in own]},
            [row["references"] for row in own],
        )
        (expected,) = bleu(texts)
        assert scores.corpus is not None and expected.corpus is not None
        assert scores.corpus[m] == pytest.approx(expected.corpus[0])
    study = correlate([scores], judged.judgments, measures=OF_SYSTEMS[:3], confidence=True, samples=5)
    assert study["BLEU", "system-accuracy"].interval is not None


def test_means_of_sets() -> None:
    sets = {name: read_judged_texts(path) for name, path in (("one", CAPTIONS), ("two", PAIRS))}
    studies = {
        name: correlate(judged.score(words), judged.judgments, measures=judged.measures)
        for name, judged in sets.items()
    }
    found = StudySets(studies)
    means = {result.measure: result.value for result in found.means}
    accuracies = [studies[name]["words", "accuracy"].value for name in sets]
    assert means["accuracy"] == pytest.approx(sum(accuracies) / 2)
    assert means["pearson"] == studies["one"]["words", "pearson"].value
    assert found.to_dict()["mean"][0]["measure"] == "pearson" and "mean" in str(found)
    for form in ("markdown", "latex", "tsv", "json"):
        assert "two" in "\n".join(found.lines(form))


def test_names_of_sets() -> None:
    assert set_names(["x/data.jsonl.gz"]) == ["data"]
    with pytest.raises(ConfigurationError, match="given twice"):
        set_names(["a.jsonl", "a.jsonl"])


# ---- ROUGE-L -------------------------------------------------------------------------------------


def slow_common_subsequence(first: list[str], second: list[str]) -> int:
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, a in enumerate(first):
        for k, b in enumerate(second):
            table[i + 1][k + 1] = table[i][k] + 1 if a == b else max(table[i][k + 1], table[i + 1][k])
    return table[-1][-1]


letters = st.lists(st.sampled_from("abcd"), max_size=90)


@given(letters, letters)
def test_common_subsequence(first: list[str], second: list[str]) -> None:
    assert common_subsequence(first, second) == slow_common_subsequence(first, second)


WORDS = "The cats, running quickly don't stop; Élan 12.5 ponies dying a b A-1 relational"


@pytest.mark.parametrize("stemmed", [False, True])
def test_rouge_l_of_google(stemmed: bool) -> None:
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rougeL"], use_stemmer=stemmed)
    choose = random.Random(1)
    for _ in range(300):
        texts = [" ".join(choose.choices(WORDS.split(), k=choose.randint(0, 12))) for _ in range(4)]
        expected = scorer.score_multi(texts[1:], texts[0])["rougeL"].fmeasure
        assert rouge_l(texts[0], texts[1:], stemmed=stemmed) == pytest.approx(expected, abs=1e-15)


def test_rouge_l_of_other_alphabets_is_0() -> None:
    assert rouge_l("Привет", ["Привет"]) == 0 and not math.isnan(rouge_l("", [""]))
