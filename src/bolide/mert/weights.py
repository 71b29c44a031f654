"""Files of weights, in the forms that decoders have.

Moses      LM0= 0.5                 a name, then its weights; of a moses.ini only the section [weight]
           TranslationModel0= 0.2 0.2 0.2 0.2
Joshua     LM0 0.5                  a name and its weight; one of several is NAME_0, NAME_1, …
           TranslationModel0_0 0.2
plain      0.5                      numbers alone, in the order of the lists' features
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from bolide._support.arrays import Floats
from bolide.errors import ConfigurationError, InputError
from bolide.inputs.files import shown
from bolide.inputs.text import read_lines
from bolide.mert.features import UNNAMED, FeatureError, FeatureLayout, Values, names_of, number

FORMS = ("moses", "joshua", "plain")


@dataclass(frozen=True)
class Weights:
    """Names with their weights, in order. Those of features that lists do not have (Moses leaves out what it
    does not tune) stay as they are.

    >>> weights = Weights.of({"LM0": 0.5, "TM0": [0.2, 0.3], "UnknownWordPenalty0": 1})
    >>> layout = FeatureLayout.of("TM0= -2 -3 LM0= -1")
    >>> weights.vector(layout).tolist()
    [0.2, 0.3, 0.5]
    >>> print(weights.changed(layout, [0.1, 0.2, 0.7]).text("moses"), end="")
    LM0= 0.7
    TM0= 0.1 0.2
    UnknownWordPenalty0= 1.0
    """

    values: tuple[tuple[str, Values], ...]
    source: str = "weights"

    @classmethod
    def of(cls, given: Mapping[str, float | Iterable[float]]) -> Weights:
        found = []
        for name, value in given.items():
            several = value if isinstance(value, Iterable) else [value]
            found.append((name, tuple(number(str(each), f"the weight of '{name}'") for each in several)))
        return cls(tuple(found))

    @classmethod
    def read(cls, path: str) -> Weights:
        """Of a file in any of the forms."""
        rows = [(k, line.partition("#")[0].strip()) for k, line in enumerate(read_lines(path), 1)]
        named: dict[str, Values] = {}
        for k, text in _section(rows):
            try:
                name, values = _row(text)
                if name and name in named:
                    raise FeatureError(f"'{name}' has weights already")
            except FeatureError as error:
                raise InputError(f"{shown(path)}, line {k}: {error}") from None
            named[name] = named.get(name, ()) + values
        if not named:
            raise InputError(f"{shown(path)} has no weights")
        if UNNAMED in named and len(named) > 1:
            raise InputError(f"{shown(path)}: all weights have names, or none")
        return cls(tuple(named.items()), shown(path))

    @property
    def is_plain(self) -> bool:
        """Numbers without names."""
        return self.values[0][0] == UNNAMED

    def completed(self, layout: FeatureLayout) -> Weights:
        """The same, with a weight of 0 for features that have none."""
        flat = {name for group, values in self.values for name, _ in _flat(group, values)}
        missing = tuple(
            (group, (0.0,) * count)
            for group, count in layout.groups
            if group and not flat.intersection(names_of(group, count))
        )
        return Weights(self.values + missing, self.source)

    def vector(self, layout: FeatureLayout) -> Floats:
        """The weights of these features, in their order."""
        given = dict(self.values)
        if self.is_plain:
            if len(given[UNNAMED]) != len(layout):
                raise InputError(
                    f"{self.source} has {len(given[UNNAMED])} weights, but there are {len(layout)} features: "
                    f"{' '.join(layout.names)}"
                )
            return np.array(given[UNNAMED])
        flat = {name: value for group, values in self.values for name, value in _flat(group, values)}
        found = []
        for group, count in layout.groups:
            if group in given and len(given[group]) != count:
                raise InputError(
                    f"{self.source}: '{group}' has {len(given[group])} weights, "
                    f"but {count} features in the lists"
                )
            for name in names_of(group, count):
                if name not in flat:
                    raise InputError(f"{self.source} has no weight for feature '{name}'")
                found.append(flat[name])
        return np.array(found)

    def changed(self, layout: FeatureLayout, vector: Sequence[float] | Floats) -> Weights:
        """The same, but these features have these weights."""
        values = [float(each) for each in vector]
        if self.is_plain:  # their order is that of the features
            numbers = iter(values)
            named = tuple((group, tuple(islice(numbers, count))) for group, count in layout.groups)
            return Weights(named, self.source)
        new = dict(zip(layout.names, values, strict=True))
        return Weights(
            tuple(
                (group, tuple(new.get(name, old) for name, old in _flat(group, olds)))
                for group, olds in self.values
            ),
            self.source,
        )

    def text(self, form: str = "moses", layout: FeatureLayout | None = None) -> str:
        """As a file has them; plain ones in the order of the features, if that is known. Those without names
        are numbers in all forms."""
        if form not in FORMS:
            raise ConfigurationError(f"weights are written as {', '.join(FORMS)}, not '{form}'")
        if form == "plain" or self.is_plain:
            all_ = [value for _, values in self.values for value in values]
            found = [repr(value) for value in (all_ if layout is None else self.vector(layout).tolist())]
        elif form == "moses":
            found = [f"{name}= {' '.join(map(repr, values))}" for name, values in self.values]
        else:
            found = [
                f"{name} {value!r}" for group, values in self.values for name, value in _flat(group, values)
            ]
        return "".join(f"{line}\n" for line in found)


def _flat(group: str, values: Values) -> list[tuple[str, float]]:
    return list(zip(names_of(group, len(values)), values, strict=True))


def _section(rows: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """The lines that may have weights: of a moses.ini those below [weight]."""
    if all(text != "[weight]" for _, text in rows):
        return [row for row in rows if row[1]]
    found, inside = [], False
    for k, text in rows:
        if text.startswith("["):
            inside = text == "[weight]"
        elif inside and text:
            found.append((k, text))
    return found


def _row(text: str) -> tuple[str, Values]:
    name, equals, rest = text.partition("=")
    words = rest.split() if equals else text.split()
    if not equals:
        name = UNNAMED if _is_number(words[0]) else words.pop(0)
    if not words or (equals and not name.strip()):
        raise FeatureError(f"must be a name and its weights, not '{text}'")
    return name.strip(), tuple(number(word, "a weight") for word in words)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
