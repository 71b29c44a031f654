"""Reranks lists by weights: the best hypothesis of each sentence, or whole lists in a new order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bolide._support.arrays import Floats
from bolide.mert.features import FeatureLayout
from bolide.mert.lists import NBest
from bolide.mert.weights import Weights


def reranked(nbest: NBest, weights: Weights) -> list[str]:
    """The hypothesis of each sentence with the highest model score; of equal ones, the first.

    >>> lists = NBest.of([[("a", {"lm": -2.0}), ("b", {"lm": -1.0})], [("c", {"lm": -3.0})]])
    >>> reranked(lists, Weights.of({"lm": 1.0}))
    ['b', 'c']
    """
    scores = model_scores(nbest, weights)
    return nbest.texts_of(np.array([a + int(np.argmax(scores[a:b])) for a, b in nbest.blocks]))


def ranked(nbest: NBest, weights: Weights) -> Iterator[str]:
    """The lines of the lists, best first, with the new scores."""
    scores = model_scores(nbest, weights)
    for sentence in range(nbest.sentences):
        block = np.arange(nbest.offsets[sentence], nbest.offsets[sentence + 1])
        for k in block[np.argsort(-scores[block], kind="stable")].tolist():
            text, features = nbest.texts[nbest.text_of[k]], _written(nbest.layout, nbest.features[k])
            yield f"{sentence} ||| {text} ||| {features} ||| {scores[k]:.6g}"


def model_scores(nbest: NBest, weights: Weights) -> Floats:
    """Model scores, summed feature by feature as in the core, so that ties are the same."""
    found = np.zeros(len(nbest))
    for weight, values in zip(nbest.vector(weights).tolist(), nbest.features.T, strict=True):
        found += weight * values
    return found


def _written(layout: FeatureLayout, values: Floats) -> str:
    numbers = iter(values.tolist())
    return " ".join(
        " ".join([f"{name}="] * bool(name) + [repr(next(numbers)).removesuffix(".0") for _ in range(count)])
        for name, count in layout.groups
    )
