"""Mistakes in the options, in the style of all messages. Versions of Typer have different words for them.

>>> told("Invalid value for '--width': Input should be less than or equal to 17", "99")
"--width must be at most 17, not '99'"
>>> told("Invalid value for '--seed': 'x' is not a valid integer.")
"--seed must be a whole number, not 'x'"
>>> told("Invalid value for '--format': 'pdf' is not one of 'text', 'json'.")
"unknown --format 'pdf'; choose one of: text, json"
>>> told("No such command 'scor'. Did you mean 'score'?")
"no such command 'scor'; did you mean 'score'?"
"""

from __future__ import annotations

import re
from typing import Any

NUMBER = r"-?[\d.]+"
OF = r"Invalid value for '(?P<option>[^']+)'.*?: (?:Value error, )?"
# What Typer says, and what bolide says.
RULES = (
    (
        rf"{OF}'(?P<value>.*)' is not one of (?P<choices>.*)",
        "unknown {option} '{value}'; choose one of: {choices}",
    ),
    (rf"{OF}'(?P<value>.*)' is not a valid int(?:eger)?(?: range)?", "{option} must be a whole number{not_}"),
    (rf"{OF}'(?P<value>.*)' is not a valid float", "{option} must be a number{not_}"),
    (rf"{OF}Input should be a valid integer.*", "{option} must be a whole number{not_}"),
    (rf"{OF}Input should be a valid number.*", "{option} must be a number{not_}"),
    (
        rf"{OF}Input should be less than or equal to (?P<most>{NUMBER})",
        "{option} must be at most {most}{not_}",
    ),
    (
        rf"{OF}Input should be greater than or equal to (?P<least>{NUMBER})",
        "{option} must be at least {least}{not_}",
    ),
    (
        rf"{OF}(?P<value>{NUMBER}) is not in the range (?P<least>{NUMBER})<=x<=(?P<most>{NUMBER})",
        "{option} must be from {least} to {most}{not_}",
    ),
    (
        rf"{OF}(?P<value>{NUMBER}) is not in the range x>=(?P<least>{NUMBER})",
        "{option} must be at least {least}{not_}",
    ),
    (r"(?P<what>No such command .*)\. Did you mean (?P<other>.*)\?", "{what}; did you mean {other}?"),
    (r"(?P<what>No such option.*) \(Possible options: (?P<other>.*)\)", "{what}; possible options: {other}"),
)


def told(message: str, given: str | None = None) -> str:
    """The message in bolide's words; `given` is the value, if it is known."""
    whole = message.strip().rstrip(".")
    for pattern, words in RULES:
        if found := re.fullmatch(pattern, whole, re.DOTALL):
            parts = found.groupdict()
            value = parts.get("value") or given
            parts["not_"] = "" if value is None else f", not '{value}'"
            parts["choices"] = parts.get("choices", "").replace("'", "")
            whole = words.format(**parts)
            break
    return whole[:1].lower() + whole[1:]


def given_value(error: Any) -> str | None:
    """The value that an option cannot have, if the error knows it."""
    errors = getattr(error.__cause__, "errors", None)
    first: dict[str, Any] = next(iter(errors()), {}) if callable(errors) else {}
    value = first.get("input")
    return value if isinstance(value, str) else None
