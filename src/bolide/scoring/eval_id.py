"""The Java Eval ID: the line by which the Java release names its settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from bolide._support.java_number import java_double
from bolide.language.languages import Language
from bolide.profiles import INFORMATION

if TYPE_CHECKING:
    from bolide.scoring.settings import Settings

PROFILE = "1.5"
SHORT_MODULES = {"exact": "ex", "stem": "st", "synonym": "sy", "paraphrase": "pa"}
# normalize= of the scorer → its name in the Eval ID
NORMALIZATIONS = {
    "keep-punctuation": "norm",
    "no-punctuation": "norm_nopunct",
    "lower": "lc_only",
    "none": "no_norm",
}


class _EvalSettings(Protocol):
    """The settings that an Eval ID names."""

    @property
    def language(self) -> Language: ...
    @property
    def modules(self) -> tuple[str, ...]: ...
    @property
    def normalize(self) -> str: ...
    @property
    def unit(self) -> str: ...


def format_eval_id(settings: _EvalSettings, parameters: Sequence[float], weights: Sequence[float]) -> str:
    """The Eval ID of settings with these parameters."""
    parts = (
        "meteor-1.5",
        "ch" if settings.unit == "characters" else "wo",
        settings.language.java_code,
        NORMALIZATIONS[settings.normalize],
        "_".join(map(java_double, parameters)),
        "_".join(SHORT_MODULES[name] for name in settings.modules),
        "_".join(map(java_double, weights)),
    )
    return "-".join(parts)


def eval_id(settings: Settings) -> str | None:
    """The Eval ID that the Java release prints for these settings; None if it cannot have them."""
    profile, normalize = settings.profile, settings.normalize
    known = (
        (profile.name, profile.hash) == (PROFILE, "")
        and set(settings.modules) <= set(SHORT_MODULES)
        and settings.aligner == "beam"
        and settings.search_weights == profile.search_weights
        and settings.references == "best"
        and settings.unit not in INFORMATION
        and not settings.stop_words
        and settings.synonyms is None
        and normalize in NORMALIZATIONS
        and (normalize in ("lower", "none") or settings.language.normalizer is not None)
    )
    p = settings.parameters
    return format_eval_id(settings, (p.alpha, p.beta, p.gamma, p.delta), p.weights) if known else None
