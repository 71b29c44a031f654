"""Confidence intervals of a measure, and significance tests of the difference of two metrics.

Intervals: the bootstrap over segments (Efron 1979). A sample draws as many segments as were judged, with
replacement, and the same segments for all metrics. The interval is the middle 95% of the values.

Difference: a paired permutation test (Deutsch, Dror and Roth 2021). The scores of both metrics are
standardized. A sample swaps them at random:

    inputs    in each segment, for all systems together (PERM-INPUTS, the default)
    both      in each segment of each system (PERM-BOTH)
    systems   for each system, in all segments together (PERM-SYSTEMS); for measures of corpus scores

    p = (1 + number of samples with |d*| ≥ |d|) / (1 + samples), two-sided

Or Williams' test (Williams 1959; Graham and Baldwin 2014) of two Pearson correlations with the same ratings,
over all translations or over systems. It is two-sided, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from bolide._support import checks
from bolide._support.arrays import Floats
from bolide._support.extras import extra
from bolide.comparison.significance import SEED, interval
from bolide.errors import ConfigurationError
from bolide.evaluation.correlation import pearson
from bolide.evaluation.grouping import Sampled
from bolide.evaluation.judgments import Judgments
from bolide.evaluation.measures import Measure, judged_systems
from bolide.evaluation.scores import Scores

SAMPLES = 1000
UNITS = ("inputs", "both", "systems")
# Smaller differences count as equal.
EQUAL = 1e-12


def bootstrap(value: Sampled, segments: int, samples: int = SAMPLES, seed: int = SEED) -> Floats:
    """The measure in each sample. The same seed draws the same segments."""
    generator = np.random.default_rng(seed)
    found = np.empty(samples)
    for k in range(samples):
        drawn = generator.integers(segments, size=segments)
        found[k] = value(np.bincount(drawn, minlength=segments).astype(np.float64))
    return found


def bootstrap_interval(
    value: Sampled, segments: int, samples: int = SAMPLES, seed: int = SEED
) -> tuple[float, float] | None:
    """The middle 95% of the values; None if the measure is undefined in a sample, for example because corpus
    scores cannot be resampled."""
    if segments < 2 or math.isnan(value(np.ones(segments))):
        return None
    found = bootstrap(value, segments, samples, seed)
    return None if np.isnan(found).any() else interval(found)


@dataclass(frozen=True)
class MetricDifference:
    """The value of the first metric minus that of the second, and its p-value by `test`."""

    value: float
    p_value: float
    test: str


def permutation(
    measure: Measure,
    first: Scores,
    second: Scores,
    judgments: Judgments,
    grouping: str | None = None,
    *,
    unit: str = "inputs",
    samples: int = SAMPLES,
    seed: int = SEED,
) -> MetricDifference:
    """The paired permutation test of two metrics, both matched to the judgments (`Scores.beside`)."""
    checks.choice("unit of permutation", unit, UNITS)
    group = measure.grouped(grouping)
    observed = measure.prepare(first, judgments, group)(None) - measure.prepare(second, judgments, group)(
        None
    )
    a, b = _standardised(first, judgments), _standardised(second, judgments)
    # Corpus scores are not means over segments, so only whole systems can be swapped.
    if measure.level == "system" and measure.name != "soft-accuracy":
        unit = "systems" if first.corpus is not None or second.corpus is not None else unit
    name = f"PERM-{unit.upper()}"
    if math.isnan(observed):
        return MetricDifference(observed, math.nan, name)
    generator, reached = np.random.default_rng(seed), 0
    for _ in range(samples):
        x, y = _swapped(a, b, unit, generator)
        found = measure.prepare(x, judgments, group)(None) - measure.prepare(y, judgments, group)(None)
        reached += not abs(found) < abs(observed) - EQUAL
    return MetricDifference(observed, (1 + reached) / (1 + samples), name)


def _standardised(scores: Scores, judgments: Judgments) -> Scores:
    """Scores with mean 0 and variance 1, so that scores of two metrics can be swapped."""
    values = scores.values
    if values is not None:
        of = values[~np.isnan(judgments.matrix)]
        values = (values - of.mean()) / (of.std() or 1.0)
    corpus = scores.of_systems
    known = corpus[~np.isnan(judgments.of_systems)]
    corpus = (corpus - known.mean()) / (known.std() or 1.0)
    return replace(scores, values=values, corpus=None if scores.corpus is None else corpus, totals=None)


def _swapped(a: Scores, b: Scores, unit: str, generator: np.random.Generator) -> tuple[Scores, Scores]:
    systems, segments = len(a.systems), len(a.segments)
    if unit == "systems":
        heads = generator.integers(2, size=systems, dtype=bool)
        return _exchanged(a, b, np.broadcast_to(heads, (segments, systems)), heads)
    size = (segments, 1) if unit == "inputs" else (segments, systems)
    return _exchanged(a, b, generator.integers(2, size=size, dtype=bool), None)


def _exchanged(a: Scores, b: Scores, cells: np.ndarray, systems: np.ndarray | None) -> tuple[Scores, Scores]:
    """Exchanges cells, and corpus scores of systems, between two metrics."""

    def mixed(x: Scores, y: Scores) -> Scores:
        values, corpus = x.values, None
        if x.values is not None and y.values is not None:
            values = np.where(cells, y.values, x.values)
        if systems is not None:
            corpus = np.where(systems, y.of_systems, x.of_systems)
        return replace(x, values=values, corpus=corpus)

    return mixed(a, b), mixed(b, a)


def williams(r12: float, r13: float, r23: float, n: int) -> tuple[float, float]:
    """t and the two-sided p-value of Williams' test that metrics 2 and 3 correlate equally with the n human
    ratings 1.

    >>> t, p = williams(0.4, 0.5, 0.1, 103)
    >>> round(t, 2), round(p, 2)
    (-0.89, 0.37)
    """
    with extra("evaluation"):
        from scipy.stats import t as student
    if n < 4:
        return math.nan, math.nan
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    below = 2 * determinant * (n - 1) / (n - 3) + mean**2 * (1 - r23) ** 3
    if not below > 0:
        return math.nan, math.nan
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below)
    return t, float(2 * student.sf(abs(t), n - 3))


def has_williams(measure: Measure, grouping: str) -> bool:
    """Whether Williams' test applies."""
    return measure.name == "system-pearson" or (measure.name == "pearson" and grouping == "none")


def williams_test(
    measure: Measure, first: Scores, second: Scores, judgments: Judgments, grouping: str | None = None
) -> MetricDifference:
    """Williams' test, for Pearson's r over all translations or over systems."""
    group = measure.grouped(grouping)
    if not has_williams(measure, group):
        raise ConfigurationError(
            f"Williams' test is for system-pearson and ungrouped pearson, not for {measure.name} by {group}"
        )
    if measure.level == "system":
        (x, human), (y, _) = (judged_systems(each, judgments) for each in (first, second))
    else:
        assert first.values is not None and second.values is not None
        known = ~np.isnan(judgments.matrix)
        x, y, human = first.values[known], second.values[known], judgments.matrix[known]
    r12, r13 = pearson(x, human), pearson(y, human)
    _, p = williams(r12, r13, pearson(x, y), len(human))
    return MetricDifference(r12 - r13, p, "Williams")
