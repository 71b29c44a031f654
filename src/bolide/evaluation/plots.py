"""Plots: metric scores against human scores with a fitted line, and systems ranked with intervals.

Charts are made with Altair. `save` writes SVG, PNG, PDF, HTML or JSON, by the name of the file.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from bolide._support.arrays import Floats
from bolide._support.extras import extra, require
from bolide._support.writing import atomic_path
from bolide.comparison.significance import SEED, interval
from bolide.errors import ConfigurationError, InputError
from bolide.evaluation.correlation import pearson
from bolide.evaluation.judgments import Judgments
from bolide.evaluation.measures import judged_systems, sampled_systems
from bolide.evaluation.scores import Scores
from bolide.evaluation.significance import SAMPLES

ENDINGS = (".svg", ".png", ".pdf", ".html", ".json")
HUMAN = "human score"
# Largest number of points; if there are more, a random sample is drawn.
MOST_POINTS = 5000


def scatter(scores: Scores, judgments: Judgments, level: str = "system") -> Any:
    """Human scores against metric scores with the least-squares line: one point per system or translation."""
    with extra("plots"):
        import altair
    beside = scores.beside(judgments)
    x, y, names = _points(beside, judgments, level)
    if len(x) < 2:
        raise InputError(f"{scores.name}: a plot needs at least two judged {level}s")
    r = pearson(x, y)
    slope, start = np.polyfit(x, y, 1) if np.ptp(x) > 0 else (0.0, float(y.mean()))
    ends = np.array([x.min(), x.max()])
    kept = np.arange(len(x))
    if len(x) > MOST_POINTS:
        kept = np.sort(np.random.default_rng(SEED).choice(len(x), MOST_POINTS, replace=False))
    rows = [{"metric": float(x[k]), "human": float(y[k]), "name": names[k]} for k in kept]
    line = [{"metric": float(e), "human": float(start + slope * e)} for e in ends]
    axes = {
        "x": altair.X("metric:Q", title=scores.name, scale=altair.Scale(zero=False)),
        "y": altair.Y("human:Q", title="human score", scale=altair.Scale(zero=False)),
    }
    size = {"system": 60, "segment": 8}[level]
    points = altair.Chart(altair.Data(values=rows)).mark_circle(size=size, opacity=0.6).encode(
        **axes, tooltip=["name:N", "metric:Q", "human:Q"]
    )  # fmt: skip
    fit = altair.Chart(altair.Data(values=line)).mark_line(color="#b22222").encode(**axes)
    chart = points + fit
    if level == "system":
        labels = altair.Chart(altair.Data(values=rows)).mark_text(align="left", dx=6, fontSize=9)
        chart = chart + labels.encode(**axes, text="name:N")
    return chart.properties(title=f"{scores.name} and human scores, {len(x)} {level}s: r = {r:.3f}")


def ranking(scores: Scores, judgments: Judgments, samples: int = SAMPLES, seed: int = SEED) -> Any:
    """Systems ranked by the metric, with 95% intervals (bootstrap of judged segments), and the human scores
    beside them. The two have separate scales."""
    with extra("plots"):
        import altair
    beside = scores.beside(judgments)
    found = judged_systems(beside, judgments)
    drawn = _samples(beside, judgments, samples, seed)
    known = ~np.isnan(judgments.of_systems)
    systems = [name for name, judged in zip(judgments.systems, known, strict=True) if judged]
    rows = []
    for whose, values, sampled in zip((scores.name, HUMAN), found, drawn, strict=True):
        for k, system in enumerate(systems):
            low, high = (float(values[k]),) * 2 if sampled is None else interval(sampled[:, k])
            row = {"system": system, "of": whose, "score": float(values[k]), "low": low, "high": high}
            rows.append(row)
    order = [systems[k] for k in np.argsort(-found[0], kind="stable")]
    data = altair.Data(values=rows)
    charts = []
    for whose in (scores.name, HUMAN):
        base = altair.Chart(data).transform_filter(altair.datum.of == whose)
        y = altair.Y("system:N", sort=order, title=None)
        scale = altair.Scale(zero=False)
        points = base.mark_point(filled=True, size=50).encode(
            x=altair.X("score:Q", title=whose, scale=scale), y=y
        )
        bars = base.mark_rule().encode(x=altair.X("low:Q", title=whose, scale=scale), x2="high:Q", y=y)
        charts.append((bars + points).properties(width=300))
    return altair.hconcat(*charts).properties(title=f"systems ranked by {scores.name}, with human scores")


def _points(scores: Scores, judgments: Judgments, level: str) -> tuple[Floats, Floats, list[str]]:
    if level not in ("system", "segment"):
        raise ConfigurationError(f"the level of a plot must be 'system' or 'segment', not '{level}'")
    if level == "system":
        found = judged_systems(scores, judgments)
        known = ~np.isnan(judgments.of_systems)
        return *found, [name for name, judged in zip(judgments.systems, known, strict=True) if judged]
    if scores.values is None:
        raise InputError(f"{scores.name} has no scores for judged segments to plot")
    rows, columns = np.nonzero(~np.isnan(judgments.matrix))
    names = [f"{judgments.systems[m]}, {judgments.segments[k]}" for k, m in zip(rows, columns, strict=True)]
    return scores.values[rows, columns], judgments.matrix[rows, columns], names


def _samples(
    scores: Scores, judgments: Judgments, samples: int, seed: int
) -> tuple[Floats | None, Floats | None]:
    """Metric and human scores, samples × systems; None if they cannot be resampled."""
    segments = len(judgments.segments)
    if segments < 2:
        return None, None
    generator = np.random.default_rng(seed)
    metric, human = [], []
    known = ~np.isnan(judgments.of_systems)
    for _ in range(samples):
        counts = np.bincount(generator.integers(segments, size=segments), minlength=segments).astype(float)
        found = sampled_systems(scores, counts)
        metric.append(None if found is None else found[known])
        human.append(None if judgments.system_scores is not None else judgments.sampled(counts)[known])
    return _table(metric), _table(human)


def _table(rows: list[Floats | None]) -> Floats | None:
    known = [row for row in rows if row is not None and not np.isnan(row).any()]
    return np.stack(known) if known else None


def check_file(path: str | os.PathLike[str]) -> None:
    """Raises an error if a plot cannot be written to a file of this name."""
    if Path(path).suffix.lower() not in ENDINGS:
        raise ConfigurationError(
            f"the name of a plot must end in one of {', '.join(ENDINGS)}, not '{Path(path).name}'"
        )
    require("plots", "altair", "vl_convert")


def save(chart: Any, path: str | os.PathLike[str]) -> None:
    """Writes a chart to a file, atomically."""
    check_file(path)
    with extra("plots"):
        import vl_convert  # noqa: F401  (altair needs it for pictures)
    with atomic_path(path) as new:
        chart.save(str(new))
