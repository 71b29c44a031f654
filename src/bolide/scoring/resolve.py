"""From the arguments of `Meteor` to `Settings`, in two steps.

    choose(...)        checks everything that costs nothing: names, ranges, files, packs in given folders
    open_packs(...)    opens the packs that are chosen by name, and fetches them if they are not installed
    resolve(...)       both

So a mistyped argument is reported before a pack is fetched. Nothing here changes any state.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from bolide import _core, profiles, resources
from bolide._support import checks
from bolide._support.checks import Limits, is_iterable
from bolide.errors import ConfigurationError
from bolide.formula.parameters import Parameters
from bolide.inputs.text_files import read_lines
from bolide.language import segmentation
from bolide.language.languages import Language
from bolide.language.segmentation import Segmenter
from bolide.matching import custom
from bolide.matching.matchers import AnyMatcher, Module
from bolide.matching.modules import MODULES, parts_of
from bolide.profiles import CHOICES, INFORMATION, SEARCH_WEIGHTS, Profile
from bolide.resources import Pack, learned
from bolide.resources.frequencies import SOURCE as FREQUENCIES
from bolide.resources.opening import is_installed
from bolide.scoring import packs
from bolide.scoring.packs import AnyPack
from bolide.scoring.settings import DEFAULT_BEAM, TOGETHER, WORDS_ONLY, Settings, lowers, tokenizes

WIDEST_BEAM = 60_000  # the limit of the core
# Names that custom matchers cannot have, because signatures would be ambiguous.
RESERVED = frozenset([*MODULES, *(module.short for module in MODULES.values())])
# For programs whose parameters may be any numbers, such as the Java release.
ANY_NUMBERS: Mapping[str, Limits] = dict.fromkeys(checks.PARAMETERS, checks.ANY)


@dataclass(frozen=True)
class Overrides:
    """The keyword arguments of `Meteor`, each of which overrides one setting of the profile."""

    modules: Iterable[Module] | None = None
    weights: Iterable[float] | None = None
    alpha: float | None = None
    beta: float | None = None
    gamma: float | None = None
    delta: float | None = None
    normalize: str | None = None
    unit: str | None = None
    segmentation: str | None = None
    aligner: str | None = None
    search_weights: str | Mapping[str, float] | None = None
    beam: int = DEFAULT_BEAM
    references: str | None = None
    stop_words: str | os.PathLike[str] | Iterable[str] | None = None
    synonyms: AnyPack | None = None
    threads: int | None = None
    resources: AnyPack | None = None


@dataclass(frozen=True)
class Choices:
    """Settings that are checked, but whose packs are not all open yet."""

    settings: Settings  # complete except for the packs
    pack: Pack | None  # None: the installed pack of the language
    synonyms: Pack | str | None  # a source other than the language pack: a pack, or the name of a source


def resolve(
    profile: str | os.PathLike[str] | Profile = "1.5",
    language: str = "en",
    task: str | None = None,
    *,
    limits: Mapping[str, Limits] = checks.PARAMETERS,
    **overrides: Any,
) -> Settings:
    """The settings for a profile, a language and a task. The keywords are those of `Meteor`; `limits` are the
    ranges in which parameters and weights must be."""
    return open_packs(choose(profile, language, task, limits=limits, **overrides))


def choose(
    profile: str | os.PathLike[str] | Profile = "1.5",
    language: str = "en",
    task: str | None = None,
    *,
    limits: Mapping[str, Limits] = checks.PARAMETERS,
    **overrides: Any,
) -> Choices:
    """The first step: everything that can be checked without opening a pack by its name."""
    given = Overrides(**overrides)
    _core.available_instructions()  # raises an error if BOLIDE_INSTRUCTIONS is wrong
    pack = packs.given_pack(given.resources)
    basis = _basis(profile, language, task, pack, given)
    pack, synonyms = _choose_packs(basis, pack, given.synonyms)
    chosen_task, parameters, is_custom = _parameters(basis, given, limits)
    unit = basis.own("unit") if given.unit is None else _choice("unit", given.unit)
    references = _references(basis, given.references)
    _check_parts(basis, unit, references)
    settings = Settings(
        profile=basis.profile,
        language=basis.language,
        task=chosen_task,
        modules=basis.modules,
        matchers=basis.matchers,
        module_labels=tuple(_label(name, basis.matchers) for name in basis.modules),
        parameters=parameters,
        custom_parameters=is_custom,
        normalize=basis.normalize,
        aligner=basis.aligner,
        search_weights=_search_weights(basis, given.search_weights),
        beam=_beam(given.beam),
        unit=unit,
        segmentation=_segmentation(basis, pack, given.segmentation),
        references=references,
        stop_words=_stop_words(basis, given.stop_words),
        threads=_threads(given.threads),
        pack=Pack(basis.language.code),
        synonyms=None,
        frequencies=None,
    )
    return Choices(settings, pack, synonyms)


def open_packs(choices: Choices) -> Settings:
    """The second step: the complete settings. It may fetch a pack that is not installed."""
    settings, pack, synonyms = choices.settings, choices.pack, choices.synonyms
    code = settings.language.code
    if isinstance(synonyms, str):
        synonyms = resources.open_synonyms(synonyms, code)
    if pack is None:
        pack = resources.open_pack(code)
    packs.check_modules(settings.built_in, settings.language, parts_of(pack), parts_of(synonyms))
    frequencies = resources.open_frequencies(code) if settings.unit in INFORMATION else None
    return replace(settings, pack=pack, synonyms=synonyms, frequencies=frequencies)


def needs_download(choices: Choices) -> bool:
    """Whether `open_packs` would fetch a pack. That is slow: all inputs should be read before."""
    code, synonyms = choices.settings.language.code, choices.synonyms
    return (
        (choices.pack is None and not is_installed(code))
        or (isinstance(synonyms, str) and not is_installed(code, synonyms))
        or (choices.settings.unit in INFORMATION and not is_installed(code, FREQUENCIES))
    )


# ---- the basis: what the other settings depend on ------------------------------------------------


@dataclass(frozen=True)
class _Basis:
    profile: Profile
    language: Language
    task: str | None  # as given
    normalize: str
    aligner: str
    modules: tuple[str, ...]
    matchers: dict[str, AnyMatcher]  # the custom ones among the modules

    @property
    def built_in(self) -> tuple[str, ...]:
        return tuple(name for name in self.modules if name not in self.matchers)

    def own(self, setting: str) -> str:
        """A setting that tasks may have."""
        return self.profile.own(setting, self.task, self.language.code)


def _basis(
    profile: str | os.PathLike[str] | Profile,
    language: str,
    task: str | None,
    pack: Pack | None,
    given: Overrides,
) -> _Basis:
    found = profiles.get(profile)
    spoken = learned.language(language, pack)
    found.check_language(spoken.code)
    if pack is not None:
        packs.check_language(pack, spoken)
    if task is not None:
        found.check_task(task)
    normalize = found.normalize if given.normalize is None else _choice("normalize", given.normalize)
    aligner = found.aligner if given.aligner is None else _choice("aligner", given.aligner)
    modules, matchers = _modules(given.modules, found.modules(task, spoken))
    _check_aligner(aligner, modules, matchers)
    return _Basis(found, spoken, task, normalize, aligner, modules, matchers)


def _choice(what: str, value: str) -> str:
    return checks.choice(what, value, CHOICES[what])


def _modules(
    given: Iterable[Module] | None, default: tuple[str, ...]
) -> tuple[tuple[str, ...], dict[str, AnyMatcher]]:
    """The names of the modules, and the custom matchers among them."""
    chosen = default if given is None else checks.ordered("modules", given, "['exact', 'stem']")
    names, matchers = custom.split_modules(chosen, RESERVED)
    for name in names:
        if name not in matchers:
            checks.choice("module", name, MODULES)
    if not names or len(set(names)) != len(names):
        found = " ".join(names) or "none"
        raise ConfigurationError(f"give at least one module, and each module once, not: {found}")
    return names, matchers


def _label(name: str, matchers: Mapping[str, AnyMatcher]) -> str:
    """The name of a module in signatures."""
    return custom.label(matchers[name]) if name in matchers else MODULES[name].short


def _check_aligner(aligner: str, names: tuple[str, ...], matchers: Mapping[str, AnyMatcher]) -> None:
    for name in names if aligner in WORDS_ONLY else ():
        if custom.has_phrases(matchers[name]) if name in matchers else MODULES[name].has_phrases:
            raise ConfigurationError(
                f"module '{name}' matches phrases, but aligner '{aligner}' aligns single words; "
                "choose other modules, or aligner exact or beam"
            )


def _check_parts(basis: _Basis, unit: str, references: str) -> None:
    """Some modules count parts of words. The rules "union" and "pool" count whole words only."""
    for name in basis.built_in:
        if not MODULES[name].counts_parts:
            continue
        if unit == "words":
            raise ConfigurationError(
                f"module '{name}' counts parts of words, but the unit is words; choose unit characters or "
                "information, or other modules"
            )
        if references in TOGETHER:
            raise ConfigurationError(
                f"module '{name}' counts parts of words, but references '{references}' counts whole words; "
                "choose references best or all, or other modules"
            )


# ---- packs ---------------------------------------------------------------------------------------


def _choose_packs(
    basis: _Basis, pack: Pack | None, given_synonyms: AnyPack | None
) -> tuple[Pack | None, Pack | str | None]:
    """The language pack and the source of synonyms (see `Choices`). The modules are checked as far as it is
    known what the packs contain."""
    wanted = basis.profile.synonyms if given_synonyms is None else given_synonyms
    synonyms = None if wanted is None else packs.given_synonyms(wanted, basis.language)
    source_parts = packs.source_parts(synonyms)
    readers = packs.readers(source_parts, basis.built_in)
    if given_synonyms is not None and not readers:
        raise ConfigurationError(
            f"none of the modules {' '.join(basis.modules)} uses these synonyms; add one of: "
            f"{' '.join(packs.readers(source_parts, MODULES))}; or leave synonyms out"
        )
    if pack is None and not _uses_pack(basis, readers):
        pack = Pack(basis.language.code)
    if pack is not None:
        packs.check_modules(basis.built_in, basis.language, parts_of(pack), source_parts)
    else:
        packs.check_modules_early(basis.built_in, basis.language, source_parts)
    return pack, synonyms


def _uses_pack(basis: _Basis, readers: list[str]) -> bool:
    """Whether anything in the language pack is used; `readers` read another source of synonyms instead."""
    from_pack = any(MODULES[name].from_pack and name not in readers for name in basis.built_in)
    return from_pack or tokenizes(basis.normalize) or basis.profile.function_words != "none"


# ---- parameters ----------------------------------------------------------------------------------


def _parameters(
    basis: _Basis, given: Overrides, limits: Mapping[str, Limits]
) -> tuple[str, Parameters, bool]:
    """The task, its parameters with the given ones in their place, and whether they differ from those of the
    profile. If all parameters are given, there need not be a task."""
    profile, code, names = basis.profile, basis.language.code, basis.modules
    weights = None if given.weights is None else checks.weights(given.weights, names, limits["weight"])
    numbers = {
        name: checks.number(name, value, limits[name])
        for name in profiles.NUMBERS
        if (value := getattr(given, name)) is not None
    }
    if len(numbers) == len(profiles.NUMBERS) and weights is not None and not _has_row(basis):
        return "custom", Parameters(**numbers, weights=weights, formula=profile.formula), True
    task = profile.task_for(basis.task, code)
    row_of = partial(profile.parameters, task, code)
    if weights is None and basis.matchers:
        weights = custom.weights(names, basis.matchers, lambda built_in: row_of(built_in).weights)
    row = row_of(None if weights is not None else names)
    parameters = replace(row, weights=row.weights if weights is None else weights, **numbers)  # type: ignore[arg-type]
    # A profile has no weights for custom matchers.
    is_custom = bool(basis.matchers) or parameters != _defaults(profile, task, code, names)
    return task, parameters, is_custom


def _has_row(basis: _Basis) -> bool:
    """Whether the profile has parameters for a task that the caller names."""
    try:
        return basis.task is not None and bool(basis.profile.row(basis.task, basis.language.code))
    except ConfigurationError:
        return False


def _defaults(profile: Profile, task: str, code: str, names: tuple[str, ...]) -> Parameters | None:
    """The parameters of the task, if it has weights for all modules."""
    try:
        return profile.parameters(task, code, names)
    except ConfigurationError:
        return None


# ---- other settings ------------------------------------------------------------------------------


def _search_weights(basis: _Basis, given: str | Mapping[str, float] | None) -> Mapping[str, float]:
    """The given weights, else those of the profile. But if the caller chooses the exact aligner for a profile
    with another one, those of the paper: the weights of profile 1.5 are made for the beam, and with them most
    matches would count nothing."""
    profile, aligner = basis.profile, basis.aligner
    if given is None:
        is_own = aligner != "exact" or profile.aligner == "exact"
        return profile.search_weights if is_own else SEARCH_WEIGHTS["paper"]
    if aligner in WORDS_ONLY:
        raise ConfigurationError(
            f"aligner '{aligner}' has no search_weights; leave them out, or choose aligner exact or beam"
        )
    if isinstance(given, str):
        weights = SEARCH_WEIGHTS[checks.choice("search_weights", given, SEARCH_WEIGHTS)]
    else:
        profiles.check_search_weights(given, "Meteor", basis.matchers)
        # abs changes only -0, which signatures would show.
        weights = {name: abs(float(weight)) for name, weight in given.items()}
    first = basis.modules[0]
    if aligner == "exact" and weights.get(first, weights["other"]) < 1:
        raise ConfigurationError(
            f"search_weights below 1 for module '{first}' would leave its matches out: a matched word "
            "counts only the whole part of its weight; give at least 1"
        )
    return weights


def _beam(given: int) -> int:
    beam = checks.whole("beam", given)
    if beam > WIDEST_BEAM:
        raise ConfigurationError(f"a beam of {beam} is too wide; the widest is {WIDEST_BEAM}")
    return beam


def _references(basis: _Basis, given: str | None) -> str:
    found = basis.own("references") if given is None else _choice("references", given)
    if found in TOGETHER and basis.aligner == "repeat":
        raise ConfigurationError(
            "aligner 'repeat' may match a word twice, so it cannot match words in any reference; choose "
            "references 'best', or another aligner"
        )
    return found


def _segmentation(basis: _Basis, pack: Pack | None, given: str | None) -> Segmenter | None:
    code = basis.language.code
    has_pack = learned.is_installed(code) if pack is None else pack.language == code
    return segmentation.choose(given, basis.language, has_pack=has_pack)


def _stop_words(basis: _Basis, given: str | os.PathLike[str] | Iterable[str] | None) -> frozenset[str]:
    """Stop words from a list, or from a file with one word per line, as the scorer sees them."""
    if given is None:
        return frozenset()
    from_file = isinstance(given, (str, os.PathLike)) and given != ""
    if not from_file and (isinstance(given, (str, bytes, Mapping)) or not is_iterable(given)):
        raise ConfigurationError(f"stop_words must be words, or a file with one word per line, not {given!r}")
    words = list(read_lines(os.fsdecode(given), whole=True) if from_file else given)  # type: ignore[arg-type]
    wrong = next((word for word in words if not isinstance(word, str)), None)
    if wrong is not None:
        raise ConfigurationError(f"stop_words must be words, but {wrong!r} is among them")
    if "exact" not in basis.modules:
        raise ConfigurationError(
            "stop_words are for the module 'exact', which is not among the modules: "
            f"{' '.join(basis.modules)}; add it, or leave stop_words out"
        )
    stripped = (word.strip() for word in words)
    return frozenset(word.lower() if lowers(basis.normalize) else word for word in stripped if word)


def _threads(given: int | None) -> int | None:
    """None stays None: a copy of the scorer on another machine uses the cores of that machine."""
    found = checks.threads(given)
    return None if given is None else found
