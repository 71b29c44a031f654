"""Settings from a signature: the same ones, or an error that tells what else is needed.

A signature holds hashes of what it cannot hold itself: a custom profile, custom matchers, stop words, packs.
The caller must give these, and they must have the same hash. At the end the signature of the new settings is
compared with the given one.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable
from typing import Any

from bolide import profiles, resources
from bolide._version import __version__
from bolide.errors import ConfigurationError
from bolide.matching import custom
from bolide.matching.matchers import AnyMatcher, Module
from bolide.profiles import Profile
from bolide.resources import Pack, manifest, thesauri
from bolide.scoring.packs import AnyPack
from bolide.scoring.resolve import Choices, choose, open_packs
from bolide.scoring.settings import DEFAULT_BEAM, Settings
from bolide.scoring.signature import NORMALIZATION, Signature

ALIGNER = re.compile(r"([a-z]+)(\d*)")

# What to do if a field is different.
REMEDIES = {
    "profile": "give the file of the profile (profile=)",
    "stop": "give the same stop words (stop_words=)",
    "synonyms": "give the pack of synonyms that has this hash (synonyms=), or install its source: "
    "bolide resources install {lang} --synonyms SOURCE",
    "frequencies": "scorers use the installed word frequencies; to install them: bolide resources install "
    "{lang} --frequencies",
    "pack": "give the language pack that has this hash (resources=)",
    "modules": "give the same matchers (matchers=)",
    "seg": "install the same versions of its packages",
}


def arguments(
    signature: Signature,
    *,
    profile: str | os.PathLike[str] | Profile | None = None,
    matchers: Iterable[AnyMatcher] = (),
    stop_words: str | os.PathLike[str] | Iterable[str] | None = None,
    synonyms: AnyPack | None = None,
    resources: AnyPack | None = None,
) -> dict[str, Any]:
    """The arguments of `Meteor` for a signature and what it cannot hold."""
    chosen = signature.find_profile(None if profile is None else profiles.get(profile))
    aligner, width = _aligner(signature["aligner"])
    normalization = {fields: name for name, fields in NORMALIZATION.items()}
    norm = signature["norm"], signature["case"]
    if norm not in normalization:
        raise ConfigurationError(f"signature: norm:{norm[0]} and case:{norm[1]} do not fit together")
    if signature.get("stop") and stop_words is None:
        raise ConfigurationError(
            f"the signature has stop words (hash {signature['stop']}): {REMEDIES['stop']}"
        )
    found = {
        "profile": chosen,
        "language": signature["lang"],
        "task": signature["task"] if signature["task"] in chosen.tasks else None,
        "modules": _modules(signature, matchers),
        "normalize": normalization[norm],
        "unit": signature.get("unit") or "words",
        "segmentation": signature.get("seg", "").partition("-")[0] or None,
        "aligner": aligner,
        "search_weights": _search_weights(signature, chosen, aligner),
        "beam": width,
        "references": signature.reference_use,
        "stop_words": stop_words,
        "synonyms": _synonyms(signature, chosen) if synonyms is None else synonyms,
        # If the signature has no pack, none is opened.
        "resources": Pack(signature["lang"])
        if resources is None and signature["pack"] == "none"
        else resources,
        **_numbers(signature),
    }
    return {name: value for name, value in found.items() if value is not None}


def reproduce(text: str | Signature, threads: int | None = None, **further: Any) -> Settings:
    """The settings of a signature; `further` is what the signature cannot hold (see `arguments`)."""
    signature = text if isinstance(text, Signature) else Signature.parse(text)
    return open_signature(signature, choose_signature(signature, threads, **further))


def choose_signature(signature: Signature, threads: int | None = None, **further: Any) -> Choices:
    """The first step, which opens no pack by its name."""
    return choose(**arguments(signature, **further), threads=threads)


def open_signature(signature: Signature, choices: Choices) -> Settings:
    """The second step. Raises an error if the settings have another signature."""
    settings = open_packs(choices)
    found = Signature(tuple({**Signature.of(settings), **_of_scores(signature)}.items()))
    profile = settings.profile
    differing = signature.completed(profile).difference(found.completed(profile))
    made_by = differing.pop("bolide", (__version__, None))[0]
    for key, (wanted, got) in differing.items():
        remedy = REMEDIES.get(key, "the signature contradicts itself").format(lang=signature["lang"])
        raise ConfigurationError(f"the signature has {key}:{wanted}, this scorer would have {got}: {remedy}")
    if made_by != __version__:
        warnings.warn(
            f"the signature was made by bolide {made_by}, this is {__version__}: scores may differ",
            stacklevel=3,
        )
    return settings


def _of_scores(signature: Signature) -> dict[str, str]:
    """The fields that describe scores, not the scorer."""
    return {key: signature[key] for key in ("refs", "unproven") if key in signature}


def _aligner(value: str) -> tuple[str, int]:
    name, width = ALIGNER.fullmatch(value).groups()  # type: ignore[union-attr]  # parsed already
    return name, int(width or DEFAULT_BEAM)


def _modules(signature: Signature, given: Iterable[AnyMatcher]) -> list[Module]:
    by_label = {custom.label(custom.checked(matcher)): matcher for matcher in given}
    unused = [label for label in by_label if label not in signature.matchers]
    missing = [label for label in signature.matchers if label not in by_label]
    if missing or unused:
        found = f", not {', '.join(unused)}" if unused else ""
        wanted = ", ".join(missing) or "none"
        raise ConfigurationError(
            f"the signature has custom matchers (NAME@HASH): {wanted}{found}; {REMEDIES['modules']}"
        )
    return [
        by_label.get(label, name) for label, name in zip(signature.labels, signature.modules, strict=True)
    ]


def _search_weights(signature: Signature, profile: Profile, aligner: str) -> Any:
    """None if they follow from the profile and the aligner."""
    given = signature.get("search")
    if given is None:
        # `Meteor` has other weights for the exact aligner if the profile has another aligner.
        return profile.search_weights if aligner == "exact" != profile.aligner else None
    if "=" not in given:
        return given
    # exact=1.0_my_module=0.5: names may have underscores, numbers do not.
    module, *others = given.split("=")
    weights = {}
    for other in others:
        weight, _, following = other.partition("_")
        weights[module] = _float("search", weight)
        module = following
    return weights


def _numbers(signature: Signature) -> dict[str, Any]:
    numbers: dict[str, Any] = {}
    for key, names in (("params", profiles.NUMBERS), ("weights", ())):
        if key in signature:
            values = [_float(key, value) for value in signature[key].split("_")]
            numbers |= dict(zip(names, values, strict=True)) if names else {key: values}
    return numbers


def _float(key: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ConfigurationError(f"signature: {key} needs numbers, not '{text}'") from None


def _synonyms(signature: Signature, profile: Profile) -> Pack | None:
    """The installed pack of synonyms with the hash of the signature. None if the profile names it anyway, or
    if there is none; then the comparison at the end reports it."""
    wanted = signature.get("synonyms")
    if wanted is None or profile.synonyms is not None:
        return None
    for entry in thesauri.entries():
        if entry.language == signature["lang"] and manifest.exists(entry.folder):
            found = resources.open_synonyms(str(entry.source), entry.language)
            if found.hash == wanted:
                return found
    return None
