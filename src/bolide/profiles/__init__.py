"""Profiles: each names a METEOR and fixes all that it leaves open, in one TOML file; one's own are the same.

    description     one line
    inherits        the profile that has what is not said here
    aligner         beam, exact, staged or greedy (core/align)
    search_weights  what a matched word counts in the alignment search, by module; `other` for the rest
    word_identity   when two spellings are one word: by "spelling", or by "java-hash"
    function_words  by the list of the "language", by the "english" list, or "none"
    normalize       how texts are prepared where `Meteor` is not told
    synonyms        where synonyms come from, if not from the language pack
    deleted         texts that are deleted from hypotheses
    corpus          a corpus score is that of the summed statistics ("sum") or the "mean" of the segments'
    identical       identical sentences are matched by "all-modules", or by the "first-module" only
    formula         see `bolide.score.Formula`
    languages       the only ones it has; default: all
    task            the task where `Meteor` is not told
    tasks           parameters: `[tasks.TASK]`, then a row for each language; `any` serves those without one

Weights in a row are by module, whatever their order; `other` serves those not named. A row with `modules` is
used with these by default, the others with the language's (languages.toml).

>>> profile = get("1.5")
>>> profile.parameters("rank", "en").alpha
0.85
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from bolide import _toml
from bolide.errors import ConfigurationError, unknown
from bolide.languages import Language
from bolide.score import FORMULA_CHOICES, JAVA, Formula, Parameters

FOLDER = Path(__file__).parent
# Languages whose ranking was never tuned are ranked with the language-independent parameters.
UNTUNED_RANKING = "li"
# Search weights that have names.
SEARCH_WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "paper": {"other": 1.0},
    "halves": {"exact": 2.0, "other": 1.0},
    "java": {"exact": 1.0, "other": 0.5},
}
CHOICES = {
    "aligner": ("beam", "exact", "staged", "greedy"),
    "word_identity": ("spelling", "java-hash"),
    "function_words": ("language", "english", "none"),
    "normalize": ("keep-punctuation", "no-punctuation", "lower", "none"),
    "corpus": ("sum", "mean"),
    "identical": ("all-modules", "first-module"),
}
NUMBERS = ("alpha", "beta", "gamma", "delta")


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
    synonyms: str | None = None
    deleted: tuple[str, ...] = ()
    corpus: str = "sum"
    identical: str = "all-modules"
    formula: Formula = JAVA
    languages: tuple[str, ...] = ()
    hash: str = ""  # of a user's own: names its contents in signatures

    def check_language(self, language: str) -> None:
        if self.languages and language not in self.languages:
            raise ConfigurationError(
                f"profile {self.name} is for {', '.join(self.languages)}, not for language '{language}'; "
                "choose another profile"
            )

    def task_for(self, task: str | None, language: str) -> str:
        """The task whose parameters serve `task` in `language`; an error if there are none."""
        task = self.task if task is None else task
        if not isinstance(task, str) or task not in self.tasks:
            raise unknown("task", task, self.tasks)
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
        """The modules used by default: the language's, unless the task was tuned with its own."""
        task = self.task if task is None else task
        rows = self.tasks.get(task, {}) if isinstance(task, str) else {}
        row = rows.get(language.code, rows.get("any", {}))
        return tuple(row.get("modules", language.modules))

    def parameters(self, task: str | None, language: str, modules: Sequence[str] | None = None) -> Parameters:
        """The parameters, with the weights of `modules` (default: those the row has) in their order."""
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
    """The names of the profiles that come with bolide."""
    return sorted((path.stem for path in FOLDER.glob("*.toml")), key=lambda name: (name != "1.5", name))


def text(name: str) -> str:
    """The profile's file, to look at, or to change."""
    return _path(name).read_text(encoding="utf-8")


def get(name: str | Path | Profile) -> Profile:
    """The profile of that name, or in that TOML file."""
    if isinstance(name, Profile):
        return name
    if isinstance(name, Path) or (isinstance(name, str) and name.endswith(".toml")):
        return load(Path(name))
    return _built_in(_path(name).stem)


def load(path: Path) -> Profile:
    """A user's own profile."""
    try:
        contents = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"cannot read profile {path}: {error.strerror}") from None
    try:
        table = _toml.loads(contents.decode("utf-8"))
    except (_toml.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"profile {path}: {error}") from None
    return _profile(path.stem, table, str(path), short_hash(contents))


def short_hash(contents: bytes) -> str:
    """Eight digits that name contents in signatures."""
    return hashlib.sha256(contents).hexdigest()[:8]


