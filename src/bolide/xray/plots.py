"""The plots of an X-ray, as Vega-Lite specifications through Altair.

    name         contents                                   data
    scores       distribution of segment scores             segments
    cumulative   share of segments up to a score            segments
    lengths      mean score by length of the reference      segments
    differences  distribution of score differences          differences
    scatter      scores of the first two systems            pairs
    matches      words matched by each module               matches
    ranking      corpus scores with their intervals         systems

A specification names its data, but does not include it. The page fills in the rows of the selection, and
`figure` all rows. So the plots on the page and in papers are the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from bolide._support import palette
from bolide._support.extras import extra
from bolide.errors import ConfigurationError, unknown
from bolide.explanation.arithmetic import sides
from bolide.xray.model import Xray

ChartRows = Iterator[dict[str, Any]]

WIDTH, HEIGHT = 420, 220
# Number of bars of the histogram of scores, points of the curve, and bars of differences on each side of 0.
SCORE_BARS, CURVE_POINTS = 40, 200
DIFFERENCE_STEP, DIFFERENCE_BARS = 0.02, 15
# Groups of lengths, and the size of a group.
LENGTH_STEP = 10
LENGTHS = ("≤ 10", "11–20", "21–30", "31–40", "41–50", "51–60", "> 60")
UNMATCHED = "unmatched"
EVEN = "equal"  # neither system is ahead
SIDES, CLASSES = ("hypothesis", "reference"), ("content words", "function words")
PNG_SCALE = 2.0
SQUARE = {"width": 360, "height": 360}
FEW_MARKS = 200  # segments: with more, the marks of the scatter plot are small and transparent
LEGEND = WIDTH // 2 - 30  # width of one of two columns, without the symbol


# ---- rows ----------------------------------------------------------------------------------------


def _segments(xray: Xray) -> ChartRows:
    for place, system in enumerate(xray.systems):
        for k, (segment, score) in enumerate(zip(xray.segments, system.scores.tolist(), strict=True)):
            length = len(segment.references[xray.best(place, k)])
            yield {"system": system.name, "segment": segment.number, "score": score, "length": length}


def _differences(xray: Xray) -> ChartRows:
    """The scores of the first system minus those of each other system."""
    first, *others = xray.systems
    for other in others:
        pair = f"{first.name} − {other.name}"
        for segment, value in zip(xray.segments, (first.scores - other.scores).tolist(), strict=True):
            yield {"pair": pair, "segment": segment.number, "difference": value}


def _pairs(xray: Xray) -> ChartRows:
    """Both scores of each segment, for the first two systems."""
    first, second = xray.systems[:2]
    for segment, a, b in zip(xray.segments, first.scores.tolist(), second.scores.tolist(), strict=True):
        ahead = first.name if a > b else second.name if a < b else EVEN
        yield {"segment": segment.number, "a": a, "b": b, "ahead": ahead}


def _matches(xray: Xray) -> ChartRows:
    """Words of the corpus, matched or not."""
    names = [*(module.name for module in xray.modules), UNMATCHED]
    for system in xray.systems:
        if (totals := xray.totals(system.name)) is None:
            return
        for side in sides(totals):
            words = side.length - side.functions, side.functions
            matches = side.content_matches, side.function_matches
            for kind, total, counts in zip(CLASSES, words, matches, strict=True):
                for name, count in zip(names, [*counts, total - sum(counts)], strict=True):
                    about = {"system": system.name, "side": side.title, "class": kind}
                    yield {**about, "module": name, "words": count}


def _systems(xray: Xray) -> ChartRows:
    for system in xray.systems:
        if system.result is not None:
            score = system.result.score.score
            low, high = system.result.interval or (score, score)
            yield {"system": system.name, "score": score, "low": low, "high": high}


DATA: dict[str, Callable[[Xray], ChartRows]] = {
    "segments": _segments,
    "differences": _differences,
    "pairs": _pairs,
    "matches": _matches,
    "systems": _systems,
}


# ---- charts --------------------------------------------------------------------------------------


def _legend(altair: Any) -> Any:
    return altair.Legend(title=None, orient="top", columns=2, labelLimit=LEGEND)


def _of_systems(altair: Any, xray: Xray, channel: str, value: Callable[[int], Any], *, legend: bool) -> Any:
    """A channel with a value for each system, in the order given. A legend is for several systems only."""
    names = [system.name for system in xray.systems]
    return getattr(altair, channel)(
        "system:N",
        legend=_legend(altair) if legend and len(names) > 1 else None,
        scale=altair.Scale(domain=names, range=[value(k) for k in range(len(names))]),
    )


def _coloured(altair: Any, xray: Xray, *, legend: bool = True) -> Any:
    return _of_systems(altair, xray, "Color", palette.system_colour, legend=legend)


def _dashed(altair: Any, xray: Xray) -> Any:
    dashes = [list(dash) for dash in palette.DASHES]
    return _of_systems(altair, xray, "StrokeDash", lambda k: dashes[palette.mark(k)], legend=True)


def _marked(altair: Any, xray: Xray, *, legend: bool = True) -> Any:
    return _of_systems(altair, xray, "Shape", lambda k: palette.MARKS[palette.mark(k)], legend=legend)


def _counted(altair: Any) -> Any:
    """An axis with integer labels only."""
    return altair.Axis(format=",d", labelExpr="datum.value === floor(datum.value) ? datum.label : ''")


def _histogram(altair: Any, data: str, place: str, places: tuple[int, int], step: float, by: str) -> Any:
    """Counts segments by `place`, an expression that gives the number of a bar. Empty bars are 0. `at` is the
    start of a bar."""
    return (
        altair.Chart(altair.NamedData(data))
        .transform_calculate(place=place)
        .transform_aggregate(segments="count()", groupby=["place", by])
        .transform_impute(
            "segments",
            key="place",
            keyvals={"start": places[0], "stop": places[1] + 2, "step": 1},
            value=0,
            groupby=[by],
        )
        .transform_calculate(at=f"datum.place * {step}")
    )


def _scores(altair: Any, xray: Xray) -> Any:
    last = SCORE_BARS - 1
    place = f"min(floor(datum.score * {SCORE_BARS}), {last})"
    counted = _histogram(altair, "segments", place, (0, last), 1 / SCORE_BARS, "system")
    return counted.mark_line(interpolate="step-after", clip=True).encode(
        x=altair.X("at:Q", title="score", scale=altair.Scale(domain=[0, 1])),
        y=altair.Y("segments:Q", title="segments", axis=_counted(altair)),
        color=_coloured(altair, xray),
        strokeDash=_dashed(altair, xray),
    )


def _cumulative(altair: Any, xray: Xray) -> Any:
    # Scores are rounded up to a fine grid, so that the line looks the same. It goes from 0 to 1.
    shared = (
        altair.Chart(altair.NamedData("segments"))
        .transform_calculate(at=f"ceil(datum.score * {CURVE_POINTS}) / {CURVE_POINTS}")
        .transform_aggregate(segments="count()", groupby=["at", "system"])
        .transform_impute("segments", key="at", keyvals=[0, 1], value=0, groupby=["system"])
        .transform_joinaggregate(all="sum(segments)", groupby=["system"])
        .transform_window(up="sum(segments)", sort=[altair.SortField("at")], groupby=["system"])
        .transform_calculate(share="datum.up / datum.all")
    )
    return shared.mark_line(interpolate="step-after", clip=True).encode(
        x=altair.X("at:Q", title="score", scale=altair.Scale(domain=[0, 1])),
        y=altair.Y("share:Q", title="segments up to this score", axis=altair.Axis(format="%")),
        color=_coloured(altair, xray),
        strokeDash=_dashed(altair, xray),
    )


def _lengths(altair: Any, xray: Xray) -> Any:
    names = json.dumps(list(LENGTHS), ensure_ascii=False)
    last = len(LENGTHS) - 1
    # A group with one segment has no standard error: its bar has length 0.
    grouped = (
        altair.Chart(altair.NamedData("segments"))
        .transform_calculate(group=f"{names}[clamp(ceil(datum.length / {LENGTH_STEP}) - 1, 0, {last})]")
        .transform_aggregate(
            mean="mean(score)", error="stderr(score)", segments="count()", groupby=["group", "system"]
        )
        .transform_calculate(error="isFinite(datum.error) ? datum.error : 0")
        .transform_calculate(low="datum.mean - datum.error", high="datum.mean + datum.error")
    )
    title, scale = "mean score, ± standard error", altair.Scale(zero=False)
    shared = {
        "x": altair.X(
            "group:N", title="words in the reference", sort=list(LENGTHS), axis=altair.Axis(labelAngle=0)
        ),
        "xOffset": altair.XOffset("system:N", sort=[system.name for system in xray.systems]),
        "color": _coloured(altair, xray),
    }
    bars = grouped.mark_rule().encode(
        y=altair.Y("low:Q", title=title, scale=scale), y2=altair.Y2("high:Q", title=""), **shared
    )
    means = grouped.mark_point(filled=True, size=50, opacity=1).encode(
        y=altair.Y("mean:Q", title=title, scale=scale),
        shape=_marked(altair, xray),
        tooltip=["system:N", "group:N", altair.Tooltip("mean:Q", format=".4f"), "segments:Q"],
        **shared,
    )
    return bars + means


def _difference_chart(altair: Any, xray: Xray) -> Any:
    # Bars are centred on their values, so that ties are in the middle of a bar.
    place = f"clamp(round(datum.difference / {DIFFERENCE_STEP}), -{DIFFERENCE_BARS}, {DIFFERENCE_BARS})"
    ends = -DIFFERENCE_BARS, DIFFERENCE_BARS
    counted = _histogram(altair, "differences", place, ends, DIFFERENCE_STEP, "pair")
    most = DIFFERENCE_BARS * DIFFERENCE_STEP
    lines = counted.mark_line(interpolate="step", clip=True).encode(
        x=altair.X(
            "at:Q",
            title=f"difference of scores (beyond ±{most:g}: at the ends)",
            scale=altair.Scale(domain=[-most, most]),
        ),
        y=altair.Y("segments:Q", title="segments", axis=_counted(altair)),
        color=altair.Color("pair:N", legend=_legend(altair)),
    )
    zero = altair.Chart(altair.Data(values=[{"at": 0}])).mark_rule(strokeDash=[4, 3], color=palette.FAINT)
    return zero.encode(x="at:Q") + lines


def _scatter(altair: Any, xray: Xray) -> Any:
    names = [system.name for system in xray.systems[:2]]
    scale = altair.Scale(domain=[0, 1])
    diagonal = altair.Chart(altair.Data(values=[{"from": 0, "to": 1}])).mark_rule(
        strokeDash=[4, 3], color=palette.FAINT
    )
    few = len(xray.segments) <= FEW_MARKS
    look = {"size": 45, "opacity": 0.9} if few else {"size": 22, "opacity": 0.45}
    points = altair.Chart(altair.NamedData("pairs")).mark_point(filled=True, **look)
    domain, colours = [*names, EVEN], [palette.system_colour(0), palette.system_colour(1), palette.FAINT]
    marks = [palette.MARKS[palette.mark(0)], palette.MARKS[palette.mark(1)], "circle"]
    legend = altair.Legend(title="ahead", orient="top")
    return diagonal.encode(x="from:Q", x2="to:Q", y="from:Q", y2="to:Q") + points.encode(
        x=altair.X("a:Q", title=f"score of {names[0]}", scale=scale),
        y=altair.Y("b:Q", title=f"score of {names[1]}", scale=scale),
        color=altair.Color("ahead:N", legend=legend, scale=altair.Scale(domain=domain, range=colours)),
        shape=altair.Shape("ahead:N", legend=legend, scale=altair.Scale(domain=domain, range=marks)),
    )


def _match_chart(altair: Any, xray: Xray) -> Any:
    names = [module.name for module in xray.modules]
    colours = [palette.colour(stage) for stage in range(len(names))]
    order = {name: k for k, name in enumerate([*names, UNMATCHED])}
    placed = " : ".join(f"datum.module === {json.dumps(name)} ? {k}" for name, k in order.items())
    return (
        altair.Chart(altair.NamedData("matches"))
        .transform_calculate(place=f"{placed} : {len(order)}")
        .mark_bar()
        .encode(
            x=altair.X("words:Q", stack="normalize", title=None, axis=altair.Axis(format="%")),
            y=altair.Y("system:N", title=None, sort=[system.name for system in xray.systems]),
            color=altair.Color(
                "module:N",
                scale=altair.Scale(domain=list(order), range=[*colours, palette.LINES]),
                legend=altair.Legend(title=None, orient="top"),
            ),
            order=altair.Order("place:Q"),
            row=altair.Row(
                "side:N",
                title=None,
                sort=list(SIDES),
                header=altair.Header(labelAngle=0, labelAlign="left"),  # horizontal even beside a single bar
            ),
            column=altair.Column("class:N", title=None, sort=list(CLASSES)),
            tooltip=["system:N", "side:N", "class:N", "module:N", "words:Q"],
        )
        .properties(width=WIDTH // 2)
    )


def _ranking(altair: Any, xray: Xray) -> Any:
    base = altair.Chart(altair.NamedData("systems")).encode(
        y=altair.Y("system:N", title=None, sort=altair.EncodingSortField("score", order="descending")),
        tooltip=["system:N", "score:Q", "low:Q", "high:Q"],
    )
    scale = altair.Scale(zero=False)
    colour = _coloured(altair, xray, legend=False)
    intervals = base.mark_rule(strokeWidth=2).encode(
        x=altair.X("low:Q", title="METEOR, 95% interval", scale=scale), x2="high:Q", color=colour
    )
    points = base.mark_point(filled=True, size=70, opacity=1)
    return intervals + points.encode(
        x=altair.X("score:Q", scale=scale), color=colour, shape=_marked(altair, xray, legend=False)
    )


# Name → chart and its data.
PLOTS: dict[str, tuple[Callable[[Any, Xray], Any], str]] = {
    "scores": (_scores, "segments"),
    "cumulative": (_cumulative, "segments"),
    "lengths": (_lengths, "segments"),
    "differences": (_difference_chart, "differences"),
    "scatter": (_scatter, "pairs"),
    "matches": (_match_chart, "matches"),
    "ranking": (_ranking, "systems"),
}
OF_TWO = ("differences", "scatter")
TOO_FEW = "needs at least two systems"


def _lacks(xray: Xray, name: str) -> str | None:
    """Why a plot is not possible; None if it is."""
    if name in OF_TWO and len(xray.systems) < 2:
        return TOO_FEW
    if name in ("matches", "ranking") and xray.parameters is None:
        return "needs the settings of the Java run"
    return None


def check(name: str) -> None:
    """Fails if there is no plot with this name."""
    if name not in PLOTS:
        raise unknown("figure", name, [*PLOTS, "alignment:NUMBER"])


def check_count(name: str, systems: int) -> None:
    """Fails if a plot needs more systems."""
    if name in OF_TWO and systems < 2:
        raise ConfigurationError(f"the figure '{name}' {TOO_FEW}")


def specifications(xray: Xray) -> dict[str, dict[str, Any]]:
    """All possible plots, without their data."""
    return {name: specification(xray, name) for name in PLOTS if _lacks(xray, name) is None}


def specification(xray: Xray, name: str) -> dict[str, Any]:
    """A plot without its data."""
    check(name)
    if problem := _lacks(xray, name):
        raise ConfigurationError(f"the figure '{name}' {problem}")
    with extra("xray"):
        import altair
    # A plot of matches has its own size, and the height of a ranking is that of its rows.
    sizes: dict[str, dict[str, int]] = {"matches": {}, "ranking": {"width": WIDTH}, "scatter": SQUARE}
    size = sizes.get(name, {"width": WIDTH, "height": HEIGHT})
    chart = PLOTS[name][0](altair, xray).properties(**size)
    found: dict[str, Any] = chart.configure_range(category=list(palette.SYSTEMS)).to_dict()
    return found


def figure(xray: Xray, name: str, ending: str) -> bytes:
    """The contents of a file with a plot and its data, in the format of the ending."""
    found = {**specification(xray, name), "background": palette.PAPER}
    data = PLOTS[name][1]
    found["datasets"] = {**found.get("datasets", {}), data: list(DATA[data](xray))}
    if ending == ".json":
        return json.dumps(found, ensure_ascii=False, indent=1).encode()
    with extra("xray"):
        import vl_convert
    options = {"scale": PNG_SCALE} if ending == ".png" else {}
    made = getattr(vl_convert, f"vegalite_to_{ending[1:]}")(found, **options)
    return made.encode() if isinstance(made, str) else bytes(made)
