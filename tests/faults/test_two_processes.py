"""Two processes at once: both succeed, or the second stops with a clear message. The result is complete."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.fault_commands import COMMANDS, Command

BOLIDE = [sys.executable, "-m", "bolide"]
# The work of these commands is in a folder that one process owns.
ALONE = {"learn", "learn phrases", "mert --decoder"}
SLOW = {"xray", "learn phrases", "learn paraphrases", "learn function-words"}
NAMES = [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in COMMANDS]


def start(command: Command, root: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, **command.environment(root), "BOLIDE_THREADS": "1"}
    arguments = [*BOLIDE, *shlex.split(command.arguments)]
    return subprocess.Popen(
        arguments, cwd=root, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def prepared(command: Command, root: Path) -> Path:
    root.mkdir()
    command.prepare(root)
    (root / "tmp").mkdir()
    return root


@pytest.mark.parametrize("name", NAMES)
def test_two_at_once(name: str, tmp_path: Path) -> None:
    command = COMMANDS[name]
    for package in command.needs:
        if not find_spec(package):
            pytest.skip(f"needs the package {package}")
    alone, both = prepared(command, tmp_path / "alone"), prepared(command, tmp_path / "both")
    first = start(command, alone)
    assert (first.communicate()[1], first.returncode) == ("", 0)
    outcomes = []
    for process in [start(command, both) for _ in range(2)]:
        _, errors = process.communicate()
        errors = re.sub("Waiting for another process that is installing to .*\n", "", errors)
        outcomes.append((process.returncode, errors))
    assert command.results(both) == command.results(alone)
    assert (0, "") in outcomes
    for code, errors in outcomes:
        if code:
            assert name in ALONE
            assert (code, errors.count("\n")) == (1, 1)
            assert re.match(r"bolide: another process works in \S+: wait for it", errors)
    assert not list(both.rglob("*.unfinished"))
