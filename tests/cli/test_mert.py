"""`bolide mert`, `rerank` and `oracle`, run from a shell."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bolide import Meteor
from bolide.cli import run
from bolide.mert import Weights

pytest.importorskip("sacrebleu")
ROWS = {
    0: [("the cat sat on the mat", -5, -1, 1), ("the cat on the mat", -3, -2, 2), ("cat mat", -2, -5, 3)],
    1: [("heavy rain delayed the work", -5, -2, 0), ("rain delayed work", -3, -4, 1)],
    2: [("the mayor opened it", -4, -1, 0), ("it opened the mayor", -4, -2, 1), ("the mayor", -2, -2, 4)],
}
REFERENCES = ["the cat sat on the mat", "heavy rain had delayed the work", "the mayor opened the bridge"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, english: Meteor) -> Path:
    lines = [
        f"{sentence} ||| {text} ||| LM0= {lm} TM0= {tm} {other} ||| 0\n"
        for sentence, rows in ROWS.items()
        for text, lm, tm, other in rows
    ]
    (tmp_path / "one").write_text("".join(lines[:5]), encoding="utf-8")
    (tmp_path / "two.gz").write_bytes(gzip.compress("".join(lines[3:]).encode()))
    (tmp_path / "ref").write_text("".join(f"{line}\n" for line in REFERENCES), encoding="utf-8")
    (tmp_path / "w").write_text("LM0= 1\nUnknown0= 1\nTM0= 0.1 0.1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


LISTS = ["--nbest", "one", "two.gz", "-r", "ref", "--weights", "w"]


def test_tune_then_rerank(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mert", *LISTS, "-o", "tuned", "--report", "r.json"]) == 0
    printed = capsys.readouterr().out
    assert [line for line in printed.splitlines() if line and not line.startswith(" ")][:4] == [
        "Weights",
        "Lists",
        "Convergence",
        "Starts",
    ]
    assert "|task:tune|" in printed.splitlines()[-1]
    tuned = Weights.read("tuned")
    assert dict(tuned.values)["Unknown0"] == (1.0,)
    data = json.loads((folder / "r.json").read_text(encoding="utf-8"))
    assert (
        data["choices"]["tuned"]["value"]
        == data["choices"]["oracle"]["value"]
        > data["choices"]["initial"]["value"]
    )
    assert run(["rerank", "one", "--nbest", "two.gz", "--weights", "tuned"]) == 0
    assert capsys.readouterr().out.splitlines() == [rows[0][0] for rows in ROWS.values()]
    assert run(["rerank", "two.gz", "one", "--weights", "w", "--all"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "0 ||| cat mat ||| LM0= -2 TM0= -5 3 ||| -2.2"


@pytest.mark.parametrize("form", ["moses", "joshua", "plain"])
def test_forms(folder: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mert", *LISTS, "-o", "tuned", "--form", form, "--objective", "bleu"]) == 0
    first = (folder / "tuned").read_text(encoding="utf-8").split()[0]
    assert first == {"moses": "LM0=", "joshua": "LM0"}.get(form, first)
    capsys.readouterr()
    assert run(["rerank", "one", "two.gz", "--weights", "tuned"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == REFERENCES[0]


@pytest.mark.parametrize("method", ["mira", "pro"])
def test_methods_bounds_and_sums(folder: Path, method: str) -> None:
    options = [
        "--method",
        method,
        "--fix",
        "LM0",
        "--bound",
        "TM0=0:",
        "--objective",
        "ter-bleu/2",
        "--seed",
        "3",
    ]
    assert run(["mert", *LISTS, *options, "-o", "tuned", "--report", "r.md"]) == 0
    values = dict(Weights.read("tuned").values)
    assert values["LM0"] == (1.0,)
    assert min(values["TM0"]) >= 0
    report = (folder / "r.md").read_text(encoding="utf-8")
    assert "# Tuned to 0.5·BLEU − 0.5·TER" in report
    assert f"0.5·BLEU − 0.5·TER by {method}, seed 3; 3 sentences, 8 hypotheses, 8 texts." in report


def test_a_scorer_by_options(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mert", *LISTS, "--task", "adq", "--modules", "exact stem", "--module-weights", "1 0.5"]) == 0
    assert "|task:adq|" in capsys.readouterr().out
    assert run(["mert", *LISTS, "--profile", "2005", "--report", "r.html"]) == 0
    assert "|version:2005|" in capsys.readouterr().out
    assert "<h1>Tuned to METEOR</h1>" in (folder / "r.html").read_text(encoding="utf-8")


def test_oracle(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = ["--best", "best", "--worst", "worst", "--weights", "w", "--objective", "ter"]
    assert run(["oracle", "one", "two.gz", "-r", "ref", *files]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[1].split() == ["−TER", "95%", "interval", "words"]
    assert [line.split()[0] for line in printed[2:5]] == ["oracle", "anti-oracle", "weights"]
    assert (folder / "best").read_text(encoding="utf-8").splitlines() == [
        rows[0][0] for rows in ROWS.values()
    ]
    assert (folder / "worst").read_text(encoding="utf-8").splitlines()[0] == "cat mat"
    assert run(["oracle", "one", "two.gz", "-r", "ref", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["choices"]["oracle"]["value"] > found["choices"]["anti-oracle"]["value"]
    assert found["objective"] == "METEOR:tune"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["mert", *LISTS, "--method", "x"], 2, "unknown method 'x'; choose one of: mert, mira, pro"),
        (["mert", *LISTS, "--form", "x"], 2, "unknown form 'x'; choose one of: moses, joshua, plain"),
        (["mert", *LISTS, "--objective", "x"], 2, "unknown metric 'x'"),
        (["mert", *LISTS, "--report", "r.txt"], 2, "a report is a file .md, .html, .json, not 'r.txt'"),
        (["mert", *LISTS, "--output", "no/w"], 1, "cannot write no/w: there is no folder no"),
        (["mert", *LISTS, "--decoder", "x {weights}"], 2, "--decoder needs --work FOLDER"),
        (["mert", *LISTS, "--work", "x"], 2, "--decoder needs --work FOLDER"),
        (["mert", *LISTS, "--bound", "LM0"], 2, "--bound needs FEATURE=LOW:HIGH, such as LM0=0:1, not 'LM0'"),
        (["mert", *LISTS, "--fix", "LM"], 2, "there is no feature 'LM'; there are: LM0 TM0_0 TM0_1"),
        (["mert", "-r", "ref", "--weights", "w"], 2, "n-best lists are missing: give LIST or --nbest FILE"),
        (["mert", "one", "--weights", "w"], 2, "references are missing: give them with --reference FILE"),
        (["mert", "one", "-r", "ref", "--weights", "w"], 1, "the lists have no hypothesis for sentence 2"),
        (["mert", "ref", "-r", "ref", "--weights", "w"], 1, "ref, line 1: expected 'id ||| hypothesis"),
        (["mert", "one", "-r", "ref", "--weights", "ref"], 1, "ref, line 1: a weight must be a finite"),
        (["mert", "no", "-r", "ref", "--weights", "w"], 1, "cannot read no: No such file or directory"),
        (["oracle", "-", "--nbest", "-", "-r", "ref"], 2, "standard input can be read only once"),
        (["oracle", "one"], 2, "references are missing"),
        (["rerank", "one", "--weights", "no"], 1, "cannot read no: No such file or directory"),
    ],
)  # fmt: skip
def test_mistakes(
    folder: Path, arguments: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"bolide: {message}")
    assert printed.err.count("\n") == 1


def test_standard_input_and_a_comma_locale(folder: Path) -> None:
    command = [sys.executable, "-c", "from bolide.cli import main; main()", "rerank", "-", "--weights", "w"]
    with (folder / "one").open("rb") as file:
        done = subprocess.run(
            command, stdin=file, capture_output=True, env={"LC_ALL": "de_DE.UTF-8"}, check=True
        )
    assert done.stdout.decode().splitlines() == ["cat mat", "rain delayed work"]
