"""Checks of arguments. A wrong argument raises a `ConfigurationError` that names it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from bolide._support.platform import available_cores
from bolide.errors import ConfigurationError, unknown

T = TypeVar("T")


@dataclass(frozen=True)
class Limits:
    """The range of a parameter."""

    lowest: float = -np.inf
    highest: float = np.inf

    def __contains__(self, number: float) -> bool:
        return self.lowest <= number <= self.highest

    def __str__(self) -> str:
        """The range in words, for messages.

        >>> print(f"a number{AT_LEAST_0}", f"a number{SHARE}", f"a number{Limits()}", sep=", ")
        a number of at least 0, a number from 0 to 1, a number
        """
        if self.highest < np.inf:
            return f" from {self.lowest:g} to {self.highest:g}"
        return f" of at least {self.lowest:g}" if self.lowest > -np.inf else ""


SHARE, AT_LEAST_0, ANY = Limits(0, 1), Limits(0), Limits()
# Larger weights have no use. Much larger ones would make sums of weighted matches infinite.
WEIGHT = Limits(0, 1000)
# Outside these limits, scores could leave the range from 0 to 1, or rise instead of fall.
PARAMETERS = {"alpha": SHARE, "beta": AT_LEAST_0, "gamma": SHARE, "delta": SHARE, "weight": WEIGHT}


def is_iterable(value: object) -> bool:
    """Whether a value can be iterated. An array without dimensions cannot, although its class can."""
    try:
        iter(value)  # type: ignore[call-overload]
    except TypeError:
        return False
    return True


def choice(what: str, value: str, choices: Iterable[str]) -> str:
    """Checks that a value is one of the choices."""
    choices = list(choices)
    if not isinstance(value, str) or value not in choices:
        raise unknown(what, value, choices)
    return value


def flag(what: str, value: bool) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ConfigurationError(f"{what} must be true or false, not {value!r}")
    return bool(value)


def whole(what: str, value: int, least: int = 1) -> int:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < least:
        raise ConfigurationError(f"{what} must be a whole number of at least {least}, not {value!r}")
    return int(value)


def number(what: str, value: float, limits: Limits = ANY) -> float:
    try:
        # float() would convert these, too.
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
    return found if limits.lowest < 0 else abs(found)  # -0.0 becomes 0.0


def ordered(what: str, value: Iterable[T], example: str) -> tuple[T, ...]:
    """A sequence of values. A text is refused, and so are a set, which has no order, and a mapping, whose
    values would be lost."""
    if isinstance(value, (str, bytes, bytearray, set, frozenset, Mapping)) or not is_iterable(value):
        raise ConfigurationError(f"{what} must be a list, such as {example}, not {value!r}")
    return tuple(value)


def weights(value: Iterable[float], modules: tuple[str, ...], limits: Limits = WEIGHT) -> tuple[float, ...]:
    """Checks that there is one weight per module."""
    given = ordered("weights", value, "[1.0, 0.6, 0.8, 0.6]")
    if len(given) != len(modules):
        each = f"one per module ({' '.join(modules)})"
        shown = " ".join(map(str, given)) or "none"
        raise ConfigurationError(f"weights must be {len(modules)} numbers, {each}, not: {shown}")
    return tuple(
        number(f"the weight of {module}", weight, limits)
        for module, weight in zip(modules, given, strict=True)
    )


# More threads are useless: a native call has fewer pieces of work.
MOST_THREADS = 1024


def threads(value: int | None) -> int:
    """The number of threads: the given one, that of BOLIDE_THREADS, or one per core."""
    if value is not None:
        return min(whole("threads", value), MOST_THREADS)
    wanted = os.environ.get("BOLIDE_THREADS", "")
    if wanted:
        if not wanted.isdecimal() or int(wanted) < 1:
            raise ConfigurationError(f"BOLIDE_THREADS must be a whole number of at least 1, not '{wanted}'")
        return min(int(wanted), MOST_THREADS)
    return available_cores()
