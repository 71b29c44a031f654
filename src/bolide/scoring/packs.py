"""The packs of a scorer: which ones it needs, what they contain, and opening them.

A pack that the caller gives, as an object or as a folder, is local and opens in milliseconds. A pack that is
chosen by name is opened last, because it may have to be fetched first.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from bolide import resources
from bolide.errors import ConfigurationError, ModuleError, unknown
from bolide.language import languages
from bolide.language.languages import Language
from bolide.matching import modules
from bolide.matching.modules import MODULES, PARAPHRASES, THESAURUS, WORDNET, PackParts, parts_of
from bolide.resources import Pack, catalogue, learned, manifest, thesauri

AnyPack = Pack | str | os.PathLike[str]  # a pack, or its folder
# What the sources of synonyms that have names contain.
SOURCE_PARTS = {"wordnet": frozenset({WORDNET}), "mythes": frozenset({THESAURUS})}
# Part of a language pack in catalogue and manifest → as modules know it.
PARTS = {"synonyms": WORDNET, "paraphrases": PARAPHRASES}


def given_pack(given: AnyPack | None) -> Pack | None:
    """The language pack that the caller gives, if any."""
    if isinstance(given, (str, os.PathLike)):
        return resources.load_pack(os.fsdecode(given))
    if given is not None and not isinstance(given, Pack):
        raise ConfigurationError(f"resources must be a language pack or its folder, not {given!r}")
    return given


def check_language(pack: Pack, language: Language) -> None:
    """Raises an error if the language pack is for another language."""
    # A custom pack has the code of its language. An installed one may be the pack that many languages share.
    if pack.language != language.code and pack.language != catalogue.find(language.code).language:
        where = f" in {pack.path}" if pack.path else ""
        raise ConfigurationError(
            f"the language pack{where} is for {_title(pack.language)}, "
            f"the scorer for {_title(language.code)}; choose the other language, or another pack"
        )


def given_synonyms(given: AnyPack, language: Language) -> Pack | str:
    """The source of synonyms that the caller or the profile gives: the name of one that exists for the
    language, or a pack. Any pack may be used for language "other"."""
    if isinstance(given, str):
        if given in thesauri.SOURCES:
            thesauri.find(given, language.code)  # raises an error if there is none for the language
            return given
        if not {os.sep, os.altsep} & set(given):  # a folder may have the name of a source
            raise unknown("source of synonyms", given, [*thesauri.SOURCES, f"or a folder .{os.sep}NAME"])
    pack = resources.load_pack(os.fsdecode(given)) if isinstance(given, (str, os.PathLike)) else given
    if not isinstance(pack, Pack) or (pack.synonyms is None and pack.thesaurus is None):
        raise ConfigurationError(
            f"synonyms must be 'wordnet', 'mythes', or a pack that has synonyms, not {pack!r}"
        )
    if language.code not in ("other", pack.language):
        where = f" in {pack.path}" if pack.path else ""
        raise ConfigurationError(
            f"the synonyms{where} are for {_title(pack.language)}, "
            f"the scorer for {_title(language.code)}; choose the other language, or other synonyms"
        )
    return pack


def readers(parts: frozenset[str], names: Iterable[str]) -> list[str]:
    """The built-in modules that read these parts from a source of synonyms, instead of the language pack."""
    return [name for name in names if MODULES[name].reads & parts]


def source_parts(synonyms: Pack | str | None) -> frozenset[str]:
    """The parts of a source of synonyms."""
    return SOURCE_PARTS[synonyms] if isinstance(synonyms, str) else parts_of(synonyms)


def check_modules(
    names: Sequence[str], language: Language, pack: frozenset[str], synonyms: frozenset[str]
) -> None:
    """Raises an error if the packs lack a part that a built-in module needs."""
    for name in names:
        modules.check(name, PackParts(language, pack, synonyms))


def check_modules_early(names: Sequence[str], language: Language, synonyms: frozenset[str]) -> None:
    """The same before the language pack is open. If the pack is not installed, the catalogue tells what it
    will contain. If it is installed, opening it is fast, so the check is left to that; its manifest is read
    only if a module is missing anyway, to name the others correctly."""
    entry = learned.installed(language.code) or catalogue.find(language.code)
    if not manifest.exists(entry.folder):
        keys = [part.key for part in entry.parts if entry.in_wheel(part)]
        check_modules(names, language, _parts(keys), synonyms)
        return
    try:
        check_modules(names, language, frozenset(PARTS.values()), synonyms)
    except ModuleError:
        check_modules(names, language, _parts(manifest.read_existing(entry.folder).licences), synonyms)
        raise


def _parts(keys: Iterable[str]) -> frozenset[str]:
    """From the names of parts in catalogue and manifest to those that modules know."""
    return frozenset(PARTS[key] for key in keys if key in PARTS)


def _title(code: str) -> str:
    try:
        return f"{languages.get(code).java_name} ({code})"
    except ConfigurationError:  # a pack for a language that bolide does not know
        return f"'{code}'"
