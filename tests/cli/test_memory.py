"""The memory of `bolide score` does not grow with the number of segments, beyond what the documents say."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import BOLIDE

pytestmark = pytest.mark.skipif(not hasattr(os, "wait4"), reason="needs wait4")

# Already with the few, buffers have their full size.
FEW, MANY = 100_000, 300_000
# The peak memory of a process begins with that of its parent, so the parent must be small.
LAUNCHER = """
import os, sys
null = os.open(os.devnull, os.O_WRONLY)
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("memory")
    draw = random.Random(1)
    lines = [" ".join(draw.choices("abcdefgh", k=4)) for _ in range(3 * MANY)]
    for number, name in enumerate(("one", "two", "reference")):
        for count in (FEW, MANY):
            part = lines[number * MANY : number * MANY + count]
            (folder / f"{name}.{count}").write_text("\n".join(part) + "\n", encoding="utf-8")
    return folder


def peak(folder: Path, count: int, systems: list[str], options: list[str]) -> int:
    """The peak memory of a command in bytes."""
    files = [str(folder / f"{name}.{count}") for name in systems]
    command = [*BOLIDE, "score", *files, "-r", str(folder / f"reference.{count}"), *options]
    # How much several threads hold at the same time depends on the load of the machine.
    command += ["--modules", "exact", "--quiet", "--profile", "linear", "--threads", "1"]
    launcher = [sys.executable, "-I", "-S", "-c", LAUNCHER, *command]
    done = subprocess.run(launcher, capture_output=True, text=True, check=True)
    code, kilobytes = map(int, done.stdout.split())
    assert code == 0, done.stderr
    return kilobytes * 1024


@pytest.mark.parametrize(
    ("systems", "options", "bytes_per_segment"),
    [
        (["one"], ["--segments"], 10),
        (["one"], ["--segments", "--format", "tsv"], 10),
        (["one"], ["--metrics", "bleu", "--format", "tsv"], 10),
        (["one"], ["--segments", "--format", "json"], 110),
        (["one"], ["--confidence", "--samples", "30", "--format", "tsv"], 200),
        (["one", "two"], ["--samples", "30", "--format", "tsv"], 300),
    ],
)
def test_growth(texts: Path, systems: list[str], options: list[str], bytes_per_segment: int) -> None:
    """What is kept per segment, and 6 MB of buffers that also grow."""
    few, many = (peak(texts, count, systems, options) for count in (FEW, MANY))
    assert many - few < (MANY - FEW) * bytes_per_segment + 6_000_000
