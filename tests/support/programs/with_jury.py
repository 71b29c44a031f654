"""The METEOR of jury."""

from __future__ import annotations

from typing import Any

from jury import load_metric

from tests.support.programs import GROUPS, HYPOTHESES


def scores() -> list[Any]:
    found = load_metric("meteor").compute(predictions=[[text] for text in HYPOTHESES], references=GROUPS)
    return [found["meteor"]["score"]]
