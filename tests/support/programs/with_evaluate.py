"""METEOR of Hugging Face's evaluate, alone and combined."""

from __future__ import annotations

from typing import Any

import evaluate

from tests.support.programs import GROUPS, HYPOTHESES, REFERENCES


def scores() -> list[Any]:
    one, other = evaluate.load("meteor"), evaluate.load("meteor", module_type="metric")
    both = evaluate.combine(["meteor"])
    return [
        float(one.compute(predictions=HYPOTHESES, references=REFERENCES)["meteor"]),
        float(other.compute(predictions=HYPOTHESES, references=GROUPS)["meteor"]),
        float(both.compute(predictions=HYPOTHESES, references=REFERENCES)["meteor"]),
    ]
