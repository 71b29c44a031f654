"""Scores of the systems by other metrics than METEOR: computed by sacrebleu, or read from files."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np

from bolide._support.arrays import Floats
from bolide.comparison.metrics import MeasuredMetric
from bolide.errors import InputError, unknown
from bolide.xray.names import check_texts

METEOR = "METEOR"
# Significant digits of scores of segments. The page has the same.
DIGITS = 6
# Metrics whose low scores are good, by the beginning of their names.
LOWER = ("ter", "wer", "cer", "per", "hter", "edit", "metricx")


def higher_is_better(name: str) -> bool:
    """What the name of a metric tells.

    >>> higher_is_better("COMET"), higher_is_better("TER"), higher_is_better("MetricX-24")
    (True, False, False)
    """
    words = name.lower().replace("_", "-").split("-")
    return words[0] not in LOWER


@dataclass(frozen=True)
class OtherScores:
    """The scores of a metric.

    - `segments`: the score of each segment, by the name of the system; None if there is none.
    - `higher`: whether a higher score is better (default: what the name tells).
    - `corpus`: scores of whole systems (default: the mean of the segments).
    """

    name: str
    segments: Mapping[str, Sequence[float | None]] = field(repr=False)
    higher: bool | None = None
    corpus: Mapping[str, float] | None = None
    signature: str | None = None

    @property
    def rises(self) -> bool:
        """Whether a higher score is better."""
        return higher_is_better(self.name) if self.higher is None else self.higher

    @cached_property
    def _values(self) -> dict[str, Floats]:
        return {name: rounded(values) for name, values in self.segments.items()}

    def values(self, system: str, segments: int) -> Floats:
        """The scores of all segments of a system; NaN if unknown."""
        return self._values.get(system, np.full(segments, np.nan))

    def of_system(self, system: str) -> float | None:
        """The score of a whole system."""
        if self.corpus is not None and system in self.corpus:
            return float(self.corpus[system])
        known = self._values.get(system, np.zeros(0))
        known = known[~np.isnan(known)]
        return float(known.mean()) if len(known) else None

    def check(self, systems: Sequence[str], segments: int) -> None:
        """Fails if these are not scores of these systems and so many segments."""
        check_texts("the name of a metric", [self.name])
        for name, values in self.segments.items():
            if name not in systems:
                raise unknown(f"system in the scores of {self.name}", name, systems)
            if len(values) != segments:
                raise InputError(
                    f"{self.name} has {len(values)} scores of {name} for {segments} segments; give each "
                    "segment a score, or None"
                )
            for number, value in enumerate(values, 1):
                if value is not None and math.isinf(value):
                    raise InputError(f"{self.name}: the score of segment {number} of {name} is infinite")


def rounded(values: Sequence[float | None]) -> Floats:
    """The values with a limited number of digits; NaN for None.

    >>> rounded([0.123456789, None, 27.0]).tolist()
    [0.123457, nan, 27.0]
    """
    return np.array([math.nan if value is None else float(f"{value:.{DIGITS}g}") for value in values])


def check_scores(scores: Sequence[OtherScores], systems: Sequence[str], segments: int) -> None:
    """Fails if scores do not fit, or if two metrics have the same name."""
    names = [METEOR]
    for each in scores:
        if each.name in names:
            raise InputError(f"{each.name} is given twice; give each metric a name of its own")
        names.append(each.name)
        each.check(systems, segments)


def of_metric(measured: MeasuredMetric) -> OtherScores:
    """The scores of a metric of sacrebleu."""
    metric, rows = measured.metric, measured.rows()
    return OtherScores(
        metric.name,
        {name: metric.segment_scores(own).tolist() for name, own in rows.items()},
        metric.kind.higher,
        {name: metric.corpus_score(own) for name, own in rows.items()},
        metric.signature,
    )


def pairs_of_metrics(names: Sequence[str]) -> dict[str, tuple[int, int]]:
    """The pairs of METEOR and these metrics, by a title. METEOR is number −1.

    >>> pairs_of_metrics(["BLEU", "TER"])
    {'METEOR and BLEU': (-1, 0), 'METEOR and TER': (-1, 1), 'BLEU and TER': (0, 1)}
    """
    every = list(enumerate([METEOR, *names], -1))
    return {f"{one} and {two}": (a, b) for (a, one), (b, two) in combinations(every, 2)}
