"""Meteor's text files: lines and words, before a pack is installed."""

from __future__ import annotations

from bolide.resources import formats


def test_lines_end_as_in_java() -> None:
    assert formats.lines("a\r\nb\rc\nd\u2028e\x0bf".encode(), "x") == ["a", "b", "c", "d\u2028e\x0bf"]
    assert formats.lines(b"", "x") == []
    assert formats.lines(b"\n\n", "x") == ["", ""]


def test_words_are_sorted_by_bytes_and_come_back() -> None:
    words = ["z", "é", "a", "😀", "\uffff", "a", ""]
    made = formats.word_arrays(words)
    assert formats.words_of(made["bytes"], made["offsets"]) == ["", "a", "z", "é", "\uffff", "😀"]
    empty = formats.word_arrays([])
    assert formats.words_of(empty["bytes"], empty["offsets"]) == []
