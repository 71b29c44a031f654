"""`--help` of every command prints the text in golden/help.

    python -m tests.cli.test_help

regenerates these files. typer draws the frames around the text, and they change with its versions. With
another version than the one below, only the options are compared.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import version

import pytest

from tests.support.paths import GOLDEN

HELP = GOLDEN / "help"
SCORING = ("score", "correlate", "tune", "xray", "align", "explain", "signature")
LISTS = ("mert", "rerank", "oracle", "mbr")
TEXT = ("normalize", "stem", "tokenize")
COMMANDS = {
    "bolide": [],
    **{name: [name] for name in (*SCORING, *LISTS, *TEXT, "profiles", "java", "run", "learn", "resources")},
    **{f"learn-{name}": ["learn", name] for name in ("language", "function-words", "phrases", "paraphrases")},
    **{
        f"resources-{name}": ["resources", name]
        for name in ("list", "install", "info", "verify", "path", "filter")
    },
}
PLAIN = {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
OPTION = re.compile(r"(?<!\S)--?[a-zA-Z][\w-]*")
DRAWN_BY = "0.29."  # typer


def help_text(arguments: list[str]) -> str:
    """The output of `bolide COMMAND --help`, on either stream."""
    command = [sys.executable, "-c", "from bolide.cli import main; main()", *arguments, "--help"]
    coloured = {"FORCE_COLOR", "CLICOLOR_FORCE", "PY_COLORS", "TERMINAL_WIDTH"}
    kept = {name: value for name, value in os.environ.items() if name not in coloured}
    done = subprocess.run(command, env={**kept, **PLAIN}, capture_output=True, encoding="utf-8", check=False)
    lines = COLOUR.sub("", done.stdout + done.stderr).splitlines()
    return "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_help(name: str) -> None:
    expected, found = (HELP / f"{name}.txt").read_text(encoding="utf-8"), help_text(COMMANDS[name])
    if name == "java" or version("typer").startswith(DRAWN_BY):
        assert found == expected
    assert set(OPTION.findall(found)) == set(OPTION.findall(expected))


def test_every_command_has_its_text() -> None:
    assert {path.stem for path in HELP.glob("*.txt")} == set(COMMANDS)
    for group in ("bolide", "resources"):
        listed = re.findall(r"^│ (\w+)  ", (HELP / f"{group}.txt").read_text(encoding="utf-8"), re.MULTILINE)
        prefix = "" if group == "bolide" else "resources-"
        assert {prefix + command for command in listed} <= set(COMMANDS)
        assert len(listed) >= 5


def main() -> None:
    HELP.mkdir(parents=True, exist_ok=True)
    for name, arguments in COMMANDS.items():
        (HELP / f"{name}.txt").write_text(help_text(arguments), encoding="utf-8")


if __name__ == "__main__":
    main()
