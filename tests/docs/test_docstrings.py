"""Examples in the docstrings of the installed package: a copy in src/ may lack the compiled core."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import bolide
from bolide._support.extras import MissingExtraError
from bolide.errors import ResourceError
from tests.conftest import missing


def importable(name: str) -> bool:
    """Whether the packages of the module's extra are installed, and the module is for this system."""
    try:
        import_module(name)
    except MissingExtraError:
        return False
    except ModuleNotFoundError as error:
        if error.name != "fcntl":  # only POSIX systems have it
            raise
        return False
    return True


FOUND = ["bolide", *(module.name for module in pkgutil.walk_packages(bolide.__path__, "bolide."))]
MODULES = [name for name in FOUND if importable(name)]


class Runner(doctest.DocTestRunner):
    """Skips the test if an example needs a language pack that is not available."""

    def report_unexpected_exception(self, out, test, example, exc_info) -> None:  # type: ignore[no-untyped-def]
        if isinstance(exc_info[1], ResourceError):
            missing(str(exc_info[1]))
        super().report_unexpected_exception(out, test, example, exc_info)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runner = Runner()
    for test in doctest.DocTestFinder().find(import_module(name), name):
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0, capsys.readouterr().out


def test_there_are_examples() -> None:
    found = [doctest.DocTestFinder().find(import_module(name), name) for name in MODULES]
    assert sum(bool(test.examples) for tests in found for test in tests) > 5
    assert "bolide._core" in MODULES
