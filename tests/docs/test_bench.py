"""If input is missing, a benchmark ends with one sentence, as the command line does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import REPOSITORY


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=REPOSITORY,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("program", "file"), [("mert", "nbest/dev.run0.nbest.xz"), ("tune", "wmt/wmt12.cs-en.pairs.tsv.gz")]
)
def test_without_the_shared_data(program: str, file: str, tmp_path: Path) -> None:
    done = python("-m", f"bench.{program}", BOLIDE_SHARED=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"{tmp_path / 'data' / file} is missing: BOLIDE_SHARED must name the folder of shared data\n"
    )


def test_without_the_jar(tmp_path: Path) -> None:
    done = python("-c", "from bench import corpus; corpus.jar()", BOLIDE_JAR=str(tmp_path / "no.jar"))
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
