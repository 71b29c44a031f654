"""Computes the score for the module of `evaluate`."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import chain

import numpy as np

import bolide
from bolide._support.arrays import Floats, Statistics
from bolide.compat.evaluate.tokens import token_lines
from bolide.formula.statistics import evaluate
from bolide.inputs.segments import by_segment
from bolide.scoring.corpus import Corpus
from bolide.scoring.resolve import ANY_NUMBERS, resolve


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
        corpus = Corpus(scorer.settings)
        corpus.add(scorer.measure(by_segment(predictions, groups)))
        return np.float64(corpus.score().score)
    segments = by_segment(predictions, groups)
    measured = scorer.measure(
        replace(
            segments,
            hypotheses=token_lines(predictions),
            references=token_lines(list(chain.from_iterable(groups))),
            pretokenized=True,
        )
    )
    return np.float64(np.mean(scorer.score(measured.statistics)))


class _NltkMeteor(bolide.Meteor):
    """A scorer whose scores may be negative, as in NLTK, because its parameters may be any numbers."""

    def _scores(self, rows: Statistics | Floats) -> Floats:
        fmean, penalty = evaluate(rows, self.parameters)[:, 3:5].T
        with np.errstate(invalid="ignore"):  # no matches
            return np.where(np.isfinite(fmean), (1 - penalty) * fmean, 0.0)


@lru_cache(maxsize=8)
def _scorer(
    profile: str, language: str, parameters: tuple[float | None, float | None, float | None]
) -> bolide.Meteor:
    alpha, beta, gamma = parameters
    if profile != "nltk":
        return bolide.Meteor(profile, language, alpha=alpha, beta=beta, gamma=gamma)
    settings = resolve(profile, language, limits=ANY_NUMBERS, alpha=alpha, beta=beta, gamma=gamma)
    return _NltkMeteor.from_settings(settings)
