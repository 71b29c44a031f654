"""What the module for `evaluate` computes."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain

import numpy as np

import bolide
from bolide.compat.evaluate.tokens import word_tokenize
from bolide.score import evaluate
from bolide.segments import by_segment

Settings = tuple[float | None, float | None, float | None]


def meteor(
    predictions: list[str],
    references: list[str] | list[list[str]],
    profile: str = "nltk",
    language: str = "en",
    alpha: float | None = None,
    beta: float | None = None,
    gamma: float | None = None,
) -> np.float64:
    """The corpus score."""
    scorer = _scorer(profile, language, (alpha, beta, gamma))
    groups = [[group] if isinstance(group, str) else list(group) for group in references]
    if profile != "nltk":
        corpus = scorer.corpus()
        corpus.add_segments(by_segment(predictions, groups))
        return np.float64(corpus.score().score)
    tokens = iter(word_tokenize(list(chain.from_iterable(groups))))
    references_as_tokens = [[next(tokens) for _ in group] for group in groups]
    statistics, _ = scorer.best(by_segment(word_tokenize(predictions), references_as_tokens))
    return np.float64(np.mean(evaluate(statistics, scorer.parameters)[:, -1]))


@lru_cache(maxsize=8)
def _scorer(profile: str, language: str, parameters: Settings) -> bolide.Meteor:
    alpha, beta, gamma = parameters
    return bolide.Meteor(profile, language, alpha=alpha, beta=beta, gamma=gamma)
