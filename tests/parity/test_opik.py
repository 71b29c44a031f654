"""bolide.compat.opik and the real Opik."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from bolide import Meteor
from bolide.compat.nltk import meteor_score
from bolide.compat.opik import meteor_fn

HYPOTHESIS, REFERENCES = "the cats sat on a rug", ["the cat sat on the rug", "cats sat here"]


def test_numbers(meteor: Any, nltk_reader: Any) -> None:
    """Opik's own function passes words to NLTK."""
    from nltk.translate.meteor_score import meteor_score as theirs

    meteor(profile="nltk")
    words = [text.split() for text in REFERENCES], HYPOTHESIS.split()
    assert meteor_fn(REFERENCES, HYPOTHESIS) == theirs(*words, wordnet=nltk_reader)
    assert meteor_fn(REFERENCES, HYPOTHESIS, alpha=0.5, gamma=0.3) == meteor_score(
        *words, alpha=0.5, gamma=0.3
    )


def test_other_profiles(english: Meteor) -> None:
    expected = english.sentence_score(HYPOTHESIS, REFERENCES).score
    assert partial(meteor_fn, profile="1.5")(REFERENCES, HYPOTHESIS) == expected
    assert meteor_fn(REFERENCES, HYPOTHESIS, profile="1.5", gamma=0.1) > expected


@pytest.mark.filterwarnings("ignore")
def test_in_opik(meteor: Any) -> None:
    meteor(profile="nltk")
    metrics = pytest.importorskip("opik.evaluation.metrics")
    metric = metrics.METEOR(meteor_fn=meteor_fn, track=False)
    assert metric.score(HYPOTHESIS, REFERENCES).value == meteor_fn(REFERENCES, HYPOTHESIS)
