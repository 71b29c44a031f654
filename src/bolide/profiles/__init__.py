"""Profiles: one TOML file per METEOR. A profile has a name, and defines everything in which METEORs differ.
Custom profiles have the same format:

    description     one line
    inherits        another profile, which has all settings that this file leaves out: a name, or a file
                    NAME.toml relative to this one
    aligner         beam, exact, staged or greedy (core/align)
    search_weights  how much a matched word counts in the alignment search: numbers from 0 to 100 by module,
                    with `other` for the rest; or a name in `SEARCH_WEIGHTS`
    word_identity   when two words count as equal: by "spelling", or by "java-hash" (Java's hash code)
    function_words  which list counts: that of the "language", the "english" one, or "none"
    normalize       the default of the argument `normalize` of `Meteor`
    unit            what is counted by default: "words", "characters", "information": the letters of a word,
                    and the bits of information in it (bolide.language.frequencies), or "squared-bits": the
                    square of these bits
    references      what is done with several references by default: "best", "union", "all" or "pool" (see
                    `Meteor`)
    synonyms        a source of synonyms other than the language pack
    deleted         texts that are deleted from hypotheses
    corpus          the corpus score: of the summed statistics ("sum"), or the "mean" of the segment scores
    identical       identical sentences are matched by "all-modules", or only by the "first-module"
    formula         see `bolide.formula.parameters.Formula`
    languages       the only languages that it is for; default: all
    task            the default task
    tasks           parameters: `[tasks.TASK]`, then one row per language; `any` is for all others

Weights in a row are by module, in any order; `other` is for modules that are not named. A row may have
`modules`, which are then the default; otherwise the default is that of the language (languages.toml). A row
may also have a `unit` and `references` of its own.

>>> profile = get("1.5")
>>> profile.parameters("rank", "en").alpha
0.85
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from numbers import Real
from pathlib import Path
from typing import Any

from bolide._support import checks
from bolide._support import toml as _toml
from bolide.errors import ConfigurationError, unknown
from bolide.formula.parameters import FORMULA_CHOICES, JAVA, Formula, Parameters
from bolide.language.languages import Language
from bolide.matching.modules import MODULES
from bolide.resources import learned

FOLDER = Path(__file__).parent
# The task for ranking in languages for which ranking was not tuned: the language-independent parameters.
UNTUNED_RANKING = "li"
# Search weights that have names.
SEARCH_WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "paper": {"other": 1.0},
    "halves": {"exact": 2.0, "other": 1.0},
    "java": {"exact": 1.0, "other": 0.5},
}
# What can be counted, and how tables name it.
UNITS = {
    "words": "words",
    "characters": "characters",
    "information": "letters and bits",
    "squared-bits": "squared bits",
}
# Units that need word frequencies.
INFORMATION = ("information", "squared-bits")
CHOICES = {
    "aligner": ("beam", "exact", "staged", "greedy", "repeat"),
    "word_identity": ("spelling", "java-hash"),
    "function_words": ("language", "english", "none"),
    "normalize": ("keep-punctuation", "keep-case", "no-punctuation", "lower", "none"),
    "unit": tuple(UNITS),
    "references": ("best", "union", "all", "pool"),
    "corpus": ("sum", "mean"),
    "identical": ("all-modules", "first-module"),
}
NUMBERS = ("alpha", "beta", "gamma", "delta")
OF_TASKS = ("unit", "references")  # settings that a row may have, too
ROW = (*NUMBERS, "weights", "modules", *OF_TASKS)
LARGEST_SEARCH_WEIGHT = 100
# Names that can stand in a signature without being mistaken for something else.
NAME = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Profile:
    """One METEOR, as data."""

    name: str
    description: str
    aligner: str
    task: str
    tasks: Mapping[str, Mapping[str, Mapping[str, Any]]]
    search_weights: Mapping[str, float] = field(default_factory=lambda: SEARCH_WEIGHTS["paper"])
    word_identity: str = "spelling"
    function_words: str = "language"
    normalize: str = "keep-punctuation"
    unit: str = "words"
    references: str = "best"
    synonyms: str | None = None
    deleted: tuple[str, ...] = ()
    corpus: str = "sum"
    identical: str = "all-modules"
    formula: Formula = JAVA
    languages: tuple[str, ...] = ()
    hash: str = ""  # of a custom profile: names its contents, with what it inherits, in signatures

    def check_language(self, language: str) -> None:
        if self.languages and language not in self.languages:
            raise ConfigurationError(
                f"profile {self.name} is for {', '.join(self.languages)}, not for language '{language}'; "
                "choose another profile"
            )

    def check_task(self, task: str) -> None:
        """An error if the profile has no such task. It names built-in profiles that have it."""
        if isinstance(task, str) and task not in self.tasks:
            others = [name for name in names() if task in _built_in(name).tasks]
            hint = f"; '{task}' is a task of profile {' and '.join(others)}" if others else ""
            raise ConfigurationError(f"{unknown('task', task, self.tasks)}{hint}")
        checks.choice("task", task, self.tasks)

    def task_for(self, task: str | None, language: str) -> str:
        """The task that has the parameters for `task` in `language`; an error if there is none."""
        task = self.task if task is None else task
        self.check_task(task)
        rows = self.tasks[task]
        if language in rows or "any" in rows:
            return task
        if task == "rank" and UNTUNED_RANKING in self.tasks:
            return UNTUNED_RANKING
        raise ConfigurationError(
            f"profile {self.name} has no parameters for task '{task}' in language '{language}', only for "
            f"{', '.join(rows)}; choose another task or give alpha, beta, gamma, delta and weights yourself"
        )

    def row(self, task: str | None, language: str) -> Mapping[str, Any]:
        rows = self.tasks[self.task_for(task, language)]
        return rows.get(language, rows.get("any", {}))

    def modules(self, task: str | None, language: Language) -> tuple[str, ...]:
        """The default modules: those of the task, if it has some, else those of the language."""
        rows = self._rows(task)
        row = rows.get(language.code, rows.get("any", {}))
        chosen = row.get("modules", language.modules)
        # A row for any language may have stems; not every language has a stemmer.
        lacking = {"stem"} if language.code not in rows and language.stemmer is None else set()
        return tuple(name for name in chosen if name not in lacking)

    def own(self, setting: str, task: str | None, language: str) -> str:
        """One of the settings that a row may have: that of the row, if there is one, else of the profile."""
        rows = self._rows(task)
        found: str = rows.get(language, rows.get("any", {})).get(setting, getattr(self, setting))
        return found

    def _rows(self, task: str | None) -> Mapping[str, Mapping[str, Any]]:
        """The rows of a task; none if there is no such task."""
        task = self.task if task is None else task
        return self.tasks.get(task, {}) if isinstance(task, str) else {}

    def parameters(self, task: str | None, language: str, modules: Sequence[str] | None = None) -> Parameters:
        """The parameters, with one weight for each of the `modules` (default: the modules of the row)."""
        row = self.row(task, language)
        weights = row["weights"]
        named = [module for module in weights if module != "other"] if modules is None else modules
        for module in named:
            if module not in weights and "other" not in weights:
                raise ConfigurationError(
                    f"profile {self.name} has no weight for module '{module}' in task '{task or self.task}' "
                    f"and language '{language}'; give weights, one for each of: {' '.join(named)}"
                )
        chosen = tuple(float(weights.get(module, weights.get("other"))) for module in named)
        alpha, beta, gamma, delta = (float(row[name]) for name in NUMBERS)
        return Parameters(alpha, beta, gamma, delta, chosen, self.formula)


def names() -> list[str]:
    """The names of the built-in profiles."""
    return sorted((path.stem for path in FOLDER.glob("*.toml")), key=lambda name: (name != "1.5", name))


def text(name: str | os.PathLike[str]) -> str:
    """The text of the profile's file."""
    if _is_file(name):
        load(name)  # raises an error if it is no profile
        return Path(name).read_text(encoding="utf-8")
    return _path(name).read_text(encoding="utf-8")


