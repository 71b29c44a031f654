"""Texts and their alignments as flat arrays over words: the input of every count in this package.

    texts     the the cat | sat          words     0 0 1 2     starts    0 3 4
                                         segments  0 0 0 1

Each word has a state: `UNMATCHED`, or the number of the module that matched it. A matched word has a partner,
and it is `moved` if its chunk is out of order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from bolide._support.arrays import Integers
from bolide.analysis.order import out_of_order

Mask = npt.NDArray[np.bool_]

UNMATCHED = -1


@dataclass(frozen=True)
class Tokens:
    """The words of one text per segment, as numbers, one after the other."""

    words: Integers
    starts: Integers  # the first word of each segment, and the number of all words

    @classmethod
    def of(cls, texts: Sequence[Sequence[int]]) -> Tokens:
        """The tokens of texts, which are word numbers.

        >>> Tokens.of([[0, 1], [], [0]]).segments.tolist()
        [0, 0, 2]
        """
        words = np.fromiter(chain.from_iterable(texts), dtype=np.int64)
        return cls(words, np.cumsum([0, *map(len, texts)]))

    def __len__(self) -> int:
        return len(self.words)

    @property
    def size(self) -> int:
        """The number of segments."""
        return len(self.starts) - 1

    @cached_property
    def segments(self) -> Integers:
        """The segment of each word."""
        return np.repeat(np.arange(self.size), np.diff(self.starts))


@dataclass(frozen=True)
class Side:
    """One side of the alignments of a system."""

    tokens: Tokens
    state: Integers  # UNMATCHED, or the module
    partner: Integers  # the place of the partner on the other side, or −1
    moved: Mask


@dataclass(frozen=True)
class AlignedSystem:
    """A system aligned with one reference per segment."""

    name: str
    ours: Side  # the hypotheses
    theirs: Side  # the references

    @classmethod
    def of(
        cls, name: str, ours: Tokens, theirs: Tokens, matches: Integers, segments: Integers
    ) -> AlignedSystem:
        """`matches` has one row per match (reference start, length, hypothesis start, length, module, chunk),
        `segments` the segment of each match."""
        places = theirs.starts[segments] + matches[:, 0], ours.starts[segments] + matches[:, 2]
        lengths = matches[:, 1], matches[:, 3]
        crossing = out_of_order(matches, segments)
        return cls(
            name,
            _side(ours, places[::-1], lengths[::-1], matches[:, 4], crossing),
            _side(theirs, places, lengths, matches[:, 4], crossing),
        )


def _side(
    tokens: Tokens,
    places: tuple[Integers, Integers],
    lengths: tuple[Integers, Integers],
    modules: Integers,
    crossing: Mask,
) -> Side:
    """The side to which the first of `places` and of `lengths` belong. Phrases may differ in their lengths:
    then the last words of the longer one share a partner."""
    mine, other = lengths
    within = np.arange(mine.sum()) - np.repeat(np.cumsum(mine) - mine, mine)
    owner = np.repeat(np.arange(len(mine)), mine)
    at = places[0][owner] + within
    state = np.full(len(tokens), UNMATCHED, dtype=np.int64)
    partner = np.full(len(tokens), -1, dtype=np.int64)
    moved = np.zeros(len(tokens), dtype=bool)
    state[at] = modules[owner]
    partner[at] = places[1][owner] + np.minimum(within, other[owner] - 1)
    moved[at] = crossing[owner]
    return Side(tokens, state, partner, moved)
