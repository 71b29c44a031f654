"""Other metrics beside METEOR: sacrebleu's numbers, signatures and tests."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bolide
from bolide import ConfigurationError, InputError, Meteor
from bolide.comparison import sacrebleu_metrics
from bolide.comparison.compare import ComparisonOptions, Test, untested_metrics
from bolide.comparison.metrics import MeasuredMetrics
from bolide.comparison.sacrebleu_metrics import KINDS, SacrebleuMetric, check_metrics, listed
from bolide.evaluation.scores import read_scores
from bolide.inputs.segments import by_segment
from tests.cli.test_commands import REFERENCE, SYSTEM, lines, run
from tests.support.examples import examples
from tests.support.paths import EXAMPLES

metrics = pytest.importorskip("sacrebleu.metrics")
significance = pytest.importorskip("sacrebleu.significance")

PLAIN = Meteor("linear", modules=["exact"], normalize="lower")
OTHER = str(EXAMPLES / "system-2.txt")
WORDS = st.sampled_from(["the", "cat", "cats,", "U.S.", "1,000", "it's", "déjà-vu", "&quot;", "."])
TEXT = st.lists(WORDS, max_size=12).map(" ".join)
CORPUS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=6)


def theirs(key: str) -> Any:
    return {
        "bleu": metrics.BLEU(force=True),
        "chrf": metrics.CHRF(),
        "chrf++": metrics.CHRF(word_order=2),
        "ter": metrics.TER(),
    }[key]


def streams(references: Any) -> list[list[str | None]]:
    most = max(map(len, references))
    return [[each[k] if k < len(each) else None for each in references] for k in range(most)]


@settings(max_examples=examples(100))
@given(CORPUS, st.sampled_from(list(KINDS)))
def test_scores_and_signatures_are_sacrebleus(corpus: Any, key: str) -> None:
    hypotheses, references = map(list, zip(*corpus, strict=True))
    ours, other = SacrebleuMetric(key), theirs(key)
    rows = np.concatenate([ours.rows(by_segment([h], [r])) for h, r in corpus])  # in batches of one
    expected = other.corpus_score(hypotheses, streams(references))
    assert ours.corpus_score(rows) == pytest.approx(expected.score, abs=1e-9)
    assert ours.score(rows.sum(axis=0)[None].astype(float))[0] == pytest.approx(expected.score, abs=1e-9)
    assert (ours.name, ours.signature) == (expected.name, f"{expected.name}|{other.get_signature().format()}")
    single = metrics.BLEU(effective_order=True) if key == "bleu" else other
    alone = [single.sentence_score(h, r).score for h, r in corpus]
    assert ours.segment_scores(rows).tolist() == pytest.approx(alone, abs=1e-9)


@settings(max_examples=examples(50))
@given(CORPUS, st.integers(0, 2**31), st.sampled_from(list(KINDS)))
def test_the_scores_of_samples_are_sacrebleus(corpus: Any, seed: int, key: str) -> None:
    ours, other = SacrebleuMetric(key), theirs(key)
    rows = np.concatenate([ours.rows(by_segment([h], [r])) for h, r in corpus])
    drawn = np.random.default_rng(seed).integers(len(corpus), size=(4, len(corpus)))
    sums = np.stack([rows[sample].sum(axis=0) for sample in drawn]).astype(float)
    expected = []
    for sample in drawn.tolist():
        hypotheses, references = map(list, zip(*(corpus[k] for k in sample), strict=True))
        expected.append(other.corpus_score(hypotheses, streams(references)).score)
    assert ours.score(sums).tolist() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_p_values_are_sacrebleus(test: Test) -> None:
    texts = {"one": lines(SYSTEM) * 2, "two": [*lines(OTHER), *lines(SYSTEM)]}
    references = lines(REFERENCE) * 2
    found = bolide.compare(
        texts, references, meteor=PLAIN, test=test, samples=200, seed=12345, metrics=["bleu", "chrf", "TER"]
    )
    other = significance.PairedTest(
        list(texts.items()),
        {key: theirs(key) for key in ("bleu", "chrf", "ter")},
        [references],
        test_type={"bootstrap": "bs", "randomization": "ar"}[test],
        n_samples=200,
        n_jobs=1,
    )()[1]
    for metric in found.metrics:
        for name, result in zip(texts, other[metric.name], strict=True):
            assert metric.results[name].score == pytest.approx(result.score, abs=1e-9)
            assert metric.results[name].p_value == pytest.approx(result.p_value, abs=0.011)
    by_name = {metric.name: metric for metric in found.metrics}
    assert [metric.higher for metric in found.metrics] == [True, True, False]
    assert (by_name["TER"].results["two"].difference or 0) > 0  # worse
    assert by_name["TER"].results["one"].difference is None
    low, high = by_name["BLEU"].results["two"].interval or (0, 0)
    assert low < by_name["BLEU"].results["two"].score < high


def test_the_command(tmp_path: Path) -> None:
    arguments = ["score", SYSTEM, OTHER, "-r", REFERENCE, "--metrics", "bleu,ter"]
    text = run(*arguments).stdout.decode()
    assert "BLEU  p-value  TER ↓" in text and "↓ lower is better" in text and "TER|nrefs:1|case:lc" in text
    bleu, ter = (theirs(key).corpus_score(lines(OTHER), [lines(REFERENCE)]).score for key in ("bleu", "ter"))
    assert f"{bleu:.2f}" in text and f"{ter:.2f}" in text
    assert max(map(len, text.splitlines()[:9])) <= 80
    data = json.loads(run(*arguments, "--format", "json", "--segments").stdout)
    assert data["systems"][1]["metrics"]["BLEU"]["score"] == bleu
    assert len(data["systems"][1]["segment_metrics"]["TER"]) == 10
    assert [metric["higher_is_better"] for metric in data["metrics"]] == [True, False]
    table = tmp_path / "scores.tsv"
    table.write_bytes(run(*arguments, "--format", "tsv", "--segments", "--test", "none").stdout)
    found = {scores.name: scores for scores in read_scores(table)}
    assert found["bleu"].of_systems[1] == bleu
    assert found["ter"].values is not None
    assert found["ter"].values[:, 1].tolist() == data["systems"][1]["segment_metrics"]["TER"]
    quiet = run("score", SYSTEM, "-r", REFERENCE, "--metrics", "chrf", "-q", "--segments").stdout.decode()
    cells = [line.split("\t") for line in quiet.splitlines()]
    assert [len(row) for row in cells] == [2] * 11
    assert float(cells[0][1]) == round(
        theirs("chrf").sentence_score(lines(SYSTEM)[0], lines(REFERENCE)[:1]).score, 2
    )


def test_many_batches(tmp_path: Path) -> None:
    """More segments than one batch, some with two references."""
    texts, first = lines(SYSTEM) * 70, lines(REFERENCE) * 70
    table = tmp_path / "data.jsonl"
    rows = [{"hyp": h, "ref1": r, "ref2": "" if k % 3 else h}
            for k, (h, r) in enumerate(zip(texts, first, strict=True))]  # fmt: skip
    table.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    done = run("score", table, "--drop-empty-references", "--metrics", "ter", "--format", "json")
    references = [[r, texts[k]] if k % 3 == 0 else [r] for k, r in enumerate(first)]
    other = theirs("ter")
    expected = other.corpus_score(texts, streams(references)).score
    data = json.loads(done.stdout)
    assert data["systems"][0]["metrics"]["TER"]["score"] == pytest.approx(expected, abs=1e-9)
    assert data["metrics"][0]["signature"].startswith("TER|nrefs:var|")


@pytest.mark.parametrize("key", KINDS)
def test_sums_instead_of_rows(key: str) -> None:
    """Without tests, only sums are kept: memory does not grow with the number of segments."""
    kept, summed = (MeasuredMetrics([key], keep=keep) for keep in (True, False))
    for h, r in zip(lines(SYSTEM), lines(REFERENCE), strict=True):
        batch = by_segment([h], [[r]])
        for measured in (kept, summed):
            measured.add("one", batch)
            measured.add("two", batch)
    [before], [after] = untested_metrics(kept, "one"), untested_metrics(summed, "one")
    assert before.results["two"].score == after.results["two"].score
    assert len(before.results["two"].segments) == 10 and not len(after.results["two"].segments)
    [rows] = {len(rows) for measured in summed for rows in measured.rows().values()}
    assert rows == 1


def test_new_words_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sacrebleu_metrics, "MOST_WORDS", 20)
    metric = SacrebleuMetric("bleu")
    native = metric._native
    assert native is not None
    batches = [by_segment([f"a{k}, b{k}."], [[f"a{k}, c{k}."]]) for k in range(100)]
    rows = np.concatenate([metric.rows(batch) for batch in batches])
    assert len(native._words) < 30
    monkeypatch.undo()
    other = SacrebleuMetric("bleu")
    assert rows.tolist() == np.concatenate([other.rows(batch) for batch in batches]).tolist()


def test_mistakes() -> None:
    with pytest.raises(ConfigurationError, match="unknown metric 'comet'"):
        bolide.compare({"a": ["x"]}, ["x"], meteor=PLAIN, metrics=["comet"])
    with pytest.raises(ConfigurationError, match="name each metric once"):
        check_metrics(["bleu", "BLEU"])
    with pytest.raises(InputError, match="system a: BLEU needs texts, not lists of tokens"):
        bolide.compare({"a": [["x"]]}, [[["x"]]], meteor=PLAIN, metrics=["bleu"])
    with pytest.raises(InputError, match="lone surrogate"):
        bolide.compare({"a": ["\ud800"]}, ["x"], meteor=PLAIN, metrics=["bleu"])
    assert check_metrics([]) == () and listed("chrf++ ,ter") == ("chrf++", "ter")
    assert ComparisonOptions().check(["a"]) is None  # type: ignore[func-returns-value]


def test_without_sacrebleu() -> None:
    program = "import sys; sys.modules['sacrebleu'] = None; from bolide.cli import main; main()"
    command = [sys.executable, "-c", program, "score", SYSTEM, "-r", REFERENCE]
    done = subprocess.run([*command, "--metrics", "bleu"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"sacrebleu" in done.stderr and b"pip install" in done.stderr
