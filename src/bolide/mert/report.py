"""The report of tuning: tables, and data for JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bolide.comparison import significance
from bolide.comparison.reports.parts import ReportPart
from bolide.mert.choices import Interval, measured, resampled
from bolide.mert.och import ClimbStep
from bolide.mert.tuning import Point, TunedWeights, point
from bolide.mert.weights import Weights

# Choices of the weights of the run before.
PREVIOUS = "previous run"
# Largest loss, in points, within the interval of a weight.
LOSS = 0.1

_LISTS = (
    "Intervals are the middle 95% of a bootstrap of sentences; p is for the difference. The weights were "
    "tuned on these lists, so their scores are optimistic: try other lists. The oracles are the best and "
    "worst choices found."
)
_STEPS = "The climb that found the weights, with the direction of each step."
_STARTS = "The starts of the search, and their results."


def to_dict(tuned: TunedWeights, given: Weights | None = None) -> dict[str, Any]:
    """Plain values, as in the JSON of the command line. `given` are the weights to compare with, if the
    search began with others: those of the run before."""
    problem, nbest = tuned.problem, tuned.problem.nbest
    initial = tuned.before if given is None else point(problem, nbest.vector(given))
    named = {
        "initial": initial.chosen,
        **({} if given is None else {PREVIOUS: tuned.before.chosen}),
        "tuned": tuned.after.chosen,
        "oracle": tuned.oracle,
        "anti-oracle": tuned.anti_oracle,
    }
    places = [*named]
    steps = [problem.chosen(step.weights) for step in tuned.climb.steps]
    intervals, drawn = resampled(problem, [*named.values(), *steps])
    difference = tuned.after.value - initial.value
    samples = drawn[places.index("tuned")], drawn[places.index("initial")]
    return {
        "objective": problem.objective.formula(),
        "method": tuned.plan.method,
        "seed": tuned.plan.seed,
        "signatures": [metric.signature() for _, metric in problem.objective.terms],
        "lists": {
            "sentences": nbest.sentences,
            "lines": nbest.lines,
            "hypotheses": len(nbest),
            "texts": len(nbest.texts),
        },
        "choices": {
            name: measured(problem, chosen, interval).to_dict()
            for (name, chosen), interval in zip(named.items(), intervals, strict=False)
        },
        "difference": difference,
        "p_value": significance.bootstrap_p_value(*samples, difference),
        "weights": _weights(tuned, initial),
        "steps": [
            _step(step, interval)
            for step, interval in zip(tuned.climb.steps, intervals[len(named) :], strict=True)
        ],
        "climbs": [
            {"start": climb.start, "steps": len(climb.steps) - 1, "from": climb.steps[0].value,
             "to": climb.best.value}
            for climb in tuned.climbs
        ],
    }  # fmt: skip


def _step(step: ClimbStep, interval: Interval) -> dict[str, Any]:
    return {
        "direction": step.direction,
        "value": step.value,
        "interval": list(interval),
        "weights": step.weights.tolist(),
    }


def _weights(tuned: TunedWeights, initial: Point) -> list[dict[str, Any]]:
    names = tuned.problem.layout.names
    rows = zip(names, initial.weights.tolist(), tuned.vector.tolist(), strict=True)
    return [
        {"feature": name, "initial": before, "tuned": after, "interval": _range(tuned, k)}
        for k, (name, before, after) in enumerate(rows)
    ]


def _range(tuned: TunedWeights, feature: int) -> list[float | None]:
    """The interval in which a single weight can change with a loss of at most LOSS. None: without limit."""
    if not tuned.space.free[feature]:
        return [float(tuned.vector[feature])] * 2
    axis = np.zeros(len(tuned.vector))
    axis[feature] = 1.0
    low, high = tuned.space.limits(tuned.vector, axis)
    breaks, values = tuned.problem.surface(tuned.vector, axis, low, high)
    here = int(np.searchsorted(breaks, 0.0))
    bad = values < tuned.after.value - LOSS
    below, above = np.flatnonzero(bad[:here]), np.flatnonzero(bad[here + 1 :])
    ends = (
        float(breaks[below[-1]]) if len(below) else low,
        float(breaks[here + above[0]]) if len(above) else high,
    )
    found = [float(tuned.vector[feature]) + end for end in ends]
    return [end if np.isfinite(end) else None for end in found]


def parts(data: Mapping[str, Any]) -> list[ReportPart]:
    """The tables of the values from `to_dict`."""
    lists = data["lists"]
    size = f"{lists['sentences']:,} sentences, {lists['hypotheses']:,} hypotheses, {lists['texts']:,} texts"
    how = f"{data['objective']} by {data['method']}, seed {data['seed']}; {size}."
    moved = f"Changing a single weight within its interval costs at most {LOSS} points."
    gain = {"tuned": f"{data['difference']:+.2f} (p {data['p_value']:.4f})"}
    return [
        ReportPart(
            "Weights",
            f"{how} {moved}",
            [["feature", "initial", "tuned", "interval"], *map(_weight_row, data["weights"])],
        ),
        choice_part(data["objective"], data["choices"], gain, _LISTS),
        ReportPart(
            "Convergence", _STEPS, [["step", "direction", data["objective"], "95% interval"], *_steps(data)]
        ),
        ReportPart("Starts", _STARTS, [["start", "steps", "from", "to"], *_starts(data["climbs"])]),
    ]


def choice_part(
    objective: str,
    choices: Mapping[str, Mapping[str, Any]],
    notes: Mapping[str, str] | None = None,
    text: str = "",
) -> ReportPart:
    """Choices of hypotheses with their scores. For a sum of metrics, also the score of each metric."""
    metrics = list(next(iter(choices.values()))["scores"])
    shown = metrics if len(metrics) > 1 else []
    titles = ["", objective, "95% interval", *shown, "words"]
    rows = []
    for name, row in choices.items():
        scores = [f"{row['scores'][metric]:.2f}" for metric in shown]
        cells = [name, f"{row['value']:.2f}", _interval(row["interval"]), *scores, f"{row['words']:.2f}"]
        rows.append(cells + ([] if notes is None else [notes.get(name, "")]))
    return ReportPart("Lists", text, [titles + ([] if notes is None else ["gain"]), *rows])


def _interval(ends: Sequence[float]) -> str:
    return f"[{ends[0]:.2f}, {ends[1]:.2f}]"


def _weight_row(row: Mapping[str, Any]) -> list[str]:
    ends = ["…" if end is None else f"{end:.4f}" for end in row["interval"]]
    return [row["feature"], f"{row['initial']:.4f}", f"{row['tuned']:.4f}", f"[{ends[0]}, {ends[1]}]"]


def _steps(data: Mapping[str, Any]) -> list[list[str]]:
    return [
        [str(k), row["direction"], f"{row['value']:.4f}", _interval(row["interval"])]
        for k, row in enumerate(data["steps"])
    ]


def _starts(climbs: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    return [[c["start"], str(c["steps"]), f"{c['from']:.4f}", f"{c['to']:.4f}"] for c in climbs]


def run_part(runs: Sequence[Mapping[str, Any]], objective: str) -> ReportPart:
    """The runs of a decoder."""
    titles = ["run", "new hypotheses", "all", f"{objective} before", "tuned", "oracle"]
    rows = []
    for run in runs:
        choices = {} if run["report"] is None else run["report"]["choices"]
        before = PREVIOUS if PREVIOUS in choices else "initial"
        values = [f"{choices[name]['value']:.2f}" if choices else "" for name in (before, "tuned", "oracle")]
        rows.append([str(run["run"]), f"{run['new']:,}", f"{run['hypotheses']:,}", *values])
    return ReportPart("Runs of the decoder", "Values are for all lists up to the run.", [titles, *rows])
