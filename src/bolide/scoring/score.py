"""Scores: pure functions of statistics and parameters. The formula itself stands in core/score/score.cpp.

    P = Σ w·(δ·content + (1−δ)·function matches) / (δ·content + (1−δ)·function words), on the hypothesis
    R likewise, on the reference
    Fmean = P·R / (α·P + (1−α)·R)        penalty = γ·(chunks / matches)^β        score = Fmean·(1 − penalty)

Statistics are integer rows of 7 + 4·modules columns (see `columns`), one per segment; corpus scores, tuning
and significance tests need nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bolide import _core
from bolide.errors import InputError

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Statistics = npt.NDArray[np.integer]
Flags = npt.NDArray[np.uint8]

# The columns of a statistics row: four, then four for each module, then three.
HEAD_COLUMNS = (
    "hypothesis_length",
    "reference_length",
    "hypothesis_function_words",
    "reference_function_words",
)
MODULE_COLUMNS = ("hypothesis_content", "reference_content", "hypothesis_function", "reference_function")
TAIL_COLUMNS = ("chunks", "hypothesis_matches", "reference_matches")
# The columns of `evaluate`.
COMPONENTS = ("precision", "recall", "f1", "fmean", "penalty", "score")
# Rows worked on at a time, where a copy of all would be large.
PIECE = 1 << 16


@dataclass(frozen=True)
class Formula:
    """What METEORs write differently.

    `fmean`: "harmonic", 1 / ((1−α)/P + α/R), or "ratio", P·R / (α·P + (1−α)·R): the last digit differs.
    `power`: of the penalty, as "java" or the C "library" computes it: the last digit differs.
    `whole`: a segment matched completely and in one chunk is "unpenalised" or "penalised" like any other.
    """

    fmean: str = "harmonic"
    power: str = "java"
    whole: str = "unpenalised"

    @property
    def core(self) -> _core.Formula:
        return _core.Formula(self.fmean == "ratio", self.power == "library", self.whole == "unpenalised")


FORMULA_CHOICES = {
    "fmean": ("harmonic", "ratio"),
    "power": ("java", "library"),
    "whole": ("unpenalised", "penalised"),
}
JAVA = Formula()


@dataclass(frozen=True)
class Parameters:
    """α, β, γ, δ, one weight per module (modules beyond the weights do not count), and the formula."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]
    formula: Formula = JAVA

    def core(self) -> _core.Parameters:
        weights, formula = list(self.weights), self.formula.core
        return _core.Parameters(
            self.alpha, self.beta, self.gamma, self.delta, weights, formula, _java_powers()
        )


