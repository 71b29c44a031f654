"""An open language pack: the resources of one language for the matchers.

Packs are shared. They are immutable, and their arrays are memory-mapped, so that many processes use one copy.
A pickled pack is only its path: the process that unpickles it maps the same files.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bolide import _core
    from bolide.language.frequencies import WordFrequencies
    from bolide.language.wordnet import SynonymArrays, SynsetArrays

Recipe = tuple[Callable[..., "Pack"], tuple[Any, ...]]


@dataclass(frozen=True)
class Pack:
    """The resources of a language. Two packs are equal if they have the same data (`hash`)."""

    language: str
    path: Path | None = field(default=None, compare=False)  # None for a pack made in memory
    hash: str = ""  # identifies the data in signatures; "" for an empty pack
    function_words: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    # The official release uses this list for every language.
    english_function_words: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    prefixes: tuple[str, ...] = field(default=(), compare=False, repr=False)
    numeric_prefixes: tuple[str, ...] = field(default=(), compare=False, repr=False)
    synonyms: SynonymArrays | None = field(default=None, compare=False, repr=False)
    paraphrases: _core.PhraseTable | None = field(default=None, compare=False, repr=False)
    thesaurus: SynsetArrays | None = field(default=None, compare=False, repr=False)
    frequencies: WordFrequencies | None = field(default=None, compare=False, repr=False)
    recipe: Recipe | None = field(default=None, compare=False, repr=False)
    """How to open this pack in another process: a function of this package and its arguments."""

    def __reduce__(self) -> Recipe:
        return self.recipe or (Pack, (self.language,))
