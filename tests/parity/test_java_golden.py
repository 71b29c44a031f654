"""`bolide java` on the cases in golden/java: standard output, standard error and files, byte by byte."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support import java_golden
from tests.support.java_command import bolide_java


@pytest.mark.parametrize("case", java_golden.cases(), ids=lambda case: case.name)
def test_golden(case: Path, tmp_path: Path) -> None:
    shutil.copytree(java_golden.HERE / "text", tmp_path / "text")
    work = tmp_path / case.name
    work.mkdir()
    answer = bolide_java(java_golden.arguments(case), work, java_golden.standard_input(case))
    found = {"stdout": answer.output.encode(), "stderr": answer.errors.encode()}
    found |= {path.name: path.read_bytes() for path in work.iterdir()}
    expected = {path.name: path.read_bytes() for path in (case / "expected").iterdir()}
    assert sorted(found) == sorted(expected)
    for name in sorted(found):
        assert found[name].decode() == expected[name].decode(), name
    assert answer.code == 0


def test_there_are_cases() -> None:
    assert len(java_golden.cases()) > 50


def test_only_the_second_answers_to_eval_are_left_out() -> None:
    assert java_golden.official(b"0.5\n0.5\n0.0\n0.0\n0.0\n0.0\n") == b"0.5\n0.0\n0.0\n"
    assert java_golden.official(b"1.0 2.0\n1.0 2.0\nError\n") == b"1.0 2.0\n1.0 2.0\nError\n"
