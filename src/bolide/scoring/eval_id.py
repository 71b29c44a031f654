"""The Java Eval ID: the line with which the Java release names its settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from bolide._support.java_number import java_double
from bolide.language.languages import Language

if TYPE_CHECKING:
    from bolide.scoring.meteor import Meteor

PROFILE = "1.5"
SHORT_MODULES = {"exact": "ex", "stem": "st", "synonym": "sy", "paraphrase": "pa"}
# normalize= of the scorer → name in the evaluation ID
NORMALIZATIONS = {
    "keep-punctuation": "norm",
    "no-punctuation": "norm_nopunct",
    "lower": "lc_only",
    "none": "no_norm",
}


class _Named(Protocol):
    """Settings that an Eval ID names."""

    @property
    def language(self) -> Language: ...
    @property
    def modules(self) -> tuple[str, ...]: ...
    @property
    def normalize(self) -> str: ...
    @property
    def characters(self) -> bool: ...


def format_eval_id(settings: _Named, parameters: Sequence[float], weights: Sequence[float]) -> str:
    parts = (
        "meteor-1.5",
        "ch" if settings.characters else "wo",
        settings.language.java_code,
        NORMALIZATIONS[settings.normalize],
        "_".join(map(java_double, parameters)),
        "_".join(SHORT_MODULES[name] for name in settings.modules),
        "_".join(map(java_double, weights)),
    )
    return "-".join(parts)


def eval_id(meteor: Meteor) -> str | None:
    """The Eval ID that the Java release prints for these settings; None if it cannot have them."""
    known = (
        (meteor.profile.name, meteor.profile.hash) == (PROFILE, "")
        and set(meteor.modules) <= set(SHORT_MODULES)
        and meteor.aligner == "beam"
        and meteor.search_weights == meteor.profile.search_weights
        and meteor.references == "best"
        and not meteor.stop_words
        and meteor.synonyms is None
        and meteor.normalize in NORMALIZATIONS
        and (meteor.normalize in ("lower", "none") or meteor.language.normalizer is not None)
    )
    p = meteor.parameters
    return format_eval_id(meteor, (p.alpha, p.beta, p.gamma, p.delta), p.weights) if known else None