def get(name: str | os.PathLike[str] | Profile) -> Profile:
    """The profile with that name, or in that TOML file. A `Profile` that is not a built-in one is checked and
    gets a hash, as a file does."""
    if isinstance(name, Profile):
        known = isinstance(name.name, str) and name.name in names() and name == _built_in(name.name)
        return name if known else _own(name.name, _table(name), f"{name.name!r}")
    if _is_file(name):
        return load(name)
    return _built_in(_path(name).stem)


def load(path: str | os.PathLike[str]) -> Profile:
    """The custom profile in a file."""
    return _load(Path(os.fsdecode(path)), ())


def short_hash(contents: bytes) -> str:
    """Eight hexadecimal digits that name contents in signatures."""
    return hashlib.sha256(contents).hexdigest()[:8]


def _is_file(name: object) -> bool:
    return isinstance(name, os.PathLike) or (isinstance(name, str) and name.endswith(".toml"))


def _path(name: object) -> Path:
    if not isinstance(name, str) or name not in names():
        raise unknown("profile", name, [*names(), "or a file NAME.toml"])
    return FOLDER / f"{name}.toml"


@lru_cache(maxsize=32)
def _built_in(name: str) -> Profile:
    file = f"{name}.toml"
    return _profile(name, _toml.package_data(f"{FOLDER.name}/{file}"), file)


