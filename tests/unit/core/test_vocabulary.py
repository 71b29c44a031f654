"""Words and keys in the core."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import _core
from tests.support.examples import examples


def matches(keys: dict[str, list[int]], hypothesis: str, reference: str) -> list[list[int]]:
    """The matches of two sentences, for words with these keys."""
    engine = _core.Engine(["related"], "beam", [1.0], 40, False, None, [None])
    vocabulary = _core.Vocabulary(["related"])

    def analyse(tokens: list[str]) -> None:
        numbers = np.array([sorted(keys).index(token) for token in tokens])
        offsets = np.cumsum([0, *(len(keys[token]) for token in tokens)], dtype=np.int32)
        flat = np.array([key for token in tokens for key in keys[token]], dtype=np.int64)
        zeros = np.zeros(len(tokens), dtype=np.int32)
        vocabulary.add(tokens, numbers, zeros.astype(np.uint8), zeros, [(offsets, flat)])

    one = np.ones(1, dtype=np.int32)
    _, _, found, _ = engine.run([hypothesis], [reference], one, vocabulary, analyse, 1, False, True)
    assert found is not None
    rows: list[list[int]] = found[:, :4].tolist()
    return rows


def test_a_key_given_twice_counts_once() -> None:
    """A pair listed twice would count twice in the coverage, which decides the fixed matches."""
    once = {"a": [7], "b": [7], "c": [8], "d": [8, -9], "e": [-9]}
    twice = {word: keys * 2 for word, keys in once.items()}
    for hypothesis, reference in [("a c", "d b"), ("e a", "b d"), ("d a d", "c e b c")]:
        assert matches(once, hypothesis, reference) == matches(twice, hypothesis, reference)


def test_equal_words_are_not_related() -> None:
    assert matches({"a": [1], "b": [1]}, "a b", "b a") == [[0, 1, 0, 1], [1, 1, 1, 1]]


WORDS = "abcdef"


@settings(max_examples=examples(200))
@given(
    st.sampled_from(["exact", "related"]),
    st.fixed_dictionaries(
        {word: st.just([k]) | st.lists(st.integers(0, 6), max_size=2) for k, word in enumerate(WORDS)}
    ),
    st.integers(1, 5),
)
def test_words_match_if_they_share_a_key(kind: str, keys: dict[str, list[int]], known: int) -> None:
    """Also if all words had one key, or only themselves as a key, until another word came. The first words
    are known before the others."""
    engine = _core.Engine([kind], "beam", [1.0], 40, False, None, [None])
    vocabulary = _core.Vocabulary([kind])

    def analyse(tokens: list[str]) -> None:
        numbers = np.array([WORDS.index(token) for token in tokens])
        offsets = np.cumsum([0, *(len(keys[token]) for token in tokens)], dtype=np.int32)
        flat = np.array([key for token in tokens for key in keys[token]], dtype=np.int64)
        zeros = np.zeros(len(tokens), dtype=np.int32)
        vocabulary.add(tokens, numbers, zeros.astype(np.uint8), zeros, [(offsets, flat)])

    for words in (WORDS[:known], WORDS):
        pairs = [(a, b) for a in words for b in words]
        hypotheses, references = [a for a, _ in pairs], [b for _, b in pairs]
        ones = np.ones(len(pairs), dtype=np.int32)
        _, _, found, ends = engine.run(hypotheses, references, ones, vocabulary, analyse, 1, False, True)
        assert found is not None and ends is not None
        expected = [bool({*keys[a]} & {*keys[b]}) and (kind == "exact" or a != b) for a, b in pairs]
        assert np.diff(ends).astype(bool).tolist() == expected


def test_adding_a_word_again_changes_nothing() -> None:
    vocabulary = _core.Vocabulary([])
    zeros = np.zeros(2, dtype=np.int32)
    for _ in range(2):
        vocabulary.add(["a", "b"], zeros.astype(np.int64), zeros.astype(np.uint8), zeros, [])
    assert len(vocabulary) == 2


def test_spellings_that_are_nearly_equal_are_different_words() -> None:
    """Short and long words are compared in different ways, and short words are padded with zeros."""
    words = ["a" * length for length in range(1, 40)]
    words += [word[:place] + "b" + word[place + 1 :] for word in words for place in range(len(word))]
    words += [word + "\0" * zeros for word in words for zeros in (1, 2, 9)]
    words = sorted(set(words))
    numbers = np.arange(len(words))
    offsets = np.arange(len(words) + 1, dtype=np.int32)
    zeros = np.zeros(len(words), dtype=np.int32)
    vocabulary = _core.Vocabulary(["exact"])
    for part in (words[::2], words):
        size = len(part)
        column = offsets[: size + 1], numbers[:size]
        vocabulary.add(part, numbers[:size], zeros[:size].astype(np.uint8), zeros[:size], [column])
        assert len(vocabulary) == size
    assert vocabulary.lacking(words) == []
    assert vocabulary.lacking(["", "c", "a" * 40, "\0"]) == ["", "c", "a" * 40, "\0"]


def test_numbers_that_are_no_words_of_a_table_match_nothing() -> None:
    """The numbers from a custom stage may be wrong."""
    builder = _core.PhraseTableBuilder()
    builder.add("a", "b")
    arrays = builder.finish()
    names = ("words.bytes", "words.offsets", "nodes", "starts", "entries")
    table = _core.PhraseTable(*(arrays[name] for name in names))
    engine = _core.Engine(["phrase"], "beam", [1.0], 40, False, None, [table])
    vocabulary = _core.Vocabulary(["phrase"])
    numbers = {"a": 0, "b": 1, "c": 2, "d": 5_000_000}

    def analyse(tokens: list[str]) -> None:
        given = np.array([numbers[token] for token in tokens], dtype=np.int64)
        zeros = np.zeros(len(tokens), dtype=np.int32)
        offsets = np.arange(len(tokens) + 1, dtype=np.int32)
        vocabulary.add(tokens, given, zeros.astype(np.uint8), zeros, [(offsets, given)])

    one = np.ones(1, dtype=np.int32)
    for words in (4, 70):
        hypothesis, reference = " ".join(["b", *"dc" * (words // 2)]), " ".join(["a", *"cd" * (words // 2)])
        _, _, found, _ = engine.run([hypothesis], [reference], one, vocabulary, analyse, 1, False, True)
        assert found is not None and found[:, :4].tolist() == [[0, 1, 0, 1]]


def test_identities_have_32_bits() -> None:
    """They are compared sixteen at a time."""
    zeros = np.zeros(1, dtype=np.int32)
    for identity in (2**31, -(2**31) - 1, 2**40):
        with pytest.raises(ValueError, match="32 bits"):
            _core.Vocabulary([]).add(["a"], np.array([identity]), zeros.astype(np.uint8), zeros, [])
