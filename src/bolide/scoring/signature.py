"""Signatures: one line that says which METEOR a score is.

    meteor|version:1.5|lang:en|task:rank|norm:yes|case:lower|modules:ex.st.sy.pa|refs:1|aligner:beam40|pack:3f9a0c1e|bolide:0.1.0

Whatever differs from the profile's defaults is named: parameters, weights, characters, search weights. The
short form has shorter keys, the long form names modules in full and tells the numbers that the others leave
to the profile. All can be read back:

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
from bolide.profiles import SEARCH_WEIGHTS, Profile, short_hash
from bolide.scoring.configuration import WORDS_ONLY

if TYPE_CHECKING:
    from bolide.scoring.meteor import Meteor

# normalize= → (norm, case)
NORMALIZATION = {
    "keep-punctuation": ("yes", "lower"),
    "keep-case": ("yes", "mixed"),
    "no-punctuation": ("nopunct", "lower"),
    "lower": ("no", "lower"),
    "none": ("no", "mixed"),
}
FORMS = ("standard", "short", "long")
DEFAULT_BEAM = 40
NUMBER = r"[-+.0-9e]+"
NUMBERS = rf"{NUMBER}(_{NUMBER})*"
HASH = r"[0-9a-f]+"
NAME = r"[A-Za-z0-9._-]+"


@dataclass(frozen=True)
class Key:
    """What may stand in a signature."""

    short: str
    pattern: str  # of the value
    meaning: str
    required: bool = False


KEYS: Mapping[str, Key] = {
    "version": Key("v", NAME, "profile", required=True),
    "profile": Key("f", HASH, "hash of the profile's own file"),
    "lang": Key("l", "[a-z]+", "language", required=True),
    "task": Key("t", NAME, "task, which has the parameters", required=True),
    "norm": Key("n", "yes|no|nopunct", "text is normalised and split into words", required=True),
    "case": Key("c", "lower|mixed", "case of the words compared", required=True),
    "modules": Key("m", r"[A-Za-z0-9_@.-]+", "modules", required=True),
    "params": Key("o", rf"{NUMBER}(_{NUMBER}){{3}}", "alpha, beta, gamma, delta"),
    "weights": Key("w", NUMBERS, "weights of the modules"),
    "unit": Key("u", "words|characters", "what is counted"),
    "stop": Key("s", HASH, "hash of the stop words, which the exact module passes over"),
    "refs": Key("#", r"(\?|\d+|\d+-\d+)(union)?", "references a segment", required=True),
    "aligner": Key("a", r"beam\d+|exact\d*|staged|greedy", "aligner", required=True),
    "unproven": Key("x", r"\d+", "alignments not proven optimal"),
    "search": Key("g", r"[a-z]+|[A-Za-z0-9_=.+-]+", "weights in the alignment search"),
    "synonyms": Key("y", rf"none|{HASH}", "hash of the pack of synonyms"),
    "pack": Key("p", rf"none|{HASH}", "hash of the language pack", required=True),
    "bolide": Key("b", r"[^|\s]+", "version of bolide", required=True),
}
_FULL = {**{key: key for key in KEYS}, **{row.short: key for key, row in KEYS.items()}}
_SHORT_MODULES = {name: module.short for name, module in MODULES.items()}
_MODULES = {short: name for name, short in _SHORT_MODULES.items()}


@dataclass(frozen=True)
class Signature(Mapping[str, str]):
    """The fields of a signature, by their full keys; modules by their short names."""

    fields: tuple[tuple[str, str], ...]

    @classmethod
    def of(
        cls, meteor: Meteor, references: tuple[int, int] | int | None = None, unproven: int = 0
    ) -> Signature:
        """The scorer's, for scores with so many references a segment, and so many alignments that are not
        proven optimal."""
        return cls(tuple((key, value) for key, value in _values(meteor, references, unproven) if value))

    @classmethod
    def parse(cls, text: str) -> Signature:
        """From any of the three forms; an error says what is wrong with it."""
        head, *rest = text.strip().split("|") if isinstance(text, str) else [""]
        if head != "meteor" or not rest:
            raise ConfigurationError(f"a signature begins with 'meteor|version:', which {text!r} does not")
        found: dict[str, str] = {}
        for part in rest:
            given, colon, value = part.partition(":")
            key = _FULL.get(given, "")
            if not colon or not key:
                raise ConfigurationError(f"signature: {unknown('field', given, KEYS)}")
            if key in found:
                raise ConfigurationError(f"signature: '{key}' stands there twice")
            if not re.fullmatch(KEYS[key].pattern, value):
                raise ConfigurationError(f"signature: {key} ({KEYS[key].meaning}) cannot be '{value}'")
            found[key] = value
        if lacking := [key for key, row in KEYS.items() if row.required and key not in found]:
            raise ConfigurationError(f"signature: it lacks {', '.join(lacking)}; give the whole line")
        found["modules"] = ".".join(_SHORT_MODULES.get(label, label) for label in found["modules"].split("."))
        return cls(tuple((key, found[key]) for key in KEYS if key in found))

    def __getitem__(self, key: str) -> str:
        return dict(self.fields)[key]

    def __iter__(self) -> Iterator[str]:
        return (key for key, _ in self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __str__(self) -> str:
        return self.format()

    def format(self, form: str = "standard", profile: Profile | None = None) -> str:
        """As one line, in the "standard", "short" or "long" form. The long form of a profile of one's own
        needs that `profile`."""
        checks.choice("form", form, FORMS)
        if form == "long":
            full = self.completed(profile)
            modules = ".".join(_MODULES.get(label, label) for label in full.labels)
            values = {**full, "modules": modules}
        else:
            values = dict(self)
        keys = {key: KEYS[key].short if form == "short" else key for key in values}
        return "|".join(["meteor", *(f"{keys[key]}:{value}" for key, value in values.items())])

    def completed(self, profile: Profile | None = None) -> Signature:
        """With what it leaves to the profile: parameters, weights, unit, search weights."""
        found = dict(self)
        if not {"params", "weights", "search"} <= set(self) or "unit" not in self:
            profile = self.find_profile(profile)
            if "params" not in found:
                row = profile.parameters(self["task"], self["lang"], self.modules)
                found |= _numbers_of(row)
            found.setdefault("unit", "words")
            if self["aligner"] not in WORDS_ONLY:
                found.setdefault("search", _search_weights(profile.search_weights))
        return Signature(tuple((key, found[key]) for key in KEYS if key in found))

    def difference(self, other: Signature) -> dict[str, tuple[str | None, str | None]]:
        """The fields that differ, each with both values. What only one of them leaves to the profile is
        looked up, if the profile is one of bolide's."""
        one, two = (_completed_or_same(signature) for signature in (self, other))
        keys = [key for key in KEYS if key in one or key in two]
        pairs = {key: (one.get(key), two.get(key)) for key in keys}
        return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}

    def find_profile(self, given: Profile | None = None) -> Profile:
        """Bolide's own profile, or the one given, which must be the one of the signature."""
        name, wanted = self["version"], self.get("profile", "")
        if given is None and wanted:
            raise ConfigurationError(
                f"the signature is of a profile of one's own, '{name}' with hash {wanted}: give its file "
                "(profile=)"
            )
        found = profiles.get(name) if given is None else given
        if (found.name, found.hash) != (name, wanted):
            own = f" with hash {wanted}" if wanted else ", bolide's own"
            has = f" with hash {found.hash}" if found.hash else ", bolide's own"
            raise ConfigurationError(f"the signature is of profile '{name}'{own}, not '{found.name}'{has}")
        return found

    @property
    def labels(self) -> tuple[str, ...]:
        """The modules: built-in ones by their short names, others by name, or NAME@HASH."""
        return tuple(self["modules"].split("."))

    @property
    def modules(self) -> tuple[str, ...]:
        """The names of the modules."""
        return tuple(_MODULES.get(label, label.partition("@")[0]) for label in self.labels)

    @property
    def matchers(self) -> tuple[str, ...]:
        """The labels of matchers that are not bolide's."""
        return tuple(label for label in self.labels if label not in _MODULES)

    def described(self) -> list[tuple[str, str, str]]:
        """Key, value and meaning of each field."""
        shown = {**self, "modules": " ".join(self.modules)}
        return [(key, value, KEYS[key].meaning) for key, value in shown.items()]


