"""Every error a user can cause: what was wrong, where, and what to do about it.

All of them are `BolideError`, so one `except` is enough; the command line prints the message and ends with
`exit_code`, never with a traceback.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches


class BolideError(Exception):
    """Base of all errors that bolide raises on purpose."""

    exit_code = 1


class InputError(BolideError, ValueError):
    """Text that cannot be scored: missing file, unequal lengths, bad UTF-8, ambiguous references."""


class SegmentError(InputError):
    """One text that cannot be scored, and which it is: `segment` counts from 1, `reference` is 0 for the
    hypothesis and k for the segment's k-th reference. Whoever read the text from a file can name the line."""

    def __init__(self, problem: str, segment: int, reference: int) -> None:
        super().__init__(problem, segment, reference)  # all three, so that it can be pickled
        self.problem = problem
        self.segment = segment
        self.reference = reference

    @property
    def side(self) -> str:
        return f"reference {self.reference}" if self.reference else "hypothesis"

    def __str__(self) -> str:
        return f"segment {self.segment} ({self.side}): {self.problem}"


class ConfigurationError(BolideError, ValueError):
    """A setting that does not exist or does not fit the others: language, task, modules, weights."""

    exit_code = 2


class ModuleError(ConfigurationError):
    """A module that cannot be had: why, which can, and what else could be done, by the kind of remedy.
    Whoever has options to choose modules by can name them."""

    def __init__(self, problem: str, choices: tuple[str, ...], remedies: Mapping[str, str]) -> None:
        super().__init__(problem, choices, remedies)  # all three, so that it can be pickled
        self.problem = problem
        self.choices = choices
        self.remedies = remedies

    def told(self, how: str, choices: Iterable[str], remedies: Iterable[str]) -> str:
        """The message, for those who choose modules so."""
        return "; or ".join([f"{self.problem}; choose {how} from: {' '.join(choices)}", *remedies])

    def __str__(self) -> str:
        return self.told("modules", self.choices, self.remedies.values())


class OutputError(BolideError):
    """A file or folder that cannot be written."""


class ResourceError(BolideError):
    """A language pack that is missing, damaged, or cannot be fetched or written."""


class ClusterError(BolideError):
    """A cluster that cannot be reached, or whose work has failed."""


class LearningError(BolideError):
    """A language that cannot be learned: an engine, memory or disk that does not suffice."""


def unknown(
    what: str, name: object, choices: Iterable[str], *, meant: str | None = None
) -> ConfigurationError:
    """The error for a name that does not exist, with the nearest one that does (or `meant`).

    >>> print(unknown("task", "ranking", ["rank", "adq"]))
    unknown task 'ranking'; did you mean 'rank'? Choose one of: rank, adq
    """
    choices = list(choices)
    if not isinstance(name, str):
        return ConfigurationError(f"{what} must be a name, not {name!r}; choose one of: {', '.join(choices)}")
    close = [meant] if meant else get_close_matches(name, choices, n=1)
    hint = f"did you mean '{close[0]}'? Choose" if close else "choose"
    return ConfigurationError(f"unknown {what} '{name}'; {hint} one of: {', '.join(choices)}")
