"""TOML files of users: limits, and errors instead of crashes."""

from __future__ import annotations

import io
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import Meteor
from bolide._support import toml as _toml
from bolide.errors import BolideError
from bolide.resources import manifest
from bolide.tuning.sets import read_sets
from tests.support.posix import needs_devices

PARTS = 60_000
LONG = {
    "dotted": ".".join(["a"] * PARTS) + "=1",
    "spaced": " . ".join(["a"] * PARTS) + "=1",
    "quoted": ".".join(['"a,="'] * PARTS) + "=1",
    "literal": ".".join(["'a\"'"] * PARTS) + "=1",
    "inline": 'x={b="""c"""",' + ".".join(["a"] * PARTS) + "=1}",
    "header": "[" + ".".join(["a"] * PARTS) + "]",
    "array": "[[" + ".".join(["a"] * PARTS) + "]]",
    "nested": "a=" + "[" * PARTS,
    "open": '"""' + '\\"""\n' * PARTS,
    "large": "#" * (_toml.LARGEST + 1),
}


def parsed(text: str) -> object:
    return _toml.parse(io.BytesIO(text.encode()))


@pytest.mark.parametrize("name", LONG)
def test_hostile_files_end_soon(name: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.toml").write_text(LONG[name])
    start = time.process_time()
    with pytest.raises(BolideError):
        Meteor(profile=str(tmp_path / "manifest.toml"))
    with pytest.raises(BolideError):
        read_sets(tmp_path / "manifest.toml")
    with pytest.raises(BolideError):
        manifest.read(tmp_path)
    assert time.process_time() - start < 5


@needs_devices
def test_devices_are_refused(tmp_path: Path) -> None:
    (tmp_path / "zero.toml").symlink_to("/dev/zero")
    for read in (read_sets, lambda path: Meteor(profile=str(path))):
        with pytest.raises(BolideError, match="it is a device"):
            read(tmp_path / "zero.toml")


@needs_devices
def test_pipes_are_read() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"a = 1")
    os.close(writer)
    assert _toml.read(Path(f"/dev/fd/{reader}")) == {"a": 1}
    os.close(reader)


def test_the_limit_of_a_key() -> None:
    assert parsed(".".join(["a"] * _toml.LONGEST_KEY) + "=1")
    with pytest.raises(ValueError, match="a dotted key has more than 64 parts"):
        parsed(".".join(["a"] * (_toml.LONGEST_KEY + 1)) + "=1")


@pytest.mark.parametrize("quotes", ['"', "'", '"""', "'''"])
@given(words=st.lists(st.sampled_from(["a.", "# ", " ", "= ", "[", "1.5,"]), min_size=200, max_size=300))
def test_dots_in_values_are_allowed(quotes: str, words: list[str]) -> None:
    """Strings, comments and lists of numbers may have many dots."""
    text = "".join(words)
    numbers = ", ".join(["1.5"] * 99)
    found = parsed(f"x = {quotes}{text}{quotes} # {text}\ny = [{numbers}]\n")
    assert found == {"x": text, "y": [1.5] * 99}
