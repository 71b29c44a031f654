"""The report of a run: Markdown, or one HTML page with plots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bolide._support.arrays import Floats
from bolide.comparison.reports.parts import ReportPart
from bolide.tuning.tuning import Tuned, point_of


@dataclass(frozen=True)
class AxisLine:
    """The objective along one axis through the optimum."""

    name: str
    values: tuple[float, ...]
    heights: Floats


def shape(tuned: Tuned) -> list[AxisLine]:
    """The objective along each free axis."""
    space, objective = tuned.space, tuned.problem.objective
    found = []
    for k in space.free:
        points = np.repeat([tuned.found.point], len(space.axes[k].values), axis=0)
        points[:, k] = space.axes[k].values
        found.append(AxisLine(space.axes[k].name, space.axes[k].values, objective.overall(objective(points))))
    return found


def parts(tuned: Tuned, plots: Sequence[tuple[str, str]] = ()) -> list[ReportPart]:
    """The report. `plots` are names and pictures: SVG to embed in HTML, or paths for Markdown."""
    objective = tuned.problem.objective
    names = tuned.space.names
    before, after = point_of(tuned.base), tuned.found.point
    found = [
        ReportPart(
            "Parameters",
            f"Search: {tuned.plan.search}, {tuned.found.compared:,} of {tuned.space.size:,} points"
            f"{_choice(tuned)}.",
            [["", *names], ["before", *map(_short, before)], ["tuned", *map(_short, after)]],
        ),
        ReportPart(
            "Agreement on the tuning data",
            f"The objective is {objective.name}. These numbers are optimistic: the parameters were tuned on "
            "this data.",
            [["set", *_own(tuned), "judgments", "before", "tuned", "gain"], *_sets(tuned)],
        ),
    ]
    if tuned.folds:
        found.append(ReportPart("Held out", _VERDICT, [_FOLD_TITLES, *_folds(tuned)]))
    found.append(
        ReportPart("Shape around the optimum", _SHAPE, [_SHAPE_TITLES, *_shape_rows(tuned)], tuple(plots))
    )
    return found


def _choice(tuned: Tuned) -> str:
    loss = tuned.plan.plateau
    return "" if loss is None else f"; the middle of those that lose at most {loss:g}"


_VERDICT = (
    "Each row was tuned without the data in its name, as in table 5 of the Meteor 1.3 paper. A gain on "
    "training data with a loss on held-out data is overfitting."
)
_FOLD_TITLES = ["held out", *(f"{data} {when}" for data in ("train", "test") for when in ("before", "tuned"))]
_FOLD_TITLES += ["gain", "", "parameters"]
_SHAPE = "Ranges of one parameter, with the others as tuned, that lose at most 0.001 and 0.005."
_SHAPE_TITLES = ["parameter", "tuned", "within 0.001", "within 0.005", "lowest"]


def _own(tuned: Tuned) -> list[str]:
    """The titles of what sets have of their own: measures and weights, if they differ."""
    objective = tuned.problem.objective
    different = {
        "measure": len(set(objective.measures)) > 1,
        "weight": any(each.weight != 1 for each in objective.data),
    }
    return [title for title, shown in different.items() if shown]


def _sets(tuned: Tuned) -> Iterator[list[str]]:
    objective, titles = tuned.problem.objective, _own(tuned)
    rows = zip(tuned.data, objective.measures, objective.totals, tuned.before, tuned.after, strict=True)
    for data, measure, total, before, after in rows:
        own = {"measure": measure, "weight": _short(data.weight)}
        yield [data.name, *(own[title] for title in titles), f"{total:,}", *_gain(before, after)]
    every = f"{objective.totals.sum():,}"
    yield ["all", *[""] * len(titles), every, *_gain(tuned.overall_before, tuned.overall_after)]


def _gain(before: float, after: float) -> list[str]:
    return [f"{before:.4f}", f"{after:.4f}", f"{after - before:+.4f}"]


def _folds(tuned: Tuned) -> Iterator[list[str]]:
    for fold in tuned.folds:
        gain = fold.held_out - fold.base_held_out
        overfits = fold.train > fold.base_train and gain < 0
        numbers = (fold.base_train, fold.train, fold.base_held_out, fold.held_out)
        yield [
            fold.name,
            *(f"{number:.4f}" for number in numbers),
            f"{gain:+.4f}",
            "overfitted" if overfits else "",
            " ".join(map(_short, fold.found.point)),
        ]
    before = float(np.mean([fold.base_held_out for fold in tuned.folds]))
    after = float(np.mean([fold.held_out for fold in tuned.folds]))
    yield ["mean", "", "", *_gain(before, after), "", ""]


def _shape_rows(tuned: Tuned) -> Iterator[list[str]]:
    for line in shape(tuned):
        top = line.heights.max()
        ranges = [_range(line, top - loss) for loss in (0.001, 0.005)]
        at = tuned.found.point[tuned.space.names.index(line.name)]
        yield [line.name, _short(at), *ranges, f"{line.heights.min():.4f}"]


def _range(line: AxisLine, least: float) -> str:
    values = [value for value, height in zip(line.values, line.heights, strict=True) if height >= least]
    return f"{_short(values[0])} to {_short(values[-1])}"


def _short(number: float) -> str:
    return f"{number:.10g}"
