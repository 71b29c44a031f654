"""Inputs and documents in the commands, and documents in the library."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bolide
from bolide.errors import InputError
from tests.cli.test_commands import BOLIDE, run

HYPOTHESES = ["the cat sat on the mat", "a dog | barked ||| twice", "it rained", "we went home\nearly"]
OTHERS = ["the cat is on a mat", "the dog barked", "it was raining", "we went home"]
REFERENCES = [
    ["a cat sat on the mat", "the cat was on the mat"],
    ["a dog barked two times"],
    ["it rained", "there was rain", "rain fell"],
    ["we went home early"],
]
DOCUMENTS = ["pets", "pets", "weather", "pets"]
OPTIONS = ["--modules", "exact", "--task", "li"]


@pytest.fixture
def scorer(meteor: Callable[..., bolide.Meteor]) -> bolide.Meteor:
    return meteor(task="li", modules=["exact"])


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scorer: bolide.Meteor) -> None:
    monkeypatch.chdir(tmp_path)
    rows = zip(HYPOTHESES, OTHERS, REFERENCES, DOCUMENTS, strict=True)
    with Path("all.jsonl").open("w") as out:
        for hypothesis, other, references, document in rows:
            record = {"hyp": hypothesis, "other": other, "refs": references, "doc": document}
            out.write(f"{json.dumps(record)}\n")
    for name, texts in {"one": HYPOTHESES, "two": OTHERS, "docs": DOCUMENTS}.items():
        Path(f"{name}.txt").write_text("".join(text.replace("\n", " ") + "\n" for text in texts))
    Path("refs.txt").write_text("".join("\t".join(texts) + "\n" for texts in REFERENCES))


def scores(*arguments: str, stdin: bytes = b"") -> list[dict[str, Any]]:
    done = run("score", *arguments, *OPTIONS, "--format", "json", stdin=stdin)
    assert (done.returncode, done.stderr) == (0, b""), done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["systems"]
    return found


def test_formats_give_one_score(scorer: bolide.Meteor) -> None:
    expected = scorer.corpus_score(HYPOTHESES, REFERENCES)
    text = ["one.txt", "-r", "refs.txt", "--refs-per-line"]
    piped = ["-", "--input-format", "jsonl"]
    for arguments in (["all.jsonl"], text, ["one.txt", "-r", "all.jsonl"], piped):
        [system] = scores(*arguments, stdin=Path("all.jsonl").read_bytes() if "-" in arguments else b"")
        assert system["score"] == expected.score
        assert system["signature"] == expected.signature and "refs:1-3" in system["signature"]
    columns = ["--hyp-column", "other", "--hyp-column", "hyp"]
    assert [system["system"] for system in scores("all.jsonl", *columns)] == [
        "all.jsonl:other",
        "all.jsonl:hyp",
    ]


def test_a_newline_is_white_space_and_a_bar_is_text(scorer: bolide.Meteor) -> None:
    lines = [text.replace("\n", " ") for text in HYPOTHESES]
    assert scorer.corpus_score(lines, REFERENCES) == scorer.corpus_score(HYPOTHESES, REFERENCES)
    assert scorer.align("a ||| b", "a ||| b").score.score == 1
    Path("bar.txt").write_text("x ||| y\n")
    [system] = scores("bar.txt", "-r", "bar.txt", "--normalize", "lower")
    assert (system["score"], system["hypothesis_length"]) == (1, 3)


@pytest.mark.parametrize("asked", [["--docs", "docs.txt"], ["--doc-column", "doc"]])
def test_documents(scorer: bolide.Meteor, asked: list[str]) -> None:
    expected = {
        name: scorer.corpus_score(
            [text for text, document in zip(HYPOTHESES, DOCUMENTS, strict=True) if document == name],
            [texts for texts, document in zip(REFERENCES, DOCUMENTS, strict=True) if document == name],
            layout="segments",
        )
        for name in ("pets", "weather")
    }
    whole = scorer.corpus_score(HYPOTHESES, REFERENCES, documents=DOCUMENTS)
    assert whole.documents == expected
    assert scorer.corpus_score(HYPOTHESES, REFERENCES).documents is None
    [system] = scores("all.jsonl", *asked)
    assert [row["document"] for row in system["documents"]] == list(expected)
    assert [row["score"] for row in system["documents"]] == [score.score for score in expected.values()]
    assert [row["signature"] for row in system["documents"]] == [s.signature for s in expected.values()]
    text = run("score", "all.jsonl", *asked, *OPTIONS).stdout.decode().splitlines()
    assert text[1].split() == ["pets", "3", f"{expected['pets'].score:.4f}"]
    rows = [row.split("\t") for row in run("score", "all.jsonl", *asked, *OPTIONS, "--format", "tsv")
            .stdout.decode().splitlines()]  # fmt: skip
    named = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    assert [(row["document"], row["segment_count"]) for row in named] == [
        ("pets", "3"), ("weather", "1"), ("", "4"),
    ]  # fmt: skip
    assert float(named[0]["score"]) == expected["pets"].score


def test_documents_over_many_batches(scorer: bolide.Meteor) -> None:
    corpus = scorer.corpus()
    for start in range(0, 40, 10):
        texts = [f"a b {k % 3}" for k in range(start, start + 10)]
        corpus.add(texts, ["a b 1"] * 10, documents=[f"d{k % 7}" for k in range(start, start + 10)])
    score = corpus.score()
    assert score.documents is not None
    assert sum(part.segment_count for part in score.documents.values()) == score.segment_count == 40
    assert list(score.documents) == [f"d{k}" for k in range(7)]


def test_documents_of_a_profile_whose_score_is_a_mean(meteor: Callable[..., bolide.Meteor]) -> None:
    scorer = meteor(profile="nltk", modules=["exact"])
    score = scorer.corpus_score(["a b c", "a x y", "u v w"], ["a b c"] * 3, documents=["p", "q", "p"])
    assert score.documents is not None and score.segments is not None
    assert score.documents["p"].score == (score.segments[0] + score.segments[2]) / 2


def test_align_any_format() -> None:
    lines = run("align", "all.jsonl", *OPTIONS, "--format", "json").stdout.splitlines()
    found = [json.loads(line) for line in lines]
    assert found[3]["hypothesis"] == ["we", "went", "home", "early"]
    failed = run("align", "all.jsonl", "--hyp-column", "hyp", "--hyp-column", "other", *OPTIONS)
    assert (failed.returncode, b"choose one with --hyp-column" in failed.stderr) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["one.txt"], 2, "references are missing: give them with --reference FILE (-r)"),
        (
            ["all.jsonl", "--hyp-column", "x"],
            1,
            "all.jsonl, line 1 has no column 'x'; its columns are: hyp, other",
        ),
        (["one.txt", "-r", "refs.txt", "--input-format", "tsv"], 1, "one.txt has no column of hypotheses"),
        (["one.txt", "-r", "refs.txt", "--input-format", "yaml"], 2, "unknown input format 'yaml'"),
        (["-", "-", "--input-format", "jsonl"], 2, "standard input can be read only once"),
        (["-", "--hyp-column", "hyp", "--hyp-column", "other", "--input-format", "jsonl"], 1, "only once"),
        (["one.txt", "two.txt", "-r", "one.txt", "--docs", "-"], 1, "standard input can be read only once"),
        (["one.txt", "-r", "one.txt", "--docs", "docs.txt", "--doc-column", "x"], 2, "not with both"),
        (
            ["one.txt", "-r", "turned.txt", "--refs-per-line"],
            1,
            "turned.txt is transposed: it has 2 lists of 4",
        ),
        (["long.jsonl"], 1, "long.jsonl: segment 2 (reference 2): 100001 words; the longest allowed"),
        ([".", "--input-format", "parquet"], 1, "Is a directory"),
    ],
)
def test_mistakes(arguments: list[str], code: int, message: str) -> None:
    Path("turned.txt").write_text("a\tb\tc\td\ne\tf\tg\th\n")
    long = [{"hyp": "a", "ref": "a"}, {"hyp": "a", "ref": ["a", "b " * 100_001]}]
    Path("long.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in long))
    done = run("score", *arguments, *OPTIONS)
    assert message in done.stderr.decode()
    assert (done.returncode, done.stdout, b"Traceback" in done.stderr) == (code, b"", False)


def test_what_is_left_out_is_told() -> None:
    Path("refs.txt").write_text("a\n\nb\nc\n")
    arguments = ["one.txt", "-r", "refs.txt", "--drop-empty-references", "--skip-unreferenced", *OPTIONS]
    done = run("score", *arguments)
    assert done.stderr == b"bolide: one.txt: 1 segment without a reference left out (--skip-unreferenced)\n"
    assert b"\n3 segments\n" in done.stdout
    assert run("score", *arguments, "--quiet").stderr == b""


def test_a_missing_package_is_named() -> None:
    """Without pyarrow, the message shows the command that installs it."""
    code = "import sys; sys.modules['pyarrow'] = None\nfrom bolide.cli import main; main()"
    Path("x.parquet").write_bytes(b"PAR1")
    done = subprocess.run(
        [BOLIDE[0], "-c", code, "score", "x.parquet", *OPTIONS],
        capture_output=True,
        check=False,
        env=os.environ,
    )
    assert done.returncode == 2 and b"pip install 'bolide[parquet]'" in done.stderr


def test_documents_that_do_not_fit(scorer: bolide.Meteor) -> None:
    with pytest.raises(InputError, match="documents: 1 ids for 4 hypotheses"):
        scorer.corpus_score(HYPOTHESES, REFERENCES, documents=["a"])
