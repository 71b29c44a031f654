"""tools/release.py: one version in all files, and the steps of a release."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import REPOSITORY

DOCUMENTS = ["README.md", "docs/get-started/installation.md"]
FILES = ["src/bolide/_version.py", "CHANGELOG.md", "packaging/conda-forge/recipe.yaml"]


def release(root: Path, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, REPOSITORY / "tools" / "release.py", "--root", root, *arguments],
        capture_output=True,
        encoding="utf-8",
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(REPOSITORY / name, tmp_path / name)
    for name in DOCUMENTS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("pip install bolide\n", encoding="utf-8")
    text = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    changed = text.replace("## [Unreleased]\n", "## [Unreleased]\n\nA change.\n", 1)
    (tmp_path / "CHANGELOG.md").write_text(changed, encoding="utf-8")
    return tmp_path


def test_all_files_have_the_same_version() -> None:
    assert release(REPOSITORY, "check") == (0, "")


def test_the_citation_does_not_repeat_the_version() -> None:
    text = (REPOSITORY / "CITATION.cff").read_text(encoding="utf-8")
    assert "cff-version" in text
    assert not re.search(r"^(version|date-released):", text, re.MULTILINE)


def test_a_heading_without_a_date(copy: Path) -> None:
    assert release(copy, "prepare", "9.8.7", "--date", "soon")[0] == 1
    assert release(copy, "check") == (1, "CHANGELOG.md: no heading '## [9.8.7] - DATE'\n")


def test_prepare(copy: Path) -> None:
    assert release(copy, "prepare", "9.8.7", "--date", "2030-02-01") == (0, "")
    assert release(copy, "check", "v9.8.7") == (0, "")
    for name in FILES:
        assert "9.8.7" in (copy / name).read_text(encoding="utf-8")
    assert "\n## [Unreleased]\n\n## [9.8.7] - 2030-02-01\n\nA change.\n" in (copy / "CHANGELOG.md").read_text(
        encoding="utf-8"
    )
    code, notes = release(copy, "notes")
    assert code == 0
    assert notes.startswith("A change.\n")
    assert "## [" not in notes


@pytest.mark.parametrize("name", FILES)
def test_a_file_with_another_version(name: str, copy: Path) -> None:
    assert release(copy, "prepare", "9.8.7", "--date", "2030-02-01") == (0, "")
    text = (copy / name).read_text(encoding="utf-8")
    (copy / name).write_text(text.replace("9.8.7", "9.8.8", 1), encoding="utf-8")
    code, message = release(copy, "check")
    assert code == 1
    assert "9.8.7" in message


def test_the_wrong_tag(copy: Path) -> None:
    code, message = release(copy, "check", "v1.2.3.4")
    assert code == 1
    assert "the tag v1.2.3.4 is not v" in message


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_of_the_time_before_the_first_release(name: str, copy: Path) -> None:
    (copy / name).write_text("bolide is not on\nPyPI yet.\n", encoding="utf-8")
    assert release(copy, "prepare", "9.8.7") == (0, "")
    assert release(copy, "check", "v9.8.7") == (1, f"{name}: it says that bolide is not on PyPI yet\n")


def test_a_version_is_prepared_once(copy: Path) -> None:
    assert release(copy, "prepare", "9.8.7")[0] == 0
    code, message = release(copy, "prepare", "9.8.7")
    assert (code, message) == (1, "CHANGELOG.md: there are no unreleased changes\n")
    assert release(copy, "prepare", "next")[1] == "not a version: next\n"
