"""CPU instruction sets: which are available, and the variable that limits them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bolide import Meteor, _core
from tests.support import core_testing

NAMES = ["portable", "neon", "avx2", "avx512"]
HYPOTHESES = "the cats were sitting on a big mat\nhe went home very quickly .\nnothing at all\n"
REFERENCES = "a large cat sat on the mat\nquickly he was going home .\nsomething else\n"
AVAILABLE = "from bolide import _core; print(*_core.available_instructions())"


def run(arguments: list[str], instructions: str | None) -> subprocess.CompletedProcess[str]:
    # OpenBLAS (in NumPy) takes the CPU from its variable if there is one, and QEMU emulates another CPU.
    choices = {"BOLIDE_INSTRUCTIONS", "OPENBLAS_CORETYPE"}
    environment = {name: value for name, value in os.environ.items() if name not in choices}
    if instructions is not None:
        environment["BOLIDE_INSTRUCTIONS"] = instructions
    return subprocess.run(arguments, env=environment, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture
def score(english: Meteor, tmp_path: Path) -> list[str]:
    """A command that scores all modules of English."""
    paths = [tmp_path / "hypotheses.txt", tmp_path / "references.txt"]
    for path, text in zip(paths, (HYPOTHESES, REFERENCES), strict=True):
        path.write_text(text)
    return [sys.executable, "-m", "bolide", "score", str(paths[0]), "-r", str(paths[1]), "--format", "json"]


def test_available_sets() -> None:
    available = _core.available_instructions()
    assert available[0] == "portable"
    assert available == [name for name in NAMES if name in available]


def test_the_variable_is_a_limit(score: list[str]) -> None:
    """A set that the CPU lacks is not an error: the next lower one is used."""
    python = [sys.executable, "-c", AVAILABLE]
    everything = run(python, None).stdout.split()
    expected = run(score, None)
    assert expected.returncode == 0, expected.stderr
    for number, name in enumerate(NAMES):
        allowed = NAMES[: number + 1]
        assert run(python, name).stdout.split() == [each for each in everything if each in allowed]
        assert run(score, name).stdout == expected.stdout
    assert run(python, "").stdout.split() == everything


def test_an_unknown_name(score: list[str]) -> None:
    message = "BOLIDE_INSTRUCTIONS must be portable, neon, avx2 or avx512, not 'sse9'"
    found = run(score, "sse9")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.splitlines() == [f"bolide: {message}"]
    assert run([sys.executable, "-c", "import bolide._core"], "sse9").returncode == 0
    found = run([sys.executable, "-c", AVAILABLE], "sse9")
    assert found.stderr.splitlines()[-1] == f"bolide.errors.ConfigurationError: {message}"


@pytest.mark.parametrize("name", [*sorted(set(NAMES) - set(_core.available_instructions())), "AVX2", ""])
def test_tests_do_not_get_another_set(name: str) -> None:
    with pytest.raises(ValueError, match=f"no instructions '{name}' here"):
        core_testing.choose(np.zeros((0, 5), dtype=np.int32), 1, 1, "beam", [1.0], instructions=name)


def test_an_old_processor(score: list[str], qemu: str) -> None:
    """Nehalem, of 2008, is the oldest processor that NumPy supports.

    QEMU ends the process with an illegal instruction if it uses AVX.
    """
    native, emulated = run(score, None), run([qemu, "-cpu", "Nehalem", *score], None)
    assert (emulated.returncode, emulated.stderr) == (0, native.stderr)
    assert emulated.stdout == native.stdout
