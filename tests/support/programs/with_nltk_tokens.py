"""What `with_evaluate` computes, by NLTK alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from nltk import word_tokenize
from nltk.translate.meteor_score import meteor_score

from tests.support.programs import GROUPS, HYPOTHESES, REFERENCES


def scores() -> list[Any]:
    single = [[text] for text in REFERENCES]
    return [mean(single), mean(GROUPS), mean(single)]


def mean(groups: list[list[str]]) -> float:
    pairs = zip(HYPOTHESES, groups, strict=True)
    tokens = [(list(map(word_tokenize, group)), word_tokenize(text)) for text, group in pairs]
    return float(np.mean([meteor_score(references, words) for references, words in tokens]))
