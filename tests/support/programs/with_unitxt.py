"""The two METEOR classes of unitxt."""

from __future__ import annotations

from typing import Any

from unitxt.metrics import Meteor, MeteorFast

from tests.support.programs import GROUPS, HYPOTHESES


def scores() -> list[Any]:
    one, other = Meteor(), MeteorFast()
    found: list[Any] = []
    for hypothesis, references in zip(HYPOTHESES, GROUPS, strict=True):
        found += [one.compute(references, hypothesis, {}), other.map(hypothesis, references, {})]
    return found
