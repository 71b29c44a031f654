"""Arguments of `Meteor` that name something to open or count: threads, packs, synonyms, stop words."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from bolide import resources
from bolide._support.checks import is_iterable
from bolide.errors import ConfigurationError, unknown
from bolide.inputs.text import read_lines
from bolide.language import languages
from bolide.language.languages import Language
from bolide.resources import catalogue, thesauri


def pack(language: Language, given: resources.Pack | str | os.PathLike[str] | None) -> resources.Pack:
    """The language's own pack, or the one given, which must be for the language."""
    if given is None:
        return resources.open_pack(language.code)
    if isinstance(given, (str, os.PathLike)):
        given = resources.load_pack(Path(given))
    if not isinstance(given, resources.Pack):
        raise ConfigurationError(f"resources must be a language pack or its folder, not {given!r}")
    # A pack of one's own is named by its language; an installed one may be the one that many languages share.
    if given.language != language.code and given.language != catalogue.find(language.code).language:
        where = f" in {given.path}" if given.path else ""
        raise ConfigurationError(
            f"the language pack{where} is for {_titled(given.language)}, "
            f"the scorer for {_titled(language.code)}; choose the other language, or another pack"
        )
    return given


def synonyms(language: Language, given: resources.Pack | str | os.PathLike[str]) -> resources.Pack:
    """A source of synonyms: "wordnet", "mythes", or a pack of synonyms or its folder, for the language; any
    pack will do for a language that bolide does not know."""
    if isinstance(given, str):
        if given in thesauri.SOURCES:
            return resources.open_synonyms(given, language.code)
        if not {os.sep, os.altsep} & set(given):  # a folder could be named like a source
            raise unknown("source of synonyms", given, [*thesauri.SOURCES, f"or a folder .{os.sep}NAME"])
    if isinstance(given, (str, os.PathLike)):
        given = resources.load_pack(Path(os.fsdecode(given)))
    if not isinstance(given, resources.Pack) or (given.synonyms is None and given.thesaurus is None):
        raise ConfigurationError(
            f"synonyms must be 'wordnet', 'mythes', or a pack that has some, not {given!r}"
        )
    if language.code not in ("other", given.language):
        where = f" in {given.path}" if given.path else ""
        raise ConfigurationError(
            f"the synonyms{where} are for {_titled(given.language)}, "
            f"the scorer for {_titled(language.code)}; choose the other language, or other synonyms"
        )
    return given


def stop_words(given: str | os.PathLike[str] | Iterable[str] | None, lower: bool) -> frozenset[str]:
    """A list of words, or a file with a word a line, as the scorer sees them."""
    if given is None:
        return frozenset()
    from_file = isinstance(given, (str, os.PathLike)) and given != ""
    if not from_file and (isinstance(given, (str, bytes, Mapping)) or not is_iterable(given)):
        raise ConfigurationError(f"stop_words must be words, or a file with a word a line, not {given!r}")
    words = list(read_lines(os.fsdecode(given)) if from_file else given)  # type: ignore[arg-type]
    wrong = next((word for word in words if not isinstance(word, str)), None)
    if wrong is not None:
        raise ConfigurationError(f"stop_words must be words; there is {wrong!r} among them")
    stripped = (word.strip() for word in words)
    return frozenset(word.lower() if lower else word for word in stripped if word)


def _titled(code: str) -> str:
    try:
        return f"{languages.get(code).java_name} ({code})"
    except ConfigurationError:  # of a manifest from elsewhere
        return f"'{code}'"
