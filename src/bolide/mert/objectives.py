"""Objectives: a metric, or a weighted sum of metrics. Higher is always better: TER is subtracted.

meteor, meteor:TASK, meteor@PROFILE, meteor@PROFILE:TASK
bleu, ter
bleu=0.5 ter=0.5         weighted: 0.5·BLEU − 0.5·TER
ter-bleu/2               the same, by its name in the Meteor 1.3 paper
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bolide._support.arrays import Floats, Integers
from bolide.errors import ConfigurationError
from bolide.mert.metrics import BleuMetric, MeteorMetric, Metric, ReferenceTexts, TerMetric
from bolide.scoring.meteor import Meteor

# Makes a scorer from a profile and a task; None stands for the default.
MakeMeteor = Callable[[str | None, str | None], Meteor]
METEOR = "meteor"
METEOR_NAME = re.compile(r"meteor(?:@(?P<profile>.+?))?(?::(?P<task>[\w-]+))?")
DEFAULT = "meteor:tune"
OTHERS: dict[str, Callable[[ReferenceTexts, int | None], Metric]] = {"bleu": BleuMetric, "ter": TerMetric}
# Other names for sums.
SUMS = dict.fromkeys(("ter-bleu/2", "(ter-bleu)/2"), "bleu=0.5 ter=0.5")


@dataclass(frozen=True)
class MertObjective:
    """Metrics with their weights. Rows of statistics have the columns of all metrics side by side."""

    name: str
    terms: tuple[tuple[float, Metric], ...]

    @cached_property
    def columns(self) -> int:
        return sum(metric.columns for _, metric in self.terms)

    def statistics(self, texts: Sequence[str], sentence_of: Sequence[int], sentences: int) -> Integers:
        """The rows of texts. Texts of the same sentence are counted together."""
        of = np.asarray(sentence_of, dtype=np.int64)
        order = np.argsort(of, kind="stable")
        offsets = np.concatenate([[0], np.cumsum(np.bincount(of, minlength=sentences))]).astype(np.int64)
        grouped = [texts[k] for k in order.tolist()]
        rows = np.empty((len(texts), self.columns), dtype=np.int64)
        rows[order] = np.hstack([metric.count(grouped, offsets) for _, metric in self.terms])
        return rows

    def __call__(self, sums: Integers | Floats) -> Floats:
        """The value of each row of sums."""
        return self._total([metric.score(part) for metric, part in self.apart(sums)])

    def of_sentences(self, rows: Integers | Floats) -> Floats:
        """The value of each row of a single sentence."""
        return self._total([metric.sentence_score(part) for metric, part in self.apart(rows)])

    def scores(self, sums: Integers | Floats) -> dict[str, float]:
        """The score of each metric for one row of sums."""
        return {metric.name: float(metric.score(part)[0]) for metric, part in self.apart(sums)}

    def _total(self, scores: Sequence[Floats]) -> Floats:
        found = np.zeros(len(scores[0]))
        for (weight, metric), score in zip(self.terms, scores, strict=True):
            found += weight * metric.sign * score
        return found

    def apart(self, sums: Integers | Floats) -> list[tuple[Metric, Floats]]:
        """Each metric with its columns."""
        rows = np.atleast_2d(np.asarray(sums, dtype=np.float64))
        ends = np.cumsum([metric.columns for _, metric in self.terms])[:-1]
        parts = np.split(rows, ends, axis=1)
        return [(metric, part) for (_, metric), part in zip(self.terms, parts, strict=True)]

    def formula(self) -> str:
        """The formula, such as 0.5·BLEU − 0.5·TER."""
        found = ""
        for weight, metric in self.terms:
            sign = (" − " if found else "−") if metric.sign < 0 else (" + " if found else "")
            found += sign + (metric.name if weight == 1 else f"{weight:g}·{metric.name}")
        return found


def make_objective(
    given: str | Meteor | MertObjective,
    references: ReferenceTexts,
    *,
    make: MakeMeteor = lambda profile, task: Meteor(profile or "1.5", task=task),
    threads: int | None = None,
) -> MertObjective:
    """Makes an objective from a name or a scorer. `make` makes the scorers in the name.

    >>> make_objective("ter-bleu/2", [["the cat sat"]]).formula()
    '0.5·BLEU − 0.5·TER'
    """
    if isinstance(given, MertObjective):
        return given
    if isinstance(given, Meteor):
        return MertObjective(METEOR, ((1.0, MeteorMetric(given, references)),))
    terms: list[tuple[float, Metric]] = []
    for name, weight in _parsed(given).items():
        if name in OTHERS:
            terms.append((weight, OTHERS[name](references, threads)))
        else:
            shown = name.replace(METEOR, "METEOR", 1)
            terms.append((weight, MeteorMetric(make(*_profile_and_task(name)), references, shown)))
    return MertObjective(given, tuple(terms))


def named_scorers(objective: str) -> list[tuple[str | None, str | None]]:
    """Profile and task of each METEOR in the name of an objective. Raises an error if the name is wrong.

    >>> named_scorers("meteor@1.3:adq=2 bleu")
    [('1.3', 'adq')]
    """
    return [_profile_and_task(name) for name in _parsed(objective) if name not in OTHERS]


def _profile_and_task(name: str) -> tuple[str | None, str | None]:
    found = METEOR_NAME.fullmatch(name)
    if found is None:
        raise ConfigurationError(
            f"unknown metric '{name}'; choose meteor, meteor:TASK, meteor@PROFILE:TASK, bleu, ter, "
            "a weighted sum such as 'bleu=0.5 ter=0.5', or ter-bleu/2"
        )
    return found["profile"], found["task"]


def _parsed(text: str) -> Mapping[str, float]:
    """Names of metrics with their weights."""
    words = SUMS.get(text.strip().lower(), text).replace(",", " ").split()
    found: dict[str, float] = {}
    for word in words:
        name, equals, weight = word.partition("=")
        name = name.lower() if name.lower() in OTHERS else name
        if name in found:
            raise ConfigurationError(f"'{name}' occurs twice in the objective '{text}'")
        try:
            found[name] = float(weight) if equals else 1.0
        except ValueError:
            found[name] = -1.0
        if not 0 < found[name] < np.inf:
            raise ConfigurationError(f"the weight of '{name}' must be a number above 0, not '{weight}'")
    if not found:
        raise ConfigurationError("the objective has no metric")
    return found
