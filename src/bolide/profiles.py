"""Profiles: each names a METEOR and fixes all that it leaves open (profiles.toml).

>>> profile = get("1.5")
>>> profile.parameters("rank", "en").alpha
0.85
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bolide import _toml
from bolide.errors import ConfigurationError, unknown
from bolide.languages import Language
from bolide.score import Parameters

# Languages whose ranking was never tuned are ranked with the language-independent parameters.
UNTUNED_RANKING = "li"


@dataclass(frozen=True)
class Profile:
    """One METEOR, as data."""

    name: str
    description: str
    word_identity: str
    function_words: str
    aligner: str
    search_weights: Mapping[str, float]
    tasks: Mapping[str, Mapping[str, Mapping[str, Any]]]

    def task(self, task: str, language: str) -> str:
        """The task whose parameters serve `task` in `language`; an error if there are none."""
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

    def row(self, task: str, language: str) -> Mapping[str, Any]:
        rows = self.tasks[self.task(task, language)]
        return rows.get(language, rows.get("any", {}))

    def modules(self, task: str, language: Language) -> tuple[str, ...]:
        """The modules used by default: the language's, unless the task was tuned with its own."""
        rows = self.tasks.get(task, {}) if isinstance(task, str) else {}
        row = rows.get(language.code, rows.get("any", {}))
        return tuple(row.get("modules", language.modules))

    def parameters(self, task: str, language: str, modules: Sequence[str] | None = None) -> Parameters:
        """The parameters, with the weights of `modules` (default: those the row has) in their order."""
        row = self.row(task, language)
        weights = row["weights"]
        for module in modules or ():
            if module not in weights:
                raise ConfigurationError(
                    f"profile {self.name} has no weight for module '{module}' in task '{task}' and language "
                    f"'{language}'; give weights, one for each of: {' '.join(modules or ())}"
                )
        chosen = tuple(weights[module] for module in (modules or weights))
        return Parameters(row["alpha"], row["beta"], row["gamma"], row["delta"], chosen)

    def search_weight(self, module: str) -> float:
        return self.search_weights.get(module, self.search_weights["other"])


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    return _toml.package_data("profiles.toml")


def names() -> list[str]:
    """The names of all profiles."""
    return list(_tables())


def get(name: str) -> Profile:
    """The profile of that name."""
    if not isinstance(name, str) or name not in _tables():
        raise unknown("profile", name, names())
    return _profile(name)


@lru_cache(maxsize=32)
def _profile(name: str) -> Profile:
    return Profile(name=name, **_tables()[name])
