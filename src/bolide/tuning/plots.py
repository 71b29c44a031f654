"""Plots of the objective around the optimum: along every free axis, and over pairs of axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from bolide._support.extras import extra
from bolide.tuning.report import shape
from bolide.tuning.tuning import Tuned

# Pairs of parameters that compensate each other.
SURFACES = (("alpha", "delta"), ("beta", "gamma"))


def charts(tuned: Tuned) -> dict[str, Any]:
    """Altair charts by name."""
    with extra("plots"):
        import altair
    rows = [
        {"parameter": line.name, "value": value, "height": float(height)}
        for line in shape(tuned)
        for value, height in zip(line.values, line.heights, strict=True)
    ]
    objective = tuned.problem.objective
    axes = {
        "x": altair.X("value:Q", title="value"),
        "y": altair.Y("height:Q", title=objective.name, scale=altair.Scale(zero=False)),
        "color": altair.Color("parameter:N"),
    }
    found = {"axes": altair.Chart(altair.Data(values=rows)).mark_line(point=True).encode(**axes)}
    free = {tuned.space.names[k] for k in tuned.space.free}
    for pair in SURFACES:
        if free.issuperset(pair):
            found["-".join(pair)] = _surface(tuned, pair, altair)
    return found


def _surface(tuned: Tuned, pair: tuple[str, str], altair: Any) -> Any:
    space, objective = tuned.space, tuned.problem.objective
    (a, b) = (space.names.index(name) for name in pair)
    grid = [(x, y) for x in space.axes[a].values for y in space.axes[b].values]
    points = np.repeat([tuned.found.point], len(grid), axis=0)
    points[:, [a, b]] = grid
    heights = objective.overall(objective(points)).tolist()
    rows = [{pair[0]: x, pair[1]: y, "height": h} for (x, y), h in zip(grid, heights, strict=True)]
    encoded = {
        "x": altair.X(f"{pair[0]}:O"),
        "y": altair.Y(f"{pair[1]}:O", sort="descending"),
        "color": altair.Color("height:Q", title=objective.name, scale=altair.Scale(scheme="viridis")),
    }
    return altair.Chart(altair.Data(values=rows)).mark_rect().encode(**encoded)


def svgs(tuned: Tuned) -> list[tuple[str, str]]:
    """The charts as SVG, by name."""
    with extra("plots"):
        import vl_convert
    return [(name, vl_convert.vegalite_to_svg(chart.to_dict())) for name, chart in charts(tuned).items()]
