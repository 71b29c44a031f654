"""Scores: pure functions of statistics and parameters. The formula itself stands in core/score/score.cpp.

    P = Σ w·(δ·content + (1−δ)·function matches) / (δ·content + (1−δ)·function words), on the hypothesis
    R likewise, on the reference
    Fmean = P·R / (α·P + (1−α)·R)        penalty = γ·(chunks / matches)^β        score = Fmean·(1 − penalty)

Statistics are integer rows, one per segment; `StatisticsLayout` knows their columns. Corpus scores, tuning
and significance tests need nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bolide import _core
from bolide._core import StatisticsLayout
from bolide._support.arrays import Floats, Integers, Statistics
from bolide.errors import InputError
from bolide.formula.parameters import JAVA, Formula, Parameters

# The columns of `evaluate`.
COMPONENTS = ("precision", "recall", "f1", "fmean", "penalty", "score")
# Rows worked on at a time, where a copy of all would be large.
PIECE = 1 << 16


def columns(modules: Sequence[str]) -> tuple[str, ...]:
    """The names of the statistics columns for these modules.

    >>> columns(("exact",))[4]
    'exact_hypothesis_content'
    """
    return StatisticsLayout(modules).columns


def layout_of(statistics: Statistics | Floats) -> StatisticsLayout:
    """The layout of rows, of which only the number of columns is known."""
    return StatisticsLayout.of_width(statistics.shape[-1])


def widened(statistics: Statistics, modules: int) -> Statistics:
    """Rows for this many modules; those that are added have no matches."""
    layout = layout_of(statistics)
    missing = (modules - len(layout.stages)) * len(layout.STAGE_COLUMNS)
    return np.insert(statistics, [layout.chunks] * missing, 0, axis=1) if missing else statistics


def _rows(statistics: npt.ArrayLike) -> Floats:
    return np.ascontiguousarray(np.atleast_2d(statistics), dtype=np.float64)


def evaluate(statistics: npt.ArrayLike, parameters: Parameters) -> Floats:
    """Rows of precision, recall, f1, fmean, penalty, score for rows of statistics, which may be scaled sums.

    Components are NaN where there is nothing to divide by (no words, no matches); the score then is 0.
    """
    return _core.score(_rows(statistics), parameters.core())


def scores(statistics: npt.ArrayLike, parameters: Parameters) -> Floats:
    """The score of each row of statistics."""
    return evaluate(statistics, parameters)[:, -1]


def checked(statistics: npt.ArrayLike, modules: tuple[str, ...]) -> Statistics | Floats:
    """Rows of statistics, of segments or summed, as somebody hands them in. An error tells what no texts can
    have, and in which row."""
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
    # Sums in which older segments count less, as some tuners keep them, are fractions, and rounded.
    slack = 0.0
    if rows.dtype.kind == "f":
        slack = 1e-9 * np.abs(rows[np.isfinite(rows)]).max(initial=1)
    possible = (rows >= -slack) & (rows < np.inf)
    for row, column in np.argwhere(~possible) if not possible.all() else ():
        value = f"{names[column]} is {rows[row, column]:g}"
        raise InputError(f"statistics, row {row + 1}: {value}, but they count: numbers of at least 0")
    matches = [layout.hypothesis_matches, layout.reference_matches]
    lengths = [layout.hypothesis_length, layout.reference_length]
    for row, side in np.argwhere(rows[:, matches] > rows[:, lengths] + slack):
        many, few = matches[side], lengths[side]
        found = f"{names[many]} is {rows[row, many]:g}, but {names[few]} {rows[row, few]:g}"
        raise InputError(f"statistics, row {row + 1}: {found}; no more words can match than there are")
    rows[rows < 0] = 0
    return rows


def aggregate(statistics: Statistics, formula: Formula = JAVA) -> Integers:
    """The corpus statistics of segment statistics: column sums, but a segment that is matched completely and
    in one chunk adds no chunk, unless it is penalised like any other."""
    return _core.aggregate(_rows(statistics), formula.core).astype(np.int64)


def contributions(statistics: Statistics, formula: Formula = JAVA) -> Statistics:
    """What each segment adds to the corpus statistics: rows whose column sums are `aggregate`'s."""
    rows = np.array(statistics)
    if formula.whole == "unpenalised":
        # Penalties of 0 are those of segments matched completely and in one chunk: the core knows which.
        plain = Parameters(alpha=0.5, beta=1.0, gamma=1.0, delta=0.5, weights=(), formula=formula)
        for start in range(0, len(rows), PIECE):
            piece = rows[start : start + PIECE]
            whole = evaluate(piece, plain)[:, COMPONENTS.index("penalty")] == 0
            piece[whole, layout_of(rows).chunks] -= 1
    return rows
