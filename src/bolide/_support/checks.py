"""Checks of arguments: a wrong one is a `ConfigurationError` that names it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from bolide.errors import ConfigurationError, unknown

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


def is_iterable(value: object) -> bool:
    """Whether it can be gone through. Arrays without dimensions cannot, though they are of the class."""
    try:
        iter(value)  # type: ignore[call-overload]
    except TypeError:
        return False
    return True


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


# More threads than this are never of use: a native call has fewer pieces of work.
MOST_THREADS = 1024


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
