"""`bolide correlate`, run as users run it."""

from __future__ import annotations

import io
import json
import math
import sys
from pathlib import Path

import pytest

from bolide import Meteor
from bolide.cli import progress
from tests.cli.test_commands import run
from tests.unit.evaluation.test_evaluation import JUDGED, SYSTEMS

RATINGS, RANKINGS = str(JUDGED / "ratings.tsv"), str(JUDGED / "rankings.csv")
TEXTS = [*SYSTEMS, "-r", str(JUDGED / "reference.txt")]


def scores(tmp_path: Path) -> str:
    """Invented scores of two metrics for the systems of the example."""
    path = tmp_path / "scores.tsv"
    rows = ["system\tsegid\tgood\tbad"]
    for m, name in enumerate(("alder", "birch", "cedar", "dogwood")):
        rows += [f"{name}\t{k}\t{4 - m + k / 9}\t{m + k * k % 5}" for k in range(1, 9)]
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def test_scores_beside_ratings(tmp_path: Path) -> None:
    done = run("correlate", RATINGS, "--scores", scores(tmp_path), "--format", "json")
    assert (done.returncode, done.stderr) == (0, b"")
    found = json.loads(done.stdout)
    names = {(row["metric"], row["measure"]) for row in found["results"]}
    assert ("good", "pearson") in names and ("bad", "soft-accuracy") in names
    assert found["counts"] == {"systems": 4, "segments": 8, "pairs": 46, "ties": 2, "ratings": 64}


def test_negated_and_chosen_columns(tmp_path: Path) -> None:
    file = scores(tmp_path)
    arguments = ["correlate", RATINGS, "--measure", "pearson", "--format", "tsv", "--column", "bad"]
    plain, negated = (run(*arguments, "--scores", file, *extra) for extra in ([], ["--negate", "bad"]))
    values = [float(done.stdout.decode().splitlines()[1].split("\t")[4]) for done in (plain, negated)]
    assert values[0] == pytest.approx(-values[1]) and values[0] != 0
    done = run(*arguments, "--scores", file, "--negate", "ugly")
    assert done.returncode == 1 and b"there are no scores of 'ugly'; there are: bad" in done.stderr


def test_texts_with_judgments() -> None:
    captions, pairs = str(JUDGED / "captions.jsonl"), str(JUDGED / "captions.pairs.jsonl")
    alone = ["--metric", "rouge-l", "--measure", "kendall-c", "--format", "json"]
    done = run("correlate", captions, "--where", "is_reference=false", *alone)
    assert (done.returncode, done.stderr) == (0, b"")
    found = json.loads(done.stdout)
    assert found["counts"]["ratings"] == 36 and found["results"][0]["measure"] == "kendall-c"
    done = run("correlate", captions, pairs, "--metric", "rouge-l", "--own-references", "remove")
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode().splitlines()
    assert lines[0].split() == ["set", "measure", "ROUGE-L"]
    assert [line.split()[0] for line in lines if "accuracy" in line] == ["captions", "captions.pairs", "mean"]
    done = run("correlate", captions, pairs, "--metric", "rouge-l", "--measure", "pearson")
    assert done.returncode == 2 and b"captions.pairs.jsonl has pairs of texts" in done.stderr


def test_texts_with_judgments_are_written(tmp_path: Path) -> None:
    captions = str(JUDGED / "captions.jsonl")
    written = ["--write-judgments", str(tmp_path / "j.tsv"), "--write-seg-scores", str(tmp_path)]
    done = run("correlate", captions, "--metric", "rouge-l", "--measure", "system-pearson", *written)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "j.tsv").read_text().count("\n") == 1 + 39
    assert (tmp_path / "ROUGE-L.seg.score").read_text().count("\n") == 16


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "tsv"])
def test_tables(form: str, tmp_path: Path) -> None:
    arguments = ["correlate", RANKINGS, "--scores", scores(tmp_path), "--format", form, "--confidence"]
    done = run(*arguments, "--measure", "kendall-wmt14", "--test", "permutation", "--samples", "20")
    text = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert "kendall-wmt14" in text and "good" in text
    start = {"text": "measure", "markdown": "| measure", "latex": r"\begin{tabular}", "tsv": "measure\tlevel"}
    assert text.startswith(start[form])


