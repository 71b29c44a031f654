"""A study: several metrics compared with the same judgments by several measures.

study = correlate(scores, judgments, measures=["kendall-wmt14"], confidence=True)
print(study)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bolide._support import checks
from bolide._support.extras import require
from bolide.comparison.significance import SEED
from bolide.errors import ConfigurationError, InputError
from bolide.evaluation import significance, tables
from bolide.evaluation.grouping import GROUPINGS, Accuracy
from bolide.evaluation.judgments import Judgments
from bolide.evaluation.measures import Measure, get, usual
from bolide.evaluation.scores import Scores

TESTS = ("none", "permutation", "williams")


@dataclass(frozen=True)
class StudyResult:
    """The result of one metric by one measure. None means not requested, or not possible."""

    metric: str
    measure: str
    level: str
    grouping: str
    value: float
    interval: tuple[float, float] | None = None  # 95% confidence interval
    difference: float | None = None  # from the value of the baseline
    p_value: float | None = None
    test: str | None = None  # the test of p_value
    epsilon: float | None = None  # for accuracy: the largest difference that is a tie

    def to_dict(self) -> dict[str, Any]:
        return {
            **{name: getattr(self, name) for name in ("metric", "measure", "level", "grouping")},
            "value": _plain(self.value),
            "interval": None if self.interval is None else list(self.interval),
            **{name: _plain(getattr(self, name)) for name in ("difference", "p_value")},
            "test": self.test,
            "epsilon": self.epsilon,
        }


def _plain(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


@dataclass(frozen=True, repr=False)
class Study:
    """Results, ordered by measure and then by metric. `print` shows them as a table."""

    results: tuple[StudyResult, ...]
    metrics: tuple[str, ...]
    measures: tuple[str, ...]
    counts: dict[str, int] = field(default_factory=dict)  # systems, segments, judgments
    baseline: str | None = None
    samples: int | None = None  # None if nothing was resampled
    seed: int | None = None
    signatures: dict[str, str] = field(default_factory=dict)

    def __getitem__(self, key: tuple[str, str]) -> StudyResult:
        for result in self.results:
            if (result.metric, result.measure) == key:
                return result
        raise KeyError(key)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as in the JSON of the command line."""
        return {
            "results": [result.to_dict() for result in self.results],
            **{name: getattr(self, name) for name in ("counts", "baseline", "samples", "seed", "signatures")},
        }

    def __str__(self) -> str:
        return "\n".join(tables.lines(self))

    def _repr_markdown_(self) -> str:
        return "\n".join(tables.lines(self, "markdown"))

    def __repr__(self) -> str:
        return f"<Study of {', '.join(self.metrics)} by {', '.join(self.measures)}>"


@dataclass(frozen=True)
class StudyOptions:
    """How to compare; the arguments of `correlate`."""

    measures: Sequence[str] = ()
    grouping: str | None = None
    confidence: bool = False
    test: str = "none"
    unit: str = "inputs"
    baseline: str | None = None
    samples: int = significance.SAMPLES
    seed: int = SEED

    def check(self) -> None:
        """Fails, before anything is scored, if there is no such measure, grouping or test."""
        if self.grouping is not None:
            checks.choice("grouping", self.grouping, GROUPINGS)
        for name in self.measures:
            get(name).grouped(self.grouping)
        checks.choice("test", self.test, TESTS)
        checks.choice("unit of permutation", self.unit, significance.UNITS)
        if self.test == "williams":
            require("evaluation", "scipy")
        checks.whole("samples", self.samples)
        checks.whole("seed", self.seed, least=0)

    def check_metrics(self, metrics: Sequence[str]) -> None:
        """Fails if metrics have equal names, or cannot be tested."""
        if self.baseline is not None:
            checks.choice("baseline", self.baseline, metrics)
        if self.test != "none" and len(metrics) < 2:
            raise ConfigurationError("a test needs at least two metrics")
        for name in metrics:
            if metrics.count(name) > 1:
                raise ConfigurationError(f"two metrics are called '{name}'; give each once")


