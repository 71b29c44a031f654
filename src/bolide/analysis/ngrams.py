"""N-grams of words, and how many of them two texts share.

An n-gram of a hypothesis matches one of the reference if all their words are equal; each n-gram of the
reference matches once, as in BLEU and compare-mt. Synonyms and paraphrases do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bolide._support.arrays import Integers
from bolide.analysis.aligned import Tokens

LONGEST = 4


@dataclass(frozen=True)
class NGrams:
    """All n-grams of one length, as numbers."""

    length: int
    items: Integers  # one row of word numbers per n-gram
    texts: tuple[tuple[Integers, Integers], ...]  # of each text: the n-grams, and the segment of each


def all_ngrams(texts: Sequence[Tokens], known: int | None = None, longest: int = LONGEST) -> Iterator[NGrams]:
    """The n-grams of texts, of 1, 2, … words. With `known`, only those of so many first texts.

    >>> two = Tokens(np.array([5, 6, 5, 6]), np.array([0, 4]))
    >>> [(found.items.tolist(), found.texts[0][0].tolist()) for found in all_ngrams([two], longest=2)]
    [([[5], [6]], [0, 1, 0, 1]), ([[5, 6], [6, 5]], [0, 1, 0])]
    """
    width = 1 + max((int(text.words.max(initial=-1)) for text in texts), default=-1)
    numbers, items = _numbered([text.words for text in texts], known)
    items = items[:, None]
    for length in range(1, longest + 1):
        if length > 1:
            keys = [_longer(*pair, length, width) for pair in zip(texts, numbers, strict=True)]
            numbers, distinct = _numbered(keys, known)
            head, last = np.divmod(distinct, max(width, 1))
            items = np.column_stack([items[head], last])
        kept = [found >= 0 for found in numbers]
        placed = [
            (found[mask], text.segments[mask]) for text, found, mask in zip(texts, numbers, kept, strict=True)
        ]
        yield NGrams(length, items, tuple(placed))


def _longer(text: Tokens, numbers: Integers, length: int, width: int) -> Integers:
    """The keys of n-grams with one more word; −1 at the end of a segment, or if the shorter one has none."""
    keys = np.full(len(numbers), -1, dtype=np.int64)
    inside = np.flatnonzero(numbers >= 0)
    inside = inside[inside + length <= text.starts[1:][text.segments[inside]]]
    keys[inside] = numbers[inside] * width + text.words[inside + length - 1]
    return keys


def _numbered(keys: Sequence[Integers], known: int | None) -> tuple[list[Integers], Integers]:
    """Numbers the distinct keys, and returns them. A key below 0, or unknown, has the number −1."""
    defining = [np.unique(key) for key in keys[:known]]
    distinct = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *defining]))
    distinct = distinct[distinct >= 0]
    if not len(distinct):
        return [np.full(len(key), -1, dtype=np.int64) for key in keys], distinct
    found = []
    for key in keys:
        places = np.minimum(np.searchsorted(distinct, key), len(distinct) - 1)
        found.append(np.where(distinct[places] == key, places, -1))
    return found, distinct
