"""Normalizes ratings per judge, because judges use a scale differently.

    none    unchanged
    z       for each judge: subtract the mean, divide by the standard deviation (WMT's direct assessment)
    mitre   gives the ratings of each judge the distribution of all ratings: a rating is replaced by the mean
            of all judges' ratings with the same relative ranks. So all judges end on one scale, and the order
            of the ratings of each judge stays.

Table 8 of the METEOR paper (Banerjee and Lavie 2005) uses ratings "normalized by a group at the MITRE
Corporation" without giving details. Matching the distributions per judge is our interpretation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from bolide._support import checks
from bolide._support.arrays import Floats
from bolide.errors import ConfigurationError
from bolide.evaluation.judgments import Judgments, Places


def _z(scores: Floats, judges: Places) -> Floats:
    """z-scores. A judge with constant ratings gets 0."""
    found = np.zeros(len(scores))
    for judge in np.unique(judges):
        own = scores[judges == judge]
        spread = own.std()
        found[judges == judge] = (own - own.mean()) / spread if spread > 0 else 0.0
    return found


def _mitre(scores: Floats, judges: Places) -> Floats:
    """The mean of the quantiles of all ratings, over the ranks of a rating."""
    pooled = np.sort(scores)
    # The integral of the pooled quantile function, at the edges of its steps.
    edges = np.linspace(0.0, 1.0, len(pooled) + 1)
    integral = np.append(0.0, np.cumsum(pooled) / len(pooled))
    found = np.zeros(len(scores))
    for judge in np.unique(judges):
        mine = judges == judge
        _, inverse, counts = np.unique(scores[mine], return_inverse=True, return_counts=True)
        bounds = np.append(0.0, np.cumsum(counts)) / counts.sum()
        areas = np.diff(np.interp(bounds, edges, integral))
        found[mine] = (areas / np.diff(bounds))[inverse]
    return found


METHODS: dict[str, Callable[[Floats, Places], Floats]] = {
    "none": lambda scores, judges: scores,
    "z": _z,
    "mitre": _mitre,
}


def normalised(judgments: Judgments, method: str) -> Judgments:
    """The same judgments with normalized ratings."""
    checks.choice("normalization", method, METHODS)
    if method == "none":
        return judgments
    if not judgments.has_ratings:
        raise ConfigurationError(f"{judgments.name} has no ratings to normalize")
    if len(judgments.judges) < 2:
        raise ConfigurationError(
            f"{judgments.name} has only one judge, and ratings are normalized per judge; add a column 'judge'"
        )
    ratings = judgments.ratings
    return replace(
        judgments, ratings=replace(ratings, scores=METHODS[method](ratings.scores, ratings.judges))
    )