def _load(path: Path, heirs: tuple[Path, ...]) -> Profile:
    """The profile in a file. The `heirs` are the files that inherit it, the nearest one last."""
    if any(os.path.realpath(path) == os.path.realpath(heir) for heir in heirs):
        circle = ", ".join(map(str, (*heirs, path)))
        raise ConfigurationError(f"profile {path} inherits from itself; each inherits the next: {circle}")
    try:
        table = _toml.read(path)
    except OSError as error:
        raise ConfigurationError(f"cannot read profile {path}: {error.strerror or error}") from None
    except ValueError as error:  # not TOML, not UTF-8, numbers with too many digits
        raise ConfigurationError(f"profile {path}: {error}") from None
    return _own(path.stem, table, str(path), (*heirs, path))


def _own(name: object, table: dict[str, Any], where: str, files: tuple[Path, ...] = ()) -> Profile:
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise ConfigurationError(
            f"profile {where} needs a name of letters, digits, '.', '-' and '_', for the signature; "
            f"it has {name!r}"
        )
    profile = _profile(name, table, where, files)
    contents = json.dumps(_table(profile), sort_keys=True)
    return replace(profile, hash=short_hash(contents.encode()))


def _profile(name: str, table: dict[str, Any], where: str, files: tuple[Path, ...] = ()) -> Profile:
    _check(table, where)
    parent = table.pop("inherits", None)
    given = {key: CONVERTERS[key](value) if key in CONVERTERS else value for key, value in table.items()}
    inherited = _inherited(_parent(parent, files)) if parent is not None else {}
    values = {**inherited, **given, "name": name, "hash": ""}
    missing = [f.name for f in fields(Profile) if f.name not in values and f.name in REQUIRED]
    if missing:
        raise ConfigurationError(
            f'profile {where} lacks {", ".join(missing)}; add it, or inherit it: inherits = "1.5"'
        )
    profile = Profile(**values)
    if profile.task not in profile.tasks:
        raise ConfigurationError(f"profile {where}: task '{profile.task}' is not one of its tasks")
    return profile


def _parent(name: str, files: tuple[Path, ...]) -> Profile:
    """The profile inherited by the last of the files."""
    return _load(files[-1].parent / name, files) if files and _is_file(name) else get(name)


def _inherited(parent: Profile) -> dict[str, Any]:
    return {f.name: getattr(parent, f.name) for f in fields(Profile)}


def _table(profile: Profile) -> dict[str, Any]:
    """All settings of a profile, as a file could have them."""
    values = {key: _plain(value) for key, value in _inherited(profile).items() if value is not None}
    return {key: value for key, value in values.items() if key not in ("name", "hash")}


def _plain(value: Any) -> Any:
    if isinstance(value, Formula):
        return dict(vars(value))
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return float(value) if _is_number(value) else value


# ---- checks of files -----------------------------------------------------------------------------

REQUIRED = ("description", "aligner", "task", "tasks")


def _search_weights(given: str | Mapping[str, float]) -> dict[str, float]:
    found = SEARCH_WEIGHTS[given] if isinstance(given, str) else given
    return {module: float(weight) for module, weight in found.items()}


