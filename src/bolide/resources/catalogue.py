"""What can be installed (catalogue.toml): the pinned wheel, the packs, and their parts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from bolide._support import toml as _toml
from bolide.language import languages
from bolide.language.languages import Language
from bolide.resources.home import home


@dataclass(frozen=True)
class Package:
    """A pinned package. Only the files in `folder` are read."""

    requirement: str
    file: str
    bytes: int
    sha256: str
    folder: str


@dataclass(frozen=True)
class Wheel(Package):
    """The package with the official files."""

    paraphrases: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """One part of a pack: function words, prefixes, synonyms, paraphrases, a source of synonyms, or word
    frequencies."""

    key: str
    label: str
    files: tuple[str, ...]
    licence: str
    licence_files: tuple[str, ...] = ()
    small: bool = True


@dataclass(frozen=True)
class Entry:
    """A pack that can be installed."""

    language: str  # ISO code
    title: str = field(compare=False)  # of the pack `other`: the language that was asked for
    parts: tuple[Part, ...]
    source: str = ""  # of a pack of synonyms (thesauri.py); "learned"; "frequencies"

    @property
    def name(self) -> str:
        return f"{self.language}-{self.source}" if self.source else self.language

    @property
    def folder(self) -> Path:
        """The folder where the pack is installed, or would be."""
        return home() / "packs" / self.name

    def in_wheel(self, part: Part) -> bool:
        """Whether the pinned wheel has this part: it has paraphrases for some languages only."""
        return part.key != "paraphrases" or self.language in wheel().paraphrases


@cache
def _tables() -> dict[str, Any]:
    return _toml.package_data("resources/catalogue.toml")


@cache
def wheel() -> Wheel:
    table = _tables()["wheel"]
    return Wheel(**{**table, "paraphrases": tuple(table["paraphrases"])})


@cache
def entries() -> tuple[Entry, ...]:
    """All packs, in the order of languages.toml; the last is `other`."""
    owners = [language for language in languages.every() if language.resources and language.code != "other"]
    return tuple(_entry(language) for language in (*owners, languages.get("other")))


def find(language: str) -> Entry:
    """The pack for a language, given by code or name; ConfigurationError if the language is unknown.

    >>> find("en").language, find("German").language, find("it").language
    ('en', 'de', 'other')
    """
    wanted = languages.get(language)
    by_language = {entry.language: entry for entry in entries()}
    return by_language.get(wanted.code) or replace(by_language["other"], title=wanted.java_name)


def pack_folder(language: str) -> Path:
    """The folder where the pack for a language is installed, or would be."""
    return find(language).folder


def _entry(language: Language) -> Entry:
    wanted = language.resources | ({"english_function_words"} if language.code != "en" else set())
    parts = (_part(key, language) for key in _tables()["parts"] if key in wanted)
    return Entry(language.code, language.java_name, tuple(parts))


def _part(key: str, language: Language) -> Part:
    table = _tables()["parts"][key]
    files = tuple(file.format(name=language.name, code=language.java_code) for file in table["files"])
    licences = tuple(table.get("licence_files", ()))
    return Part(key, table["label"], files, table["licence"], licences, table.get("small", True))
