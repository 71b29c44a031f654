"""Calls NLTK by all the names under which it has METEOR."""

from __future__ import annotations

from typing import Any

import nltk
from nltk.translate import meteor, meteor_score
from nltk.translate.meteor_score import align_words, single_meteor_score

from tests.support.programs import GROUPS, HYPOTHESES


def scores() -> list[Any]:
    found: list[Any] = []
    for hypothesis, texts in zip(HYPOTHESES, GROUPS, strict=True):
        words, references = hypothesis.split(), [text.split() for text in texts]
        found += [meteor(references, words, alpha=0.8), nltk.meteor(references, words)]
        found.append(meteor_score.meteor_score(references, words, preprocess=str.upper))
        found.append(single_meteor_score(references[0], words))
        found.append([list(part) for part in align_words(words, references[0])[0]])
    return found
