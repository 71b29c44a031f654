"""Makes a scorer from options, with the defaults of the Java release.

These rules of Java are odd, but kept:

- Default weights are assigned to modules by *position*, not by name; further modules get 0. With `-m`, given
  weights are cut or filled with zeros, too; without `-m` they are not changed.
- `-p` without `-w` uses the weights of the task "custom", which are those of English adequacy.
- The language "other" uses the language-independent parameters in every task.
- `-new` overrides all options except `-x`, files and formats. `-noPunct` without `-norm` does nothing.

If a task has no parameters for a language, Java silently scores with zeros. Here it is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from bolide import profiles, resources
from bolide._support import checks
from bolide._support.java_number import parse_double
from bolide.errors import ConfigurationError, ModuleError, unknown
from bolide.java.options import JavaOptions
from bolide.language import languages
from bolide.language.languages import Language
from bolide.scoring.eval_id import SHORT_MODULES, format_eval_id
from bolide.scoring.meteor import Meteor
from bolide.scoring.resolve import ANY_NUMBERS, resolve

PROFILE = "1.5"
Parsed = TypeVar("Parsed", int, float)

# task → title in the header
TASKS = {
    "rank": "Ranking",
    "default": "Ranking",
    "adq": "Adequacy",
    "hter": "HTER",
    "util": "Translator-Utility",
    "tune": "Tune",
    "li": "Language-Independent",
    "custom": "Custom",
    "universal": "Universal",
}
CUSTOM = "custom"
# names of languages that exist only in the Java release
OTHER_NAMES = {"xx": "other"}
# tasks with the parameters of another task
SAME_NUMBERS = {"default": "rank", CUSTOM: "adq"}
MORE_MODULES = "Warning: More modules than weights specified - modules with no weights will not be counted.\n"


@dataclass(frozen=True)
class JavaSettings:
    """The settings of a run: those in the header, and those of the scorer."""

    language: Language
    task: str  # title
    modules: tuple[str, ...]
    weights: tuple[float, ...]
    parameters: tuple[float, ...]
    normalize: str
    unit: str
    beam: int

    @property
    def evaluation_id(self) -> str:
        return format_eval_id(self, self.parameters, self.weights)

    @property
    def warning(self) -> str:
        """Java's warning, if there is one."""
        if len(self.weights) < len(self.modules):
            return MORE_MODULES
        return ""

    def meteor(self, pack: resources.Pack) -> Meteor:
        overrides: dict[str, Any] = dict(zip(profiles.NUMBERS, self.parameters, strict=False))
        for name in ("modules", "normalize", "unit", "beam"):
            overrides[name] = getattr(self, name)
        overrides["weights"] = _filled(self.weights, len(self.modules))
        try:
            # In Java, parameters may be any numbers.
            settings = resolve(PROFILE, self.language.code, limits=ANY_NUMBERS, resources=pack, **overrides)
        except ModuleError as error:
            choices = [name for name in error.choices if name in SHORT_MODULES]
            # Learning a pack is no remedy: `bolide java` uses official resources only.
            ways = [way for kind, way in error.remedies.items() if kind != "learn"]
            raise ConfigurationError(error.told("with -m (and -w)", choices, ways)) from None
        return Meteor.from_settings(settings)


def settle(options: JavaOptions) -> JavaSettings:
    """The settings for the options."""
    if options.new_language is not None:
        return _universal(options)
    language = languages.get(OTHER_NAMES.get(options.language, options.language), released=True)
    task = _task(options.task, language)
    own_numbers = (options.parameters, options.modules, options.weights)
    modules = language.modules if options.modules is None else _modules(options.modules)
    return JavaSettings(
        language=language,
        task=TASKS[task if own_numbers == (None, None, None) else CUSTOM],
        modules=modules,
        weights=_weights(options, task, language, modules),
        parameters=_parameters(options.parameters, task, language),
        normalize=_normalize(options, language),
        unit="characters" if options.characters else "words",
        beam=_whole("-x", options.beam),
    )


def resources_for(options: JavaOptions, settings: JavaSettings) -> resources.Pack:
    """The pack of the language, with parts replaced by the user's files."""
    if options.new_language is not None:
        folder = Path(options.new_language)
        words, table = folder / "function.words", folder / "paraphrase.gz"
        return resources.custom_pack(settings.language.code, function_words=words, paraphrases=table)
    # As in Java, a file is read only if a module needs it.
    own = {
        "function_words": options.function_words,
        "synonyms": options.synonyms if "synonym" in settings.modules else None,
        "paraphrases": options.paraphrases if "paraphrase" in settings.modules else None,
    }
    if not any(own.values()):
        return resources.open_pack(settings.language.code, learned=False)
    from bolide.resources.custom import check_custom_files  # slow to import

    check_custom_files(**own)
    base = resources.open_pack(settings.language.code, learned=False)
    return resources.custom_pack(settings.language.code, base=base, **own)


