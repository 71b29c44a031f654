"""README is true: blocks marked `<!-- run -->` run, and print what the block marked `<!-- output -->` says.

Its Python examples run as doctests; its test command is run by .ci/run.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bolide import Meteor

REPOSITORY = Path(__file__).parents[1]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
RUN = r"<!-- run -->\n```sh\n(?P<command>.*?)```\n"
OUTPUT = r"\n<!-- output -->\n```text\n(?P<output>.*?)```\n"
BLOCKS = [match.groupdict() for match in re.finditer(f"{RUN}(?:{OUTPUT})?", README, re.DOTALL)]


def test_every_mark_has_its_block() -> None:
    assert len(BLOCKS) == README.count("<!-- run -->") > 0
    assert sum(block["output"] is not None for block in BLOCKS) == README.count("<!-- output -->") > 0


def test_python_examples(english: Meteor, capsys: pytest.CaptureFixture[str]) -> None:
    found = doctest.testfile(str(REPOSITORY / "README.md"), module_relative=False, encoding="utf-8")
    assert found.failed == 0, capsys.readouterr().out
    assert found.attempted > 10


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block["command"].split("\n")[0])
def test_block(block: dict[str, str | None], tmp_path: Path, english: Meteor) -> None:
    shutil.copytree(REPOSITORY / "examples", tmp_path / "examples")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # the installed `bolide` first
    done = subprocess.run(
        ["sh", "-eu", "-c", str(block["command"])],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert block["output"] in (None, done.stdout)
