"""The errors that a user can cause. A message says what was wrong, where, and what to do about it.

All of them are subclasses of `BolideError`, so one `except` is enough. The command line prints the message
and ends with `exit_code`, without a traceback.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class BolideError(Exception):
    """Base of all errors that bolide raises on purpose."""

    exit_code = 1


class InputError(BolideError, ValueError):
    """Text that cannot be scored: a missing file, files that differ in their number of lines, bad
    UTF-8, ambiguous references."""


class SegmentError(InputError):
    """A text that cannot be scored. `segment` counts from 1. `reference` is 0 for the hypothesis, and k for
    the k-th reference of the segment. If the text is from a file, the caller can add the line."""

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
    """A module is not available. `problem` says why, `choices` are the available modules, and `remedies` are
    other solutions, by kind. The caller completes the message with its own names of options."""

    def __init__(self, problem: str, choices: tuple[str, ...], remedies: Mapping[str, str]) -> None:
        super().__init__(problem, choices, remedies)  # all three, so that it can be pickled
        self.problem = problem
        self.choices = choices
        self.remedies = remedies

    def told(self, how: str, choices: Iterable[str], remedies: Iterable[str]) -> str:
        """The message; `how` says how the user chooses modules."""
        return "; or ".join([f"{self.problem}; choose {how} from: {' '.join(choices)}", *remedies])

    def __str__(self) -> str:
        return self.told("modules", self.choices, self.remedies.values())


class OutputError(BolideError):
    """A file or folder that cannot be written."""


class ResourceError(BolideError):
    """A language pack that is missing, damaged, or cannot be fetched or written."""


class CommandError(BolideError):
    """A program that cannot be started."""

    exit_code = 127  # as shells report it


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
    close = meant or closest(name, choices)
    hint = f"did you mean '{close}'? Choose" if close else "choose"
    return ConfigurationError(f"unknown {what} '{name}'; {hint} one of: {', '.join(choices)}")


def closest(name: str, choices: Iterable[str]) -> str | None:
    """The choice that a misspelt name is most like, if there is one."""
    from difflib import get_close_matches  # slow to import, and only needed for errors

    return next(iter(get_close_matches(name, choices, n=1)), None)
