"""Named measures of agreement: a coefficient, what it is computed from, and its groups.

    segments   kendall-wmt14, kendall-wmt12   τ of pairwise judgments, with a rule for ties of the metric
               pearson, spearman              of scores and ratings
               kendall-b, kendall-c           τ-b and τ-c of scores and ratings
               weighted-pearson               the weight of a segment is the length of its reference
               accuracy                       of pairs, with tie calibration (acc*_eq)
    systems    system-pearson, system-spearman, system-accuracy, soft-accuracy

A measure is prepared once per metric. Then it gives the value of any sample of segments (`grouping`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bolide._support import checks
from bolide._support.arrays import Floats
from bolide.errors import ConfigurationError, InputError
from bolide.evaluation import correlation, grouping, soft
from bolide.evaluation.grouping import Sampled
from bolide.evaluation.judgments import Judgments
from bolide.evaluation.scores import Scores

# Means are equal if their difference, divided by the largest score, is below this: sums in another order, or
# of scores times counts, may be rounded differently.
EQUAL = 1e-12

# Prepares a measure: scores matched to the judgments (`Scores.beside`), judgments, and the grouping.
Prepare = Callable[[Scores, Judgments, str], Sampled]


@dataclass(frozen=True)
class Measure:
    """A measure. `groupings` are the possible ones, the default first; empty if it cannot be grouped."""

    name: str
    title: str
    level: str  # "segment" or "system"
    groupings: tuple[str, ...]
    prepare: Prepare

    def grouped(self, wanted: str | None) -> str:
        """The grouping to use; an error if the measure does not have it."""
        if not self.groupings:
            return "none"
        if wanted is None:
            return self.groupings[0]
        checks.choice("grouping", wanted, grouping.GROUPINGS)
        if wanted not in self.groupings:
            raise ConfigurationError(
                f"{self.name} cannot be grouped by {wanted}, only: {', '.join(self.groupings)}"
            )
        return wanted


def _values(scores: Scores) -> Floats:
    if scores.values is None:
        raise InputError(f"{scores.name} has no scores for judged segments; choose measures of systems")
    return scores.values


# ---- segments ------------------------------------------------------------------------------------


def _kendall(rule: str) -> Prepare:
    def prepare(scores: Scores, judgments: Judgments, group: str) -> Sampled:
        values, (pairs, _) = _values(scores), judgments.ranked()
        gains = correlation.pair_gains(
            values[pairs.segments, pairs.better], values[pairs.segments, pairs.worse], rule
        )
        count = len(judgments.segments)
        sums = np.bincount(pairs.segments, weights=gains, minlength=count)
        numbers = np.bincount(pairs.segments, minlength=count)
        with np.errstate(invalid="ignore"):
            shares = sums / numbers

        def value(counts: Floats | None) -> float:
            times = grouping.ones(counts, count)
            if group == "item":
                return grouping.mean_of_known(shares, times)
            total = times @ numbers
            return float(times @ sums / total) if total > 0 else float("nan")

        return value

    return prepare


def _repeated(coefficient: Callable[[Floats, Floats], float]) -> grouping.Coefficient:
    """A coefficient without weights: an element is repeated as often as it counts."""

    def value(x: Floats, y: Floats, w: Floats) -> float:
        times = w.astype(np.intp)
        return coefficient(np.repeat(x, times), np.repeat(y, times))

    return value


def _coefficient(coefficient: grouping.Coefficient) -> Prepare:
    def prepare(scores: Scores, judgments: Judgments, group: str) -> Sampled:
        return grouping.correlation(_values(scores), judgments.matrix, coefficient, group)

    return prepare


def _weighted_pearson(scores: Scores, judgments: Judgments, group: str) -> Sampled:
    values = _values(scores)
    if scores.lengths is None:
        raise InputError(
            f"weighted-pearson needs the lengths of references, and {scores.name} does not have them; "
            "score the texts instead: give HYP and --reference"
        )
    return grouping.correlation(values, judgments.matrix, correlation.pearson, group, scores.lengths)


def _accuracy(scores: Scores, judgments: Judgments, group: str) -> Sampled:
    values = _values(scores)
    if not judgments.has_pairs:
        return grouping.pair_accuracy(values, judgments.matrix, group)
    if group == "system":
        raise ConfigurationError("rankings compare systems in one segment: group accuracy by item, or none")
    parts = [(judgments.pairs, 1.0), (judgments.ties, 0.0)]
    segments = np.concatenate([pairs.segments for pairs, _ in parts])
    metric = np.concatenate([values[p.segments, p.better] - values[p.segments, p.worse] for p, _ in parts])
    human = np.concatenate([np.full(len(pairs), difference) for pairs, difference in parts])
    return grouping.judged_accuracy(metric, human, segments, group)


# ---- systems -------------------------------------------------------------------------------------


def of_systems(scores: Scores, judgments: Judgments, counts: Floats | None) -> tuple[Floats, Floats] | None:
    """The metric's and the human scores of the judged systems; None if they cannot be resampled. Scores that
    differ only by rounding become equal, so that they tie, and equal systems are constant."""
    if counts is None:
        x, y = scores.of_systems, judgments.of_systems
    else:
        sampled = sampled_systems(scores, counts)
        if sampled is None or judgments.system_scores is not None:
            return None
        x, y = sampled, judgments.sampled(counts)
    known = ~np.isnan(y)
    of_x = x if scores.values is None or scores.corpus is not None else scores.values
    of_y = y if judgments.system_scores is not None else judgments.matrix
    return _settled(x[known], of_x), _settled(y[known], of_y)


def judged_systems(scores: Scores, judgments: Judgments) -> tuple[Floats, Floats]:
    """The metric's and the human scores of the judged systems."""
    found = of_systems(scores, judgments, None)
    assert found is not None
    return found