def correlate(
    scores: Sequence[Scores],
    judgments: Judgments,
    *,
    measures: Sequence[str] | None = None,
    grouping: str | None = None,
    confidence: bool = False,
    test: str = "none",
    unit: str = "inputs",
    baseline: str | None = None,
    samples: int = significance.SAMPLES,
    seed: int = SEED,
    advance: Callable[[str], None] = lambda what: None,
) -> Study:
    """Measures the agreement of metrics with human judgments.

    - `measures`: names in `bolide.evaluation.measures`; by default the usual ones for these judgments.
    - `grouping`: "none", "system" or "item", for measures that can be grouped; each has a default.
    - `confidence`: 95% confidence intervals, by the bootstrap over segments.
    - `test`: "permutation" or "williams", for the difference from the `baseline` (default: the first metric).
    - `unit`: what a permutation swaps (`bolide.evaluation.significance`).
    """
    options = StudyOptions(tuple(measures or ()), grouping, confidence, test, unit, baseline, samples, seed)
    if not scores:
        raise InputError("there are no metrics to compare with the judgments")
    options.check()
    options.check_metrics([each.name for each in scores])
    beside = [each.beside(judgments) for each in scores]
    chosen = [get(name) for name in options.measures or usual(judgments, beside)]
    # A default measure that lacks the grouping keeps its default grouping.
    groups = [m.grouped(grouping if options.measures or grouping in m.groupings else None) for m in chosen]
    if test == "williams" and not any(map(significance.has_williams, chosen, groups)):
        raise ConfigurationError("Williams' test is for the measures system-pearson and pearson (ungrouped)")
    first = next((each for each in beside if each.name == options.baseline), beside[0])
    results = []
    for measure, group in zip(chosen, groups, strict=True):
        for each in beside:
            advance(f"{measure.name}, {each.name}")
            results.append(_result(measure, group, each, first, judgments, options))
    pairs, ties = judgments.ranked() if judgments.segments else (judgments.pairs, judgments.ties)
    counts = {
        "systems": len(judgments.systems), "segments": len(judgments.segments),
        "pairs": len(pairs), "ties": len(ties), "ratings": len(judgments.ratings),
    }  # fmt: skip
    tested = options.test != "none"
    return Study(
        tuple(results),
        tuple(each.name for each in beside),
        tuple(measure.name for measure in chosen),
        counts,
        first.name if len(beside) > 1 and tested else None,
        samples if confidence or options.test == "permutation" else None,
        seed if confidence or options.test == "permutation" else None,
        {each.name: each.signature for each in beside if each.signature},
    )


def _result(
    measure: Measure, group: str, scores: Scores, first: Scores, judgments: Judgments, options: StudyOptions
) -> StudyResult:
    value = measure.prepare(scores, judgments, group)
    interval = None
    if options.confidence:
        interval = significance.bootstrap_interval(
            value, len(judgments.segments), options.samples, options.seed
        )
    found = _tested(measure, group, scores, first, judgments, options) if scores is not first else None
    return StudyResult(
        scores.name,
        measure.name,
        measure.level,
        group if measure.groupings else "",
        value(None),
        interval,
        None if found is None else found.value,
        None if found is None else found.p_value,
        None if found is None else found.test,
        value.epsilon if isinstance(value, Accuracy) else None,
    )


def _tested(
    measure: Measure, group: str, scores: Scores, first: Scores, judgments: Judgments, options: StudyOptions
) -> significance.MetricDifference | None:
    if options.test == "permutation":
        return significance.permutation(
            measure, scores, first, judgments, group if measure.groupings else None,
            unit=options.unit, samples=options.samples, seed=options.seed,
        )  # fmt: skip
    if options.test == "williams" and significance.has_williams(measure, group):
        return significance.williams_test(
            measure, scores, first, judgments, group if measure.groupings else None
        )
    return None
