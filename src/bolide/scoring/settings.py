"""Settings: everything that defines a scorer, as data. `resolve` makes them, `Meteor` has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bolide.formula.parameters import Parameters
    from bolide.language.languages import Language
    from bolide.language.segmentation import Segmenter
    from bolide.matching.matchers import AnyMatcher
    from bolide.profiles import Profile
    from bolide.resources import Pack

# Aligners that align single words only.
WORDS_ONLY = ("staged", "greedy", "repeat")
DEFAULT_BEAM = 40
# Uses of several references that need the matches of words with each of them.
TOGETHER = ("union", "pool")


def tokenizes(normalize: str) -> bool:
    return normalize not in ("lower", "none")


def lowers(normalize: str) -> bool:
    return normalize not in ("keep-case", "none")


@dataclass(frozen=True)
class Settings:
    """The settings of a scorer, checked and complete. Two scorers with equal settings give equal scores."""

    profile: Profile
    language: Language
    task: str  # "custom" if all parameters are given
    modules: tuple[str, ...]  # names, in the order of the stages
    matchers: Mapping[str, AnyMatcher]  # the custom matchers among the modules, by name
    module_labels: tuple[str, ...]  # the modules as signatures name them
    parameters: Parameters
    custom_parameters: bool  # whether they differ from those of the profile
    normalize: str
    aligner: str
    search_weights: Mapping[str, float]
    beam: int
    unit: str  # what is counted: see `bolide.profiles`
    segmentation: Segmenter | None  # None: the normalizer splits all text
    references: str  # "best", "union", "all" or "pool"
    stop_words: frozenset[str]
    threads: int | None  # None: as many as the machine has cores
    pack: Pack
    synonyms: Pack | None  # a source of synonyms other than the language pack
    frequencies: Pack | None  # of words; None: not needed, or there are none for the language

    @property
    def built_in(self) -> tuple[str, ...]:
        """The built-in ones among the modules."""
        return tuple(name for name in self.modules if name not in self.matchers)

    @property
    def tokenizes(self) -> bool:
        """Whether texts are split into words by rules, not only at white space."""
        return tokenizes(self.normalize)

    @property
    def lowers(self) -> bool:
        """Whether all words are lower-cased."""
        return lowers(self.normalize)

    @property
    def lowered_modules(self) -> frozenset[str]:
        """The modules that see lower-case words while others see the original case. With "keep-case" these
        are all but `exact`, because stemmers and tables know lower-case words only."""
        return frozenset(self.modules) - {"exact"} if self.normalize == "keep-case" else frozenset()
