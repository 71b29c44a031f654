"""Tuning on n-best lists, slow and obvious: choose every sentence's hypothesis by looking at all of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np

from bolide._support.arrays import Floats, Integers
from bolide.mert import MertProblem


def chosen_at(problem: MertProblem, weights: Any) -> Integers:
    """For each row of weights and each sentence, the first hypothesis with the highest model score."""
    scores = np.asarray(weights) @ problem.nbest.features.T.astype(np.asarray(weights).dtype)
    blocks = pairwise(problem.nbest.offsets.tolist())
    return np.stack([first + np.argmax(scores[:, first:last], axis=1) for first, last in blocks], axis=1)


def values_of(problem: MertProblem, choices: Integers) -> Floats:
    """The objective of each row of hypotheses."""
    rows = problem.statistics[problem.nbest.text_of[choices]]
    return problem.objective(rows.sum(axis=1))


def value_of(problem: MertProblem, hypotheses: Sequence[int]) -> float:
    return float(values_of(problem, np.array([hypotheses]))[0])


def all_values(problem: MertProblem) -> Floats:
    """The objective of every possible choice."""
    blocks = [range(first, last) for first, last in pairwise(problem.nbest.offsets.tolist())]
    return values_of(problem, np.array(list(product(*blocks))))
