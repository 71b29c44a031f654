"""Reads and merges n-best lists, with lines `id ||| hypothesis ||| features ||| score`.

Ids count sentences from 0. Lists of several runs are merged. A text that occurs with different features is
several hypotheses, but metrics count it once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from bolide._support.arrays import Floats, Integers
from bolide.errors import InputError
from bolide.inputs.files import shown
from bolide.inputs.text_files import read_lines, unequal
from bolide.mert.features import FeatureError, FeatureLayout, UnlikeError, Values, number
from bolide.mert.weights import Weights

SEPARATOR = "|||"
FORMAT = "id ||| hypothesis ||| features ||| score"
# Largest number of feature values: they take 16 GB.
MOST_VALUES = 1 << 31


@dataclass(frozen=True)
class NBest:
    """Merged lists. Sentence s has the hypotheses offsets[s] to offsets[s + 1], in the order of the lists.
    Hypothesis k has the features features[k] and the text texts[text_of[k]]."""

    layout: FeatureLayout
    offsets: Integers
    features: Floats
    text_of: Integers
    texts: Sequence[str]
    sentence_of: Sequence[int]  # the sentence of each text
    scores: Floats  # of each hypothesis, as the list has it; NaN if the lists do not come from files
    copies: Integers  # number of lines with this hypothesis
    lines: int = 0  # number of lines read
    sparse: bool = False
    unlike: str = ""  # the first line that gives a known hypothesis another score

    def __len__(self) -> int:
        """The number of hypotheses."""
        return len(self.text_of)

    @property
    def sentences(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def blocks(self) -> list[tuple[int, int]]:
        """The first hypothesis of each sentence, and that of the next."""
        return list(pairwise(self.offsets.tolist()))

    def texts_of(self, hypotheses: Integers) -> list[str]:
        return [self.texts[k] for k in self.text_of[hypotheses].tolist()]

    def vector(self, weights: Weights) -> Floats:
        """The weights of the features, in their order. In sparse lists, features without a weight have 0."""
        return (weights.completed(self.layout) if self.sparse else weights).vector(self.layout)

    @classmethod
    def read(cls, paths: Iterable[str], sentences: int | None = None, *, sparse: bool = False) -> NBest:
        """Reads lists from files. `sentences` is the number of sentences, if it is known. With `sparse`,
        features that are missing in a line are 0."""
        merged = Merger(sentences, sparse=sparse)
        for path in paths:
            merged.read(path)
        return merged.nbest()

    @classmethod
    def of(cls, lists: Iterable[Iterable[tuple[str, Mapping[str, float]]]]) -> NBest:
        """Makes lists from memory: for each sentence, hypotheses with their features."""
        merged = Merger()
        for sentence, hypotheses in enumerate(lists):
            for k, (text, features) in enumerate(hypotheses, 1):
                written = " ".join(f"{name}= {float(value)!r}" for name, value in features.items())
                try:
                    merged.add(sentence, text, written)
                except FeatureError as error:
                    raise InputError(f"sentence {sentence}, hypothesis {k}: {error}") from None
        return merged.nbest()


@dataclass
class Merger:
    """Merges lists, hypothesis by hypothesis."""

    sentences: int | None = None
    sparse: bool = False
    lines: int = 0
    texts: list[str] = field(default_factory=list)
    sentence_of: list[int] = field(default_factory=list)
    layout: FeatureLayout | None = None  # of the lines so far
    _first: str = ""  # the line that gave the layout
    _known_texts: dict[tuple[int, str], int] = field(default_factory=dict)
    _known: dict[tuple[int, Values], int] = field(default_factory=dict)
    _rows: list[tuple[int, Values]] = field(default_factory=list)  # a text and its features
    _scores: list[float] = field(default_factory=list)  # of each row
    _copies: list[int] = field(default_factory=list)
    _unlike: str = ""

    def __len__(self) -> int:
        return len(self._rows)

    def read(self, path: str) -> int:
        """Adds the hypotheses of a file, and returns the number of new ones."""
        before, first = len(self._rows), self.lines
        for k, line in enumerate(read_lines(path, whole=True), 1):
            try:
                row, score = self._add_line(line)
            except UnlikeError as error:
                raise InputError(f"{shown(path)}, line {k}: {error}; {self._expected()}") from None
            except FeatureError as error:
                raise InputError(f"{shown(path)}, line {k}: {error}") from None
            self._first = self._first or f"{shown(path)}, line {k}"
            if score != self._scores[row] and not self._unlike:
                self._unlike = f"{shown(path)}, line {k}"
        if self.lines == first:
            raise InputError(f"{shown(path)} is empty; a list has lines such as '{FORMAT}'")
        return len(self._rows) - before

    def _expected(self) -> str:
        assert self.layout is not None
        names = " ".join(name or "numbers" for name, _ in self.layout.groups)
        remedy = "if a feature that is 0 may be left out, add --sparse (in Python sparse=True)"
        return f"{self._first} has {names}; {remedy}"

    def _add_line(self, line: str) -> tuple[int, float]:
        """The row of the hypothesis, and its score in this line."""
        fields = line.split(SEPARATOR)
        if len(fields) < 4:
            raise FeatureError(f"expected '{FORMAT}', found {len(fields)} field{'s' * (len(fields) != 1)}")
        sentence = fields[0].strip()
        if not (sentence.isascii() and sentence.isdecimal()):
            raise FeatureError(f"the id must be the number of a sentence, counted from 0, not '{sentence}'")
        score = number(fields[3].strip(), "the score")
        return self.add(int(sentence), fields[1], fields[2], score), score

    def add(self, sentence: int, text: str, features: str, score: float = math.nan) -> int:
        """Adds a hypothesis. Returns its row, which may be a known one."""
        if self.sentences is not None and sentence >= self.sentences:
            raise FeatureError(
                f"id {sentence} has no reference: there are {self.sentences} references, and ids count from 0"
            )
        values = self._values(features)
        self.lines += 1
        text = text.strip(" \t")
        place = self._known_texts.setdefault((sentence, text), len(self.texts))
        if place == len(self.texts):
            self.texts.append(text)
            self.sentence_of.append(sentence)
        row = self._known.setdefault((place, values), len(self._rows))
        if row == len(self._rows):
            self._rows.append((place, values))
            self._scores.append(score)
            self._copies.append(0)
        self._copies[row] += 1
        return row

    def _values(self, features: str) -> Values:
        if self.layout is None:
            self.layout = FeatureLayout.of(features)
        if not self.sparse:
            return self.layout.values(features)
        self.layout, values = self.layout.sparse_values(features)
        # Trailing zeros are cut, because later features would make longer rows of the same values.
        end = len(values)
        while end and values[end - 1] == 0:
            end -= 1
        return values[:end]

    def nbest(self) -> NBest:
        """The lists merged so far."""
        if self.layout is None:
            raise InputError("there are no n-best lists")
        self._check_size()
        count = self._count()
        text_of = np.array([text for text, _ in self._rows], dtype=np.int64)
        of_sentences = np.array(self.sentence_of, dtype=np.int64)[text_of]
        order = np.argsort(of_sentences, kind="stable")
        sizes = np.bincount(of_sentences, minlength=count)
        return NBest(
            self.layout,
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            self._matrix()[order],
            text_of[order],
            self.texts,
            self.sentence_of,
            np.array(self._scores)[order],
            np.array(self._copies, dtype=np.int64)[order],
            self.lines,
            self.sparse,
            self._unlike,
        )

    def _count(self) -> int:
        """The number of sentences. Every sentence must have a hypothesis."""
        known = set(self.sentence_of)
        count = self.sentences if self.sentences is not None else max(known) + 1
        if len(known) < count:
            missing = next(k for k in range(count) if k not in known)
            raise InputError(
                f"the lists have no hypothesis for sentence {missing} (reference line {missing + 1}); "
                "every sentence needs at least one"
            )
        return count

    def _check_size(self) -> None:
        assert self.layout is not None
        if len(self._rows) * len(self.layout) > MOST_VALUES:
            raise InputError(
                f"{len(self._rows)} hypotheses with {len(self.layout)} features each need too much memory; "
                "use shorter lists or fewer features"
            )

    def _matrix(self) -> Floats:
        assert self.layout is not None
        width = len(self.layout)
        if all(len(values) == width for _, values in self._rows):
            return np.array([values for _, values in self._rows], dtype=np.float64)
        found = np.zeros((len(self._rows), width))
        for k, (_, values) in enumerate(self._rows):
            found[k, : len(values)] = values
        return found


def read_references(paths: Sequence[str]) -> list[list[str]]:
    """Reads the references of each sentence. Line k of each file belongs to sentence k - 1."""
    if not paths:
        raise InputError("name a file of references")
    streams = [list(read_lines(path, whole=True)) for path in paths]
    if len({len(stream) for stream in streams}) > 1:
        raise unequal(paths, [len(stream) for stream in streams], len(paths) - 1)
    if not streams[0]:
        raise InputError(f"{shown(paths[0])} is empty; it must have one reference per line")
    return [list(texts) for texts in zip(*streams, strict=True)]
