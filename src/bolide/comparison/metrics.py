"""The scores of systems by other metrics, beside METEOR."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bolide._support.arrays import Floats, Integers
from bolide.comparison.sacrebleu_metrics import SacrebleuMetric, many
from bolide.inputs.segments import Segments


@dataclass(frozen=True)
class MetricResult:
    """The score of a system by a metric, and what `ComparedSystem` has of METEOR."""

    score: float
    interval: tuple[float, float] | None = None
    difference: float | None = None
    p_value: float | None = None
    segments: Floats = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        return {
            "score": self.score,
            "interval": None if self.interval is None else list(self.interval),
            "difference": self.difference,
            "p_value": self.p_value,
        }


@dataclass(frozen=True)
class ComparedMetric:
    """A metric and its results, by the name of the system."""

    name: str
    higher: bool  # whether a higher score is better
    signature: str
    results: Mapping[str, MetricResult]

    @property
    def title(self) -> str:
        """The name, with an arrow if a lower score is better."""
        return self.name if self.higher else f"{self.name} ↓"

    def to_dict(self) -> dict[str, Any]:
        return {"metric": self.name, "higher_is_better": self.higher, "signature": self.signature}


@dataclass(frozen=True)
class MeasuredMetric:
    """A metric and the statistics of segments, by the name of the system. With `keep=False`, only their sums,
    in constant memory."""

    metric: SacrebleuMetric
    keep: bool = True
    batches: dict[str, list[Integers]] = field(default_factory=dict)

    def add(self, system: str, batch: Segments) -> Integers:
        """Counts a batch of segments of a system."""
        found = self.metric.rows(batch)
        before = self.batches.setdefault(system, [])
        if self.keep:
            before.append(found)
        else:
            before[:] = [np.concatenate([*before, found]).sum(axis=0, keepdims=True)]
        return found

    def rows(self) -> dict[str, Integers]:
        """All statistics of each system, or their sum as one row."""
        return {name: np.concatenate(parts) for name, parts in self.batches.items()}

    def segment_scores(self, rows: Integers) -> Floats:
        """The score of each segment, if they are kept."""
        return self.metric.segment_scores(rows) if self.keep else np.zeros(0)


class MeasuredMetrics:
    """Several metrics of the same segments. `keep` keeps what tests and the scores of segments need."""

    def __init__(self, names: Sequence[str], threads: int | None = None, *, keep: bool = True) -> None:
        self.all = [MeasuredMetric(metric, keep) for metric in many(names, threads)]

    def __iter__(self) -> Iterator[MeasuredMetric]:
        return iter(self.all)

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(each.metric.name for each in self.all)

    def add(self, system: str, batch: Segments, *, segments: bool = False) -> dict[str, Floats]:
        """Counts a batch of segments of a system; their scores by each metric, if they are asked for."""
        found = {each.metric: each.add(system, batch) for each in self.all}
        return {metric.name: metric.segment_scores(rows) for metric, rows in found.items() if segments}
