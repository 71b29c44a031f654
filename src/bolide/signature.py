"""Signatures: one line that says which METEOR a score is.

    meteor|version:1.5|lang:en|task:rank|norm:yes|case:lower|modules:ex.st.sy.pa|refs:1|aligner:beam40|pack:3f9a0c1e|bolide:0.1.0

Whatever differs from the profile's defaults is named: parameters, weights, characters, search weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bolide._version import __version__
from bolide.profiles import SEARCH_WEIGHTS, short_hash

if TYPE_CHECKING:
    from bolide.metric import Meteor

# normalize= → (norm, case)
NORMALIZATION = {
    "keep-punctuation": ("yes", "lower"),
    "no-punctuation": ("nopunct", "lower"),
    "lower": ("no", "lower"),
    "none": ("no", "mixed"),
}


def references_field(counts: tuple[int, int] | int | None) -> str:
    """`refs`: a number, a range where segments differ, `?` before anything was scored.

    >>> references_field((1, 3))
    '1-3'
    """
    if counts is None:
        return "?"
    low, high = (counts, counts) if isinstance(counts, int) else counts
    return str(low) if low == high else f"{low}-{high}"


def _number(value: float) -> str:
    """The shortest digits that are this number and no other.

    >>> _number(1.0), _number(0.6), _number(0.1234567891)
    ('1', '0.6', '0.1234567891')
    """
    short = f"{value:g}"
    return short if float(short) == value else repr(float(value))


def _search_weights(weights: Mapping[str, float]) -> str:
    """Their name, or the numbers themselves."""
    name = next((name for name, known in SEARCH_WEIGHTS.items() if known == weights), None)
    return name or "_".join(f"{module}={_number(weight)}" for module, weight in sorted(weights.items()))


def signature(meteor: Meteor, references: tuple[int, int] | int | None = None, unproven: int = 0) -> str:
    """The scorer's signature, for scores with so many references a segment, and so many alignments that are
    not proven optimal."""
    norm, case = NORMALIZATION[meteor.normalize]
    fields = {
        "version": meteor.profile.name,
        **({"profile": meteor.profile.hash} if meteor.profile.hash else {}),
        "lang": meteor.language.code,
        "task": meteor.task,
        "norm": norm,
        "case": case,
        "modules": ".".join(meteor.module_labels),
    }
    if meteor.custom_parameters:
        p = meteor.parameters
        fields["params"] = "_".join(map(_number, (p.alpha, p.beta, p.gamma, p.delta)))
        fields["weights"] = "_".join(map(_number, p.weights))
    if meteor.characters:
        fields["unit"] = "characters"
    if meteor.stop_words:
        fields["stop"] = short_hash("\n".join(sorted(meteor.stop_words)).encode())
    union = "union" if meteor.references == "union" else ""
    fields["refs"] = references_field(references) + union
    fields["aligner"] = f"{meteor.aligner}{meteor.beam}" if meteor.aligner == "beam" else meteor.aligner
    if unproven:
        fields["unproven"] = str(unproven)
    if meteor.search_weights != meteor.profile.search_weights:
        fields["search"] = _search_weights(meteor.search_weights)
    if meteor.synonyms is not None:
        fields["synonyms"] = meteor.synonyms.hash
    fields["pack"] = meteor.pack.hash or "none"
    fields["bolide"] = __version__
    return "|".join(["meteor", *(f"{key}:{value}" for key, value in fields.items())])
