"""The best and the worst that lists hold.

A corpus score is no sum of sentences' scores, so that the best choice of hypotheses cannot be read off
sentence by sentence. It is climbed to: from the choice with the best sentences, each sentence in turn takes
the hypothesis that makes the whole corpus best, until none changes. For TER, whose reference lengths do not
depend on the choice, that is the optimum; for others a score that can be reached, and that no change of a
single sentence improves.
"""

from __future__ import annotations

import numpy as np

from bolide._support.arrays import Integers
from bolide.mert.problem import MertProblem

MOST_ROUNDS = 100
# What a sum in another order can change.
SLACK = 1e-9


def oracle(problem: MertProblem, *, worst: bool = False) -> Integers:
    """The best choice of hypotheses (or the worst)."""
    sign = -1.0 if worst else 1.0
    nbest, gains = problem.nbest, sign * problem.of_sentences
    first, blocks = (
        nbest.offsets[:-1],
        list(zip(nbest.offsets[:-1].tolist(), nbest.offsets[1:].tolist(), strict=True)),
    )
    chosen = np.array([a + int(np.argmax(gains[a:b])) for a, b in blocks], dtype=np.int64)
    rows = problem.rows(np.arange(len(nbest)))
    total = rows[chosen].sum(axis=0)
    value = sign * float(problem.objective(total)[0])
    for _ in range(MOST_ROUNDS):
        before = value
        for sentence, (a, b) in enumerate(blocks):
            without = total - rows[chosen[sentence]]
            values = sign * problem.objective(without + rows[a:b])
            k = int(np.argmax(values))
            if values[k] > value + SLACK:
                chosen[sentence], value = first[sentence] + k, float(values[k])
                total = without + rows[a + k]
        if value <= before:
            break
    return chosen
