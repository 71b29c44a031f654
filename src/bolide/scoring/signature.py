"""Signatures: one line that tells which METEOR computed a score.

    meteor|version:1.5|lang:en|task:rank|norm:yes|case:lower|modules:ex.st.sy.pa|refs:1|aligner:beam40|pack:3f9a0c1e|bolide:0.1.0

Everything that differs from the defaults of the profile is named: parameters, weights, characters, search
weights. The short form has shorter keys. The long form has the full names of modules, and the numbers that
the other forms leave to the profile. All forms can be parsed:

>>> line = "meteor|v:1.5|l:en|t:rank|n:yes|c:lower|m:ex.st.sy.pa|#:1|a:beam40|p:3f9a0c1e|b:0.1.0"
>>> signature = Signature.parse(line)
>>> print(signature)
meteor|version:1.5|lang:en|task:rank|norm:yes|case:lower|modules:ex.st.sy.pa|refs:1|aligner:beam40|pack:3f9a0c1e|bolide:0.1.0
>>> signature.format("short") == line
True
>>> signature.difference(Signature.parse(line.replace("rank", "adq").replace("#:1", "#:4")))["refs"]
('1', '4')
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bolide import profiles
from bolide._support import checks
from bolide._version import __version__
from bolide.errors import ConfigurationError, unknown
from bolide.formula.parameters import Parameters
from bolide.matching.modules import MODULES
from bolide.profiles import INFORMATION, SEARCH_WEIGHTS, Profile, short_hash
from bolide.scoring.settings import DEFAULT_BEAM, WORDS_ONLY

if TYPE_CHECKING:
    from bolide.scoring.settings import Settings

# normalize= → (norm, case)
NORMALIZATION = {
    "keep-punctuation": ("yes", "lower"),
    "keep-case": ("yes", "mixed"),
    "no-punctuation": ("nopunct", "lower"),
    "lower": ("no", "lower"),
    "none": ("no", "mixed"),
}
FORMS = ("standard", "short", "long")
NUMBER = r"[-+.0-9e]+"
NUMBERS = rf"{NUMBER}(_{NUMBER})*"
HASH = r"[0-9a-f]+"
NAME = r"[A-Za-z0-9._-]+"


@dataclass(frozen=True)
class SignatureField:
    """A field that a signature may have."""

    short: str  # its key in the short form
    pattern: str  # of the value
    meaning: str
    required: bool = False


FIELDS: Mapping[str, SignatureField] = {
    "version": SignatureField("v", NAME, "profile", required=True),
    "profile": SignatureField("f", HASH, "hash of a custom profile"),
    "lang": SignatureField("l", "[a-z]+", "language", required=True),
    "task": SignatureField("t", NAME, "task, which has the parameters", required=True),
    "norm": SignatureField("n", "yes|no|nopunct", "text is normalized and split into words", required=True),
    "case": SignatureField("c", "lower|mixed", "case of the words compared", required=True),
    "modules": SignatureField("m", r"[A-Za-z0-9_@.-]+", "modules", required=True),
    "params": SignatureField("o", rf"{NUMBER}(_{NUMBER}){{3}}", "alpha, beta, gamma, delta"),
    "weights": SignatureField("w", NUMBERS, "weights of the modules"),
    "seg": SignatureField("e", r"[a-z]+(-[A-Za-z0-9_.+!]+)*", "segmenter, with versions of packages"),
    "unit": SignatureField("u", "words|characters|information|squared-bits", "what is counted"),
    "stop": SignatureField("s", HASH, "hash of the stop words, which the exact module ignores"),
    "refs": SignatureField(
        "#", r"(\?|\d+|\d+-\d+)(union|all|pool)?", "references per segment", required=True
    ),
    "aligner": SignatureField("a", r"beam\d+|exact\d*|staged|greedy|repeat", "aligner", required=True),
    "unproven": SignatureField("x", r"\d+", "alignments not proven optimal"),
    "search": SignatureField("g", r"[a-z]+|[A-Za-z0-9_=.+-]+", "weights in the alignment search"),
    "synonyms": SignatureField("y", rf"none|{HASH}", "hash of the pack of synonyms"),
    "frequencies": SignatureField("q", rf"none|{HASH}", "hash of the word frequencies"),
    "pack": SignatureField("p", rf"none|{HASH}", "hash of the language pack", required=True),
    "bolide": SignatureField("b", r"[^|\s]+", "version of bolide", required=True),
}
_FULL = {**{key: key for key in FIELDS}, **{row.short: key for key, row in FIELDS.items()}}
_SHORT_MODULES = {name: module.short for name, module in MODULES.items()}
_MODULES = {short: name for name, short in _SHORT_MODULES.items()}


@dataclass(frozen=True)
class Signature(Mapping[str, str]):
    """The fields of a signature, by their full keys. Modules have their short names."""

    fields: tuple[tuple[str, str], ...]

    @classmethod
    def of(
        cls, settings: Settings, references: tuple[int, int] | int | None = None, unproven: int = 0
    ) -> Signature:
        """The signature of settings, for scores with this number of references per segment (or the fewest and
        the most), and this number of alignments that are not proven optimal."""
        return cls(tuple((key, value) for key, value in _values(settings, references, unproven) if value))

    @classmethod
    def parse(cls, text: str) -> Signature:
        """The signature in a line of any of the three forms. An error tells what is wrong with the line."""
        head, *rest = text.strip().split("|") if isinstance(text, str) else [""]
        if head != "meteor" or not rest:
            raise ConfigurationError(
                f"a signature must begin with 'meteor|version:' or 'meteor|v:', not with {text!r}"
            )
        found: dict[str, str] = {}
        for part in rest:
            given, colon, value = part.partition(":")
            key = _FULL.get(given, "")
            if not colon or not key:
                raise ConfigurationError(f"signature: {unknown('field', given, FIELDS)}")
            if key in found:
                raise ConfigurationError(f"signature: '{key}' occurs twice")
            if not re.fullmatch(FIELDS[key].pattern, value):
                raise ConfigurationError(f"signature: {key} ({FIELDS[key].meaning}) cannot be '{value}'")
            found[key] = value
        if lacking := [key for key, row in FIELDS.items() if row.required and key not in found]:
            raise ConfigurationError(f"signature: it lacks {', '.join(lacking)}; give the whole line")
        found["modules"] = ".".join(_SHORT_MODULES.get(label, label) for label in found["modules"].split("."))
        return cls(tuple((key, found[key]) for key in FIELDS if key in found))

    def __getitem__(self, key: str) -> str:
        return dict(self.fields)[key]

    def __iter__(self) -> Iterator[str]:
        return (key for key, _ in self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __str__(self) -> str:
        return self.format()

    def format(self, form: str = "standard", profile: Profile | None = None) -> str:
        """The signature as one line, in the "standard", "short" or "long" form. The long form of a custom
        profile needs that `profile`."""
        checks.choice("form", form, FORMS)
        if form == "long":
            full = self.completed(profile)
            modules = ".".join(_MODULES.get(label, label) for label in full.labels)
            values = {**full, "modules": modules}
        else:
            values = dict(self)
        keys = {key: FIELDS[key].short if form == "short" else key for key in values}
        return "|".join(["meteor", *(f"{keys[key]}:{value}" for key, value in values.items())])

    def completed(self, profile: Profile | None = None) -> Signature:
        """The signature with what it leaves to the profile: parameters, weights, unit, search weights."""
        found = dict(self)
        if not {"params", "weights", "search"} <= set(self) or "unit" not in self:
            profile = self.find_profile(profile)
            if "params" not in found:
                row = profile.parameters(self["task"], self["lang"], self.modules)
                found |= _numbers_of(row)
            found.setdefault("unit", "words")
            if self["aligner"] not in WORDS_ONLY:
                found.setdefault("search", _search_weights(profile.search_weights))
        return Signature(tuple((key, found[key]) for key in FIELDS if key in found))

    def difference(self, other: Signature) -> dict[str, tuple[str | None, str | None]]:
        """The fields that differ, each with both values. What only one of them leaves to the profile is
        looked up, if it is a built-in profile."""
        one, two = (_completed_or_same(signature) for signature in (self, other))
        keys = [key for key in FIELDS if key in one or key in two]
        pairs = {key: (one.get(key), two.get(key)) for key in keys}
        return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}

    def find_profile(self, given: Profile | None = None) -> Profile:
        """The profile of the signature: the built-in one, or the given one, which must be the same."""
        name, wanted = self["version"], self.get("profile", "")
        if given is None and wanted:
            raise ConfigurationError(
                f"the signature has a custom profile, '{name}' with hash {wanted}: give its file (profile=)"
            )
        found = profiles.get(name) if given is None else given
        if (found.name, found.hash) != (name, wanted):
            own = f" with hash {wanted}" if wanted else " (built-in)"
            has = f" with hash {found.hash}" if found.hash else " (built-in)"
            raise ConfigurationError(f"the signature has profile '{name}'{own}, not '{found.name}'{has}")
        return found

    @property
    def labels(self) -> tuple[str, ...]:
        """The modules: built-in ones by their short names, custom ones as NAME or NAME@HASH."""
        return tuple(self["modules"].split("."))

    @property
    def modules(self) -> tuple[str, ...]:
        """The names of the modules."""
        return tuple(_MODULES.get(label, label.partition("@")[0]) for label in self.labels)

    @property
    def matchers(self) -> tuple[str, ...]:
        """The labels of the custom matchers."""
        return tuple(label for label in self.labels if label not in _MODULES)

    @property
    def reference_use(self) -> str:
        """What is done with several references: "best", "union", "all" or "pool"."""
        return self["refs"].lstrip("?-0123456789") or "best"

    def described(self) -> list[tuple[str, str, str]]:
        """Key, value and meaning of each field."""
        shown = {**self, "modules": " ".join(self.modules)}
        return [(key, value, FIELDS[key].meaning) for key, value in shown.items()]


def references_field(counts: tuple[int, int] | int | None) -> str:
    """The value of `refs`: a number, a range if segments differ, or `?` if nothing was scored yet.

    >>> references_field((1, 3))
    '1-3'
    """
    if counts is None:
        return "?"
    given = counts if isinstance(counts, tuple) else (counts, counts)
    numbers = [checks.whole("references", count) for count in given]
    if len(numbers) != 2 or numbers != sorted(numbers):
        raise ConfigurationError(f"references must be a number, or fewest and most, not {counts!r}")
    low, high = numbers
    return str(low) if low == high else f"{low}-{high}"


def _number(value: float) -> str:
    """The shortest digits that stand for this number and no other.

    >>> _number(1.0), _number(0.6), _number(0.1234567891)
    ('1', '0.6', '0.1234567891')
    """
    short = f"{value:g}"
    return short if float(short) == value else repr(float(value))


def _search_weights(weights: Mapping[str, float]) -> str:
    """The name of the weights, or the numbers if they have no name."""
    name = next((name for name, known in SEARCH_WEIGHTS.items() if known == weights), None)
    return name or "_".join(f"{module}={_number(weight)}" for module, weight in sorted(weights.items()))


def _numbers_of(parameters: Parameters) -> dict[str, str]:
    p = parameters
    return {
        "params": "_".join(map(_number, (p.alpha, p.beta, p.gamma, p.delta))),
        "weights": "_".join(map(_number, p.weights)),
    }


def _completed_or_same(signature: Signature) -> Signature:
    try:
        return signature.completed()
    except ConfigurationError:
        return signature


def _unit(settings: Settings) -> str:
    """Words need not be mentioned, unless the profile counts something else."""
    return "" if settings.unit == "words" == (settings.profile.unit or "words") else settings.unit


def _frequencies(settings: Settings) -> str:
    if settings.unit not in INFORMATION:
        return ""
    return "none" if settings.frequencies is None else settings.frequencies.hash


def _aligner(settings: Settings) -> str:
    if settings.aligner in WORDS_ONLY:
        return settings.aligner
    # The exact aligner has a beam too, to fall back on.
    shown = settings.aligner == "beam" or settings.beam != DEFAULT_BEAM
    return f"{settings.aligner}{settings.beam if shown else ''}"


def _values(
    settings: Settings, references: tuple[int, int] | int | None, unproven: int
) -> Iterator[tuple[str, str]]:
    """All fields in their order, with "" if there is nothing to say."""
    profile = settings.profile
    norm, case = NORMALIZATION[settings.normalize]
    numbers = _numbers_of(settings.parameters) if settings.custom_parameters else {}
    stop_words = "\n".join(sorted(settings.stop_words)).encode("utf-8", "surrogatepass")
    own_search = settings.search_weights != profile.search_weights
    yield "version", profile.name
    yield "profile", profile.hash
    yield "lang", settings.language.code
    yield "task", settings.task
    yield "norm", norm
    yield "case", case
    yield "modules", ".".join(settings.module_labels)
    yield "params", numbers.get("params", "")
    yield "weights", numbers.get("weights", "")
    yield "seg", "" if settings.segmentation is None else settings.segmentation.label
    yield "unit", _unit(settings)
    yield "stop", short_hash(stop_words) if settings.stop_words else ""
    yield (
        "refs",
        references_field(references) + ("" if settings.references == "best" else settings.references),
    )
    yield "aligner", _aligner(settings)
    yield "unproven", str(checks.whole("unproven", unproven)) if unproven else ""
    yield "search", _search_weights(settings.search_weights) if own_search else ""
    yield "synonyms", "" if settings.synonyms is None else settings.synonyms.hash or "none"
    yield "frequencies", _frequencies(settings)
    yield "pack", settings.pack.hash or "none"
    yield "bolide", __version__
