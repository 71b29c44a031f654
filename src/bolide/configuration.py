"""What a scorer is: the arguments of `Meteor`, checked and completed from its profile, and the native parts
that follow from them. What a scorer does stands in metric.py.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bolide import _core, languages, matchers, profiles, settings
from bolide import modules as built_in
from bolide.errors import ConfigurationError
from bolide.lexicon import Lexicon
from bolide.matchers import AnyMatcher, Module, Stage, WordIdentity
from bolide.modules import MODULES, Sources
from bolide.profiles import CHOICES, SEARCH_WEIGHTS, Profile
from bolide.resources import Pack
from bolide.score import Parameters

REFERENCES = ("best", "union")
# Aligners whose rule is about single words.
WORDS_ONLY = ("staged", "greedy")

# The modules of the official release, to which alone its quirks apply.
RELEASED = {"exact", "stem", "synonym", "paraphrase"}

AnyPack = Pack | str | os.PathLike[str]


class Configuration:
    """The settings of a scorer; the arguments are those of `Meteor`."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        given = dict(arguments)
        self.profile = profiles.get(given["profile"])
        self.language = languages.get(given["language"])
        self.profile.check_language(self.language.code)
        task = given["task"]
        self.normalize = self._choice("normalize", given["normalize"])
        self.aligner = self._choice("aligner", given["aligner"])
        self.search_weights = _search_weights(given["search_weights"], self.profile)
        self.references = settings.choice("references", given["references"], REFERENCES)
        self.characters = settings.flag("characters", given["characters"])
        self.beam = settings.positive("beam", given["beam"])
        self.threads = settings.threads(given["threads"])
        self.stop_words = _stop_words(given["stop_words"])
        names, self._matchers = self._named_modules(given["modules"], task)
        self.synonyms = self._open_synonyms(given["synonyms"])
        self.pack = self._open_pack(given["resources"], names)
        self._sources = Sources(
            self.language, self.pack, self.synonyms, self.profile.word_identity, self.stop_words
        )
        self.modules = self._checked_modules(names)
        numbers = {name: given[name] for name in (*profiles.NUMBERS, "weights")}
        self.custom_parameters = any(value is not None for value in numbers.values())
        self.task, self.parameters = self._choose_parameters(task, numbers)

    def _choice(self, what: str, value: str | None) -> str:
        default: str = getattr(self.profile, what)
        return default if value is None else settings.choice(what, value, CHOICES[what])

    # ---- modules ---------------------------------------------------------------------------------

    def _named_modules(
        self, modules: Sequence[Module] | None, task: str | None
    ) -> tuple[tuple[str, ...], dict[str, AnyMatcher]]:
        default = self.profile.modules(task, self.language)
        given = default if modules is None else settings.names("modules", modules)
        names, own = matchers.named(given, MODULES)
        for name in names:
            if name not in own:
                settings.choice("module", name, MODULES)
        if not names or len(set(names)) != len(names):
            found = " ".join(names) or "none"
            raise ConfigurationError(f"modules must be different and at least one, not: {found}")
        return names, own

    def _checked_modules(self, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in self._matchers:
                built_in.check(name, self._sources)
        phrases = [name for name in names if self.make_stage(name).kind == "phrase"]
        if phrases and self.aligner in WORDS_ONLY:
            raise ConfigurationError(
                f"module '{phrases[0]}' ties phrases, but aligner '{self.aligner}' aligns single words; "
                "choose other modules, or aligner exact or beam"
            )
        return names

    def available_modules(self) -> tuple[str, ...]:
        """The modules that this language has, with the resources at hand."""
        return built_in.available(self._sources)

    @property
    def module_labels(self) -> tuple[str, ...]:
        """The modules as a signature names them: matchers of one's own with their hash."""
        return tuple(
            MODULES[name].short if name in MODULES else matchers.label(self._matchers[name])
            for name in self.modules
        )

    # ---- resources -------------------------------------------------------------------------------

    def _open_synonyms(self, given: AnyPack | None) -> Pack | None:
        wanted = self.profile.synonyms if given is None else given
        return None if wanted is None else settings.synonyms(self.language, wanted)

    def _open_pack(self, given: AnyPack | None, names: tuple[str, ...]) -> Pack:
        """The language pack, unless nothing in it would be used."""
        from_pack = any(name in MODULES and MODULES[name].from_pack for name in names)
        from_pack = (from_pack and self.synonyms is None) or "paraphrase" in names
        splits = self.normalize in ("keep-punctuation", "no-punctuation")
        if given is None and not from_pack and not splits and self.profile.function_words == "none":
            return Pack(self.language.code)
        return settings.pack(self.language, given)

    # ---- parameters ------------------------------------------------------------------------------

    def _choose_parameters(self, task: str | None, given: dict[str, Any]) -> tuple[str, Parameters]:
        """The task's parameters with those given in their place; a task is not needed if all are given."""
        numbers = {name: value for name, value in given.items() if value is not None}
        weights = numbers.pop("weights", None)
        weights = None if weights is None else settings.weights(weights, self.modules)
        for name, value in numbers.items():
            numbers[name] = settings.number(name, value)
        formula = self.profile.formula
        if len(numbers) == len(profiles.NUMBERS) and weights is not None:
            return "custom", Parameters(**numbers, weights=weights, formula=formula)
        task, code = self.profile.task_for(task, self.language.code), self.language.code
        if weights is None and self._matchers:
            row_of = partial(self.profile.parameters, task, code)
            weights = matchers.weights(self.modules, self._matchers, lambda names: row_of(names).weights)
            self.custom_parameters = True
        row = self.profile.parameters(task, code, None if weights is not None else self.modules)
        defaults = {name: getattr(row, name) for name in profiles.NUMBERS}
        chosen = row.weights if weights is None else weights
        return task, Parameters(**{**defaults, **numbers}, weights=chosen, formula=formula)

    # ---- native parts ----------------------------------------------------------------------------

    def make_stage(self, name: str) -> Stage:
        if name in self._matchers:
            return matchers.stage(self._matchers[name])
        return built_in.make(name, self._sources)

    def make_tokenizer(self) -> _core.Tokenizer | None:
        if self.normalize not in ("keep-punctuation", "no-punctuation"):
            return None
        # Java refuses to normalise languages outside the six; the rules without prefixes serve them well.
        style = self.language.normalizer or "other_western"
        keep_punctuation = self.normalize == "keep-punctuation"
        pack = self.pack
        return _core.Tokenizer(style, list(pack.prefixes), list(pack.numeric_prefixes), keep_punctuation)

    def make_engine(self, tokenizer: _core.Tokenizer | None) -> _core.Engine:
        stages = [self.make_stage(name) for name in self.modules]
        kinds, resources = [stage.kind for stage in stages], [stage.resource for stage in stages]
        other = self.search_weights["other"]
        gains = [float(self.search_weights.get(name, other)) for name in self.modules]
        try:
            return _core.Engine(
                kinds,
                self.aligner,
                gains,
                self.beam,
                self.characters,
                tokenizer,
                resources,
                self.profile.identical == "first-module" and set(self.modules) <= RELEASED,
            )
        except (ValueError, TypeError):  # all but the beam was made here
            raise ConfigurationError(f"a beam of {self.beam} is too wide") from None

    def make_lexicon(self) -> Lexicon:
        words = {
            "english": self.pack.english_function_words,
            "language": self.pack.function_words,
            "none": frozenset[str](),
        }[self.profile.function_words]
        stages = [self.make_stage(name) for name in self.modules]
        identity = WordIdentity(self.profile.word_identity)
        return Lexicon(stages, identity, words, self.normalize != "none")


def _search_weights(given: str | Mapping[str, float] | None, profile: Profile) -> Mapping[str, float]:
    if given is None:
        return profile.search_weights
    if isinstance(given, str):
        return SEARCH_WEIGHTS[settings.choice("search_weights", given, SEARCH_WEIGHTS)]
    profiles.check_search_weights(dict(given) if isinstance(given, Mapping) else given, "Meteor")
    return dict(given)


def _stop_words(given: str | os.PathLike[str] | Iterable[str] | None) -> frozenset[str]:
    """A list of words, or a file with a word a line."""
    if given is None:
        return frozenset()
    if isinstance(given, (str, os.PathLike)):
        from bolide import inputs

        given = list(inputs.lines(str(Path(given))))
    words = list(given)
    if not all(isinstance(word, str) for word in words):
        raise ConfigurationError("stop_words must be a list of words, or a file with a word a line")
    return frozenset(word.strip().lower() for word in words if word.strip())
