"""The filter that rejects paraphrases many at a time, with each set of instructions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import _core_testing

PORTABLE, AVX2, AVX512 = range(3)
Phrase = list[int]

# Few words, so that paraphrases occur; some that share their last 8 or 9 bits; some at the ends of the range.
NUMBERS = st.sampled_from([0, 1, 2, 3, 255, 256, 257, 511, 512, 513, 514, 1027, 40_000, 65_534])
PHRASES = st.lists(NUMBERS, min_size=1, max_size=4)


def layout(lefts: list[list[Phrase]], dtype: Any) -> tuple[Any, list[int]]:
    """The paraphrases of left phrases, as core/tables/phrase_table.hpp has them, and where each left
    phrase's begin."""
    entries: list[int] = []
    places = []
    for rights in lefts:
        places.append(len(entries))
        entries.append(len(rights))
        entries += [right[0] for right in rights]
        entries += [right[1] if len(right) > 1 else right[0] for right in rights]
        entries += [len(right) for right in rights]
        entries += [word for right in rights for word in right[2:]]
    return np.array(entries, dtype=dtype), places


def occurring(lefts: list[list[Phrase]], words: list[int]) -> set[tuple[int, int]]:
    return {
        (left, number)
        for left, rights in enumerate(lefts)
        for number, right in enumerate(rights)
        if any(words[k : k + len(right)] == right for k in range(len(words)))
    }


def likely(lefts: list[list[Phrase]], words: list[int], instructions: int, dtype: Any = np.uint16) -> Any:
    entries, places = layout(lefts, dtype)
    return _core_testing.likely_paraphrases(entries, places, np.array(words, dtype=np.int32), instructions)


@given(
    st.lists(st.lists(PHRASES, min_size=1, max_size=70), min_size=1, max_size=4),
    st.lists(st.one_of(NUMBERS, st.just(-1)), max_size=30),
)
def test_none_that_occurs_is_missing(lefts: list[list[Phrase]], words: list[int]) -> None:
    portable = likely(lefts, words, PORTABLE)
    assert portable == sorted(set(portable))
    assert occurring(lefts, words) <= set(portable)
    assert likely(lefts, words, AVX512) == portable
    assert likely(lefts, words, PORTABLE, np.uint32) == portable
    with_fewer_bits = likely(lefts, words, AVX2)
    assert with_fewer_bits == sorted(set(with_fewer_bits))
    assert set(portable) <= set(with_fewer_bits)


@pytest.mark.parametrize("instructions", [PORTABLE, AVX2, AVX512])
def test_nearly_all_others_are_rejected(instructions: int) -> None:
    draw = np.random.default_rng(1)
    words = draw.choice(40_000, 25, replace=False).tolist()
    lefts = [draw.integers(0, 40_000, (20, 2)).tolist() for _ in range(50)]
    assert len(likely(lefts, words, instructions)) < 40  # of 1,000
    scattered = [[[a, b] for a in words for b in words if abs(words.index(a) - words.index(b)) > 1]]
    assert len(likely(scattered, words, instructions)) < 0.3 * len(scattered[0])


def test_long_sentences_have_larger_sets() -> None:
    words = list(range(0, 3_000, 2))
    odd = [[[word] for word in range(1, 3_000, 2)]]
    assert likely(odd, words, AVX512) == []
    assert len(likely([[[word] for word in words]], words, AVX512)) == len(words)


def test_a_damaged_table() -> None:
    with pytest.raises(RuntimeError, match="damaged"):
        _core_testing.likely_paraphrases(
            np.array([9, 1, 1], dtype=np.uint16), [0], np.array([1], dtype=np.int32)
        )
