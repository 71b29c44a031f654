"""Word alignment by existing programs: fast_align (systran-align, the default) or eflomal.

Both see numbers in place of words, so that no character of a word can disturb them, and both run in a process
of their own (aligner_process.py), which can be ended at any moment and whose memory is its own. fast_align
runs on one thread, since with several it adds up numbers in another order each time: the same text must have
the same links. eflomal draws random numbers that cannot be chosen: its links are not the same twice.
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

from bolide._support.extras import install
from bolide._support.progress import Advance, no_advance
from bolide.errors import InputError, LearningError, unknown
from bolide.inputs.text import read_lines


@dataclass(frozen=True)
class Aligner:
    """A program that aligns words."""

    package: str  # on PyPI
    module: str
    install: str
    # Settings that it is run with, for the manifest of what is learned.
    settings: str
    limits: str = ""  # where it can be installed, if not everywhere

    @property
    def tool(self) -> str:
        """Its name and version."""
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
    """The aligner of that name, which must be installed."""
    if name not in ALIGNERS:
        raise unknown("aligner", name, ALIGNERS)
    aligner = ALIGNERS[name]
    if find_spec(aligner.module) is None:
        others = [other for other in ALIGNERS if other != name and find_spec(ALIGNERS[other].module)]
        instead = f", or choose --aligner {others[0]}" if others else ""
        raise LearningError(
            f"the aligner {name} is not installed{aligner.limits}; run: {aligner.install}{instead}"
        )
    return aligner


def align(
    name: str,
    source: Path,
    target: Path,
    output: Path,
    temporary: Path,
    progress: Advance = no_advance,
) -> int:
    """Writes the links between the words of two files, a line each, such as "0-0 1-2". What the aligner needs
    meanwhile goes to the temporary folder. Returns the largest amount of memory that it took, in bytes."""
    find(name)
    numbers = [temporary / "source.numbers", temporary / "target.numbers"]
    for words, place in zip((source, target), numbers, strict=True):
        _number(words, place)
    command = [sys.executable, "-m", "bolide.learning.aligner_process", name, *map(str, numbers), str(output)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"} if name == "fast-align" else {**os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    return _run(name, command, environment, progress)


def check_links(name: str, pairs: int) -> None:
    """An error if a file of links, made elsewhere, has not a line for each sentence pair."""
    count = sum(1 for _ in read_lines(name))
    if count != pairs:
        raise InputError(f"{name} has {count:,} lines; there are {pairs:,} sentence pairs to be linked")


def _number(words: Path, place: Path) -> None:
    """Each word by its number."""
    known: dict[str, int] = {}
    with place.open("w", encoding="ascii", newline="\n") as stream:
        for line in read_lines(str(words)):
            stream.write(
                " ".join([str(known.setdefault(word, len(known))) for word in line.split(" ")]) + "\n"
            )


def _run(name: str, command: Sequence[str], environment: dict[str, str], progress: Advance) -> int:
    """Runs the process, which tells on standard output how far it is, and at last what it took."""
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
        stack.callback(process.kill)  # whatever happens: before its end is waited for
        assert process.stdout is not None and process.stderr is not None
        told: dict[str, object] = {}
        for line in process.stdout:
            told = json.loads(line)
            if "done" in told:
                progress(int(str(told["done"])), int(str(told["total"])))
        said = process.stderr.read().strip().splitlines()
        if process.wait() != 0 or "peak" not in told:
            reason = told.get("error") or (said[-1] if said else f"it ended with code {process.returncode}")
            raise LearningError(f"the aligner {name} failed: {reason}")
    return int(str(told["peak"]))
