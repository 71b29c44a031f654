"""Reads and writes weights in the formats of decoders.

Moses      LM0= 0.5                 a name, then its weights; in a moses.ini only the section [weight]
           TranslationModel0= 0.2 0.2 0.2 0.2
Joshua     LM0 0.5                  a name and its weight; several are NAME_0, NAME_1, …
           TranslationModel0_0 0.2
plain      0.5                      numbers only, in the order of the features in the lists
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from bolide._support.arrays import Floats
from bolide.errors import ConfigurationError, InputError
from bolide.inputs.files import shown
from bolide.inputs.text_files import read_lines
from bolide.mert.features import UNNAMED, FeatureError, FeatureLayout, Values, names_of, number

FORMS = ("moses", "joshua", "plain")


@dataclass(frozen=True)
class Weights:
    """Names with their weights, in order. Weights of features that the lists lack do not change (Moses leaves
    out features that it does not tune).

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
        """Reads a file in any of the formats."""
        rows = [(k, line.partition("#")[0].strip()) for k, line in enumerate(read_lines(path, whole=True), 1)]
        named: dict[str, Values] = {}
        for k, text in _section(rows):
            try:
                name, values = _row(text)
                if name and name in named:
                    raise FeatureError(f"'{name}' occurs twice")
            except FeatureError as error:
                raise InputError(f"{shown(path)}, line {k}: {error}") from None
            named[name] = named.get(name, ()) + values
        if not named:
            raise InputError(f"{shown(path)} has no weights")
        if UNNAMED in named and len(named) > 1:
            raise InputError(f"{shown(path)}: all weights must have names, or none")
        return cls(tuple(named.items()), shown(path))

    @property
    def is_plain(self) -> bool:
        """Whether the weights have no names."""
        return self.values[0][0] == UNNAMED

    def completed(self, layout: FeatureLayout) -> Weights:
        """The same weights, and 0 for features without a weight."""
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
        """The same weights, with new values for these features."""
        values = [float(each) for each in vector]
        if self.is_plain:  # in the order of the features
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
        """The text of a file of weights. The format plain uses the order of the features in `layout`. Weights
        without names are numbers in all formats."""
        if form not in FORMS:
            raise ConfigurationError(f"the format of weights must be one of {', '.join(FORMS)}, not '{form}'")
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
    """The lines that may have weights: in a moses.ini those below [weight]."""
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
        raise FeatureError(f"expected a name and its weights, not '{text}'")
    return name.strip(), tuple(number(word, "a weight") for word in words)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
