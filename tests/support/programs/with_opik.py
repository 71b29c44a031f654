"""The METEOR of Opik."""

from __future__ import annotations

from typing import Any

from opik.evaluation.metrics import METEOR

from tests.support.programs import GROUPS, HYPOTHESES


def scores() -> list[Any]:
    metric = METEOR(alpha=0.8, track=False)
    return [metric.score(text, group).value for text, group in zip(HYPOTHESES, GROUPS, strict=True)]
