"""Standard streams: closed, full, and in locales without Unicode."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import pytest

import bolide
from tests.support.processes import PATIENCE

BOLIDE = [sys.executable, "-m", "bolide"]
# As in small containers. Without these settings Python would use UTF-8 anyway.
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
LATIN = {"PYTHONIOENCODING": "latin-1"}
TEXT = "Ünï 日"
NO_TEXT = b"no\xff.txt"  # a file's name

full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory, english: bolide.Meteor) -> Iterator[Path]:
    """The folder where all commands run: one segment, with words that are not ASCII."""
    folder = tmp_path_factory.mktemp("streams")
    (folder / "hyp").write_text(f"{TEXT}\n", encoding="utf-8")
    (folder / "ref").write_text(f"{TEXT} 本\n", encoding="utf-8")
    (folder / "long").write_text(f"{TEXT}\n" * 3000, encoding="utf-8")
    before = Path.cwd()
    os.chdir(folder)
    yield folder
    os.chdir(before)


def run(
    *words: str | bytes,
    redirection: str = "",
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a shell does."""
    shell = ["sh", "-c", f'exec "$@" {redirection}', "sh", *BOLIDE, *words]
    return subprocess.run(
        shell,
        input=stdin,
        capture_output=True,
        env={**os.environ, **(environment or {})},
        timeout=PATIENCE,
        check=False,
    )


@lru_cache
def usual(command: str) -> bytes:
    return run(*command.split()).stdout


@pytest.mark.parametrize(
    "command",
    ["score hyp -r ref", "align hyp -r ref", "java hyp ref", "normalize hyp", "stem hyp", "explain a -r a",
     "profiles", "resources list", "resources info en", "--help", "--version"],
)  # fmt: skip
def test_closed_output(command: str) -> None:
    done = run(*command.split(), redirection=">&-")
    assert (done.returncode, done.stderr) == (1, b"bolide: standard output: Bad file descriptor\n")


@pytest.mark.parametrize("command", ["normalize", "stem", "score - -r ref", "java - - -stdio -m exact"])
def test_closed_input(command: str) -> None:
    done = run(*command.split(), redirection="<&-")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"bolide: cannot read standard input: Bad file descriptor\n"


@pytest.mark.parametrize("command", ["score hyp -r ref", "java hyp ref", "explain a -r a", "xray --help"])
def test_closed_streams_that_are_not_needed(command: str) -> None:
    done = run(*command.split(), redirection="<&- 2>&-")
    assert (done.returncode, done.stdout) == (0, usual(command))


@full
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_messages_without_standard_error(redirection: str) -> None:
    """They do not go to standard output instead."""
    done = run("score", "missing", "-r", "ref", redirection=redirection)
    assert (done.returncode, done.stdout) == (1, b"")


def test_no_file_takes_the_place_of_a_closed_stream(folder: Path) -> None:
    assert run("score", "/dev/stdin", "-r", "ref", redirection="<&-").returncode == 1  # not bolide's own pipe
    before = set(folder.iterdir())
    made = run("java", "long", "long", "-m", "exact", "-writeAlignments", redirection=">&- 2>&-")
    assert made.returncode == 1 and set(folder.iterdir()) == before


@full
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "command", ["score hyp -r ref", "java long long -m exact", "normalize long", "--help"]
)
def test_full_output(command: str, unbuffered: str) -> None:
    """The error occurs in the middle, or at the end."""
    done = run(*command.split(), redirection=">/dev/full", environment={"PYTHONUNBUFFERED": unbuffered})
    assert (done.returncode, done.stderr) == (1, b"bolide: standard output: No space left on device\n")


@pytest.mark.parametrize("environment", [ASCII, LATIN])
@pytest.mark.parametrize(
    "command", ["score hyp -r ref", "align hyp -r ref", "normalize hyp", "explain a -r a"]
)
def test_every_locale_has_the_same_bytes(command: str, environment: dict[str, str]) -> None:
    done = run(*command.split(), environment=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, usual(command), b"")
    assert "日".encode() in done.stdout or command.split()[0] in ("score", "explain")


def test_text_of_standard_input() -> None:
    assert run("normalize", stdin=TEXT.encode(), environment=ASCII).stdout == "ünï 日\n".encode()


def test_texts_among_the_arguments(folder: Path) -> None:
    done = run("explain", TEXT, "-r", "Ünï 本", "--format", "json", environment=ASCII)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["hypothesis"] == ["ünï", "日"]
    (folder / "table.tsv").write_text("hyp\tdéjà\na cat\ta cat\n", encoding="utf-8")
    done = run("score", "table.tsv", "--ref-column", "déjà", "-q", environment=ASCII)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("environment", [{}, ASCII])
@pytest.mark.parametrize("command", ["score NAME -r ref", "java NAME ref", "stem NAME"])
def test_a_name_that_is_no_text(folder: Path, command: str, environment: dict[str, str]) -> None:
    words = [NO_TEXT if word == "NAME" else word for word in command.split()]
    done = run(*words, environment=environment)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == rb"bolide: cannot read no\udcff.txt: No such file or directory" + b"\n"
    file = folder / os.fsdecode(NO_TEXT)
    file.write_bytes((folder / "hyp").read_bytes())
    done = run(*words, environment=environment)
    file.unlink()
    assert (done.returncode, done.stderr) == (0, b"")
