"""The filter that rejects many paraphrases at once, with each instruction set."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import core_testing
from tests.support.instructions import each_set

FEWER_BITS = ("avx2",)  # for short sentences: sets of 256 bits instead of 512
Phrase = list[int]

# Few words, so that paraphrases occur; some share their last 8 or 9 bits; some are at the ends of the range.
NUMBERS = st.sampled_from([0, 1, 2, 3, 255, 256, 257, 511, 512, 513, 514, 1027, 40_000, 65_534])
PHRASES = st.lists(NUMBERS, min_size=1, max_size=4)


def layout(lefts: list[list[Phrase]], dtype: Any) -> tuple[Any, list[int]]:
    """The paraphrases of left phrases, in the layout of core/tables/phrase_table.hpp.

    Also where the paraphrases of each left phrase begin.
    """
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


def likely(lefts: list[list[Phrase]], words: list[int], instructions: str, dtype: Any = np.uint16) -> Any:
    entries, places = layout(lefts, dtype)
    return core_testing.likely_paraphrases(entries, places, np.array(words, dtype=np.int32), instructions)


@each_set
@given(
    st.lists(st.lists(PHRASES, min_size=1, max_size=70), min_size=1, max_size=4),
    st.lists(st.one_of(NUMBERS, st.just(-1)), max_size=30),
)
def test_none_that_occurs_is_missing(instructions: str, lefts: list[list[Phrase]], words: list[int]) -> None:
    found = likely(lefts, words, instructions)
    assert found == sorted(set(found))
    assert occurring(lefts, words) <= set(found)
    portable = likely(lefts, words, "portable")
    if instructions in FEWER_BITS:
        assert set(portable) <= set(found)
    else:
        assert found == portable
    assert likely(lefts, words, instructions, np.uint32) == portable


@each_set
def test_nearly_all_others_are_rejected(instructions: str) -> None:
    draw = np.random.default_rng(1)
    words = draw.choice(40_000, 25, replace=False).tolist()
    lefts = [draw.integers(0, 40_000, (20, 2)).tolist() for _ in range(50)]
    assert len(likely(lefts, words, instructions)) < 40  # of 1,000
    scattered = [[[a, b] for a in words for b in words if abs(words.index(a) - words.index(b)) > 1]]
    assert len(likely(scattered, words, instructions)) < 0.3 * len(scattered[0])


@each_set
def test_long_sentences_have_larger_sets(instructions: str) -> None:
    words = list(range(0, 3_000, 2))
    odd = [[[word] for word in range(1, 3_000, 2)]]
    assert likely(odd, words, instructions) == []
    assert len(likely([[[word] for word in words]], words, instructions)) == len(words)


@each_set
def test_a_damaged_table(instructions: str) -> None:
    entries = np.array([9, 1, 1], dtype=np.uint16)
    with pytest.raises(RuntimeError, match="damaged"):
        core_testing.likely_paraphrases(entries, [0], np.array([1], dtype=np.int32), instructions)
