"""Messages for missing optional packages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from bolide.errors import BolideError


class MissingExtraError(BolideError, ImportError):
    """An optional package that is not installed."""


def install(name: str) -> str:
    """The command that installs an extra, by name or from a clone.

    >>> print(install("xray"))
    pip install 'bolide[xray]', or in a clone of bolide: pip install '.[xray]'
    """
    return f"pip install 'bolide[{name}]', or in a clone of bolide: pip install '.[{name}]'"


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Wraps imports of packages that `bolide[name]` installs."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise _missing(name, str(error.name).partition(".")[0]) from None


def require(name: str, *packages: str) -> None:
    """Fails early, before slow work, if a package that `bolide[name]` installs is missing."""
    for package in packages:
        if find_spec(package) is None:
            raise _missing(name, package)


def _missing(name: str, package: str) -> MissingExtraError:
    return MissingExtraError(f"the package {package} is not installed; run: {install(name)}")
