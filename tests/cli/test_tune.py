"""`bolide tune`: its output, and the input it rejects."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bolide import Meteor
from bolide._support.outputs import remove_unfinished
from bolide.errors import OutputError
from bolide.tuning.checkpoint import Checkpoint
from bolide.tuning.data import DataSet
from bolide.tuning.objectives import Objective
from bolide.tuning.points import writing
from bolide.tuning.space import Space
from tests.support.paths import EXAMPLES

JUDGED = EXAMPLES / "judged"
QUICK = ["--modules", "exact", "--weights", "1", "--step", "0.25"]


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "import sys; from bolide.cli import main; sys.exit(main())", "tune"]
    return subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True, check=False)


@pytest.fixture
def sets(tmp_path: Path, meteor: Callable[..., Meteor]) -> Path:
    """The judged example, as rankings and as ratings."""
    meteor(modules=["exact"])
    names = ", ".join(f'"{JUDGED}/{name}.txt"' for name in ("alder", "birch", "cedar", "dogwood"))
    texts = f'hypotheses = [{names}]\nreferences = ["{JUDGED}/reference.txt"]\n'
    both = [
        f'[[set]]\nname = "{name}"\njudgments = "{JUDGED}/{file}"\n{texts}test_set = "{name}"\n'
        for name, file in (("one", "rankings.csv"), ("two", "ratings.tsv"))
    ]
    (tmp_path / "sets.toml").write_text("\n".join(both), encoding="utf-8")
    return tmp_path / "sets.toml"


@pytest.mark.parametrize("search", ["grid", "coordinate"])
def test_profile_report_and_points(search: str, sets: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("mine.toml", "report.md", "points.tsv")]
    options = ["--output", files[0], "--report", files[1], "--points", files[2], "--folds", "test-set"]
    done = run(sets, *QUICK, "--search", search, "--fix", "alpha=0.85", *options)
    assert (done.returncode, done.stderr) == (0, "")
    tuned = Meteor(profile=files[0]).parameters
    assert tuned.alpha == 0.85
    assert "| one |" in files[1].read_text(encoding="utf-8")
    head, *rows = (line.split("\t") for line in files[2].read_text(encoding="utf-8").splitlines())
    best = max(rows, key=lambda row: float(row[-1]))
    assert head[:5] == ["alpha", "beta", "gamma", "delta", "exact"]
    highest = [row[:4] for row in rows if row[-1] == best[-1]]
    assert [repr(getattr(tuned, name)) for name in head[:4]] in highest


def test_java_statistics_and_checkpoint(sets: Path, tmp_path: Path) -> None:
    """Statistics in Java's format, and a second run from the checkpoint, give the same result."""
    references = (JUDGED / "reference.txt").read_text(encoding="utf-8").splitlines()
    lines, names = [], ["system\tsegid"]
    for system in ("alder", "birch", "cedar", "dogwood"):
        texts = (JUDGED / f"{system}.txt").read_text(encoding="utf-8").splitlines()
        rows = Meteor(modules=["exact"]).statistics(texts, references)
        lines += [" ".join(f"{number}.0" for number in row) for row in rows]
        names += [f"{system}\t{k}" for k in range(1, len(texts) + 1)]
    (tmp_path / "stats").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "rows.tsv").write_text("\n".join(names) + "\n", encoding="utf-8")
    given = f'[[set]]\nname = "one"\njudgments = "{JUDGED}/rankings.csv"\n'
    given += 'statistics = "stats"\nrows = "rows.tsv"\n'
    (tmp_path / "java.toml").write_text(given, encoding="utf-8")
    saved = ["--checkpoint", tmp_path / "saved.npz"]
    first, again = (run(tmp_path / "java.toml", *QUICK, "--search", "grid", *saved) for _ in range(2))
    assert (first.returncode, first.stderr) == (0, "")
    assert again.stdout == first.stdout
    other = run(tmp_path / "java.toml", *QUICK, "--search", "coordinate", *saved)
    assert other.returncode == 2
    assert "belongs to a search with other data or settings" in other.stderr


