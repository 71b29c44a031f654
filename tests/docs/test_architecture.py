"""The tables of docs/internals/architecture.md name files that exist, and names that occur in them. Every
type has a name of its own."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.support.paths import REPOSITORY

PAGE = REPOSITORY / "docs" / "internals" / "architecture.md"
ROWS = re.findall(r"^\| (.+?) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
ANSWERS = [(question, answer) for question, answer in ROWS if "`core/" in answer or "`src/" in answer]


def test_there_are_answers() -> None:
    assert len(ANSWERS) > 30


@pytest.mark.parametrize(("question", "answer"), ANSWERS)
def test_the_answer_is_true(question: str, answer: str) -> None:
    files: list[Path] = []
    names = []
    for term in re.findall(r"`([^`]+)`", answer):
        if "/" in term:
            files.append(REPOSITORY / term)
        elif files and re.search(r"\.(py|[ch]pp|toml)$", term):  # beside the file before it
            files.append((files[-1] if files[-1].is_dir() else files[-1].parent) / term)
        else:
            names.append(term)
    assert [file for file in files if not file.exists()] == []
    texts = [file.read_text(encoding="utf-8") for file in files if file.is_file()]
    assert [name for name in names if texts and not any(name in text for text in texts)] == []


def test_a_type_name_has_one_meaning() -> None:
    """Drop-ins (`bolide.compat`) have the names of other packages. Private types are for one file."""
    modules: dict[str, list[str]] = defaultdict(list)
    source = REPOSITORY / "src" / "bolide"
    for path in sorted(source.rglob("*.py")):
        if path.is_relative_to(source / "compat"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules[node.name].append(path.relative_to(source).as_posix())
    assert len(modules) > 300
    assert {name: files for name, files in modules.items() if len(files) > 1} == {}