def _path(name: object) -> Path:
    if not isinstance(name, str) or name not in names():
        raise unknown("profile", name, [*names(), "or a file NAME.toml"])
    return FOLDER / f"{name}.toml"


@lru_cache(maxsize=32)
def _built_in(name: str) -> Profile:
    path = FOLDER / f"{name}.toml"
    return _profile(name, _toml.load(path), path.name, "")


def _profile(name: str, table: dict[str, Any], where: str, contents_hash: str) -> Profile:
    _check(table, where)
    parent = table.pop("inherits", None)
    given = {key: CONVERTERS.get(key, _same)(value) for key, value in table.items()}
    inherited = _inherited(get(parent)) if parent is not None else {}
    settings = {**inherited, **given, "name": name, "hash": contents_hash}
    missing = [f.name for f in fields(Profile) if f.name not in settings and f.name in REQUIRED]
    if missing:
        raise ConfigurationError(
            f'profile {where} lacks {", ".join(missing)}; add it, or inherit it: inherits = "1.5"'
        )
    profile = Profile(**settings)
    if profile.task not in profile.tasks:
        raise ConfigurationError(f"profile {where}: task '{profile.task}' is not one of its tasks")
    return profile


def _inherited(parent: Profile) -> dict[str, Any]:
    return {f.name: getattr(parent, f.name) for f in fields(Profile)}


# ---- what a file may say -------------------------------------------------------------------------

REQUIRED = ("description", "aligner", "task", "tasks")


def _same(value: Any) -> Any:
    return value


CONVERTERS: Mapping[str, Callable[[Any], Any]] = {
    "formula": lambda table: Formula(**table),
    "deleted": tuple,
    "languages": tuple,
}
TEXTS = ("description", "inherits", "task", "synonyms", *CHOICES)
LISTS = ("deleted", "languages")


def _check(table: Mapping[str, Any], where: str) -> None:
    known = {"inherits", *(f.name for f in fields(Profile))} - {"name", "hash"}

    def wrong(what: str) -> ConfigurationError:
        return ConfigurationError(f"profile {where}: {what}")

    for key, value in table.items():
        if key not in known:
            raise wrong(str(unknown("setting", key, sorted(known))))
        if key in TEXTS and not isinstance(value, str):
            raise wrong(f"{key} must be a text, not {value!r}")
        if key in CHOICES and value not in CHOICES[key]:
            raise wrong(str(unknown(key, value, CHOICES[key])))
        if key in LISTS and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            raise wrong(f"{key} must be a list of texts, not {value!r}")
    formula = table.get("formula", {})
    if not isinstance(formula, dict) or any(v not in FORMULA_CHOICES.get(k, ()) for k, v in formula.items()):
        shown = "; ".join(f"{name} = {' or '.join(values)}" for name, values in FORMULA_CHOICES.items())
        raise wrong(f"formula has {shown}")
    if "search_weights" in table:
        check_search_weights(table["search_weights"], where)
    _check_tasks(table.get("tasks", {}), wrong)


def check_search_weights(weights: Any, where: str) -> None:
    """A number for each module named, and one for `other`."""
    fits = isinstance(weights, dict) and "other" in weights and all(map(_is_weight, weights.values()))
    if not fits:
        raise ConfigurationError(
            f"{where}: search_weights must be numbers of at least 0 by module, with one for 'other', "
            f"such as {{ exact = 2, other = 1 }}, not {weights!r}"
        )


def _check_tasks(tasks: Any, wrong: Callable[[str], ConfigurationError]) -> None:
    if not isinstance(tasks, dict) or not all(isinstance(rows, dict) for rows in tasks.values()):
        raise wrong("tasks must be tables: [tasks.NAME], with a row for each language")
    for task, rows in tasks.items():
        for language, row in rows.items():
            place = f"tasks.{task}.{language}"
            if not isinstance(row, dict) or not isinstance(row.get("weights"), dict):
                raise wrong(f"{place} must have alpha, beta, gamma, delta, and weights by module")
            for name in NUMBERS:
                if not _is_number(row.get(name)):
                    raise wrong(f"{place}: {name} must be a number, not {row.get(name)!r}")
            for module, weight in row["weights"].items():
                if not _is_number(weight):
                    raise wrong(f"{place}: the weight of {module} must be a number, not {weight!r}")
            modules = row.get("modules", [])
            if not isinstance(modules, list) or not all(isinstance(module, str) for module in modules):
                raise wrong(f"{place}: modules must be a list of names, not {modules!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < float("inf")


def _is_weight(value: object) -> bool:
    return _is_number(value) and 0 <= value <= 1000  # type: ignore[operator]
