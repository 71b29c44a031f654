"""Reads TOML with tomllib, or tomli before Python 3.11."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TOMLDecodeError = tomllib.TOMLDecodeError


def loads(text: str) -> dict[str, Any]:
    """The tables in a TOML text."""
    return tomllib.loads(text)


def load(path: Path) -> dict[str, Any]:
    """The tables in a TOML file."""
    return loads(path.read_text(encoding="utf-8"))


def package_data(name: str) -> dict[str, Any]:
    """The tables in a data file of bolide, such as "resources/catalogue.toml"."""
    return load(Path(__file__).parents[1] / name)