def columns(modules: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the statistics columns for these modules.

    >>> columns(("exact",))[4]
    'exact_hypothesis_content'
    """
    return HEAD_COLUMNS + tuple(f"{m}_{c}" for m in modules for c in MODULE_COLUMNS) + TAIL_COLUMNS


@lru_cache(maxsize=1)
def _java_powers() -> _core.Powers:
    """Fragmentation^β where Java's library rounds otherwise than the core (java_powers.tsv)."""
    path = Path(__file__).parent / "java_powers.tsv"
    rows = []
    for line in path.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            beta, chunks, matches, value = line.split("\t")
            rows.append((float(beta), int(chunks) / (int(matches) / 2), float(value)))
    return _core.Powers(rows)


def _rows(statistics: npt.ArrayLike) -> Floats:
    return np.ascontiguousarray(np.atleast_2d(statistics), dtype=np.float64)


def evaluate(statistics: npt.ArrayLike, parameters: Parameters) -> Floats:
    """Rows of precision, recall, f1, fmean, penalty, score for rows of statistics, which may be scaled sums.

    Components are NaN where there is nothing to divide by (no words, no matches); the score then is 0.
    """
    return _core.score(_rows(statistics), parameters.core())


def checked(statistics: npt.ArrayLike, modules: tuple[str, ...]) -> Statistics | Floats:
    """Rows of statistics, of segments or summed, as somebody hands them in. An error tells what no texts can
    have, and in which row."""
    try:
        rows = np.atleast_2d(np.array(statistics))
    except ValueError:  # rows of different lengths
        rows = np.empty(0, dtype=object)
    if rows.ndim != 2 or rows.dtype.kind not in "iuf":
        raise InputError("statistics must be rows of numbers, such as Meteor.statistics returns")
    names = columns(modules)
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
    for row, side in np.argwhere(rows[:, -2:] > rows[:, :2] + slack):
        found = f"{names[side - 2]} is {rows[row, side - 2]:g}, but {names[side]} {rows[row, side]:g}"
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
            piece[evaluate(piece, plain)[:, COMPONENTS.index("penalty")] == 0, -3] -= 1
    return rows


class _Readable:
    """A dataclass repr with four digits, so that a score can be read at a glance."""

    def __repr__(self) -> str:
        shown = []
        for f in fields(self):  # type: ignore[arg-type]
            value = getattr(self, f.name)
            if f.repr:
                shown.append(f"{f.name}={value:.4f}" if isinstance(value, float) else f"{f.name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"


@dataclass(frozen=True, repr=False)
class Score(_Readable):
    """A score with what it is made of. `float(score)` is the score itself."""

    score: float
    precision: float
    recall: float
    f1: float
    fmean: float
    penalty: float
    chunks: int
    hypothesis_matches: int
    reference_matches: int
    hypothesis_length: int
    reference_length: int
    # The alignment search met its bound (thousands of equal words): the score is an approximation.
    bounded: bool = False
    # The alignment is proven to be what the aligner's rule asks for.
    optimal: bool = True

    @property
    def matches(self) -> float:
        """Matched words, as the penalty counts them: the mean of the two sides."""
        return (self.hypothesis_matches + self.reference_matches) / 2

    def __float__(self) -> float:
        return self.score

    def _repr_html_(self) -> str:
        from bolide.explain.notebook import score_html

        return score_html(self)


@dataclass(frozen=True, repr=False)
class CorpusScore(Score):
    """The score of a corpus, from its summed statistics; `segments` holds each segment's score, `documents`
    each document's by its id, if segments were said to be parts of documents."""

    bounded: int = 0  # type: ignore[assignment]  # how many segments met the bound
    unproven: int = 0  # how many segments have an alignment that is not proven optimal
    segment_count: int = 0
    signature: str = ""
    eval_id: str | None = field(default=None, repr=False)  # what the Java release calls these settings
    segments: Floats | None = field(default=None, repr=False, compare=False)
    statistics: Statistics | None = field(default=None, repr=False, compare=False)
    # Of each segment: _core.BOUNDED, _core.UNPROVEN.
    flags: Flags | None = field(default=None, repr=False, compare=False)
    documents: Mapping[str, CorpusScore] | None = field(default=None, repr=False, compare=False)


def bounded_note(count: int) -> str:
    """What users are told of segments that met the bound of the alignment.

    >>> bounded_note(2)
    '2 segments met the bound of the alignment: their scores are approximate'
    """
    what, whose = ("segment", "its score is") if count == 1 else ("segments", "their scores are")
    return f"{count} {what} met the bound of the alignment: {whose} approximate"


def components(row: Statistics, parameters: Parameters) -> dict[str, float]:
    """The fields of a `Score` for one row of statistics; 0 where there is nothing to divide by."""
    values = dict(zip(COMPONENTS, evaluate(row, parameters)[0].tolist(), strict=True))
    numbers = {name: 0.0 if math.isnan(value) else value for name, value in values.items()}
    tail = dict(zip(TAIL_COLUMNS, (int(n) for n in row[-3:]), strict=True))
    return {**numbers, **tail, "hypothesis_length": int(row[0]), "reference_length": int(row[1])}