def test_texts_are_scored_and_written(tmp_path: Path, english: Meteor) -> None:
    done = run(
        *("correlate", RATINGS, *TEXTS, "--metric", "1.5", "--metric", "1.5:recall", "--metric", "chrf"),
        "--write-seg-scores",
        tmp_path,
        "--write-sys-scores",
        tmp_path,
        "--measure",
        "pearson",
    )
    assert (done.returncode, done.stderr) == (0, b"")
    names = {path.name for path in tmp_path.iterdir()}
    metrics = ("1.5", "1.5-recall", "chrF", "human")
    assert names == {f"{name}.{kind}.score" for name in metrics for kind in ("seg", "sys")}
    again = run(
        "correlate", tmp_path / "human.seg.score", "--measure", "pearson", "--format", "tsv",
        "--scores", tmp_path / "1.5.seg.score", "--scores", tmp_path / "chrF.seg.score",
    )  # fmt: skip
    lines = again.stdout.decode().splitlines()[1:]
    shown = [f"{float(line.split(chr(9))[4]):.3f}" for line in lines]
    table = done.stdout.decode().splitlines()
    assert shown == [table[1].split()[1], table[3].split()[1]]


def test_metrics_with_tasks(english: Meteor) -> None:
    def found(*options: str) -> list[float]:
        done = run("correlate", RATINGS, *TEXTS, *options, "--measure", "pearson", "--format", "json")
        return [row["value"] for row in json.loads(done.stdout)["results"]]

    rank, adequacy, recall = found("--metric", "1.5", "--metric", "1.5:adq", "--metric", "1.5:adq:recall")
    assert len({rank, adequacy, recall}) == 3
    assert found("--task", "adq") == [adequacy]
    done = run("correlate", RATINGS, *TEXTS, "--metric", "1.5:adw")
    assert done.returncode == 2
    assert b"unknown task 'adw'; did you mean 'adq'" in done.stderr


def test_judgments_are_written(tmp_path: Path) -> None:
    """Write Java's format and read it back: the pairs that follow from the human ranks."""
    written, back = tmp_path / "a.rank", tmp_path / "b.tsv"
    done = run("correlate", RANKINGS, "--write-judgments", written, "--language-pair", "de-en")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert run("correlate", written, "--write-judgments", back).returncode == 0
    rows = [line.split("\t") for line in written.read_text(encoding="utf-8").splitlines()]
    assert rows[0] == ["1", "de-en", "alder", "de-en", "birch"]
    table = [line.split("\t") for line in back.read_text(encoding="utf-8").splitlines()]
    assert table == [["segid", "better", "worse"], *([row[0], row[2], row[4]] for row in rows)]
    values = [
        run("correlate", file, "--scores", scores(tmp_path), "--measure", "kendall-wmt12", "--format", "tsv")
        for file in (RANKINGS, written, back)
    ]
    assert values[0].stdout and values[0].stdout == values[1].stdout == values[2].stdout
    wrong = run("correlate", RANKINGS, "--write-judgments", written)
    assert wrong.returncode == 2 and b"such as cs-en" in wrong.stderr


def test_notes_and_numbers_in_markdown_and_latex(tmp_path: Path) -> None:
    """A star at the start of a line would begin a list, and bars a table; a minus sign is not a hyphen."""
    arguments = ["correlate", RANKINGS, "--scores", scores(tmp_path), "--measure", "kendall-wmt14"]
    arguments += ["--test", "permutation", "--samples", "20"]
    shown = {
        form: run(*arguments, "--format", form).stdout.decode() for form in ("text", "markdown", "latex")
    }
    assert "\n\\* p \\< 0.05 against" in shown["markdown"]
    assert "& $-" in shown["latex"] and "& -" not in shown["latex"]
    assert not any(line.endswith(" ") for line in shown["text"].splitlines())
    assert "  |" not in shown["markdown"].replace("|  |", "| |")  # an empty cell


def test_signatures_in_markdown(english: Meteor) -> None:
    done = run("correlate", RATINGS, *TEXTS, "--measure", "pearson", "--format", "markdown")
    assert b"\nMETEOR: `meteor|version:1.5|" in done.stdout
    done = run("correlate", RATINGS, *TEXTS, "--ablate", "--format", "markdown")
    assert b"\n\n`meteor|version:1.5|" in done.stdout


def test_decimals_of_ablations(english: Meteor) -> None:
    arguments = ["correlate", RATINGS, *TEXTS, "--ablate", "--width", "5"]
    assert b"\naverage  -0.06605\n" in run(*arguments).stdout
    assert b"\taverage\tPearson\t-0.06605\n" in run(*arguments, "--format", "tsv").stdout


