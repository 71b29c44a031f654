"""Tokenizes a corpus like the metric: normalized, split and lower-cased by a scorer."""

from __future__ import annotations

from collections.abc import Callable

from bolide import _core
from bolide.language.languages import Language
from bolide.resources import Pack
from bolide.resources.opening import is_installed
from bolide.scoring.meteor import Meteor

Tokenize = Callable[[str], list[str]]


def tokenizer(language: Language | None) -> Tokenize:
    """A function that splits texts of a language into words. Without a language, texts must be tokenized.

    >>> from bolide.resources.learned import learnable
    >>> tokenizer(learnable("xx"))("Zup! La granda domo.")
    ['zup', '!', 'la', 'granda', 'domo', '.']
    """
    if language is None:
        return _core.split
    pack = None if _needs_pack(language) else Pack(language.code)
    scorer = Meteor(language=language.code, modules=["exact"], resources=pack)
    return lambda text: _core.split(scorer.normalized(text))


def needs_download(language: Language | None) -> bool:
    """Whether `tokenizer` would download a pack."""
    return language is not None and _needs_pack(language) and not is_installed(language.code)


def _needs_pack(language: Language) -> bool:
    """A pack is needed for the abbreviations of a language, if it has some."""
    return "prefixes" in language.resources
