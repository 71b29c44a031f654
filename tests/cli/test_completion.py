"""Shell completion: what a shell asks when the user presses the tab key."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import run


def completed(monkeypatch: pytest.MonkeyPatch, line: str) -> list[str]:
    monkeypatch.setenv("_BOLIDE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"bolide {line}")
    monkeypatch.setenv("COMP_CWORD", str(line.count(" ") + 1))
    done = run()
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("sc", ["score"]),
        ("re", ["rerank", "resources"]),
        ("learn f", ["function-words"]),
        ("score --pe", ["--percent"]),
        ("score --format j", ["json"]),
        ("score --test ", ["bootstrap", "randomization", "none"]),
    ],
)
def test_completion(line: str, expected: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert completed(monkeypatch, line) == expected


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_files_in_bash(tmp_path: Path) -> None:
    """The script defines a completion that falls back to the names of files."""
    script = run("--show-completion", "bash").stdout.decode()
    assert "complete -o default -F _bolide_completion bolide" in script
    program = f"{script}\nCOMP_WORDS=(bolide sco); COMP_CWORD=1; _bolide_completion bolide; echo $COMPREPLY"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", program], capture_output=True, env={**os.environ, "PATH": path}, check=True
    )
    assert done.stdout == b"score\n"
