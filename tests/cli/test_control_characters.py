"""Text of the user's files never reaches a terminal as control characters. Programs get it exactly."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.posix import needs_terminals

BOLIDE = [sys.executable, "-m", "bolide"]
# Sets the title of the window, erases the screen, the same in C1, and shows the rest in another order.
HOSTILE = "a\x1b]0;title\x07 b\x1b[2Jc d\x9b2Je f\u202eg h\x7fi j\x1b[8mk"
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
PLAIN = ["--profile", "linear", "--modules", "exact", "--normalize", "lower"]
NAME = "hyp\x1b[2J"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (NAME, "ref"):
        (tmp_path / name).write_text(f"{HOSTILE}\n", encoding="utf-8", newline="\n")
    (tmp_path / "nbest").write_text(
        f"0 ||| {HOSTILE} ||| f\x1b[2J= 1 ||| 0\n", encoding="utf-8", newline="\n"
    )
    (tmp_path / "weights").write_text("f\x1b[2J= 1\n")
    hypothesis = (
        f'<tstset setid="s"><doc docid="{HOSTILE}" sysid="{NAME}"><seg id="1">a</seg></doc></tstset>\n'
    )
    (tmp_path / "hyp.sgm").write_text(hypothesis, encoding="utf-8")
    reference = f'<refset setid="s"><doc docid="{HOSTILE}" refid="r"><seg id="1">a</seg></doc></refset>\n'
    (tmp_path / "ref.sgm").write_text(reference, encoding="utf-8")
    (tmp_path / "bad.jsonl").write_text(json.dumps({HOSTILE: 1}, ensure_ascii=False) + "\n", encoding="utf-8")
    return tmp_path


COMMANDS = {
    "align": ["align", NAME, "-r", "ref", *PLAIN],
    "align, json": ["align", NAME, "-r", "ref", "--format", "json", *PLAIN],
    "explain": ["explain", HOSTILE.replace("\x00", ""), "-r", HOSTILE, *PLAIN],
    "explain, json": ["explain", HOSTILE, "-r", HOSTILE, "--format", "json", *PLAIN],
    "score": ["score", NAME, "-r", "ref", "--segments", *PLAIN],
    "score, json": ["score", NAME, "-r", "ref", "--segments", "--format", "json", *PLAIN],
    "score, tsv": ["score", NAME, "-r", "ref", "--segments", "--format", "tsv", *PLAIN],
    "score, documents": ["score", "hyp.sgm", "-r", "ref.sgm", "--doc-column", "docid", *PLAIN],
    "normalize": ["normalize", NAME],
    "stem": ["stem", NAME],
    "rerank": ["rerank", "nbest", "--weights", "weights"],
    "mbr": ["mbr", "nbest", *PLAIN],
    "oracle": ["oracle", "nbest", "-r", "ref", *PLAIN],
    "mert": ["mert", "nbest", "-r", "ref", "--weights", "weights", "--objective", "meteor", *PLAIN],
    "no such column": ["score", "bad.jsonl", "-r", "ref", "--hyp-column", HOSTILE, *PLAIN],
    "no such file": ["score", f"none{NAME}", "-r", "ref", *PLAIN],
    "columns": ["score", "bad.jsonl", "-r", "ref", *PLAIN],
    "a wrong name": ["score", NAME, "-r", "ref", "--profile", NAME],
}


def on_terminal(folder: Path, arguments: list[str]) -> str:
    """All that a command prints on a terminal."""
    master, slave = os.openpty()
    process = subprocess.Popen(
        [*BOLIDE, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
        env={**os.environ, "NO_COLOR": "1", "TERM": "dumb"},
    )  # fmt: skip
    os.close(slave)
    printed = b""
    while True:
        try:
            data = os.read(master, 1 << 16)
        except OSError:  # Linux: the other side is closed
            data = b""
        if not data:
            break
        printed += data
    os.close(master)
    process.wait()
    return printed.decode("utf-8")


@needs_terminals
@pytest.mark.parametrize("name", COMMANDS)
def test_on_a_terminal(name: str, folder: Path) -> None:
    printed = on_terminal(folder, COMMANDS[name]).replace("\r\n", "\n")
    assert printed
    assert "Traceback" not in printed
    colours = re.sub(r"\x1b\[[01]m", "", printed)
    assert not UNSAFE.search(colours), UNSAFE.findall(colours)


def piped(folder: Path, name: str) -> str:
    done = subprocess.run([*BOLIDE, *COMMANDS[name]], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode("utf-8")


@pytest.mark.parametrize("name", ["align", "explain", "score", "score, documents"])
def test_reports_for_people_are_escaped_everywhere(name: str, folder: Path) -> None:
    printed = piped(folder, name)
    assert not UNSAFE.search(printed)
    assert name == "score" or r"\x1b]0;title\x07" in printed


def test_json_is_exact_and_safe(folder: Path) -> None:
    printed = piped(folder, "align, json")
    assert not UNSAFE.search(printed)
    assert json.loads(printed)["hypothesis"] == HOSTILE.lower().split(" ")


def test_lines_for_programs_are_exact(folder: Path) -> None:
    assert piped(folder, "rerank") == f"{HOSTILE}\n"
    assert piped(folder, "mbr") == f"{HOSTILE}\n"
