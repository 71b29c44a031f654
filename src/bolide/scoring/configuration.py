"""What a scorer is: the arguments of `Meteor`, checked and completed from its profile, and the native parts
that follow from them. What a scorer does stands in metric.py.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from bolide import _core, profiles, resources
from bolide._support import checks
from bolide.errors import ConfigurationError
from bolide.formula.parameters import Parameters
from bolide.matching import matchers
from bolide.matching import modules as built_in
from bolide.matching.lexicon import Lexicon
from bolide.matching.matchers import AnyMatcher, Module, Stage, WordIdentity
from bolide.matching.modules import MODULES, Sources
from bolide.profiles import CHOICES, SEARCH_WEIGHTS
from bolide.resources import Pack, learned
from bolide.scoring import arguments

REFERENCES = ("best", "union")
# Aligners whose rule is about single words.
WORDS_ONLY = ("staged", "greedy")

# Ways to normalise that split a text into words.
TOKENIZED = ("keep-punctuation", "keep-case", "no-punctuation")
# The modules of the official release, to which alone its quirks apply.
RELEASED = {"exact", "stem", "synonym", "paraphrase"}
# The widest beam that the core can have.
WIDEST_BEAM = 60_000
# Names that matchers of one's own cannot have, or signatures would be ambiguous.
RESERVED = frozenset([*MODULES, *(module.short for module in MODULES.values())])

AnyPack = Pack | str | os.PathLike[str]


class Configuration:
    """The settings of a scorer; the arguments are those of `Meteor`."""

    # What parameters and weights may be.
    limits: ClassVar[Mapping[str, checks.Limits]] = checks.PARAMETERS
    _settled: frozenset[str] = frozenset()  # once it is made: names that cannot be assigned to

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        # What is found is kept in place of the arguments, so that a copy of the scorer is the same, whatever
        # has happened to lists and files since.
        self._arguments = given = dict(arguments)
        self.profile = given["profile"] = profiles.get(given["profile"])
        if isinstance(given["resources"], (str, os.PathLike)):
            given["resources"] = resources.load_pack(os.fsdecode(given["resources"]))
        pack = given["resources"] if isinstance(given["resources"], Pack) else None
        self.language = learned.language(given["language"], pack)
        given["language"] = self.language.code
        self.profile.check_language(self.language.code)
        task = given["task"]
        if task is not None:
            checks.choice("task", task, self.profile.tasks)
        self.normalize = self._choice("normalize", given["normalize"])
        self.aligner = self._choice("aligner", given["aligner"])
        self.references = checks.choice("references", given["references"], REFERENCES)
        self.characters = self._counts_characters(given["characters"])
        self.beam = checks.positive("beam", given["beam"])
        if self.beam > WIDEST_BEAM:
            raise ConfigurationError(f"a beam of {self.beam} is too wide; the widest is {WIDEST_BEAM}")
        self.threads = checks.threads(given["threads"])
        _core.available_instructions()  # raises an error if BOLIDE_INSTRUCTIONS is wrong
        names = self._name_modules(given)
        self.search_weights = self._choose_search_weights(given, names)
        self.stop_words = self._find_stop_words(given, names)
        self.synonyms = self._open_synonyms(given, names)
        self.pack = self._open_pack(given, names)
        self._sources = Sources(
            self.language,
            self.pack,
            self.synonyms,
            WordIdentity(self.profile.word_identity),
            self.stop_words,
            # What the greedy aligner leaves in one stage, the next cannot tie for the same reason.
            equal_words_tied=self.aligner == "greedy" and names[0] == "exact" and not self.stop_words,
        )
        self.modules = self._checked_modules(names)
        # As a signature names them: matchers of one's own with their hash.
        self.module_labels = tuple(
            MODULES[name].short if name in MODULES else matchers.label(self._matchers[name]) for name in names
        )
        self.task, self.parameters = self._choose_parameters(given)
        self._settled = frozenset([*self.__dict__, *given])

    def __setattr__(self, name: str, value: Any) -> None:
        """A scorer does not change: what was made from its settings would stay as it is."""
        if name in self._settled:
            raise AttributeError(f"a scorer does not change: make another, with the {name} that you want")
        super().__setattr__(name, value)

    def _choice(self, what: str, value: str | None) -> str:
        default: str = getattr(self.profile, what)
        return default if value is None else checks.choice(what, value, CHOICES[what])

    def _counts_characters(self, given: bool | None) -> bool:
        return self.profile.unit == "characters" if given is None else checks.flag("characters", given)

    # ---- modules ---------------------------------------------------------------------------------

    def _name_modules(self, given: dict[str, Any]) -> tuple[str, ...]:
        if given["modules"] is not None:
            given["modules"] = checks.ordered("modules", given["modules"], "['exact', 'stem']")
        default = self.profile.modules(given["task"], self.language)
        modules: Iterable[Module] = default if given["modules"] is None else given["modules"]
        self._matchers: dict[str, AnyMatcher]
        names, self._matchers = matchers.named(modules, RESERVED)
        for name in names:
            if name not in self._matchers:
                checks.choice("module", name, MODULES)
        if not names or len(set(names)) != len(names):
            found = " ".join(names) or "none"
            raise ConfigurationError(f"modules must be different and at least one, not: {found}")
        return names

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

    def _find_stop_words(self, given: dict[str, Any], names: tuple[str, ...]) -> frozenset[str]:
        found = arguments.stop_words(given["stop_words"], lower=self.lowers)
        if given["stop_words"] is None:
            return found
        if "exact" not in names:
            raise ConfigurationError(
                "stop_words are passed over by the module 'exact', which is not among the modules: "
                f"{' '.join(names)}; add it, or leave stop_words out"
            )
        given["stop_words"] = found
        return found

    def _choose_search_weights(self, given: dict[str, Any], names: tuple[str, ...]) -> Mapping[str, float]:
        """Those given; else the profile's. But if only the aligner is the user's, the paper's: the profile's
        may be made for a beam, such as those of 1.5, with which most matches count nothing."""
        chosen = given["search_weights"]
        if chosen is None:
            own = self.aligner != "exact" or self.profile.aligner == "exact"
            return self.profile.search_weights if own else SEARCH_WEIGHTS["paper"]
        if self.aligner in WORDS_ONLY:
            raise ConfigurationError(
                f"aligner '{self.aligner}' has no use for search_weights; leave them out, or choose aligner "
                "exact or beam"
            )
        if isinstance(chosen, str):
            weights = SEARCH_WEIGHTS[checks.choice("search_weights", chosen, SEARCH_WEIGHTS)]
        else:
            profiles.check_search_weights(chosen, "Meteor", self._matchers)
            # None is below 0: abs is for -0, which signatures would show.
            weights = given["search_weights"] = {name: abs(float(weight)) for name, weight in chosen.items()}
        first = names[0]
        if self.aligner == "exact" and weights.get(first, weights["other"]) < 1:
            raise ConfigurationError(
                f"search_weights below 1 for module '{first}' would leave its matches out: a matched word "
                "counts only the whole part of its weight; give at least 1"
            )
        return weights

    # ---- resources -------------------------------------------------------------------------------

    def _open_synonyms(self, given: dict[str, Any], names: tuple[str, ...]) -> Pack | None:
        wanted = self.profile.synonyms if given["synonyms"] is None else given["synonyms"]
        if wanted is None:
            return None
        found = arguments.synonyms(self.language, wanted)
        if given["synonyms"] is None:
            return found
        if not self._readers(found, names):
            readers = " ".join(name for name, module in MODULES.items() if module.reads(found))
            raise ConfigurationError(
                f"none of the modules {' '.join(names)} uses these synonyms; add one of: {readers}; or leave "
                "synonyms out"
            )
        given["synonyms"] = found
        return found

    @staticmethod
    def _readers(source: Pack | None, names: tuple[str, ...]) -> list[str]:
        """The modules that take what they know from a source of synonyms."""
        return [name for name in names if source and name in MODULES and MODULES[name].reads(source)]

    def _open_pack(self, given: dict[str, Any], names: tuple[str, ...]) -> Pack:
        """The language pack, unless nothing in it would be used."""
        elsewhere = self._readers(self.synonyms, names)
        from_pack = any(n in MODULES and MODULES[n].from_pack and n not in elsewhere for n in names)
        splits = self.normalize in TOKENIZED
        if given["resources"] is not None:
            found = given["resources"] = arguments.pack(self.language, given["resources"])
            return found
        if not from_pack and not splits and self.profile.function_words == "none":
            return Pack(self.language.code)
        return arguments.pack(self.language, None)

    # ---- parameters ------------------------------------------------------------------------------

    def _choose_parameters(self, given: dict[str, Any]) -> tuple[str, Parameters]:
        """The task's parameters with those given in their place; a task is not needed if all are given."""
        weights = None
        if given["weights"] is not None:
            weights = given["weights"] = checks.weights(given["weights"], self.modules, self.limits["weight"])
        for name in profiles.NUMBERS:
            if given[name] is not None:
                given[name] = checks.number(name, given[name], self.limits[name])
        numbers = {name: given[name] for name in profiles.NUMBERS if given[name] is not None}
        formula, code = self.profile.formula, self.language.code
        if len(numbers) == len(profiles.NUMBERS) and weights is not None and not self._has_row(given["task"]):
            self.custom_parameters = True
            return "custom", Parameters(**numbers, weights=weights, formula=formula)
        task = self.profile.task_for(given["task"], code)
        if weights is None and self._matchers:
            row_of = partial(self.profile.parameters, task, code)
            weights = matchers.weights(self.modules, self._matchers, lambda names: row_of(names).weights)
        row = self.profile.parameters(task, code, None if weights is not None else self.modules)
        defaults = {name: getattr(row, name) for name in profiles.NUMBERS}
        chosen = row.weights if weights is None else weights
        parameters = Parameters(**{**defaults, **numbers}, weights=chosen, formula=formula)
        # A profile has no weights for matchers of one's own.
        self.custom_parameters = bool(self._matchers) or parameters != self._defaults(task)
        return task, parameters

    def _has_row(self, task: str | None) -> bool:
        """Whether there are parameters of a task that was asked for."""
        try:
            return task is not None and bool(self.profile.row(task, self.language.code))
        except ConfigurationError:
            return False

    def _defaults(self, task: str) -> Parameters | None:
        """The task's parameters, if it has weights for all modules."""
        try:
            return self.profile.parameters(task, self.language.code, self.modules)
        except ConfigurationError:
            return None

    # ---- case ------------------------------------------------------------------------------------

    @property
    def lowers(self) -> bool:
        """Whether all words are lower-cased."""
        return self.normalize not in ("keep-case", "none")

    @property
    def lowered_modules(self) -> frozenset[str]:
        """The modules that see lower-case words though the others see their case: with "keep-case" all but
        `exact`, for stemmers and tables know lower-case words only."""
        return frozenset(self.modules) - {"exact"} if self.normalize == "keep-case" else frozenset()

    # ---- native parts ----------------------------------------------------------------------------

    def make_stage(self, name: str, sources: Sources | None = None) -> Stage:
        if name in self._matchers:
            return matchers.stage(self._matchers[name])
        return built_in.make(name, sources or self._sources)

    def make_tokenizer(self) -> _core.Tokenizer | None:
        if self.normalize not in TOKENIZED:
            return None
        # Java refuses to normalise languages outside the six; the rules without prefixes serve them well.
        style = self.language.normalizer or "other_western"
        keep_punctuation = self.normalize != "no-punctuation"
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
        except (ValueError, TypeError) as error:
            raise ConfigurationError(f"these settings do not fit: {error}") from None

    def make_lexicon(self) -> Lexicon:
        words = {
            "english": self.pack.english_function_words,
            "language": self.pack.function_words,
            "none": frozenset[str](),
        }[self.profile.function_words]
        identity = WordIdentity(self.profile.word_identity)
        sources = replace(self._sources, identity=identity)
        stages = [self.make_stage(name, sources) for name in self.modules]
        return Lexicon(stages, identity, words, self.lowers, self.lowered_modules)