def _tasks(tasks: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The tasks with languages by their codes."""
    return {task: {_code(name): row for name, row in rows.items()} for task, rows in tasks.items()}


def _code(language: str) -> str:
    return language if language == "any" else learned.language(language).code


CONVERTERS: Mapping[str, Callable[[Any], Any]] = {
    "formula": lambda table: Formula(**table),
    "deleted": tuple,
    "languages": lambda names: tuple(map(_code, names)),
    "search_weights": _search_weights,
    "tasks": _tasks,
}
TEXTS = ("description", "inherits", "task", "synonyms", *CHOICES)
LISTS = ("deleted", "languages")


def _check(table: Mapping[str, Any], where: str) -> None:
    known = {"inherits", *(f.name for f in fields(Profile))} - {"name", "hash"}

    def wrong(what: object) -> ConfigurationError:
        return ConfigurationError(f"profile {where}: {what}")

    for key, value in table.items():
        if key not in known:
            raise wrong(unknown("setting", key, sorted(known)))
        if key in TEXTS and not isinstance(value, str):
            raise wrong(f"{key} must be a text, not {value!r}")
        if key in CHOICES and value not in CHOICES[key]:
            raise wrong(unknown(key, value, CHOICES[key]))
        if key in LISTS and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            raise wrong(f"{key} must be a list of texts, not {value!r}")
    formula = table.get("formula", {})
    if not isinstance(formula, dict) or any(v not in FORMULA_CHOICES.get(k, ()) for k, v in formula.items()):
        shown = "; ".join(f"{name} = {' or '.join(values)}" for name, values in FORMULA_CHOICES.items())
        raise wrong(f"formula has {shown}")
    if "search_weights" in table:
        check_search_weights(table["search_weights"], f"profile {where}")
    _check_languages(table.get("languages", []), wrong)
    _check_tasks(table.get("tasks", {}), wrong)


def check_search_weights(weights: Any, where: str, own: Collection[str] = ()) -> None:
    """Raises an error unless the weights are one of the names, or numbers by module with one for `other`. The
    `own` modules are custom ones."""
    if isinstance(weights, str):
        if weights not in SEARCH_WEIGHTS:
            raise ConfigurationError(f"{where}: {unknown('search_weights', weights, SEARCH_WEIGHTS)}")
        return
    fits = isinstance(weights, Mapping) and "other" in weights and all(map(_is_weight, weights.values()))
    if not fits:
        raise ConfigurationError(
            f"{where}: search_weights must be numbers from 0 to {LARGEST_SEARCH_WEIGHT} by module, with one "
            f"for 'other', such as {{ exact = 2, other = 1 }}, not {_short(weights)}"
        )
    for module in weights:
        if module not in (*MODULES, *own, "other"):
            error = unknown("module", module, [*MODULES, *own, "other"])
            raise ConfigurationError(f"{where}: search_weights: {error}")


def _check_languages(names: list[str], wrong: Callable[[object], ConfigurationError]) -> None:
    for name in names:
        try:
            _code(name)
        except ConfigurationError as error:
            raise wrong(error) from None
    codes = list(map(_code, names))
    twice = next((name for k, name in enumerate(names) if codes[k] in codes[:k]), None)
    if twice is not None:
        raise wrong(f"language '{twice}' occurs twice among {', '.join(names)}")


def _check_tasks(tasks: Any, wrong: Callable[[object], ConfigurationError]) -> None:
    if not isinstance(tasks, dict) or not all(isinstance(rows, dict) for rows in tasks.values()):
        raise wrong("tasks must be tables: [tasks.NAME], with one row per language")
    for task, rows in tasks.items():
        if not isinstance(task, str) or not NAME.fullmatch(task):
            raise wrong(f"a task needs a name of letters, digits, '.', '-' and '_', not {task!r}")
        for language, row in rows.items():
            _check_row(row, f"tasks.{task}.{language}", wrong)
        _check_languages(list(rows), wrong)


def _check_row(row: Any, place: str, wrong: Callable[[object], ConfigurationError]) -> None:
    if not isinstance(row, dict) or not isinstance(row.get("weights"), dict):
        raise wrong(f"{place} must have alpha, beta, gamma, delta, and weights by module")
    modules = row.get("modules", [])
    if not isinstance(modules, list):
        raise wrong(f"{place}: modules must be a list of names, not {modules!r}")
    for what, given, known in (
        ("setting", row, ROW),
        ("module", row["weights"], (*MODULES, "other")),
        ("module", modules, tuple(MODULES)),
    ):
        for name in given:
            if name not in known:
                raise wrong(f"{place}: {unknown(what, name, known)}")
    for name in OF_TASKS:
        if row.get(name, CHOICES[name][0]) not in CHOICES[name]:
            raise wrong(f"{place}: {unknown(name, row[name], CHOICES[name])}")
    for name in NUMBERS:
        limits = checks.PARAMETERS[name]
        if not _is_number(row.get(name)) or row[name] not in limits:
            raise wrong(f"{place}: {name} must be a number{limits}, not {_short(row.get(name))}")
    for module, weight in row["weights"].items():
        limits = checks.PARAMETERS["weight"]
        if not _is_number(weight) or weight not in limits:
            raise wrong(f"{place}: the weight of {module} must be a number{limits}, not {_short(weight)}")


def _short(value: object) -> str:
    """A value as messages show it."""
    try:
        shown = repr(value)
    except ValueError:  # an integer of thousands of digits
        return "an integer with thousands of digits"
    return shown if len(shown) < 100 else f"{shown[:100]}..."


def _is_number(value: object) -> bool:
    """Whether the value is a number, NumPy's too, that is finite as a float."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer
        return False


def _is_weight(value: object) -> bool:
    return _is_number(value) and 0 <= value <= LARGEST_SEARCH_WEIGHT  # type: ignore[operator]
