"""Reads parallel corpora of any format and writes them as lines of tokens.

A sentence pair is left out if a side has no words or more than `longest`, or if a word is `|||`, the
separator of phrase tables. All others are kept, in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from math import sqrt
from pathlib import Path

from bolide.errors import InputError
from bolide.inputs.files import shown
from bolide.inputs.formats import table
from bolide.inputs.plain_text import PlainText
from bolide.inputs.table import USUAL, Role, Wanted
from bolide.inputs.text_files import read_lines
from bolide.learning.tokens import Tokenize

LONGEST_SENTENCE = 100
SEPARATOR = "|||"
# The lengths of translations correlate: about 0.9 in all language pairs that we tried.
LEAST_CORRELATION = 0.3
ENOUGH_TO_TELL = 200  # smallest number of pairs for a warning


@dataclass(frozen=True)
class TextCorpus:
    """A file of texts in one language: plain text, or a column of a table."""

    name: str
    column: str | None = None
    form: str | None = None  # one of bolide.inputs.formats.FORMATS; default: by its name
    option: str = "--column"  # the option for the column, for messages

    def texts(self) -> Iterator[str]:
        """Yields the texts. Errors name the file and the line."""
        found = table(self.name, self.form)
        if type(found) is PlainText and self.column is None:
            return read_lines(self.name)
        role = Role("texts", self.option, _USUAL, "text or sentence")
        wanted = Wanted(USUAL if self.column is None else self.column, role=role)
        return (record.hypothesis for record in found.records(wanted))


_USUAL = re.compile("texts?|sentences?|line", re.IGNORECASE)


@dataclass
class Sizes:
    """Numbers of sentence pairs read, kept and left out."""

    pairs: int = 0
    kept: int = 0
    source_words: int = 0
    target_words: int = 0
    empty: int = 0
    too_long: int = 0
    with_separator: int = 0
    lengths: _Correlation = field(default_factory=lambda: _Correlation(), repr=False)

    @property
    def doubtful(self) -> str | None:
        """A warning if the corpora do not seem to be translations of each other, line by line."""
        if self.kept < ENOUGH_TO_TELL or self.lengths.value >= LEAST_CORRELATION:
            return None
        return (
            f"the lengths of source and target sentences hardly correlate ({self.lengths.value:.2f}; "
            "translations have about 0.9): is line k of the target the translation of line k of the source?"
        )


class _Correlation:
    """Pearson's correlation of a stream of pairs."""

    def __init__(self) -> None:
        self._n = self._x = self._y = self._xx = self._yy = self._xy = 0

    def add(self, x: int, y: int) -> None:
        self._n += 1
        self._x, self._y = self._x + x, self._y + y
        self._xx, self._yy, self._xy = self._xx + x * x, self._yy + y * y, self._xy + x * y

    @property
    def value(self) -> float:
        """The correlation; 1 if all lengths of a side are equal."""
        spread = (self._n * self._xx - self._x**2) * (self._n * self._yy - self._y**2)
        return (self._n * self._xy - self._x * self._y) / sqrt(spread) if spread > 0 else 1.0


def sentence_pairs(source: TextCorpus, target: TextCorpus) -> Iterator[tuple[str, str]]:
    """Yields pairs of texts. An error if one corpus is longer."""
    count = 0
    texts = zip_longest(source.texts(), target.texts())
    for left, right in texts:
        if left is None or right is None:
            more = 1 + sum(1 for _ in texts)
            counts = (count, count + more) if left is None else (count + more, count)
            raise InputError(
                f"the corpora differ in their number of sentences: {shown(source.name)} has {counts[0]:,}, "
                f"{shown(target.name)} has {counts[1]:,}; sentence k of the target must be the translation "
                "of sentence k of the source"
            )
        count += 1
        yield left, right
    if not count:
        raise InputError(f"the corpora are empty: {shown(source.name)}, {shown(target.name)}")


def prepare(
    pairs: Iterable[tuple[str, str]],
    tokenizers: tuple[Tokenize, Tokenize],
    places: tuple[Path, Path],
    *,
    longest: int = LONGEST_SENTENCE,
) -> Sizes:
    """Writes the words of sentence pairs to two files, one line per sentence, separated by spaces."""
    sizes = Sizes()
    with (
        places[0].open("w", encoding="utf-8", newline="\n") as source,
        places[1].open("w", encoding="utf-8", newline="\n") as target,
    ):
        for texts in pairs:
            words = tokenizers[0](texts[0]), tokenizers[1](texts[1])
            sizes.pairs += 1
            if _fits(words, longest, sizes):
                sizes.lengths.add(len(words[0]), len(words[1]))
                sizes.kept += 1
                sizes.source_words += len(words[0])
                sizes.target_words += len(words[1])
                source.write(" ".join(words[0]) + "\n")
                target.write(" ".join(words[1]) + "\n")
    return sizes


def _fits(words: Sequence[list[str]], longest: int, sizes: Sizes) -> bool:
    if not all(words):
        sizes.empty += 1
    elif max(map(len, words)) > longest:
        sizes.too_long += 1
    elif any(SEPARATOR in side for side in words):
        sizes.with_separator += 1
    else:
        return True
    return False
