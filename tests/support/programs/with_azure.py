"""The METEOR of Azure AI evaluation."""

from __future__ import annotations

from typing import Any

from azure.ai.evaluation import MeteorScoreEvaluator

from tests.support.programs import HYPOTHESES, REFERENCES


def scores() -> list[Any]:
    metric = MeteorScoreEvaluator(alpha=0.8, threshold=0.4)
    # Its tokenizer for other texts needs more data of NLTK.
    pairs = [pair for pair in zip(HYPOTHESES, REFERENCES, strict=True) if all(map(str.isascii, pair))]
    return [metric(response=hypothesis, ground_truth=reference) for hypothesis, reference in pairs]
