"""Calls the function, the class and the evaluation of aac-metrics."""

from __future__ import annotations

from typing import Any

from aac_metrics import METEOR
from aac_metrics.functional import evaluate, meteor

from tests.support.programs import GROUPS, HYPOTHESES


def scores() -> list[Any]:
    corpus, sentences = meteor(HYPOTHESES, GROUPS)
    other = meteor(HYPOTHESES, GROUPS, False, params=(0.5, 1.0, 0.3, 0.6), weights=(1.0, 0.5, 0.5, 0.2))
    metric = METEOR()
    metric.update(HYPOTHESES, GROUPS)
    tensors = [corpus["meteor"], sentences["meteor"], other, metric.compute()[0]["meteor"]]
    raw = [text.capitalize() + "!" for text in HYPOTHESES]
    evaluated, by_sentence = evaluate(raw, GROUPS, metrics=["meteor", "rouge_l"])
    tensors += [*evaluated.values(), *by_sentence.values()]
    return [[tensor.tolist(), str(tensor.dtype), list(tensor.shape)] for tensor in tensors]
