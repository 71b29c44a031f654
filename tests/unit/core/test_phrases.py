"""The paraphrase table: entries are read back unchanged, and damage is detected."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import _core
from tests.support import core_testing

words = st.sampled_from(["a", "b", "c", "dé", "日本", "x" * 40])
phrases = st.lists(words, min_size=1, max_size=4).map(tuple)
Pairs = list[tuple[tuple[str, ...], tuple[str, ...]]]


def table(arrays: dict[str, np.ndarray]) -> _core.PhraseTable:
    return _core.PhraseTable(
        arrays["words.bytes"], arrays["words.offsets"], arrays["nodes"], arrays["starts"], arrays["entries"]
    )


def meteor_file(pairs: Pairs) -> bytes:
    return "".join(f"0.5\n{' '.join(left)}\n{' '.join(right)}\n" for left, right in pairs).encode()


@given(st.lists(st.tuples(phrases, phrases), max_size=60), st.integers(1, 50), phrases)
def test_paraphrases_come_back_in_file_order(pairs: Pairs, chunk: int, absent: tuple[str, ...]) -> None:
    builder = _core.PhraseTableBuilder()
    data = meteor_file(pairs)
    for start in range(0, len(data), chunk):
        builder.feed(data[start : start + chunk])
    assert builder.entries == len(pairs)
    found = table(builder.finish())
    for left in {left for left, _ in pairs} | {absent}:
        assert core_testing.paraphrases(found, list(left)) == [
            list(right) for other, right in pairs if other == left
        ]


@given(st.lists(words, unique=True), st.lists(words))
def test_word_index(present: list[str], wanted: list[str]) -> None:
    ordered = sorted(present, key=str.encode)
    joined = "".join(ordered).encode()
    offsets = np.cumsum([0, *(len(word.encode()) for word in ordered)], dtype=np.uint32)
    index = _core.WordIndex(np.frombuffer(joined, dtype=np.uint8), offsets)
    assert index.find(wanted).tolist() == [ordered.index(word) if word in ordered else -1 for word in wanted]
    assert [index.word(k) for k in range(len(index))] == ordered


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"0.5\na\n", "line 2: the file ends in the middle of an entry"),
        (b"0.5\na\nb\nnonsense\nc\nd\n", "line 4: expected a probability, found 'nonsense'"),
        (b"0.5\n \nb\n", "line 3: empty phrase"),
        (b"0.5\na\n" + b"b " * 256 + b"\n", "line 3: phrase of more than 255 words"),
        (b"0.5\na\nb\r\r\n", "line 3: a carriage return within a line"),
        (b"0.5\na\rb\nc\n", "line 3: a carriage return within a line"),
    ],
)
def test_malformed_files_are_refused_by_line(data: bytes, message: str) -> None:
    builder = _core.PhraseTableBuilder()
    with pytest.raises(ValueError, match=message):
        builder.feed(data)
        builder.finish()


def test_spaces_do_not_distinguish_phrases() -> None:
    """The entries of "a b" were lost when "a  b" came later."""
    builder = _core.PhraseTableBuilder()
    builder.feed(b"0.5\na b\nc\n0.5\na  b\nd\n0.5\n a b \ne f\n")
    found = table(builder.finish())
    assert core_testing.paraphrases(found, ["a", "b"]) == [["c"], ["d"], ["e", "f"]]


# Index in the entries, and the damaged value.
DAMAGES = [(0, 9), (0, 0xFFFF), (1, 2), (1, 0xFFFF), (2, 2), (2, 0xFFFF), (3, 0), (3, 3), (3, 0xFFFF)]


@pytest.mark.parametrize(("place", "value"), DAMAGES)
def test_damaged_entries_are_an_error_not_a_crash(place: int, value: int) -> None:
    builder = _core.PhraseTableBuilder()
    builder.add("a", "b b")
    arrays = {name: array.copy() for name, array in builder.finish().items()}
    assert arrays["entries"].tolist() == [1, 1, 1, 2]  # one paraphrase: words b and b, two
    arrays["entries"][place] = value
    with pytest.raises(RuntimeError, match="damaged phrase table"):
        core_testing.paraphrases(table(arrays), ["a"])


def test_large_tables_have_wide_entries() -> None:
    builder = _core.PhraseTableBuilder()
    for number in range(0x10000):
        builder.add("a", f"w{number} x")
    arrays = builder.finish()
    assert arrays["entries"].dtype == np.uint32
    found = core_testing.paraphrases(table(arrays), ["a"])
    assert len(found) == 0x10000 and found[-1] == ["w65535", "x"]


def test_arrays_that_are_no_table_are_refused() -> None:
    arrays = _core.PhraseTableBuilder().finish()
    with pytest.raises(ValueError, match="do not form a phrase table"):
        table({**arrays, "nodes": np.zeros(3, dtype=np.uint64)})
    with pytest.raises(ValueError, match="do not form a word index"):
        table({**arrays, "words.offsets": np.array([5], dtype=np.uint32)})
