"""Uses the class of nlg-eval as its own functions do, with its internals."""

from __future__ import annotations

from typing import Any

from nlgeval.pycocoevalcap.meteor.meteor import Meteor

from tests.support.programs import GROUPS, HYPOTHESES


def scores() -> list[Any]:
    scorer = Meteor()
    try:
        references = dict(enumerate(GROUPS))
        hypotheses = {image: [text] for image, text in enumerate(HYPOTHESES)}
        score, scores = scorer.compute_score(references, hypotheses)
        with scorer.lock:
            row = scorer._stat(HYPOTHESES[0], GROUPS[0])
        return [score, scores, row]
    finally:
        # nlg-eval's own class has it since version 2.2.
        getattr(scorer, "close", lambda: None)()
