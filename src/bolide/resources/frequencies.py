"""Frequencies of words (frequencies.toml): the lists of wordfreq, for 44 languages.

    bolide resources install en --frequencies    fetched from PyPI

Those of each language become a separate pack, such as `en-frequencies`. Language packs do not change.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from bolide._support import toml as _toml
from bolide.errors import ConfigurationError
from bolide.language import languages
from bolide.resources import catalogue
from bolide.resources.catalogue import Entry, Part

SOURCE = "frequencies"


@cache
def _tables() -> dict[str, Any]:
    return _toml.package_data("resources/frequencies.toml")


@cache
def wheel() -> catalogue.Package:
    """The pinned package with the lists."""
    table = _tables()["wordfreq"]
    names = ("requirement", "file", "bytes", "sha256", "folder")
    return catalogue.Package(**{name: table[name] for name in names})


def licence_folder() -> str:
    """The folder in the package with its licences."""
    folder: str = _tables()["wordfreq"]["licence_folder"]
    return folder


def entries() -> tuple[Entry, ...]:
    """All packs of word frequencies that can be installed."""
    return tuple(map(_entry, _tables()["languages"]))


def find(language: str) -> Entry | None:
    """The pack for a language, given by code or name; None if there is none.

    >>> find("German").name, find("nb").name, find("th")
    ('de-frequencies', 'no-frequencies', None)
    """
    code = _code(language)
    return _entry(code) if code in _tables()["languages"] else None


def has_frequencies(language: str) -> bool:
    """Whether there are word frequencies for a language, installed or not."""
    return find(language) is not None


def get(language: str) -> Entry:
    """The pack for a language; ConfigurationError if there is none."""
    found = find(language)
    if found is None:
        there = ", ".join(_tables()["languages"])
        raise ConfigurationError(f"there are no word frequencies for '{language}', only for: {there}")
    return found


@cache
def _entry(code: str) -> Entry:
    table, row = _tables()["wordfreq"], _tables()["languages"][code]
    part = Part(
        key=SOURCE,
        label=table["title"],
        files=(f"{row['list']}.msgpack.gz",),
        licence=table["licence"],
        licence_files=tuple(table["licence_files"]),
        small=False,
    )
    return Entry(code, f"{row['name'].title()} {table['title']}", (part,), SOURCE)


def _code(language: str) -> str:
    """The code of a language; "" if it is unknown. It may be one that only has frequencies."""
    wanted = language.strip().lower()
    by_name: dict[str, str] = {row["name"]: code for code, row in _tables()["languages"].items()}
    if wanted in _tables()["languages"] or wanted in by_name:
        return by_name.get(wanted, wanted)
    try:
        return languages.get(language).code
    except ConfigurationError:
        return ""
