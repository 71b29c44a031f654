"""`bolide java` on the cases in golden/java: standard output, standard error and files, to the byte."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from golden.java import record
from java_command import bolide_java


@pytest.mark.parametrize("case", record.cases(), ids=lambda case: case.name)
def test_golden(case: Path, tmp_path: Path) -> None:
    shutil.copytree(record.HERE / "text", tmp_path / "text")
    work = tmp_path / case.name
    work.mkdir()
    answer = bolide_java(record.arguments(case), work, record.standard_input(case))
    found = {"stdout": answer.output.encode(), "stderr": answer.errors.encode()}
    found |= {path.name: path.read_bytes() for path in work.iterdir()}
    expected = {path.name: path.read_bytes() for path in (case / "expected").iterdir()}
    assert sorted(found) == sorted(expected)
    for name in sorted(found):
        assert found[name].decode() == expected[name].decode(), name
    assert answer.code == 0


def test_there_are_cases() -> None:
    assert len(record.cases()) > 50
