"""Minimum Bayes risk decoding of n-best lists: of each sentence, the hypothesis with the highest expected
METEOR against the others.

A text has the weight of all lines that have it. Lines have equal weights, or weights by model score: then
hypotheses that are in several lists with the same features count once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from bolide._support import checks
from bolide._support.arrays import Floats
from bolide._support.progress import Advance, no_advance
from bolide.errors import ConfigurationError, InputError
from bolide.mert.lists import NBest
from bolide.mert.rerank import model_scores
from bolide.mert.weights import Weights
from bolide.scoring.decision import Choice, MbrPlan, PairScorer, decide, softmax

Posterior = tuple[list[str], Floats]  # the texts of a sentence, and their weights


def minimum_risk(
    nbest: NBest,
    scorer: PairScorer,
    plan: MbrPlan | None = None,
    *,
    scale: float | None = None,
    weights: Weights | None = None,
    progress: Advance = no_advance,
) -> list[Choice]:
    """The choice for each sentence among its texts, in the order of the lists. With `scale`, the weight of a
    hypothesis is proportional to exp(scale × model score): the score in the list, or that by `weights`.

    >>> from bolide import Meteor
    >>> texts = ["a dog", "the cat sat", "the cat"]
    >>> lists = NBest.of([[(text, {"lm": 0.0}) for text in texts]])
    >>> scorer = Meteor("linear", modules=["exact"], normalize="lower")
    >>> [choice.candidate for choice in minimum_risk(lists, scorer)]
    ['the cat sat']
    """
    return decide_posteriors(list(posteriors(nbest, scale, weights)), scorer, plan, progress=progress)


def decide_posteriors(
    found: Sequence[Posterior],
    scorer: PairScorer,
    plan: MbrPlan | None = None,
    *,
    progress: Advance = no_advance,
) -> list[Choice]:
    """The choice for each sentence."""
    texts, weights = [each[0] for each in found], [each[1] for each in found]
    return decide(scorer, texts, None, weights, plan, progress=progress)


def check_weighting(scale: float | None, weights: object) -> None:
    """Raises an error if model weights are not possible like this."""
    if scale is None:
        if weights is not None:
            raise ConfigurationError("weights are for model scores: give the scale too, for example 1")
        return
    checks.number("scale", scale, checks.AT_LEAST_0)


def posteriors(
    nbest: NBest, scale: float | None = None, weights: Weights | None = None
) -> Iterator[Posterior]:
    """The distinct texts of each sentence, with their weights, which sum to 1."""
    check_weighting(scale, weights)
    scores = None if scale is None else scale * _scores(nbest, weights)
    for start, stop in nbest.blocks:
        values = nbest.copies[start:stop] / nbest.copies[start:stop].sum()
        if scores is not None:
            values = softmax(scores[start:stop])
        numbers, first, of = np.unique(nbest.text_of[start:stop], return_index=True, return_inverse=True)
        sums = np.bincount(of, values).astype(np.float64)
        order = np.argsort(first)  # a text comes where it is first in the list
        yield [nbest.texts[k] for k in numbers[order].tolist()], sums[order]


def _scores(nbest: NBest, weights: Weights | None) -> Floats:
    if weights is not None:
        return model_scores(nbest, weights)
    if nbest.unlike:
        raise InputError(
            f"{nbest.unlike}: a hypothesis has another score than in a line before it; "
            "give the weights of the model (--weights), so that all scores are computed with them"
        )
    if np.isnan(nbest.scores).any():
        raise InputError("these lists have no scores: give the weights of the model")
    return nbest.scores