def references_field(counts: tuple[int, int] | int | None) -> str:
    """`refs`: a number, a range where segments differ, `?` before anything was scored.

    >>> references_field((1, 3))
    '1-3'
    """
    if counts is None:
        return "?"
    given = counts if isinstance(counts, tuple) else (counts, counts)
    numbers = [checks.positive("references", count) for count in given]
    if len(numbers) != 2 or numbers != sorted(numbers):
        raise ConfigurationError(f"references must be a number, or fewest and most, not {counts!r}")
    low, high = numbers
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


def _unit(meteor: Meteor) -> str:
    """Words go without saying, unless the profile counts characters."""
    if meteor.characters:
        return "characters"
    return "words" if meteor.profile.unit == "characters" else ""


def _values(
    meteor: Meteor, references: tuple[int, int] | int | None, unproven: int
) -> Iterator[tuple[str, str]]:
    """All fields in their order, "" where there is nothing to tell."""
    norm, case = NORMALIZATION[meteor.normalize]
    numbers = _numbers_of(meteor.parameters) if meteor.custom_parameters else {}
    stop_words = "\n".join(sorted(meteor.stop_words)).encode("utf-8", "surrogatepass")
    # The exact aligner falls back on the beam.
    width = meteor.beam if meteor.aligner == "beam" or meteor.beam != DEFAULT_BEAM else ""
    aligner = meteor.aligner if meteor.aligner in WORDS_ONLY else f"{meteor.aligner}{width}"
    own_search = meteor.search_weights != meteor.profile.search_weights
    yield "version", meteor.profile.name
    yield "profile", meteor.profile.hash
    yield "lang", meteor.language.code
    yield "task", meteor.task
    yield "norm", norm
    yield "case", case
    yield "modules", ".".join(meteor.module_labels)
    yield "params", numbers.get("params", "")
    yield "weights", numbers.get("weights", "")
    yield "unit", _unit(meteor)
    yield "stop", short_hash(stop_words) if meteor.stop_words else ""
    yield "refs", references_field(references) + ("union" if meteor.references == "union" else "")
    yield "aligner", aligner
    yield "unproven", str(checks.positive("unproven", unproven)) if unproven else ""
    yield "search", _search_weights(meteor.search_weights) if own_search else ""
    yield "synonyms", "" if meteor.synonyms is None else meteor.synonyms.hash or "none"
    yield "pack", meteor.pack.hash or "none"
    yield "bolide", __version__
