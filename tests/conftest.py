"""External resources that tests need, as fixtures.

`jar`      the official Meteor 1.5, run as a black box. From BOLIDE_JAR, or from the PyPI wheel that also
           supplies the English resources, kept in the user's cache. Needs `java`.
`shared`   a folder of Java's answers on real text that may not be published. From BOLIDE_SHARED, or beside
           the repository.
`english`  a ready scorer with all English resources.
`nltk_reader`  NLTK's reader of WordNet 3.0. The files come from BOLIDE_WORDNET, or from the PyPI package that
           also supplies bolide's pack of synonyms, kept in the user's cache.
`home`     an empty home folder, for tests that install their own packs.
`qemu`     runs programs on other processors: Debian's `qemu-user`.
`chromium` a real browser, Debian's `chromium`, through Playwright: for the X-ray page.

If a resource is missing, tests skip and state the reason. With BOLIDE_TEST_ALL=1 they fail instead.
"""

from __future__ import annotations

import os
import platform
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

import bolide
from bolide.errors import ResourceError
from tests.support import examples, java_jar, nltk_wordnet
from tests.support.paths import REPOSITORY

# The slowest files start first, so that small files fill the gaps at the end. The documents may wait for the
# download of a pack. The Spark tests need no pack.
LONG = (
    "docs/test_documents.py",
    "unit/distributed/test_spark.py",
    "faults/test_commands.py",
    "parity/test_live_parity.py",
    "parity/test_patching.py",
    "cli/test_processes.py",
    "unit/learning/test_learning.py",
    "cli/test_run.py",
    "parity/test_run.py",
    "xray/test_page.py",
    "xray/test_analysis_page.py",
    "cli/test_correlate.py",
    "xray/test_terminal.py",
)
examples.register()
# On a slow machine, lines of progress would be among the messages of commands.
os.environ["BOLIDE_PROGRESS"] = "0"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes minutes; run with --slow")
    # A shell starts jobs in the background with signals ignored, and all processes of such a job ignore them.
    for name, default in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, default)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run tests that take minutes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tests = Path(__file__).parent
    begun = {tests / name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: begun.get(item.path, len(LONG)))
    if not config.getoption("--slow"):
        for item in items:
            if item.get_closest_marker("slow"):
                item.add_marker(pytest.mark.skip(reason="takes minutes; run with --slow"))


def missing(reason: str) -> NoReturn:
    if os.environ.get("BOLIDE_TEST_ALL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def jar() -> Path:
    """The official meteor-1.5.jar with data/paraphrase-en.gz beside it."""
    try:
        return java_jar.find()
    except ResourceError as error:
        missing(str(error))


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
    """Creates scorers; skips the test if their resources are not available."""

    def make(**options: object) -> bolide.Meteor:
        try:
            return bolide.Meteor(**options)  # type: ignore[arg-type]
        except ResourceError as error:
            missing(str(error))

    return make


@pytest.fixture(scope="session")
def english(meteor: Callable[..., bolide.Meteor]) -> bolide.Meteor:
    return meteor()


@pytest.fixture(scope="session")
def wordnet_folder() -> Path:
    """The files of WordNet 3.0, as NLTK reads them."""
    try:
        return nltk_wordnet.find()
    except ResourceError as error:
        missing(str(error))


@pytest.fixture(scope="session")
def nltk_reader(wordnet_folder: Path) -> Iterator[Any]:
    """A replacement for `nltk.corpus.wordnet`, as if it had been downloaded."""
    pytest.importorskip("nltk")
    with nltk_wordnet.reader(wordnet_folder) as reader:
        yield reader


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home and no network: only packs that the test installs are available."""
    monkeypatch.setenv("BOLIDE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BOLIDE_OFFLINE", "1")
    return tmp_path / "home"


@pytest.fixture(scope="session")
def qemu() -> str:
    """Runs an x86-64 program on another processor of this architecture (`-cpu`)."""
    if platform.machine() != "x86_64":
        pytest.skip("this processor is not an x86-64")
    found = shutil.which("qemu-x86_64")
    if found is None:
        missing("needs QEMU (Debian: apt-get install qemu-user)")
    return found


# Scope is the module: while Playwright runs, it has an event loop, and other tests need their own.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser without a window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if found is None:
        missing("needs Chromium (Debian: apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()
