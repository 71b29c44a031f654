"""Oracles: the best and the worst hypotheses in the lists.

A corpus score is not a sum of sentence scores, so the best hypotheses cannot be chosen sentence by sentence.
The search starts with the best hypothesis of each sentence. Then each sentence in turn takes the hypothesis
with the best corpus score, until nothing changes. For TER this is the optimum, because the lengths of the
references do not depend on the hypotheses. For other metrics, no change of a single sentence improves it.
"""

from __future__ import annotations

import numpy as np

from bolide._support.arrays import Integers
from bolide.mert.problem import MertProblem

MOST_ROUNDS = 100
# Rounding error of a sum in another order.
SLACK = 1e-9


def oracle(problem: MertProblem, *, worst: bool = False) -> Integers:
    """The best hypotheses, or the worst."""
    sign = -1.0 if worst else 1.0
    nbest, gains = problem.nbest, sign * problem.of_sentences
    chosen = np.array([a + int(np.argmax(gains[a:b])) for a, b in nbest.blocks], dtype=np.int64)
    rows = problem.rows(np.arange(len(nbest)))
    total = rows[chosen].sum(axis=0)
    value = sign * float(problem.objective(total)[0])
    for _ in range(MOST_ROUNDS):
        before = value
        for sentence, (a, b) in enumerate(nbest.blocks):
            without = total - rows[chosen[sentence]]
            values = sign * problem.objective(without + rows[a:b])
            k = int(np.argmax(values))
            if values[k] > value + SLACK:
                chosen[sentence], value = a + k, float(values[k])
                total = without + rows[a + k]
        if value <= before:
            break
    return chosen
