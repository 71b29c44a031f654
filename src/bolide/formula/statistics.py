"""Scores: pure functions of statistics and parameters. The formula itself is in core/score/score.cpp.

    P = Σ w·(δ·content + (1−δ)·function matches) / (δ·content + (1−δ)·function words), on the hypothesis
    R is the same on the reference
    Fmean = 1 / ((1−α)/P + α/R)        penalty = γ·(chunks / matches)^β        score = Fmean·(1 − penalty)

Statistics are integers, one row per segment; `bolide.formula.layout` names the columns. Corpus scores, tuning
and significance tests need nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from bolide import _core
from bolide._core import StatisticsLayout
from bolide._support.arrays import Floats, Integers, Statistics
from bolide.errors import InputError
from bolide.formula.layout import layout_of
from bolide.formula.parameters import JAVA, Formula, Parameters

# The columns of `evaluate`.
COMPONENTS = ("precision", "recall", "f1", "fmean", "penalty", "score")
# Rows processed at a time, if a copy of all rows would be large.
PIECE = 1 << 16
# Larger counts would not be exact.
MOST = float(1 << 53)


def _rows(statistics: npt.ArrayLike) -> Floats:
    return np.ascontiguousarray(np.atleast_2d(statistics), dtype=np.float64)


def evaluate(statistics: npt.ArrayLike, parameters: Parameters) -> Floats:
    """Rows of precision, recall, f1, fmean, penalty and score for rows of statistics. These may be scaled
    sums.

    Components are NaN if there is nothing to divide by (no words, no matches). Then the score is 0.
    """
    return _core.score(_rows(statistics), parameters.core())


def scores(statistics: npt.ArrayLike, parameters: Parameters) -> Floats:
    """The score of each row of statistics."""
    rows = np.atleast_2d(statistics)
    pieces = (rows[start : start + PIECE] for start in range(0, max(len(rows), 1), PIECE))
    return np.concatenate([evaluate(piece, parameters)[:, -1] for piece in pieces])


def checked(statistics: npt.ArrayLike, modules: tuple[str, ...], matches: int = 1) -> Statistics | Floats:
    """Rows of statistics that a caller gives, of segments or summed. An error names the first value that is
    impossible for any text, and its row. A word is in at most this number of `matches`."""
    try:
        rows = np.atleast_2d(np.array(statistics))
    except ValueError:  # rows of different lengths
        rows = np.empty(0, dtype=object)
    if rows.ndim != 2 or rows.dtype.kind not in "iuf":
        raise InputError("statistics must be rows of numbers, such as Meteor.statistics returns")
    layout = StatisticsLayout(modules)
    names = layout.columns
    if rows.shape[1] != len(names):
        raise InputError(
            f"statistics have {rows.shape[1]} columns; modules {' '.join(modules)} need {len(names)}"
        )
    # Some tuners keep sums in which older segments count less. They are fractions, so they are rounded.
    slack = 0.0
    if rows.dtype.kind == "f":
        slack = 1e-9 * np.abs(rows[np.isfinite(rows)]).max(initial=1)
    possible = (rows >= -slack) & (rows <= MOST)
    for row, column in np.argwhere(~possible) if not possible.all() else ():
        value = f"{names[column]} is {rows[row, column]:g}"
        allowed = "of at least 0" if not rows[row, column] > 0 else f"of at most {MOST:.0f}"
        raise InputError(f"statistics, row {row + 1}: {value}, but counts must be numbers {allowed}")
    for many, counts, few, limits, rule in _limits(rows, layout, matches):
        for row in np.flatnonzero(counts > limits + slack)[:1]:
            found = f"{many} is {counts[row]:g}, but {few} is {limits[row]:g}"
            raise InputError(f"statistics, row {row + 1}: {found}; {rule}")
    rows[rows < 0] = 0
    return rows


Limit = tuple[str, Floats, str, Floats, str]


def _limits(rows: Floats, layout: StatisticsLayout, matches: int) -> Iterator[Limit]:
    """Counts, the limits that they may not exceed, what both are, and the rule."""
    columns, each = rows[:, layout.all_stages], len(layout.STAGE_COLUMNS)
    of_stages = {name: columns[:, k::each].sum(axis=1) for k, name in enumerate(layout.STAGE_COLUMNS)}
    times = "" if matches == 1 else f"{matches} · "
    for side in ("hypothesis", "reference"):
        length, function, matched = (
            rows[:, getattr(layout, f"{side}_{count}")] for count in ("length", "function_words", "matches")
        )
        words, marked, found = f"{side}_length", f"{side}_function_words", f"{side}_matches"
        yield marked, function, words, length, "at most all words can be function words"
        yield found, matched, times + words, matches * length, "at most all words can match"
        yield "chunks", rows[:, layout.chunks], found, matched, "each chunk has a match"
        for kind, number, limit in (
            ("content", length - function, f"({words} − {marked})"),
            ("function", function, marked),
        ):
            count = of_stages[f"{side}_{kind}"]
            what = f"the sum of {side}_{kind} of all modules"
            yield what, count, times + limit, matches * number, f"at most all {kind} words can match"


def aggregate(statistics: Statistics | Floats, formula: Formula = JAVA) -> Integers:
    """The corpus statistics of segment statistics: the sums of the columns. But a segment that is matched
    completely and in one chunk adds no chunk, unless the formula penalises it as any other."""
    rows = _rows(statistics)
    found = _core.aggregate(rows, formula.core)
    if not (rows.min(initial=0) >= 0 and found.max(initial=0) <= MOST):  # also false for NaN
        raise InputError(f"statistics must be counts: numbers of at least 0, with sums of at most {MOST:.0f}")
    return found.astype(np.int64)


class Contributions:
    """What each segment adds to the corpus statistics: rows whose sum is that of `aggregate`. They are
    computed when they are read, because a copy of the statistics may be large."""

    def __init__(self, statistics: Statistics, formula: Formula = JAVA) -> None:
        self._statistics = statistics
        self._whole = np.zeros(len(statistics), dtype=bool)  # segments that add no chunk
        if formula.exempts_whole:
            # The core knows which segments are matched completely and in one chunk: their penalty is 0.
            plain = Parameters(alpha=0.5, beta=1.0, gamma=1.0, delta=0.5, weights=(), formula=formula)
            penalty = COMPONENTS.index("penalty")
            for start in range(0, len(statistics), PIECE):
                piece = slice(start, start + PIECE)
                self._whole[piece] = evaluate(statistics[piece], plain)[:, penalty] == 0

    def __len__(self) -> int:
        return len(self._statistics)

    def __getitem__(self, rows: slice) -> Statistics:
        found = np.array(self._statistics[rows])
        found[:, layout_of(found).chunks] -= self._whole[rows]
        return found


def contributions(statistics: Statistics, formula: Formula = JAVA) -> Statistics:
    """All rows of `Contributions`."""
    return Contributions(statistics, formula)[:]