def _settled(means: Floats, scores: Floats) -> Floats:
    """Replaces means that differ only by rounding by the lowest of them."""
    order = np.argsort(means)
    ascending = means[order]
    slack = EQUAL * np.fmax.reduce(np.abs(scores), axis=None, initial=0.0)
    starts = np.append(True, ~(np.diff(ascending) <= slack))[: len(means)]
    found = np.empty_like(means)
    found[order] = ascending[starts][np.cumsum(starts) - 1]
    return found


def sampled_systems(scores: Scores, counts: Floats) -> Floats | None:
    """The metric's scores of systems in a sample; None if they cannot be resampled."""
    if scores.totals is not None:
        return scores.totals(counts)
    if scores.corpus is not None or scores.values is None:
        return None
    known = ~np.isnan(scores.values)
    with np.errstate(invalid="ignore"):
        found: Floats = (counts @ np.nan_to_num(scores.values)) / (counts @ known)
    return found


def _system(coefficient: Callable[[Floats, Floats], float]) -> Prepare:
    def prepare(scores: Scores, judgments: Judgments, group: str) -> Sampled:
        def value(counts: Floats | None) -> float:
            found = of_systems(scores, judgments, counts)
            return float("nan") if found is None else coefficient(*found)

        return value

    return prepare


def _soft_accuracy(scores: Scores, judgments: Judgments, group: str) -> Sampled:
    values, human = _values(scores), judgments.matrix
    judged = ~np.isnan(human).all(axis=0)
    if judged.sum() < 2:
        return lambda counts: float("nan")

    def value(counts: Floats | None) -> float:
        if counts is None:
            return soft.agreement(soft.pair_p_values(values[:, judged]), judgments.pair_p_values)
        rows = np.repeat(np.arange(len(human)), counts.astype(int))
        return soft.soft_pairwise_accuracy(values[rows][:, judged], human[rows][:, judged])

    return value


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("kendall-wmt14", "τ (WMT14)", "segment", ("none", "item"), _kendall("wmt14")),
        Measure("kendall-wmt12", "τ (WMT12)", "segment", ("none", "item"), _kendall("wmt12")),
        Measure("pearson", "Pearson", "segment", grouping.GROUPINGS, _coefficient(correlation.pearson)),
        Measure("spearman", "Spearman", "segment", grouping.GROUPINGS, _coefficient(correlation.spearman)),
        *(
            Measure(name, title, "segment", grouping.GROUPINGS, _coefficient(_repeated(coefficient)))
            for name, title, coefficient in (
                ("kendall-b", "τ-b", correlation.kendall_b),
                ("kendall-c", "τ-c", correlation.kendall_c),
            )
        ),
        Measure("weighted-pearson", "weighted Pearson", "segment", ("none", "system"), _weighted_pearson),
        Measure("accuracy", "accuracy", "segment", ("item", "none", "system"), _accuracy),
        Measure("system-pearson", "Pearson", "system", (), _system(correlation.pearson)),
        Measure("system-spearman", "Spearman", "system", (), _system(correlation.spearman)),
        Measure("system-accuracy", "accuracy", "system", (), _system(correlation.pairwise_accuracy)),
        Measure("soft-accuracy", "SPA", "system", (), _soft_accuracy),
    )
}
# The measures of the WMT shared tasks: for rankings, for ratings, and for systems.
RANKED = ("kendall-wmt14", "kendall-wmt12", "accuracy")
RATED = ("pearson", "spearman", "accuracy")
OF_SYSTEMS = ("system-pearson", "system-spearman", "system-accuracy", "soft-accuracy")


def get(name: str) -> Measure:
    return MEASURES[checks.choice("measure", name, MEASURES)]


def usual(judgments: Judgments, scores: Sequence[Scores]) -> list[str]:
    """The default measures for these judgments and scores."""
    segments = bool(judgments.segments) and all(each.values is not None for each in scores)
    if not segments:
        return [name for name in OF_SYSTEMS if name != "soft-accuracy"]
    return [*(RATED if judgments.has_ratings else RANKED), *OF_SYSTEMS]
