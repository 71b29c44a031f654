"""Parses the features of a hypothesis in the formats of decoders.

    LM0= -103.2 TranslationModel0= -31.2 -57.8      Moses: a name, then its values
    lm: -103.2 tm: -31.2 -57.8                      old Moses
    lm_0=-103.2 tm_pt_0=-31.2                       Joshua, cdec: a name and its value
    -103.2 -31.2 -57.8                              numbers only

Every value is one feature. Several values of a name are called NAME_0, NAME_1, …; values without a name are
called by their number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from bolide.errors import InputError

UNNAMED = ""
FeatureGroup = tuple[str, int]  # a name, and its number of values
Values = tuple[float, ...]
# Products of larger numbers could be infinite.
LARGEST = 1e100


class FeatureError(InputError):
    """An error in the features of a line. The reader of the file adds the line number."""


class UnlikeError(FeatureError):
    """A line with other features than the first line."""


@dataclass(frozen=True)
class FeatureLayout:
    """Names of features with their numbers of values, in order.

    >>> FeatureLayout.of("LM0= -1 TM0= -2 -3").names
    ('LM0', 'TM0_0', 'TM0_1')
    >>> FeatureLayout.of("-1 -2").names
    ('0', '1')
    """

    groups: tuple[FeatureGroup, ...]

    @classmethod
    def of(cls, text: str) -> FeatureLayout:
        return cls(tuple((name, len(values)) for name, values in _parsed(text).items()))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each feature."""
        return tuple(name for group in self.groups for name in names_of(*group))

    def __len__(self) -> int:
        return len(self.names)

    def values(self, text: str) -> Values:
        """The values of the features of a line, in this order. A line must have exactly these features."""
        if (found := self._at_once(text)) is not None:
            return found
        given = _parsed(text)
        for name, _ in self.groups:
            if name not in given:
                raise UnlikeError(f"feature '{name}' is missing" if name else "features have names")
        return self._in_order(given)

    def sparse_values(self, text: str) -> tuple[FeatureLayout, Values]:
        """The values of a line where missing features are 0 and new features are added to the layout."""
        given = _parsed(text)
        known = {name for name, _ in self.groups}
        added = tuple((name, len(values)) for name, values in given.items() if name not in known)
        layout = FeatureLayout(self.groups + added) if added else self
        zeros = {name: (0.0,) * count for name, count in self.groups if name not in given}
        return layout, layout._in_order({**zeros, **given})

    def _in_order(self, given: dict[str, Values]) -> Values:
        found: list[float] = []
        for name, count in self.groups:
            values = given.pop(name)
            if len(values) != count:
                what = f"feature '{name}' has" if name else "there are"
                raise UnlikeError(f"{what} {len(values)} values, not {count}")
            found += values
        for name in given:
            raise UnlikeError(f"feature '{name}' is new" if name else "a number has no name")
        return tuple(found)

    # Most lines have the same names in the same places: then only the numbers are parsed.

    @cached_property
    def _places(self) -> tuple[int, tuple[int, ...], tuple[int, ...], tuple[str, ...]]:
        """The number of words in a line, and the positions of names and numbers."""
        numbers: list[int] = []
        titles, names, at = [], [], 0
        for name, count in self.groups:
            if name:
                titles.append(at)
                names.append(f"{name}=")
                at += 1
            numbers += range(at, at + count)
            at += count
        return at, tuple(titles), tuple(numbers), tuple(names)

    def _at_once(self, text: str) -> Values | None:
        words = _words(text)
        length, titles, numbers, names = self._places
        if len(words) != length or length < 2:
            return None
        if any(words[place] != name for place, name in zip(titles, names, strict=True)):
            return None
        found = words if not titles else itemgetter(*numbers)(words)
        return _numbers([found] if isinstance(found, str) else found)


def names_of(name: str, count: int) -> list[str]:
    """The names of the features in a group."""
    if name and count == 1:
        return [name]
    return [f"{name}_{k}" if name else str(k) for k in range(count)]


def _words(text: str) -> list[str]:
    return text.replace("=", "= ").split() if "=" in text else text.split()


def _parsed(text: str) -> dict[str, Values]:
    """Names with their values."""
    found: dict[str, list[str]] = {}
    name = UNNAMED
    for word in _words(text):
        if not word.endswith(("=", ":")):
            found.setdefault(name, []).append(word)
            continue
        name = word[:-1]
        if not name or UNNAMED in found:
            raise FeatureError("a feature has no name")
        if name in found:
            raise FeatureError(f"feature '{name}' occurs twice")
        found[name] = []
    if not found:
        raise FeatureError("there are no features")
    for name, words in found.items():
        if not words:
            raise FeatureError(f"feature '{name}' has no value")
    return {name: _numbers(words) for name, words in found.items()}


def _numbers(words: Sequence[str]) -> Values:
    try:
        found = tuple(map(float, words))
    except ValueError:
        found = (math.nan,)
    # A quick check. Some valid numbers fail it, too.
    if not sum(map(abs, found)) <= LARGEST or "_" in "".join(words):
        found = tuple(number(word, "a feature's value") for word in words)
    return found


def number(word: str, what: str) -> float:
    """Parses a finite number."""
    try:
        found = float(word) if "_" not in word else None
    except ValueError:
        found = None
    if found is None or not math.isfinite(found):
        raise FeatureError(f"{what} must be a finite number, not '{word}'")
    if abs(found) > LARGEST:
        raise FeatureError(f"{what} must be between -{LARGEST:g} and {LARGEST:g}, not {word}")
    return found
