"""Rows of JSON Lines with texts and judgments: reads them, checks their values, and chooses some of them.

Errors name the file and the line.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from bolide.errors import ConfigurationError, InputError
from bolide.inputs.files import shown
from bolide.inputs.jsonl import check_characters, parsed
from bolide.inputs.text_files import read_lines


@dataclass(frozen=True)
class Condition:
    """KEY=VALUE, or KEY!=VALUE: what a row must have."""

    key: str
    value: str
    equal: bool

    @classmethod
    def of(cls, text: str) -> Condition:
        key, equals, value = text.partition("=")
        if not equals or not key.strip("! "):
            raise ConfigurationError(
                f"a condition needs KEY=VALUE or KEY!=VALUE, such as kind=MM or system!=human, not '{text}'"
            )
        return cls(key.removesuffix("!").strip(), value.strip(), not key.endswith("!"))

    def holds(self, values: dict[str, Any]) -> bool:
        """Whether a row has the value. A key that it lacks has no value."""
        return (self.key in values and self._is(values[self.key])) == self.equal

    def _is(self, value: Any) -> bool:
        if as_text(value) == self.value:
            return True
        try:
            return is_number(value) and float(self.value) == value
        except ValueError:
            return False


def as_text(value: Any) -> str:
    """A value as text: strings as they are, all else as JSON.

    >>> as_text("a b"), as_text(False), as_text(3)
    ('a b', 'false', '3')
    """
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@dataclass(frozen=True)
class Row:
    """An object of a file, and its place for messages."""

    where: str
    values: dict[str, Any]

    def fail(self, problem: str) -> NoReturn:
        raise InputError(f"{self.where}: {problem}")

    def get(self, key: str) -> Any:
        """The value of a key that every row must have."""
        if key not in self.values:
            self.fail(f"no key '{key}'; the keys are: {', '.join(self.values)}")
        return self.values[key]

    def text(self, key: str) -> str:
        value = self.get(key)
        if not isinstance(value, str):
            self.fail(f"'{key}' must be a text, not {_shown(value)}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of one or more texts."""
        value = self.get(key)
        if not isinstance(value, list):
            self.fail(f"'{key}' must be a list of texts, not {_shown(value)}")
        if not value:
            self.fail(f"'{key}' is empty; every text needs at least one reference")
        wrong = [each for each in value if not isinstance(each, str)]
        if wrong:
            self.fail(f"'{key}' must be a list of texts, but has {_shown(wrong[0])}")
        return tuple(value)

    def name(self, key: str) -> str:
        """A name: a text, or a number."""
        value = self.get(key)
        if not isinstance(value, (str, int, float)):
            self.fail(f"'{key}' must be a text or a number, not {_shown(value)}")
        return as_text(value)

    def number(self, value: Any, what: str) -> float:
        """A number; NaN if it is null."""
        if value is None:
            return math.nan
        if not is_number(value):
            self.fail(f"{what} must be a number, not {_shown(value)}")
        if not abs(value) < math.inf:
            self.fail(f"{what} must be a finite number, not {_shown(value)}")
        return float(value)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:39]}…"


def read_rows(path: str | os.PathLike[str], where: Sequence[str] = ()) -> Iterator[Row]:
    """The rows of a file for which all conditions hold."""
    conditions = [Condition.of(text) for text in where]
    unseen = {condition.key for condition in conditions}
    name, rows, kept = os.fspath(path), 0, 0
    for number, line in enumerate(read_lines(name, whole=True), 1):
        if not line or line.isspace():
            continue
        place = f"{shown(name)}, line {number}"
        value = parsed(place, line)
        if not isinstance(value, dict):
            raise InputError(f"{place}: must be an object with texts and judgments, not {_shown(value)}")
        if "\\u" in line:  # only an escape can contain a lone surrogate
            check_characters(_strings(value), place)
        unseen.difference_update(value)
        rows += 1
        if all(condition.holds(value) for condition in conditions):
            kept += 1
            yield Row(place, value)
    if not rows:
        raise InputError(f"{shown(name)} is empty: it must have an object with texts and judgments per line")
    for key in sorted(unseen):
        raise InputError(f"{shown(name)}: no line has the key '{key}' of a condition")
    if not kept:
        raise InputError(f"{shown(name)}: no line has {' and '.join(where)}")


def _strings(value: Any) -> Iterator[str]:
    """All texts in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for part in value:
            yield from _strings(part)
            if isinstance(value, dict):
                yield from _strings(value[part])
