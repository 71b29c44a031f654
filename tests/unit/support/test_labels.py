"""Short names of files: all are different, and only common parts are left out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide._support.labels import STRONG, WEAK, chosen_labels, labels, without_folder
from bolide.errors import ConfigurationError
from tests.support.examples import examples

# A name that ends with a slash is a folder.
NAME = st.text(st.sampled_from("ab1.-_/: "), min_size=1, max_size=9).filter(lambda name: name[-1] != "/")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["newstest2013.de-en.umd.2922", "newstest2013.de-en.MES:.2916"], ["umd.2922", "MES:.2916"]),
        (["system-1.txt", "system-2.txt"], ["system-1", "system-2"]),
        (["1.txt", "2.txt"], ["1", "2"]),
        (["online-A", "online-B"], ["online-A", "online-B"]),
        (["f.sgm:one", "f.sgm:two"], ["one", "two"]),
        (["one-align.out", "two-align.out"], ["one", "two"]),
        (["a.txt"], ["a.txt"]),
        (["", ""], ["", ""]),
    ],
)
def test_examples(files: list[str], expected: list[str]) -> None:
    assert labels(files) == expected


@given(st.lists(NAME, min_size=2, max_size=4, unique=True))
@settings(max_examples=examples(500))
def test_names_stay_different_parts_of_the_files(files: list[str]) -> None:
    whole, short = without_folder(files), labels(files)
    assert len(set(short)) == len(set(whole))
    removed = set()
    for name, label in zip(whole, short, strict=True):
        assert label
        assert any(
            name == (before := name[:k]) + label + (after := name[k + len(label) :])
            and before[-1:] in STRONG + WEAK
            and after[:1] in STRONG + WEAK
            for k in range(len(name))
        )
        removed.add(len(name) - len(label))
    assert len(removed) == 1  # the same from every name


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("A", "--names has 1 name for 2 systems"),
        ("A,B,C", "3 names for 2 systems"),
        ("A,", "has an empty name"),
        ("A, A", "has 'A' twice"),
    ],
)
def test_wrong_names(names: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        chosen_labels(names, ["one", "two"])