def test_texts_with_judgments(tmp_path: Path, meteor: Callable[..., Meteor]) -> None:
    """Sets of one file each, with measures, weights and modules of their own."""
    meteor(modules=["exact"])
    common = 'where = "is_reference=false"\nfield = "{}"\n'
    given = [
        f'data = "{JUDGED}/captions.jsonl"\nmeasure = "kendall-b"\nweight = 2.5\n{common.format("a")}',
        f'data = "{JUDGED}/captions.pairs.jsonl"\nwhere = ["kind=MM"]\nown_references = "drop"\n'
        'field = "a"\n',
        f'data = "{JUDGED}/summaries.jsonl"\nmeasure = "pearson"\nhuman = "relevance"\nfield = "b"\n'
        'language = "other"\nmodules = "exact"\n',
    ]
    text = "\n".join(f'[[set]]\nname = "set{k}"\n{each}' for k, each in enumerate(given))
    (tmp_path / "sets.toml").write_text(text, encoding="utf-8")
    options = ["--modules", "exact stem", "--weights", "1 0.6", "--step", "0.5", "--folds", "field"]
    done = run(tmp_path / "sets.toml", *options, "--points", tmp_path / "points.tsv")
    assert (done.returncode, done.stderr) == (0, "")
    rows = {line.split()[0]: line.split() for line in done.stdout.splitlines() if line.strip()}
    assert rows["set"] == ["set", "measure", "weight", "judgments", "before", "tuned", "gain"]
    assert rows["set0"][:4] == ["set0", "kendall-b", "2.5", "12"]
    assert rows["set1"][1:4] == ["tau", "1", "5"]
    assert rows["set2"][1:4] == ["pearson", "1", "6"]
    head = (tmp_path / "points.tsv").read_text(encoding="utf-8").splitlines()[0].split("\t")
    assert head[-4:] == ["kendall-b:set0", "tau:set1", "pearson:set2", "mean of sets"]


WRONG = {
    ("--fix", "alpha"): "--fix needs a name and a value",
    ("--fix", "alhpa=1"): "unknown parameter 'alhpa'",
    ("--range", "alpha=0:1"): "needs LOW:HIGH:STEP",
    ("--report", "report.txt"): "a report is a file .md or .html",
    ("--points", "points.csv"): "a file of points must end in",
    ("--output", "mine.profile"): "a profile is a file NAME.toml",
    ("--java", str(JUDGED)): "leave out SETS or --java",
    ("--objective", "bleu"): "unknown objective",
    ("--search", "magic"): "unknown search",
    ("--folds", "language-pair"): "need the key 'language_pair' in each set",
}


@pytest.mark.parametrize("options", WRONG)
def test_mistakes(options: tuple[str, str], sets: Path) -> None:
    done = run(sets, *QUICK, *options)
    assert (done.returncode, done.stdout) == (2, "")  # before the search
    assert WRONG[options] in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("option", ["--output", "--report", "--points", "--checkpoint"])
def test_a_folder_that_is_not_there_is_told_before_the_search(option: str, sets: Path) -> None:
    name = {"--output": "mine.toml", "--report": "mine.md", "--points": "mine.tsv"}.get(option, "saved")
    done = run(sets, *QUICK, option, sets.parent / "none" / name)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{name}: there is no folder" in done.stderr


def test_a_file_that_is_no_checkpoint(sets: Path, tmp_path: Path) -> None:
    (tmp_path / "saved").write_text("something else\n", encoding="utf-8")
    done = run(sets, *QUICK, "--checkpoint", tmp_path / "saved")
    assert done.returncode == 1
    assert done.stderr == f"bolide: {tmp_path / 'saved'} is not a checkpoint of a search; name another file\n"


@pytest.mark.parametrize("name", ["points.tsv", "points.parquet"])
def test_a_signal_while_points_are_written(name: str, tmp_path: Path) -> None:
    """Native work may take longer than the command waits. Then only registered files are removed."""
    pytest.importorskip("pyarrow")
    space = Space.of(["exact"], step=0.5)
    data = [DataSet("one", Meteor(modules=["exact"]).statistics(["a b", "a"], ["a b", "a b"]), [0], [1])]
    with pytest.raises(KeyboardInterrupt), writing(tmp_path / name, space, Objective(data, "tau")):
        assert len(list(tmp_path.iterdir())) == 1
        remove_unfinished()
        assert list(tmp_path.iterdir()) == []
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_a_signal_while_a_checkpoint_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(file: object, **arrays: object) -> None:
        assert len(list(tmp_path.iterdir())) == 1
        remove_unfinished()  # as the command does when it must end at once
        assert list(tmp_path.iterdir()) == []

    monkeypatch.setattr(np, "savez", interrupted)
    with pytest.raises(OutputError, match="cannot write"):
        Checkpoint(tmp_path / "saved", "key").save(now=True)
    assert list(tmp_path.iterdir()) == []


def test_missing_files(tmp_path: Path) -> None:
    done = run(tmp_path / "none.toml")
    assert done.returncode == 1
    assert "none.toml: No such file" in done.stderr
    assert run().returncode == 2
