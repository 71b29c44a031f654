"""Every error a user can cause: what was wrong, where, and what to do about it.

All of them are `BolideError`, so one `except` is enough; the command line prints the message and ends with
`exit_code`, never with a traceback.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class BolideError(Exception):
    """Base of all errors that bolide raises on purpose."""

    exit_code = 1


class InputError(BolideError, ValueError):
    """Text that cannot be scored: missing file, unequal lengths, bad UTF-8, ambiguous references."""


class ConfigurationError(BolideError, ValueError):
    """A setting that does not exist or does not fit the others: language, task, modules, weights."""

    exit_code = 2


class ResourceError(BolideError):
    """A language pack that is missing, damaged, or cannot be fetched or written."""


def unknown(what: str, name: str, choices: Iterable[str], *, meant: str | None = None) -> ConfigurationError:
    """The error for a name that does not exist, with the nearest one that does (or `meant`).

    >>> print(unknown("task", "ranking", ["rank", "adq"]))
    unknown task 'ranking'; did you mean 'rank'? Choose one of: rank, adq
    """
    choices = list(choices)
    close = [meant] if meant else get_close_matches(str(name), choices, n=1)
    hint = f"did you mean '{close[0]}'? Choose" if close else "choose"
    return ConfigurationError(f"unknown {what} '{name}'; {hint} one of: {', '.join(choices)}")