def test_components_come_with_one_scorer(english: Meteor) -> None:
    done = run("correlate", RATINGS, *TEXTS, "--components", "--measure", "system-pearson")
    lines = [line.split()[0] for line in done.stdout.decode().splitlines()[1:6]]
    assert lines == ["METEOR", "METEOR:precision", "METEOR:recall", "METEOR:f1", "METEOR:fmean"]


def test_ablate(english: Meteor) -> None:
    done = run("correlate", RATINGS, *TEXTS, "--profile", "2005", "--ablate", "--format", "json")
    assert (done.returncode, done.stderr) == (0, b"")
    tables = json.loads(done.stdout)["tables"]
    assert tables[0]["title"].startswith("Table 1")
    values = {row["line"]: row["value"] for row in tables[3]["values"]}
    assert "exact, wn-stem" in values and all(math.isfinite(value) for value in values.values())
    for form in ("text", "markdown", "latex", "tsv"):
        done = run("correlate", RANKINGS, *TEXTS, "--ablate", "--format", form)
        assert done.returncode == 0 and b"Tables 6 and 7" in done.stdout


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_plots(ending: str, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    pictures = [tmp_path / f"{name}.{ending}" for name in ("scatter", "segments", "ranking")]
    done = run(
        *("correlate", RATINGS, "--scores", scores(tmp_path), "--samples", "20"),
        *(
            "--scatter",
            str(pictures[0]),
            "--scatter-segments",
            str(pictures[1]),
            "--ranking",
            str(pictures[2]),
        ),
    )
    assert (done.returncode, done.stderr) == (0, b"")
    start = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}[ending]
    assert all(path.read_bytes().startswith(start) for path in pictures)
    if ending == "svg":
        line = next(line for line in done.stdout.decode().splitlines() if line.startswith("good"))
        assert f"r = {line.split()[4]}" in pictures[0].read_text()  # the column system-pearson
        assert "dogwood" in pictures[2].read_text()
    assert len(list(tmp_path.iterdir())) == 4  # no partial files


def test_judgments_of_systems_only(tmp_path: Path, english: Meteor) -> None:
    people = tmp_path / "human.sys.score"
    people.write_text("alder\t80\nbirch\t70\ncedar\t40\ndogwood\t50\n")
    done = run("correlate", people, *TEXTS, "--confidence")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().split()[:4] == [
        "metric",
        "system-pearson",
        "system-spearman",
        "system-accuracy",
    ]


def test_system_map(tmp_path: Path) -> None:
    other = tmp_path / "ratings.tsv"
    other.write_text(Path(RATINGS).read_text().replace("alder\t", "newstest.alder\t"))
    arguments = ["correlate", str(other), "--scores", scores(tmp_path), "--measure", "pearson"]
    done = run(*arguments)
    assert done.returncode == 1 and b"no scores for system 'newstest.alder'" in done.stderr
    names = tmp_path / "names.tsv"
    names.write_text("newstest.alder\talder\n")
    assert run(*arguments, "--system-map", names).returncode == 0
    names.write_text("newstest.alder alder\n")
    done = run(*arguments, "--system-map", names)
    assert done.returncode == 1 and b"line 1: must be two names" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "nothing to compare with the judgments"),
        (["--ablate"], 2, "--ablate scores texts"),
        ([*TEXTS, "--measure", "pearsons"], 2, "did you mean 'pearson'"),
        ([*TEXTS, "--test", "t"], 2, "unknown test 't'"),
        (["--scatter", "plot.gif"], 2, "must end in one of .svg"),
        (["--write-seg-scores", "absent"], 2, "absent is not a folder"),
        (["--judgments-format", "xml"], 2, "unknown format of judgments 'xml'"),
        (["--normalize-ratings", "zz"], 2, "unknown normalization"),
        (["--scores", "absent.tsv"], 1, "cannot read absent.tsv"),
        ([*SYSTEMS], 2, "references are missing"),
        ([*TEXTS, "--metric", "1.6"], 2, "1.6"),
    ],
)
def test_mistakes(arguments: list[str], code: int, message: str) -> None:
    done = run("correlate", RATINGS, *arguments)
    assert (done.returncode, done.stdout) == (code, b"")
    assert message in done.stderr.decode() and b"Traceback" not in done.stderr


def test_what_is_being_done_is_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress.status() as advance:
        advance("plotting [/x].png", 0, None)
    assert "plotting [/x].png" in terminal.getvalue()
