"""The languages of Meteor 1.5, with their stemmers, modules and resources, and languages that are written
without spaces (languages.toml).

    >>> get("German").modules
    ('exact', 'stem', 'paraphrase')
    >>> get("se").name
    'swedish'

A language is given by its ISO code, its code in the Java release, or its English name. Case does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bolide._support import toml as _toml
from bolide.errors import closest, unknown


@dataclass(frozen=True)
class Language:
    """One row of languages.toml."""

    code: str  # ISO 639-1, or "other"
    name: str  # "english"
    java_code: str  # as the Java release prints it: "cz" and "se" for cs and sv
    stemmer: str | None
    modules: tuple[str, ...]
    normalizer: str | None
    resources: frozenset[str]
    aliases: tuple[str, ...] = ()
    spaces: bool = True  # whether there are spaces between words

    @property
    def java_name(self) -> str:
        """The name as the Java release prints it."""
        return self.name.capitalize()


def _language(code: str, row: Mapping[str, Any]) -> Language:
    return Language(
        code=code,
        name=row["name"],
        java_code=row.get("java", code),
        stemmer=row.get("stemmer"),
        modules=tuple(row["modules"]),
        normalizer=row.get("normalizer"),
        resources=frozenset(row.get("resources", ())),
        aliases=tuple(row.get("aliases", ())),
        spaces=row.get("spaces", True),
    )


@lru_cache(maxsize=1)
def every() -> tuple[Language, ...]:
    """All languages, in the order of the table."""
    return tuple(_language(code, row) for code, row in _toml.package_data("language/languages.toml").items())


@lru_cache(maxsize=1)
def _by_name() -> dict[str, Language]:
    return {
        name: language
        for language in every()
        for name in (language.code, language.name, language.java_code, *language.aliases)
    }


def get(name: str, *, released: bool = False) -> Language:
    """The language with this code or name; if `released`, only one that the Java release knows."""
    known = {each: language for each, language in _by_name().items() if language.spaces or not released}
    wanted = name.strip().lower() if isinstance(name, str) else ""
    language = known.get(wanted)
    if language is None:
        # "en-US" and "pt_BR" are not in the table: suggest "en" and "pt".
        plain = wanted.replace("_", "-").partition("-")[0]
        close = plain if plain in known else closest(plain, known)
        codes = dict.fromkeys(language.code for language in known.values() if language.code != "other")
        raise unknown("language", name, [*codes, "other (any other)"], meant=close)
    return language


def of_code(code: str) -> Language:
    """A language that bolide does not know. It may have a learned pack (resources/learned.py)."""
    return Language(code, code, code, None, ("exact",), None, frozenset())
