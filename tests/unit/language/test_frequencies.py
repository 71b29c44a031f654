"""The information of words: every way to find a word, and a comparison with plain rules."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import _core
from bolide.language.frequencies import PUNCTUATION, UNKNOWN, WordFrequencies
from bolide.resources import formats

BITS = {
    "the": 4, "boat": 11, "well": 9, "known": 12, "strasse": 13, "été": 14, "λογοσ": 15, "हिन्दी": 16, "0": 7,
    "00": 8, "0000": 10, "0,000": 17, "don't": 18, "uターン": 19, "كلمة": 20, "și": 6, "kişi": 21,
    "istanbul": 22, "°": 23, "t": 3,
}  # fmt: skip


def frequencies(bits: Mapping[str, int]) -> WordFrequencies:
    words = formats.sorted_words(bits)
    arrays = formats.word_arrays(words)
    index = _core.WordIndex(arrays["bytes"], arrays["offsets"])
    return WordFrequencies(index, np.array([bits[word] for word in words], np.uint8))


FREQUENCIES = frequencies(BITS)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        *BITS.items(),
        # Other spellings.
        ("straße", 13),
        ("e\u0301te\u0301", 14),
        ("λογος", 15),
        ("ｕターン", 19),
        ("كَلِمَـة", 20),
        ("şi", 6),
        ("kiși", 21),
        ("i\u0307stanbul", 22),
        ("ﬁne", UNKNOWN),
        # Numbers.
        ("7", UNKNOWN),  # one digit is a word of its own
        ("42", 8),
        ("1990", 10),
        ("٤٢", 8),
        ("3,141", 17),
        ("123456", UNKNOWN),
        # Parts.
        ("well-known", 12),
        ("well_known", 12),
        ("'boat'", 11),
        ("l’boat", UNKNOWN),
        ("boat-42", 11),
        ("the.boat.xyzzy", UNKNOWN),
        ("हिन्दी-boat", 16),
        ("x" * 100_000, UNKNOWN),
        ("the-" * 10_000, 4),
        # Neither letters nor digits.
        ("", PUNCTUATION),
        (".", PUNCTUATION),
        ("--", PUNCTUATION),
        ("_", PUNCTUATION),
        ("€", PUNCTUATION),
        ("\u0301", PUNCTUATION),
        ("\N{PARTY POPPER}", PUNCTUATION),
        ("½", UNKNOWN),
    ],
)
def test_every_way_to_find_a_word(word: str, expected: int) -> None:
    assert FREQUENCIES.bits([word]).tolist() == [expected]


def test_many_words_at_once() -> None:
    words = ["boat", "", "xyzzy", "well-known", "boat", "42"]
    found = FREQUENCIES.bits(words)
    assert found.tolist() == [11, 5, 27, 12, 11, 8]
    assert found.dtype == np.int32
    assert FREQUENCIES.bits([]).tolist() == []
    assert FREQUENCIES.bits(tuple(words)).tolist() == found.tolist()


def test_a_list_without_words() -> None:
    assert frequencies({}).bits(["boat", "a-b", "."]).tolist() == [27, 27, 5]


def test_arrays_must_fit() -> None:
    arrays = formats.word_arrays(["a", "b"])
    index = _core.WordIndex(arrays["bytes"], arrays["offsets"])
    for bits in (np.array([1], np.uint8), np.array([1.0, 2.0])):
        with pytest.raises(ValueError, match="are not word frequencies"):
            WordFrequencies(index, bits)


def plain(word: str, known: Mapping[str, int]) -> int:
    """The rules for words without accents, in other words."""

    def bits(text: str) -> int | None:
        zeros = re.sub(r"\d[\d.,]+", lambda run: re.sub(r"\d", "0", run[0]), text)
        return known.get(text, known.get(zeros))

    if (found := bits(word)) is not None:
        return found
    if not any(unicodedata.category(letter)[0] in "LN" for letter in word):
        return 5
    parts = [bits(part) for part in re.split(r"[^a-z0-9]+", word) if part]
    return 27 if None in parts else max(part for part in parts if part is not None)


@given(
    st.dictionaries(st.text("ab0-", min_size=1, max_size=4), st.integers(1, 30)),
    st.lists(st.text("abc012.,-_'", max_size=8)),
)
def test_equals_plain_rules(known: dict[str, int], words: list[str]) -> None:
    assert frequencies(known).bits(words).tolist() == [plain(word, known) for word in words]
