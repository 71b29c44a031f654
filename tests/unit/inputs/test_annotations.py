"""Files of tags, labels and frequencies: what they mean, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bolide import InputError
from bolide.inputs.annotations import read_frequencies, read_labels, read_tags


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "given.tsv"


def test_tags_with_and_without_a_header(file: Path) -> None:
    file.write_text("news\t0.5\n\t\nweb\t \n", "utf-8")
    assert read_tags(str(file), 3) == {"tag 1": ["news", "", "web"], "tag 2": ["0.5", "", ""]}
    assert read_tags(str(file), 2) == {"news": ["", "web"], "0.5": ["", ""]}
    file.write_text("news\nweb\n", "utf-8")
    assert read_tags(str(file), 2) == {"tag": ["news", "web"]}
    file.write_text("\tyear\na\t1\n", "utf-8")
    assert read_tags(str(file), 1) == {"tag 1": ["a"], "year": ["1"]}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a\n", "given.tsv has 1 line for 3 segments; it must have one line per segment"),
        ("a\nb\nc\nd\ne\n", "given.tsv has 5 lines for 3 segments"),
        (
            "a\tb\nc\nd\te\n",
            "given.tsv, line 2 has 1 column, but the first segment has 2; give every segment all",
        ),
        ("x\ty\na\nb\nc\n", "the header has 2 columns, but the segments have 1"),
        ("x\tx\na\tb\na\tb\na\tb\n", "given.tsv has two columns 'x'; give each column a name of its own"),
    ],
)
def test_what_is_wrong_with_tags(file: Path, text: str, problem: str) -> None:
    file.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        read_tags(str(file), 3)
    assert problem in str(caught.value)


def test_labels(file: Path) -> None:
    file.write_text("pos| number\nDET NOUN|plural\n\n", "utf-8")
    found = read_labels(str(file), 2)
    assert (found.names, found.lines) == (("pos", "number"), (("DET", "NOUN|plural"), ()))
    assert found.where(1) == f"{file}, line 3"
    assert read_labels(str(file), 3).names == ()
    with pytest.raises(InputError, match="has 3 lines for 7 segments"):
        read_labels(str(file), 7)


def test_frequencies(file: Path) -> None:
    file.write_text("the\t10\na b\t2\n\nthe\t1\n", "utf-8")
    assert read_frequencies(str(file)) == {"the": 11, "a b": 2}


def test_frequencies_with_control_characters(file: Path) -> None:
    """str.strip removes them, and int() does not."""
    file.write_text("the\t10\x1d\n", "utf-8")
    assert read_frequencies(str(file)) == {"the": 10}


@pytest.mark.parametrize(
    "line", ["the 10", "the\tx", "the\t-1", "the\t1.5", "the\t" + "9" * 30, "the\t" + "9" * 9999, "the\t"]
)
def test_what_is_wrong_with_frequencies(file: Path, line: str) -> None:
    file.write_text(f"a\t1\n{line}\n", "utf-8")
    with pytest.raises(InputError, match=r"given.tsv, line 2 is not a word, a tab and a count"):
        read_frequencies(str(file))
    file.write_text("\n", "utf-8")
    with pytest.raises(InputError, match="has no frequencies"):
        read_frequencies(str(file))
