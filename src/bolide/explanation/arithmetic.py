"""The arithmetic of one score, as equations like those in the papers.

An equation has a name and one or more equal expressions. The last one is the value:

    P = (0.75·(3 + 0.6·1) + 0.25·2) / (0.75·4 + 0.25·2) = 3.2 / 3.5 = 0.914286

(`·` is times, `^` is to the power of.)

The values are those of the scorer (`bolide.formula.statistics.evaluate`). They are not computed from rounded
numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from bolide._support.arrays import Statistics
from bolide.formula.layout import layout_of
from bolide.formula.parameters import Parameters
from bolide.formula.statistics import COMPONENTS, evaluate

DIGITS = 6
# Smaller numbers need more decimals.
SMALL = 1e-4


@dataclass(frozen=True)
class Equation:
    """A step of the arithmetic: the name of the value, equal expressions, and perhaps a note."""

    name: str
    expressions: tuple[str, ...]
    note: str = ""

    def __str__(self) -> str:
        note = f"   ({self.note})" if self.note else ""
        return f"{self.name:<13} = {' = '.join(self.expressions)}{note}"


@dataclass(frozen=True)
class SideCounts:
    """The hypothesis or the reference in the statistics."""

    title: str
    symbol: str
    length: int
    functions: int
    content_matches: tuple[int, ...]  # by module
    function_matches: tuple[int, ...]
    matched: int


def sides(row: Statistics) -> tuple[SideCounts, SideCounts]:
    """The two sides of a row of statistics."""
    layout = layout_of(row)
    named = dict(zip(layout.columns, map(int, row), strict=True))

    def side(title: str, symbol: str) -> SideCounts:
        content, function = (
            tuple(named[f"{stage}_{title}_{kind}"] for stage in layout.stages)
            for kind in ("content", "function")
        )
        length, functions = named[f"{title}_length"], named[f"{title}_function_words"]
        return SideCounts(title, symbol, length, functions, content, function, named[f"{title}_matches"])

    return side("hypothesis", "P"), side("reference", "R")


def arithmetic(row: Statistics, parameters: Parameters, unit: str, *, functions: bool) -> list[Equation]:
    """The equations of a row of statistics; `functions` tells whether function words count differently."""
    p = parameters
    values = dict(zip(COMPONENTS, evaluate(row, p)[0].tolist(), strict=True))
    hypothesis, reference = both = sides(row)
    chunks = int(row[layout_of(row).chunks])
    lines = [_share(side, p, values[name], functions) for side, name in zip(both, COMPONENTS, strict=False)]
    if any(math.isnan(values[name]) for name in ("precision", "recall", "fmean", "penalty")):
        return [*lines, Equation("score", (_shown(values["score"]),), _undefined(both, values, unit))]
    whole = p.formula.exempts_whole and chunks == 1 and all(map(_is_whole, both))
    return [
        *lines,
        _fmean(p, values),
        _fragments(p, chunks),
        Equation("matches", _mean(hypothesis.matched, reference.matched), "words, mean of both sides"),
        *_penalty(p, chunks, (hypothesis.matched + reference.matched) / 2, values["penalty"], whole),
        _score(values),
    ]


def _undefined(both: tuple[SideCounts, SideCounts], values: dict[str, float], unit: str) -> str:
    """Why the score is 0 without any arithmetic."""
    if not any(side.matched for side in both):
        return f"no {unit} match"
    nothing = any(math.isnan(values[name]) for name in ("precision", "recall"))
    return "no word has a weight" if nothing else "no match has a weight"


def _share(side: SideCounts, p: Parameters, value: float, functions: bool) -> Equation:
    """Precision or recall."""
    contents = side.length - side.functions
    if functions:
        d, e = _exact(p.delta), _exact(1 - p.delta)
        content, function = (
            _grouped(_sum(p.weights, counts)) for counts in (side.content_matches, side.function_matches)
        )
        matched = f"({d}·{content} + {e}·{function})"
        words = f"({d}·{contents} + {e}·{side.functions})"
        total = p.delta * _weighted(p.weights, side.content_matches)
        total += (1 - p.delta) * _weighted(p.weights, side.function_matches)
        of = p.delta * contents + (1 - p.delta) * side.functions
    else:
        counts = tuple(map(sum, zip(side.content_matches, side.function_matches, strict=True)))
        matched, words = _grouped(_sum(p.weights, counts)), str(side.length)
        total, of = _weighted(p.weights, counts), side.length
    if math.isnan(value) or math.isinf(value):
        return Equation(side.symbol, ("0",), f"the {side.title} has no words that count")
    steps = [f"{matched} / {words}", f"{_shown(total)} / {_shown(of)}", _shown(value)]
    return Equation(side.symbol, tuple(dict.fromkeys(steps)))


def _sum(weights: tuple[float, ...], counts: tuple[int, ...]) -> str:
    """The sum of weighted counts, without counts of 0."""
    terms = [
        str(count) if weight == 1 else f"{_exact(weight)}·{count}"
        for weight, count in zip(weights, counts, strict=False)
        if count
    ]
    return " + ".join(terms) or "0"


def _grouped(terms: str) -> str:
    return f"({terms})" if " + " in terms else terms


def _weighted(weights: tuple[float, ...], counts: tuple[int, ...]) -> float:
    return sum(weight * count for weight, count in zip(weights, counts, strict=False))


FMEANS = {"harmonic": "1 / ({b}/{p} + {a}/{r})", "ratio": "{p}·{r} / ({a}·{p} + {b}·{r})"}


def _fmean(p: Parameters, values: dict[str, float]) -> Equation:
    precision, recall, value = (_shown(values[name]) for name in ("precision", "recall", "fmean"))
    if not values["precision"] or not values["recall"]:  # of matches with no weight
        return Equation("Fmean", (value,), "P or R is 0")
    a, b = _exact(p.alpha), _exact(1 - p.alpha)
    return Equation("Fmean", (FMEANS[p.formula.fmean].format(a=a, b=b, p=precision, r=recall), value))


def _mean(one: int, two: int) -> tuple[str, ...]:
    return f"({one} + {two}) / 2", _shown((one + two) / 2)


def _fragments(p: Parameters, count: int) -> Equation:
    if p.formula.counts_breaks:
        return Equation("breaks", (str(count),), "chunks after the first one")
    return Equation("chunks", (str(count),))


def _penalty(p: Parameters, chunks: int, matches: float, value: float, whole: bool) -> list[Equation]:
    if whole:
        note = "everything matches, in one chunk: no penalty"
        return [Equation("fragmentation", ("0",), note), Equation("penalty", (_shown(value),))]
    fragmentation = f"{chunks} / {_shown(matches)}"
    return [
        Equation("fragmentation", (fragmentation, _shown(chunks / matches))),
        Equation("penalty", (f"{_exact(p.gamma)}·({fragmentation})^{_exact(p.beta)}", _shown(value))),
    ]


def _score(values: dict[str, float]) -> Equation:
    fmean, penalty, score = (_shown(values[name]) for name in ("fmean", "penalty", "score"))
    if values["penalty"] > 1:
        return Equation("score", (score,), "the penalty is above 1")
    return Equation("score", (f"{fmean}·(1 − {penalty})", score))


def _is_whole(side: SideCounts) -> bool:
    return sum(side.content_matches) + sum(side.function_matches) == side.length


def _exact(value: float) -> str:
    """A parameter with all its digits, without rounding errors.

    >>> _exact(1 - 0.85), _exact(1.0), _exact(0.12345678)
    ('0.15', '1', '0.12345678')
    """
    return f"{value:.12g}"


def _shown(value: float) -> str:
    """A number with six decimals, or with more if it would look like a whole number.

    >>> _shown(3.0), _shown(1 - 0.85), _shown(2 / 3), _shown(1e-8 / 3), _shown(1 - 1e-8)
    ('3', '0.15', '0.666667', '3.33333e-09', '0.99999999')
    """
    if abs(value) < SMALL or not math.isfinite(value):
        return f"{value:.{DIGITS}g}"
    rounded = round(value, DIGITS)
    if rounded == round(value) != value:
        return _exact(value)
    return f"{rounded:.{DIGITS}f}".rstrip("0").rstrip(".")


def table(
    row: Statistics, modules: tuple[str, ...], parameters: Parameters, unit: str
) -> list[tuple[str, ...]]:
    """A table of the counts. The columns are title, weight, and content and function words of both sides. The
    rows are the matches of each module, and all words."""
    both = sides(row)
    rows: list[tuple[str, ...]] = [("module", "weight", *("content", "function") * 2)]
    for k, module in enumerate(modules):
        weight = _exact(parameters.weights[k]) if k < len(parameters.weights) else "0"
        counts = (number for side in both for number in (side.content_matches[k], side.function_matches[k]))
        rows.append((module, weight, *map(str, counts)))
    words = (number for side in both for number in (side.length - side.functions, side.functions))
    rows.append((f"all {unit}", "", *map(str, words)))
    return rows
