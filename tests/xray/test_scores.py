"""Scores by other metrics: those of sacrebleu, and files of scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bolide import BolideError, InputError, Meteor
from bolide.xray import OtherScores, of_texts, report
from bolide.xray.payload import payload
from bolide.xray.score_files import aliases, read_score_file
from bolide.xray.scores import higher_is_better
from tests.support.xray_texts import REFERENCES, SCORES, SYSTEMS, annotated, small, validate
from tests.xray.test_cli import JAVA, PLAIN, folder, xray

__all__ = ["folder"]  # a fixture
SIMPLE = Meteor("linear", modules=["exact"], normalize="lower")
NAMES = aliases(["one", "two"], ["out/set.one.txt", "out/set.two.txt"])


def file(folder: Path, text: str, name: str = "comet.tsv") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def read(folder: Path, text: str, name: str = "comet.tsv", segments: int = 2) -> dict[str, Any]:
    found = read_score_file(file(folder, text, name), NAMES, segments)
    return {scores.name: dict(scores.segments) for scores in found}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("comet.tsv", "one\ttwo\n0.5\t0.75\n-1\tnan\n"),
        ("comet.tsv", "out/set.two.txt\tset.one\n0.75\t0.5\nNone\t-1\n"),
        ("comet.tsv", "segment\tone\ttwo\n1\t0.5\t0.75\n2\t-1\t\n"),
        ("comet.csv", "segid,two,one\n0,0.75,0.5\n1,nan,-1\n"),
        ("comet.tsv", "0.5\t0.75\n-1\tnan\n"),
        ("comet.tsv", "system\tsegment\tcomet\none\t2\t-1\none\t1\t0.5\ntwo\t1\t0.75\none\t\t9\n"),
        ("comet.seg.score", "one\t0.5\none\t-1\ntwo\t0.75\ntwo\tNone\n"),
    ],
)
def test_forms_of_files(tmp_path: Path, name: str, text: str) -> None:
    assert read(tmp_path, text, name) == {"comet": {"one": [0.5, -1.0], "two": [0.75, None]}}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("comet.tsv", "three\tone\ttwo\n?\t0.5\t0.75\n?\t-1\tnan\n"),
        ("comet.tsv", "system\tsegment\tcomet\none\t2\t-1\nthree\t9\t?\none\t1\t0.5\ntwo\t1\t0.75\n"),
        ("comet.seg.score", "one\t0.5\none\t-1\nthree\t?\ntwo\t0.75\ntwo\tNone\n"),
    ],
)
def test_other_systems_of_a_file_are_skipped(tmp_path: Path, name: str, text: str) -> None:
    """If all systems of the report are there."""
    assert read(tmp_path, text, name) == {"comet": {"one": [0.5, -1.0], "two": [0.75, None]}}
    with pytest.raises(InputError, match="unknown system 'three'"):
        read(tmp_path, text.replace("two", "four"), name)


def test_several_metrics_in_a_file(tmp_path: Path) -> None:
    text = "sys\tseg\tCOMET\tTER\tscore\none\t1\t0.5\t30\t0.1\none\t2\t0.6\t\t0.2\n"
    found = read_score_file(file(tmp_path, text), NAMES, 2, ["comet"])
    assert [(scores.name, scores.rises) for scores in found] == [
        ("COMET", False), ("TER", False), ("score", True),
    ]  # fmt: skip
    assert found[1].segments == {"one": [30.0, None]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "comet.tsv is empty"),
        ("one\tthree\n1\t2\n1\t2\n", "comet.tsv, line 1: unknown system 'three'; the systems are: one, two"),
        ("one\ttwo\n1\t2\n1\tgood\n", "comet.tsv, line 3: 'two' must be a number, not 'good'"),
        ("one\ttwo\n1\t2\n", "comet.tsv has scores of 1 segment for 2 segments"),
        ("one\ttwo\n1\t2\n1\n", "comet.tsv, line 3: the first line has 2 columns, this line has 1"),
        ("one\tset.one\n1\t2\n1\t2\n", "comet.tsv, line 1: two columns for one"),
        ("seg\tone\n2\t1\n1\t2\n", "comet.tsv, line 2: segment 2 is in the place of segment 1"),
        ("1\t2\t3\n1\t2\t3\n", "comet.tsv, line 1: 3 columns for 2 systems"),
        ("system\tcomet\none\t1\n", "comet.tsv, line 1: no column 'segment'"),
        ("system\tsegment\none\t1\n", "comet.tsv, line 1: no column of scores"),
        ("system\tsegment\tc\none\t3\t1\n", "comet.tsv, line 2: there is no segment '3'"),
        ("system\tsegment\tc\none\t1\t1\none\t1\t1\n", "comet.tsv, line 3: segment 1 of one occurs twice"),
        ("system\tsegment\tc\nmine\t1\t1\n", "comet.tsv, line 2: unknown system 'mine'"),
        ("system\tsegment\tc\none\t1\tinf\n", "comet.tsv, line 2: 'c' must be a number, not 'inf'"),
        ("system\tsegment\tc\n", "comet.tsv has no scores of segments"),
    ],
)
def test_mistakes_in_files(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        read(tmp_path, text)


def test_a_name_of_several_systems_is_no_alias() -> None:
    assert aliases(["a", "b"], ["x/out.txt", "y/out.txt"]) == {
        "a": "a", "b": "b", "x/out.txt": "a", "y/out.txt": "b",
    }  # fmt: skip


def test_names_tell_the_direction() -> None:
    assert [higher_is_better(name) for name in ("BLEU", "terrific", "TER", "wer-norm", "MetricX-24")] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_scores_must_fit() -> None:
    texts = {"one": ["a b", "c"]}
    for scores, message in (
        (OtherScores("x", {"two": [1, 2]}), "unknown system in the scores of x 'two'"),
        (OtherScores("x", {"one": [1]}), "x has 1 scores of one for 2 segments"),
        (OtherScores("x", {"one": [1, float("inf")]}), "the score of segment 2 of one is infinite"),
        (OtherScores("METEOR", {"one": [1, 2]}), "METEOR is given twice"),
    ):
        with pytest.raises(BolideError, match=message):
            of_texts(texts, ["a", "c"], SIMPLE, scores=[scores])


def test_metrics_are_sacrebleus(english: Meteor) -> None:
    metrics = pytest.importorskip("sacrebleu.metrics")
    found = small(english, metrics=["chrf", "ter"], scores=SCORES)
    assert [scores.name for scores in found.scores] == ["chrF2", "TER", "<i>fluency</i>", "edit rate"]
    chrf, ter = found.scores[:2]
    assert (chrf.rises, ter.rises) == (True, False)
    streams = [list(each) for each in zip(*REFERENCES, strict=True)]
    for name, texts in SYSTEMS.items():
        other = metrics.CHRF()
        assert chrf.of_system(name) == other.corpus_score(texts, streams).score
        assert chrf.signature == f"chrF2|{other.get_signature().format()}"
        expected = [metrics.TER().sentence_score(h, r).score for h, r in zip(texts, REFERENCES, strict=True)]
        assert ter.values(name, 4) == pytest.approx(expected, rel=1e-5)


def test_the_payload_has_them(english: Meteor) -> None:
    data = payload(annotated(english))
    validate(data)
    first, second = data["scores"]
    assert (first["name"], first["higher"], second["higher"]) == ("<i>fluency</i>", True, False)
    assert first["segments"] == [[0.9, 0.5, 0.75, None], [0.8, 0.5, 0.9, 0.1]]
    assert first["corpus"] == [pytest.approx(np.mean([0.9, 0.5, 0.75])), pytest.approx(0.575)]
    assert payload(small(english))["scores"] == []


def test_the_command(folder: Path) -> None:
    (folder / "comet.tsv").write_text("north\tsouth\n" + "0.5\t0.25\n" * 4, encoding="utf-8")
    systems = ("north.txt", "south.txt", "-r", "ref0", *PLAIN)
    done = xray(folder, *systems, "-o", "x.html", "--scores", "comet.tsv", "--metrics", "bleu")
    assert (done.returncode, done.stderr.count("bolide:")) == (0, 0)
    for more, message in (
        (["--scores", "none.tsv"], "cannot read none.tsv"),
        (["--metrics", "none"], "unknown metric 'none'"),
        (["--scores", "comet.tsv", "--lower-better", "mqm"], "--lower-better names 'mqm'"),
        (["--lower-better", "mqm"], "--lower-better needs --scores"),
        (["--scores", "comet.tsv", "--scores", "comet.tsv"], "comet is given twice"),
        (["--scores", "ref0"], "ref0, line 1: unknown system"),
    ):
        done = xray(folder, *systems, "-o", "y.html", *more)
        assert done.returncode > 0 and message in done.stderr, more
    assert not (folder / "y.html").exists()


def test_alignments_of_java(folder: Path) -> None:
    names = ["mine"]
    count = JAVA.read_text(encoding="utf-8").count("Alignment\t")
    (folder / "comet.tsv").write_text("0.5\n" * count, encoding="utf-8")
    done = xray(folder, str(JAVA), "-o", "x.html", "--scores", "comet.tsv", "--names", *names)
    assert (done.returncode, (folder / "x.html").exists()) == (0, True), done.stderr
    done = xray(folder, str(JAVA), "-o", "y.html", "--metrics", "bleu")
    assert done.returncode == 2 and "give the scores of other metrics in a file (--scores)" in done.stderr
    with pytest.raises(InputError, match="metrics need the texts"):
        report([JAVA], output=folder / "z.html", metrics=["bleu"])
