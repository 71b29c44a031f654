"""Converts wordfreq's lists of words (cBpack) to the arrays of `WordFrequencies`.

A list is a gzip file. Its contents are in msgpack, an encoding like JSON:

    [{"format": "cB", "version": 1}, [], [], ..., ["the"], ..., ["rare", "words"]]

The lists after the header have the words with a frequency of 0, -1, -2, ... centibels: those in list number n
have the probability 10^(-n/100). Only these types of msgpack are read, and nothing else is allowed in a file.
"""

from __future__ import annotations

import math

import numpy as np

from bolide.errors import ResourceError
from bolide.resources import formats
from bolide.resources.formats import PackArrays

# Real files have 800 lists and 730,000 words.
_MOST_LISTS = 5000  # so that all bits fit in a byte
_MOST_WORDS = 1 << 22
_BITS_PER_CENTIBEL = math.log2(10) / 100
_HEADER = {b"format": b"cB", b"version": 1}
# Types of msgpack: the first byte of short values, the number of bytes of the length of longer ones.
_SHORT_TEXT, _SHORT_LIST, _SHORT_TABLE = 0xA0, 0x90, 0x80
_TEXT = {0xD9: 1, 0xDA: 2, 0xDB: 4}
_LIST = {0xDC: 2, 0xDD: 4}


def compile_frequencies(data: bytes, where: str) -> PackArrays:
    """The arrays of `WordFrequencies`: sorted words, and the bits of each. `where` names the file in
    errors."""
    try:
        words = decode(data)
    except (ValueError, IndexError) as error:
        reason = str(error) if type(error) is ValueError else "it is incomplete or not text"
        raise ResourceError(f"{where} is not a list of words of wordfreq ({reason})") from None
    ordered = formats.sorted_words(words)
    bits = np.fromiter((words[word] for word in ordered), np.int32) * _BITS_PER_CENTIBEL
    return {
        **formats.named("words", formats.word_arrays(ordered)),
        "bits": np.rint(bits).astype(np.uint8),
    }


def decode(data: bytes) -> dict[str, int]:
    """The words of an unpacked file, and minus the centibels of each. ValueError or IndexError if it is
    damaged."""
    return _Reader(data).file()


class _Reader:
    """Reads values one after another."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def file(self) -> dict[str, int]:
        lists = self._length(_SHORT_LIST, 15, _LIST) - 1
        if not 0 < lists <= _MOST_LISTS:
            raise ValueError(f"it has {lists:,} lists")
        if self._header() != _HEADER:
            raise ValueError("its header is wrong")
        found: dict[str, int] = {}
        for number in range(lists):
            for word in self._words():
                found.setdefault(word, number)  # the more frequent
            if len(found) > _MOST_WORDS:
                raise ValueError(f"it has more than {_MOST_WORDS:,} words")
        if self._at != len(self._data):
            raise ValueError("there is more after its end")
        if not found:
            raise ValueError("it has no words")
        return found

    def _header(self) -> dict[bytes, bytes | int]:
        length = self._length(_SHORT_TABLE, 15, {})
        return {self._text(): self._text_or_digit() for _ in range(length)}

    def _text_or_digit(self) -> bytes | int:
        first = self._data[self._at]
        if first >= _SHORT_TABLE:
            return self._text()
        self._at += 1
        return first

    def _words(self) -> list[str]:
        count = self._length(_SHORT_LIST, 15, _LIST)
        if count > len(self._data) - self._at:  # each has a byte or more
            raise ValueError("a list is longer than the file")
        words = [self._text().decode("utf-8") for _ in range(count)]
        if "" in words:
            raise ValueError("it has an empty word")
        return words

    def _text(self) -> bytes:
        length = self._length(_SHORT_TEXT, 31, _TEXT)
        start, self._at = self._at, self._at + length
        if self._at > len(self._data):
            raise ValueError("a word is longer than the file")
        return self._data[start : self._at]

    def _length(self, short: int, longest: int, longer: dict[int, int]) -> int:
        """The length of a value. Its type is `short` + its length, or one of `longer`."""
        first = self._data[self._at]
        self._at += 1
        if short <= first <= short + longest:
            return first - short
        if first not in longer:
            raise ValueError(f"unexpected type {first:#04x}")
        start, self._at = self._at, self._at + longer[first]
        if self._at > len(self._data):
            raise ValueError("a length is incomplete")
        return int.from_bytes(self._data[start : self._at], "big")
