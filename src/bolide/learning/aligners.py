"""Word alignment with existing programs: fast_align (systran-align, the default) or eflomal.

Both get numbers instead of words, so that special characters cannot disturb them. Both run in a separate
process (aligner_process.py), which can be ended at any time. fast_align runs on one thread: with several,
sums have different rounding errors each time, but the same text must get the same links. eflomal uses random
numbers without a seed, so its links differ between runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from bolide._support import checks
from bolide._support.extras import install
from bolide._support.progress import Advance, no_advance
from bolide.errors import InputError, LearningError
from bolide.inputs.text_files import read_lines


@dataclass(frozen=True)
class Aligner:
    """A program that aligns words."""

    package: str  # on PyPI
    module: str
    install: str
    settings: str  # for the manifest
    limits: str = ""  # where it can be installed, if not everywhere

    @property
    def tool(self) -> str:
        """The name and version."""
        return f"{self.package} {version(self.package)}"


ALIGNERS = {
    "fast-align": Aligner(
        "systran-align",
        "systran_align",
        install("learning"),
        "5 iterations, favor_diagonal, optimize_tension, variational_bayes, grow-diag-final-and",
        " (only for Python 3.10 and 3.11 on Linux x86-64; elsewhere: --aligner eflomal)",
    ),
    "eflomal": Aligner("eflomal", "eflomal", "pip install eflomal", "model 3, grow-diag-final-and"),
}
DEFAULT = "fast-align"


def find(name: str) -> Aligner:
    """The aligner with this name, which must be installed."""
    checks.choice("aligner", name, ALIGNERS)
    aligner = ALIGNERS[name]
    if find_spec(aligner.module) is None:
        others = [other for other in ALIGNERS if other != name and find_spec(ALIGNERS[other].module)]
        instead = f", or choose --aligner {others[0]}" if others else ""
        raise LearningError(
            f"the aligner {name} is not installed{aligner.limits}; run: {aligner.install}{instead}"
        )
    return aligner


def align(
    name: str, source: Path, target: Path, output: Path, temporary: Path, progress: Advance = no_advance
) -> int:
    """Writes the links between the words of two files, such as "0-0 1-2", one line per sentence pair. Returns
    the peak memory of the aligner, in bytes."""
    find(name)
    numbers = [temporary / "source.numbers", temporary / "target.numbers"]
    for words, place in zip((source, target), numbers, strict=True):
        _number(words, place)
    command = [sys.executable, "-m", "bolide.learning.aligner_process", name, *map(str, numbers), str(output)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"} if name == "fast-align" else {**os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    return _run(name, command, environment, progress)


def check_links(name: str, pairs: int) -> None:
    """Fails if a file of links from another program does not have one line per sentence pair."""
    count = sum(1 for _ in read_lines(name))
    if count != pairs:
        raise InputError(f"{name} has {count:,} lines, but there are {pairs:,} sentence pairs")


def _number(words: Path, place: Path) -> None:
    """Replaces words by numbers."""
    known: dict[str, int] = {}
    with place.open("w", encoding="ascii", newline="\n") as stream:
        for line in read_lines(str(words)):
            stream.write(
                " ".join([str(known.setdefault(word, len(known))) for word in line.split(" ")]) + "\n"
            )


def _run(name: str, command: Sequence[str], environment: dict[str, str], progress: Advance) -> int:
    """Runs the process. It reports progress, and at the end its peak memory, on standard output."""
    with ExitStack() as stack:
        process = stack.enter_context(
            subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="backslashreplace",
            )
        )
        stack.callback(process.kill)  # on any error, before waiting for its end
        assert process.stdout is not None and process.stderr is not None
        message: dict[str, object] = {}
        for line in process.stdout:
            message = json.loads(line)
            if "done" in message:
                progress(int(str(message["done"])), int(str(message["total"])))
        errors = process.stderr.read().strip().splitlines()
        if process.wait() != 0 or "peak" not in message:
            reason = message.get("error") or (
                errors[-1] if errors else f"it ended with code {process.returncode}"
            )
            raise LearningError(f"the aligner {name} failed: {reason}")
    return int(str(message["peak"]))
