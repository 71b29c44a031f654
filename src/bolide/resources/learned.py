"""Packs learned from parallel text (bolide.learning): `de-learned` beside `de`, or `xx-learned` alone.

An installed learned pack is the default for its language. It has learned function words and paraphrases, and
copies of the other parts of the official pack (abbreviations, synonyms). The official pack stays, for
`bolide java` and for users who name it. A learned pack can also be for a language that Meteor does not know.
"""

from __future__ import annotations

import re
from dataclasses import replace

from bolide.errors import ConfigurationError
from bolide.language import languages
from bolide.language.languages import Language
from bolide.resources import catalogue, manifest
from bolide.resources.catalogue import Entry, Part
from bolide.resources.home import home
from bolide.resources.pack import Pack

SOURCE = "learned"
LICENCE = "that of the corpora"
# The files of a language, named as for Meteor's option -new.
WORDS, PARAPHRASES = "function.words", "paraphrase.gz"
PARTS = (
    Part("function_words", "function words", (WORDS,), LICENCE),
    Part("paraphrases", "paraphrases", (PARAPHRASES,), LICENCE, small=False),
)
# Parts that are copied from the official pack.
COPIED = frozenset({"prefixes", "synonyms"})
_CODE = re.compile("[a-z]{2,8}")  # codes that a signature can hold


def entry(code: str) -> Entry:
    """The learned pack of a language, installed or not."""
    known = _known(code)
    further = tuple(part for part in catalogue.find(known.code).parts if part.key in COPIED) if known else ()
    title = known.java_name if known else f"'{code}'"
    return Entry(code, f"learned {title}", (*PARTS, *further), SOURCE)


def is_installed(code: str) -> bool:
    return manifest.exists(entry(code).folder)


def entries() -> tuple[Entry, ...]:
    """The installed learned packs."""
    folders = sorted((home() / "packs").glob(f"*-{SOURCE}"))
    return tuple(
        entry(folder.name.removesuffix(f"-{SOURCE}")) for folder in folders if manifest.exists(folder)
    )


def find(name: str) -> Entry | None:
    """The pack with a name like `de-learned`; None for any other name."""
    code, _, source = name.strip().lower().rpartition("-")
    return entry(code) if source == SOURCE and _code(code) else None


def installed(name: str) -> Entry | None:
    """The learned pack of a language, given by code or name, if it is installed."""
    known = _known(name)
    code = known.code if known else _code(name)
    return entry(code) if code and is_installed(code) else None


def language(name: str, pack: Pack | None = None) -> Language:
    """The language with this code or name, for a scorer with this pack, or with the installed pack. It may be
    a language that only has a learned pack. If the pack has paraphrases, they are used."""
    found = _known(name) or _of_code(name, pack)
    if found is None:
        return languages.get(name)  # raises the error
    if pack is None:
        paraphrases = is_installed(found.code)
    else:  # a pack made in memory does not change the modules
        paraphrases = pack.path is not None and pack.paraphrases is not None
    if not paraphrases or "paraphrase" in found.modules:
        return found
    return replace(found, modules=(*found.modules, "paraphrase"))


def learnable(name: str) -> Language:
    """The language with this code or name. The code may be unknown to bolide."""
    found, code = _known(name), _code(name)
    if found is None and not code:
        raise ConfigurationError(
            f"bolide does not know the language '{name}'; give the code of a language, such as 'xx' or 'epo'"
        )
    return found or languages.of_code(code)


def _known(name: str) -> Language | None:
    try:
        return languages.get(name)
    except ConfigurationError:
        return None


def _of_code(name: object, pack: Pack | None) -> Language | None:
    code = _code(name)
    there = code and (is_installed(code) if pack is None else pack.language == code)
    return languages.of_code(code) if there else None


def _code(name: object) -> str:
    """The name in lower case if it can be the code of a language, else ""."""
    code = name.strip().lower() if isinstance(name, str) else ""
    return code if _CODE.fullmatch(code) else ""
