"""Words of a corpus as the metric will see them: normalised, split and lower-cased by the scorer itself."""

from __future__ import annotations

from collections.abc import Callable

from bolide import _core
from bolide.language.languages import Language
from bolide.resources import Pack
from bolide.scoring.meteor import Meteor

Tokenise = Callable[[str], list[str]]


def tokeniser(language: Language | None) -> Tokenise:
    """What makes words of the texts of a language; of texts that are words already, without one.

    >>> from bolide.resources.learned import learnable
    >>> tokeniser(learnable("xx"))("Zup! La granda domo.")
    ['zup', '!', 'la', 'granda', 'domo', '.']
    """
    if language is None:
        return _core.split
    # A pack is needed for the language's abbreviations, where it has some.
    pack = None if "prefixes" in language.resources else Pack(language.code)
    scorer = Meteor(language=language.code, modules=["exact"], resources=pack)
    return lambda text: _core.split(scorer.normalized(text))
