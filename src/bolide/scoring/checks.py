"""What a caller may give `Meteor` as settings, checked: a wrong one is a `ConfigurationError`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from bolide import inputs, resources
from bolide.errors import ConfigurationError, unknown
from bolide.language import languages
from bolide.language.languages import Language
from bolide.resources import catalogue, thesauri
from bolide.scoring.segments import is_iterable

# More threads than this are never of use: a native call has fewer pieces of work.
MOST_THREADS = 1024

T = TypeVar("T")


@dataclass(frozen=True)
class Limits:
    """The numbers that make sense for a parameter."""

    lowest: float = -np.inf
    highest: float = np.inf

    def __contains__(self, number: float) -> bool:
        return self.lowest <= number <= self.highest

    def __str__(self) -> str:
        """As messages say it.

        >>> print(f"a number{AT_LEAST_0}", f"a number{SHARE}", f"a number{Limits()}", sep=", ")
        a number of at least 0, a number from 0 to 1, a number
        """
        if self.highest < np.inf:
            return f" from {self.lowest:g} to {self.highest:g}"
        return f" of at least {self.lowest:g}" if self.lowest > -np.inf else ""


SHARE, AT_LEAST_0, ANY = Limits(0, 1), Limits(0), Limits()
# Far beyond any use, and far from where sums of weighted matches would no longer be finite.
WEIGHT = Limits(0, 1000)
# Beyond them scores would leave the range from 0 to 1, or rise where they should fall.
PARAMETERS = {"alpha": SHARE, "beta": AT_LEAST_0, "gamma": SHARE, "delta": SHARE, "weight": WEIGHT}


def choice(what: str, value: str, choices: Iterable[str]) -> str:
    """One of the choices."""
    choices = list(choices)
    if not isinstance(value, str) or value not in choices:
        raise unknown(what, value, choices)
    return value


def flag(what: str, value: bool) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ConfigurationError(f"{what} must be true or false, not {value!r}")
    return bool(value)


def positive(what: str, value: int) -> int:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 1:
        raise ConfigurationError(f"{what} must be a whole number of at least 1, not {value!r}")
    return int(value)


def number(what: str, value: float, limits: Limits = ANY) -> float:
    try:
        # Python would make numbers of these, too.
        found = float("nan") if isinstance(value, (str, bytes, bytearray, bool, np.bool_)) else float(value)
    except (TypeError, ValueError):
        found = float("nan")
    except OverflowError:  # an integer
        allowed = limits if limits.highest < np.inf else " of at most 1.8e308"
        raise ConfigurationError(f"{what} must be a number{allowed}") from None
    if not np.isfinite(found):
        raise ConfigurationError(f"{what} must be a number{limits}, not {value!r}")
    if found not in limits:
        raise ConfigurationError(f"{what} must be a number{limits}, not {found:g}")
    return found if limits.lowest < 0 else abs(found)  # where nothing is below 0, there is no -0


def ordered(what: str, value: Iterable[T], example: str) -> tuple[T, ...]:
    """A list, or what has an order as lists have it. Not one text; nor a set, whose order is chance; nor a
    mapping, whose values would be lost."""
    if isinstance(value, (str, bytes, bytearray, set, frozenset, Mapping)) or not is_iterable(value):
        raise ConfigurationError(f"{what} must be a list, such as {example}, not {value!r}")
    return tuple(value)


def weights(value: Iterable[float], modules: tuple[str, ...], limits: Limits = WEIGHT) -> tuple[float, ...]:
    """As many numbers as modules."""
    given = ordered("weights", value, "[1.0, 0.6, 0.8, 0.6]")
    if len(given) != len(modules):
        each = f"one for each module ({' '.join(modules)})"
        shown = " ".join(map(str, given)) or "none"
        raise ConfigurationError(f"weights must be {len(modules)} numbers, {each}, not: {shown}")
    return tuple(
        number(f"the weight of {module}", weight, limits)
        for module, weight in zip(modules, given, strict=True)
    )


def threads(value: int | None) -> int:
    """The number of threads: as asked for, as the environment says, or one for each core."""
    if value is not None:
        return min(positive("threads", value), MOST_THREADS)
    wanted = os.environ.get("BOLIDE_THREADS", "")
    if wanted:
        if not wanted.isdecimal() or int(wanted) < 1:
            raise ConfigurationError(f"BOLIDE_THREADS must be a whole number of at least 1, not '{wanted}'")
        return min(int(wanted), MOST_THREADS)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pack(language: Language, given: resources.Pack | str | os.PathLike[str] | None) -> resources.Pack:
    """The language's own pack, or the one given, which must be for the language."""
    if given is None:
        return resources.open_pack(language.code)
    if isinstance(given, (str, os.PathLike)):
        given = resources.load_pack(Path(given))
    if not isinstance(given, resources.Pack):
        raise ConfigurationError(f"resources must be a language pack or its folder, not {given!r}")
    # A pack of one's own is named by its language; an installed one may be the one that many languages share.
    if given.language != language.code and given.language != catalogue.find(language.code).language:
        where = f" in {given.path}" if given.path else ""
        raise ConfigurationError(
            f"the language pack{where} is for {_titled(given.language)}, "
            f"the scorer for {_titled(language.code)}; choose the other language, or another pack"
        )
    return given


def synonyms(language: Language, given: resources.Pack | str | os.PathLike[str]) -> resources.Pack:
    """A source of synonyms: "wordnet", "mythes", or a pack of synonyms or its folder, for the language; any
    pack will do for a language that bolide does not know."""
    if isinstance(given, str):
        if given in thesauri.SOURCES:
            return resources.open_synonyms(given, language.code)
        if not {os.sep, os.altsep} & set(given):  # a folder could be named like a source
            raise unknown("source of synonyms", given, [*thesauri.SOURCES, f"or a folder .{os.sep}NAME"])
    if isinstance(given, (str, os.PathLike)):
        given = resources.load_pack(Path(os.fsdecode(given)))
    if not isinstance(given, resources.Pack) or (given.synonyms is None and given.thesaurus is None):
        raise ConfigurationError(
            f"synonyms must be 'wordnet', 'mythes', or a pack that has some, not {given!r}"
        )
    if language.code not in ("other", given.language):
        where = f" in {given.path}" if given.path else ""
        raise ConfigurationError(
            f"the synonyms{where} are for {_titled(given.language)}, "
            f"the scorer for {_titled(language.code)}; choose the other language, or other synonyms"
        )
    return given


def stop_words(given: str | os.PathLike[str] | Iterable[str] | None, lower: bool) -> frozenset[str]:
    """A list of words, or a file with a word a line, as the scorer sees them."""
    if given is None:
        return frozenset()
    from_file = isinstance(given, (str, os.PathLike)) and given != ""
    if not from_file and (isinstance(given, (str, bytes, Mapping)) or not is_iterable(given)):
        raise ConfigurationError(f"stop_words must be words, or a file with a word a line, not {given!r}")
    words = list(inputs.lines(os.fsdecode(given)) if from_file else given)  # type: ignore[arg-type]
    wrong = next((word for word in words if not isinstance(word, str)), None)
    if wrong is not None:
        raise ConfigurationError(f"stop_words must be words; there is {wrong!r} among them")
    stripped = (word.strip() for word in words)
    return frozenset(word.lower() if lower else word for word in stripped if word)


def _titled(code: str) -> str:
    try:
        return f"{languages.get(code).java_name} ({code})"
    except ConfigurationError:  # of a manifest from elsewhere
        return f"'{code}'"
