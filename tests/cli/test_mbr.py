"""`bolide mbr`, run from a shell."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from bolide import Meteor
from bolide.cli import run
from bolide.mert import NBest, Weights
from bolide.mert.mbr import minimum_risk

TEXTS = [
    ["a dog barked", "the cat sat on the mat", "the cat sat on a mat", "cat sat on the mat"],
    ["heavy rain", "heavy rain"],
    ["le chat", "the mayor opened it", "the mayor opened"],
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, english: Meteor) -> Path:
    lines = [
        f"{sentence} ||| {text} ||| LM0= {-3 * k} TM0= {k} ||| {-k}\n"
        for sentence, texts in enumerate(TEXTS)
        for k, text in enumerate(texts)
    ]
    (tmp_path / "list").write_text("".join(lines), encoding="utf-8")
    (tmp_path / "w").write_text("LM0= 1\nTM0= 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


OPTIONS = [
    ([], {}),
    (["--scale", "0.5"], {"scale": 0.5}),
    (["--scale", "3", "--weights", "w"], {"scale": 3, "weights": Weights.of({"LM0": 1, "TM0": 1})}),
]


@pytest.mark.parametrize(("options", "same"), OPTIONS)
def test_choices(
    folder: Path,
    options: list[str],
    same: dict[str, object],
    english: Meteor,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["mbr", "list", *options]) == 0
    found = capsys.readouterr().out.splitlines()
    lists = NBest.read(["list"])
    assert found == [choice.candidate for choice in minimum_risk(lists, english, **same)]  # type: ignore[arg-type]
    assert run(["mbr", "--nbest", "list", *options, "-o", "out", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert (folder / "out").read_text(encoding="utf-8").splitlines() == found


def test_the_first_of_equal_ones(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a large scale, only the most probable hypothesis is a reference."""
    assert run(["mbr", "list", "--scale", "1000"]) == 0
    assert capsys.readouterr().out.splitlines() == [texts[0] for texts in TEXTS]


def test_profiles_and_methods(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--profile", "bolide-2"], ["--method", "prune", "--keep", "2"], ["--method", "subset"]):
        assert run(["mbr", "list", *options]) == 0
        found = capsys.readouterr().out.splitlines()
        assert all(line in texts for line, texts in zip(found, TEXTS, strict=True))


def test_module_weights(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mbr", "list", "--modules", "exact stem", "--module-weights", "1 0.5"]) == 0
    assert capsys.readouterr().out.count("\n") == 3


def test_standard_input(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = (folder / "list").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
    assert run(["mbr", "-", "--nbest", "-"]) == 2
    assert "standard input can be read only once" in capsys.readouterr().err
    assert run(["mbr", "-"]) == 0
    assert capsys.readouterr().out.count("\n") == 3


def test_after_an_error_the_old_output_is_left(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "out").write_text("old\n", encoding="utf-8")
    (folder / "bad").write_text(f"0 ||| a ||| 1 ||| 0\n0 ||| {'w ' * 100_001}||| 1 ||| 0\n", encoding="utf-8")
    assert run(["mbr", "bad", "-o", "out"]) == 1
    assert "100001 words" in capsys.readouterr().err
    assert (folder / "out").read_text(encoding="utf-8") == "old\n"
    assert sorted(path.name for path in folder.iterdir()) == ["bad", "list", "out", "w"]
