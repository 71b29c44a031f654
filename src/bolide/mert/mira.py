"""Batch MIRA on n-best lists (Cherry and Foster 2012).

For each sentence, in random order: the *hope* is the hypothesis with the highest model score plus gain, and
the *fear* is the one with the highest model score minus gain. If the model does not prefer the hope by the
difference of their gains, the weights are changed as little as necessary, but at most by C times the
difference of features. The weights of an epoch are the mean of all its weights. The epoch with the highest
objective wins.

The gain of a hypothesis is what it adds to a running corpus of the hopes so far, with decay. So a corpus
metric such as BLEU needs no version for sentences.
"""

from __future__ import annotations

import numpy as np

from bolide._support.arrays import Floats
from bolide._support.progress import Advance, no_advance
from bolide.mert.och import Climb, ClimbStep
from bolide.mert.problem import MertProblem, WeightSpace

EPOCHS = 60
C = 0.01
DECAY = 0.999
POINTS = 100.0  # gains are scaled to 1, which is closer to the size of model scores


def mira(
    problem: MertProblem,
    space: WeightSpace,
    start: Floats,
    *,
    seed: int = 1,
    epochs: int = EPOCHS,
    c: float = C,
    progress: Advance = no_advance,
) -> Climb:
    """The weights of each epoch."""
    random = np.random.default_rng(seed)
    learner = _Learner(problem, space, start, c)
    steps = [ClimbStep(start, problem.value(start))]
    for epoch in range(1, epochs + 1):
        total = np.zeros_like(start)
        for sentence in random.permutation(problem.nbest.sentences).tolist():
            total += learner.learn(sentence)
        weights = total / problem.nbest.sentences
        steps.append(ClimbStep(weights, problem.value(weights), f"epoch {epoch}"))
        progress(epoch, epochs)
    return Climb("mira", tuple(steps))


class _Learner:
    def __init__(self, problem: MertProblem, space: WeightSpace, start: Floats, c: float) -> None:
        self._problem, self._space, self._c = problem, space, c
        self._rows = problem.statistics.astype(np.float64)
        self._weights = start.copy()
        self._background = np.zeros(problem.objective.columns)
        self._seen = 0.0  # number of sentences in the background, with decay

    def learn(self, sentence: int) -> Floats:
        """Updates the weights with a sentence, and returns them."""
        nbest = self._problem.nbest
        block = slice(*nbest.offsets[sentence : sentence + 2].tolist())
        features, rows = nbest.features[block], self._rows[nbest.text_of[block]]
        gains = (self._seen + 1) / POINTS * self._problem.objective(self._background + rows)
        model = features @ self._weights
        hope, fear = int(np.argmax(model + gains)), int(np.argmax(model - gains))
        way = np.where(self._space.free, features[hope] - features[fear], 0.0)
        loss = (gains[hope] - gains[fear]) - (model[hope] - model[fear])
        if loss > 0 and way.any():
            self._weights = self._space.clipped(self._weights + min(self._c, loss / (way @ way)) * way)
        self._background = DECAY * (self._background + rows[hope])
        self._seen = DECAY * (self._seen + 1)
        return self._weights
