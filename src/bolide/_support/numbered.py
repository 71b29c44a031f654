"""Numbers for items, in order of first use."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


class Numbered(dict[T, int]):
    """Gives every new item the next number.

    >>> numbers = Numbered()
    >>> [numbers[word] for word in ["to", "be", "or", "not", "to", "be"]]
    [0, 1, 2, 3, 0, 1]
    """

    def __missing__(self, item: T) -> int:
        number = self[item] = len(self)
        return number
