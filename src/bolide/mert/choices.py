"""Measures choices of hypotheses, one per sentence: objective, confidence interval, length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bolide._support.arrays import Floats, Integers
from bolide.comparison import significance
from bolide.mert.problem import MertProblem

SAMPLES = significance.SAMPLES["bootstrap"]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Measured:
    """The objective of a choice, the score of each metric, and the mean number of words."""

    value: float
    scores: Mapping[str, float]
    words: float
    interval: Interval | None = None  # 95% confidence interval

    def to_dict(self) -> dict[str, Any]:
        ends = None if self.interval is None else list(self.interval)
        return {"value": self.value, "interval": ends, "scores": dict(self.scores), "words": self.words}


def measured(problem: MertProblem, hypotheses: Integers, interval: Interval | None = None) -> Measured:
    sums = problem.rows(hypotheses).sum(axis=0)
    words = sum(len(text.split()) for text in problem.nbest.texts_of(hypotheses)) / len(hypotheses)
    return Measured(float(problem.objective(sums)[0]), problem.objective.scores(sums), words, interval)


def resampled(problem: MertProblem, choices: Sequence[Integers]) -> tuple[list[Interval], Floats]:
    """The 95% intervals of choices by a bootstrap of sentences, and their objective in each sample."""
    rows = [problem.rows(choice) for choice in choices]
    drawn = significance.bootstrap(rows, problem.objective, SAMPLES, significance.SEED, problem.threads)
    return [significance.interval(scores) for scores in drawn], drawn
