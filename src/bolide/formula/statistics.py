"""Scores: pure functions of statistics and parameters. The formula itself is in core/score/score.cpp.

    P = Σ w·(δ·content + (1−δ)·function matches) / (δ·content + (1−δ)·function words), on the hypothesis
    R is the same on the reference
    Fmean = P·R / (α·P + (1−α)·R)        penalty = γ·(chunks / matches)^β        score = Fmean·(1 − penalty)

Statistics are integers, one row per segment; `bolide.formula.layout` names the columns. Corpus scores, tuning
and significance tests need nothing else.
"""

from __future__ import annotations

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
    return evaluate(statistics, parameters)[:, -1]


def checked(statistics: npt.ArrayLike, modules: tuple[str, ...]) -> Statistics | Floats:
    """Rows of statistics that a caller gives, of segments or summed. An error names the first value that is
    impossible for any text, and its row."""
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
    possible = (rows >= -slack) & (rows < np.inf)
    for row, column in np.argwhere(~possible) if not possible.all() else ():
        value = f"{names[column]} is {rows[row, column]:g}"
        raise InputError(f"statistics, row {row + 1}: {value}, but counts must be numbers of at least 0")
    matches = [layout.hypothesis_matches, layout.reference_matches]
    lengths = [layout.hypothesis_length, layout.reference_length]
    for row, side in np.argwhere(rows[:, matches] > rows[:, lengths] + slack):
        many, few = matches[side], lengths[side]
        found = f"{names[many]} is {rows[row, many]:g}, but {names[few]} is {rows[row, few]:g}"
        raise InputError(f"statistics, row {row + 1}: {found}; at most all words can match")
    rows[rows < 0] = 0
    return rows


def aggregate(statistics: Statistics, formula: Formula = JAVA) -> Integers:
    """The corpus statistics of segment statistics: the sums of the columns. But a segment that is matched
    completely and in one chunk adds no chunk, unless the formula penalises it as any other."""
    return _core.aggregate(_rows(statistics), formula.core).astype(np.int64)


def contributions(statistics: Statistics, formula: Formula = JAVA) -> Statistics:
    """What each segment adds to the corpus statistics: rows whose sum is that of `aggregate`."""
    rows = np.array(statistics)
    if formula.whole == "unpenalised":
        # The core knows which segments are matched completely and in one chunk: their penalty is 0.
        plain = Parameters(alpha=0.5, beta=1.0, gamma=1.0, delta=0.5, weights=(), formula=formula)
        for start in range(0, len(rows), PIECE):
            piece = rows[start : start + PIECE]
            whole = evaluate(piece, plain)[:, COMPONENTS.index("penalty")] == 0
            piece[whole, layout_of(rows).chunks] -= 1
    return rows
