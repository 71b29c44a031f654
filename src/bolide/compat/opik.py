"""METEOR for Opik's metric `METEOR`, without NLTK and its data.

from functools import partial

from bolide.compat.opik import meteor_fn
from opik.evaluation.metrics import METEOR

metric = METEOR(meteor_fn=meteor_fn)                          # the numbers of Opik
metric = METEOR(meteor_fn=partial(meteor_fn, profile="1.5"))  # METEOR as in its official release

>>> meteor_fn(["the cat sat on the rug"], "the cats sat on a rug")
0.7433333333333335
>>> round(meteor_fn(["the cat sat on the rug"], "the cats sat on a rug", profile="1.5"), 4)
0.4087
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bolide.compat.nltk import meteor_score
from bolide.scoring.meteor import Meteor


def meteor_fn(
    references: Sequence[str],
    hypothesis: str,
    *,
    profile: str = "nltk",
    alpha: float | None = None,
    beta: float | None = None,
    gamma: float | None = None,
) -> float:
    """The score of a text against its best reference. With the profile `nltk`, words are split at white
    space, as Opik does. Opik does not pass on its `alpha`, `beta` and `gamma`; use `partial` for them."""
    if profile != "nltk":
        return _scorer(profile, alpha, beta, gamma).sentence_score(hypothesis, list(references)).score
    tokens = [reference.split() for reference in references]
    return meteor_score(tokens, hypothesis.split(), alpha=alpha, beta=beta, gamma=gamma)


@lru_cache(maxsize=4)
def _scorer(profile: str, alpha: float | None, beta: float | None, gamma: float | None) -> Meteor:
    return Meteor(profile, alpha=alpha, beta=beta, gamma=gamma)