def reference_count(options: JavaOptions) -> int:
    return _whole("-r", options.reference_count)


def _universal(options: JavaOptions) -> JavaSettings:
    row = profiles.get(PROFILE).parameters("universal", "other")
    return JavaSettings(
        language=languages.get("other"),
        task=TASKS["universal"],
        modules=("exact", "paraphrase"),
        weights=row.weights,
        parameters=(row.alpha, row.beta, row.gamma, row.delta),
        normalize="lower",
        unit="words",
        beam=_whole("-x", options.beam),
    )


def _task(task: str | None, language: Language) -> str:
    rank = profiles.get(PROFILE).tasks["rank"]
    if task is None:
        return "rank" if language.code in rank else "li"
    if task.lower() not in TASKS or task.lower() == "universal":
        choices = [name for name in TASKS if name != "universal"]
        raise unknown("task", task, choices)
    return task.lower()


def _row(task: str, language: Language) -> Mapping[str, Any]:
    """The parameters of a task for a language."""
    rows = profiles.get(PROFILE).tasks["li" if language.code == "other" else SAME_NUMBERS.get(task, task)]
    row: Mapping[str, Any] | None = rows.get(language.code, rows.get("any"))
    if row is None:
        have = " ".join(rows)
        raise ConfigurationError(
            f"task '{task}' has no parameters for {language.name}, only for: {have} (Java would score with "
            "zeros); choose -t li or -t tune, or give both -p and -w"
        )
    return row


def _parameters(given: str | None, task: str, language: Language) -> tuple[float, ...]:
    if given is None:
        row = _row(task, language)
        return row["alpha"], row["beta"], row["gamma"], row["delta"]
    parameters = _doubles("-p", given)
    if len(parameters) < 4:
        raise ConfigurationError(f"-p needs four numbers, 'alpha beta gamma delta', not '{given}'")
    return parameters


def _weights(
    options: JavaOptions, task: str, language: Language, modules: Sequence[str]
) -> tuple[float, ...]:
    if options.weights is None:
        if options.parameters is not None and language.code not in ("en", "other"):
            raise ConfigurationError(
                f"{language.name} has no default weights for -p (Java would score with zeros); "
                f"add -w with one weight for each of: {' '.join(modules)}"
            )
        row = _row(task if options.parameters is None else CUSTOM, language)
        return _filled(tuple(row["weights"].values())[: len(language.modules)], len(modules))
    weights = _doubles("-w", options.weights)
    if options.modules is not None:
        return _filled(weights, len(modules))
    if len(weights) > len(modules):
        raise ConfigurationError(
            f"-w has {len(weights)} weights for {len(modules)} modules: {' '.join(modules)}; see -m"
        )
    return weights


def _modules(given: str) -> tuple[str, ...]:
    modules = tuple(given.lower().split())
    for name in modules:
        checks.choice("module", name, SHORT_MODULES)
    if not modules or len(set(modules)) < len(modules):
        raise ConfigurationError(f"-m needs one or more different modules, not '{given}'")
    return modules


def _normalize(options: JavaOptions, language: Language) -> str:
    if not options.normalize:
        return "lower" if options.lower else "none"
    if language.normalizer is None:
        name = f"language '{options.language}'" if language.code == "other" else language.name
        raise ConfigurationError(
            f"there is no normalizer for {name}: tokenize the files first and use -lower, not -norm"
        )
    return "no-punctuation" if options.no_punctuation else "keep-punctuation"


def _filled(weights: tuple[float, ...], count: int) -> tuple[float, ...]:
    """The weights, cut or filled with zeros to this number."""
    return (weights + (0.0,) * count)[:count]


def _doubles(option: str, text: str) -> tuple[float, ...]:
    return tuple(_number(option, word, parse_double) for word in text.split())


def _whole(option: str, text: str) -> int:
    number = _number(option, text, int)
    if number < 1:
        raise ConfigurationError(f"{option} must be at least 1, not '{text}'")
    return number


def _number(option: str, text: str, parse: Callable[[str], Parsed]) -> Parsed:
    try:
        return parse(text)
    except ValueError:
        raise ConfigurationError(f"{option} needs a number, not '{text}'") from None
