"""Correlation coefficients of a metric and human judgments, as functions of arrays.

A weight is the number of times that an element counts. So a bootstrap sample is a vector of counts, and
nothing is copied.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from bolide._support import checks
from bolide._support.arrays import Floats
from bolide.errors import ConfigurationError, InputError
from bolide.evaluation.kendall import Ranked

TieRule = Literal["wmt14", "wmt12"]
# What a tie of the metric adds to the numerator of τ. In WMT12 and Java's Trainer, a tie is discordant. In
# WMT14 it counts in the denominator only.
TIE_RULES: dict[str, int] = {"wmt14": 0, "wmt12": -1}
# Scores are rounded to this many decimals before a comparison: equal scores may be rounded differently.
DECIMALS = 10


def pearson(x: npt.ArrayLike, y: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float:
    """Pearson's r, weighted if there are weights. NaN if one side is constant.

    >>> round(pearson([1, 2, 3], [1, 2, 4]), 4), round(pearson([1, 2, 3], [1, 2, 4], weights=[1, 1, 0]), 4)
    (0.982, 1.0)
    """
    a, b, w = _columns(x, y, weights)
    return float(pearson_columns(a[:, None], b[:, None], w[:, None])[0])


def pearson_columns(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Pearson's r of each column. Elements with weight 0 may be NaN."""
    x, y = np.where(weights > 0, x, 0.0), np.where(weights > 0, y, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        total = weights.sum(axis=0)
        dx = x - (weights * x).sum(axis=0) / total
        dy = y - (weights * y).sum(axis=0) / total
        # Scaled, so that squares of small differences do not underflow.
        dx, dy = _scaled(dx, weights), _scaled(dy, weights)
        r = (weights * dx * dy).sum(axis=0) / np.sqrt(
            (weights * dx * dx).sum(axis=0) * (weights * dy * dy).sum(axis=0)
        )
    varied = (_spread(x, weights) > 0) & (_spread(y, weights) > 0)
    found: Floats = np.where(varied, np.clip(r, -1, 1), np.nan)
    return found


def _spread(x: Floats, weights: Floats) -> Floats:
    """Largest minus smallest element with a weight: exactly 0 if nothing varies."""
    high = np.max(np.where(weights > 0, x, -np.inf), axis=0, initial=-np.inf)
    low = np.min(np.where(weights > 0, x, np.inf), axis=0, initial=np.inf)
    with np.errstate(invalid="ignore"):
        found: Floats = high - low
    return found


def _scaled(x: Floats, weights: Floats) -> Floats:
    largest = np.abs(np.where(weights > 0, x, 0.0)).max(axis=0, initial=0.0)
    return x / np.where(largest > 0, largest, 1.0)


def ranks(x: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> Floats:
    """Ranks from 1. Equal elements share their mean rank; an element with weight k takes k ranks.

    >>> ranks([10, 30, 30, 20]).tolist(), ranks([10, 20], weights=[3, 1]).tolist()
    ([1.0, 3.5, 3.5, 2.0], [2.0, 4.0])
    """
    a, _, w = _columns(x, x, weights)
    _, inverse = np.unique(a, return_inverse=True)
    places = np.bincount(inverse, weights=w)
    found: Floats = (np.cumsum(places) - (places - 1) / 2)[inverse]
    return found


def spearman(x: npt.ArrayLike, y: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> float:
    """Spearman's ρ: Pearson's r of ranks.

    >>> round(spearman([1, 2, 3, 4], [1, 2, 9, 3]), 4)
    0.8
    """
    a, b, w = _columns(x, y, weights)
    return pearson(ranks(a, w), ranks(b, w), w)


def kendall_b(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Kendall's τ-b. NaN if one side is constant.

    >>> round(kendall_b([1, 2, 3, 4], [1, 2, 9, 3]), 4)
    0.6667
    """
    a, b, _ = _columns(x, y, None)
    return Ranked(b).against(a).tau_b


def kendall_c(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Kendall's τ-c (Stuart's), for ratings with few values. NaN if one side is constant.

    >>> round(kendall_c([0.1, 0.2, 0.3, 0.4], [1, 1, 2, 2]), 4)
    1.0
    """
    a, b, _ = _columns(x, y, None)
    return Ranked(b).against(a).tau_c


def order(x: npt.ArrayLike, y: npt.ArrayLike, decimals: int | None = DECIMALS) -> npt.NDArray[np.int64]:
    """1 if x is larger than y, −1 if smaller, 0 if equal, after rounding."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if decimals is not None:
        a, b = np.round(a, decimals), np.round(b, decimals)
    return (a > b).astype(np.int64) - (a < b)


def kendall_pairs(
    better: npt.ArrayLike,
    worse: npt.ArrayLike,
    ties: TieRule = "wmt14",
    weights: npt.ArrayLike | None = None,
    *,
    decimals: int | None = DECIMALS,
) -> float:
    """Kendall's τ of pairwise judgments. `better` and `worse` are the metric's scores of the translations
    that judges found better and worse.

    τ = (concordant − discordant) / pairs. Ties of the metric are discordant with `ties="wmt12"`, as in Java's
    Trainer; with "wmt14" they count in the denominator only.

    >>> kendall_pairs([0.5, 0.5, 0.5, 0.5], [0.4, 0.3, 0.6, 0.5]), kendall_pairs([0.5], [0.5], ties="wmt12")
    (0.25, -1.0)
    """
    checks.choice("rule for ties", ties, TIE_RULES)
    a, b, w = _columns(better, worse, weights)
    gains = pair_gains(a, b, ties, decimals)
    total = w.sum()
    return float((w * gains).sum() / total) if total > 0 else float("nan")


def pair_gains(
    better: npt.ArrayLike, worse: npt.ArrayLike, ties: str = "wmt14", decimals: int | None = DECIMALS
) -> npt.NDArray[np.int64]:
    """What each pair adds to the numerator of τ: 1 if concordant, −1 if discordant, for ties by the rule."""
    found = order(better, worse, decimals)
    return np.where(found == 0, TIE_RULES[ties], found)


def pairwise_accuracy(metric: npt.ArrayLike, human: npt.ArrayLike) -> float:
    """The share of pairs of systems that the metric orders as judges do (Kocmi and others, 2021).

    >>> round(pairwise_accuracy([0.3, 0.2, 0.1], [80, 70, 75]), 4)
    0.6667
    """
    x, y, _ = _columns(metric, human, None)
    a, b = np.triu_indices(len(x), 1)
    return float(np.mean(order(x[a], x[b]) == order(y[a], y[b]))) if len(a) else float("nan")


class Calibration:
    """Pairs of translations, as differences of metric scores and of human scores.

    They are sorted once; then `accuracy` takes one pass for any weights. When ε reaches the difference of a
    pair, the pair becomes correct if the judges tie, and wrong if it was correct. Running sums of these
    changes give the number of correct pairs at every ε.
    """

    def __init__(self, metric: npt.ArrayLike, human: npt.ArrayLike) -> None:
        d, h, _ = _columns(metric, human, None)
        ascending = np.argsort(np.abs(d), kind="stable")
        self._order = ascending
        self._sizes = np.abs(d[ascending])
        agreed = (np.sign(d) * np.sign(h) > 0)[ascending]
        self._agreed = agreed.astype(np.float64)
        self._change = (h == 0)[ascending].astype(np.float64) - self._agreed
        # Pairs with equal differences become ties together: only the last of them may be chosen.
        self._last = np.append(self._sizes[1:] != self._sizes[:-1], True)[: len(d)]

    def accuracy(self, weights: npt.ArrayLike | None = None) -> tuple[float, float]:
        """The accuracy, and the smallest ε that gives it."""
        w = np.ones(len(self._order)) if weights is None else np.asarray(weights, dtype=np.float64)
        w = w[self._order]
        total = w.sum()
        if not total > 0:
            return float("nan"), 0.0
        # At ε = 0 only equal scores tie; then one difference after the other is added.
        # Not `w @ agreed`: the order in which BLAS adds depends on the CPU.
        right = (w * self._agreed).sum() + np.append(0.0, np.cumsum(w * self._change))
        sizes = np.append(0.0, self._sizes)
        right = np.where(np.append(not len(w) or self._sizes[0] > 0, self._last), right, -np.inf)
        best = int(np.argmax(right > right.max() - 1e-12 * total))
        return float(right[best] / total), float(sizes[best])


def calibrated_accuracy(
    metric: npt.ArrayLike, human: npt.ArrayLike, weights: npt.ArrayLike | None = None
) -> tuple[float, float]:
    """Pairwise accuracy with tie calibration, acc*_eq (Deutsch, Foster and Freitag 2023), and its ε.

    `metric` and `human` are differences, one element per pair of translations. Judges tie if their difference
    is 0, the metric if |difference| ≤ ε. A pair is correct if both tie or both have the same order. ε is the
    smallest value with the most correct pairs, by weight.

    >>> calibrated_accuracy([0.5, -0.01, 0.2], [1, 0, 1])
    (1.0, 0.01)
    """
    d, h, w = _columns(metric, human, weights)
    return Calibration(d, h).accuracy(w)


def _columns(
    x: npt.ArrayLike, y: npt.ArrayLike, weights: npt.ArrayLike | None
) -> tuple[Floats, Floats, Floats]:
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    w = np.ones(a.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape or w.shape != a.shape:
        raise InputError(
            f"arrays must have one dimension and equal lengths, not {a.shape}, {b.shape}, {w.shape}"
        )
    if np.isnan(a).any() or np.isnan(b).any():
        raise InputError("a score is NaN; leave out translations without a judgment or score")
    if not (w >= 0).all():
        raise ConfigurationError("weights must not be negative")
    return a, b, w
