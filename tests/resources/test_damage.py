"""Damaged packs: what opening them detects, and what only `verify` detects."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from bolide import resources
from bolide.errors import ResourceError
from bolide.resources import Pack, load, manifest
from tests.support import fake_meteor


@pytest.fixture
def english(home: Path, tmp_path: Path) -> Pack:
    return fake_meteor.installed(tmp_path)


DAMAGE = {
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "empty": lambda path: path.write_bytes(b""),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"x"),
    "missing": lambda path: path.unlink(),
    "header": lambda path: path.write_bytes(b"\0" * path.stat().st_size),
    "shape": lambda path: path.write_bytes(path.read_bytes().replace(b")", b"x", 1)),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=list(DAMAGE))
@pytest.mark.parametrize("name", ["synonyms.ids.npy", "paraphrases.nodes.npy", "function_words.bytes.npy"])
def test_damaged_array_is_named_with_a_remedy(
    english: Pack, damage: Callable[[Path], object], name: str
) -> None:
    folder = fake_meteor.arrays(english).parent
    damage(fake_meteor.arrays(english) / name)
    for check in (resources.load_pack, resources.verify):
        with pytest.raises(ResourceError) as error:
            check(folder)
        assert name in str(error.value)
        assert "\n" not in str(error.value)
        assert str(error.value).endswith(": repair it with `bolide resources install en --force`")


def test_damaged_headers_are_told(english: Pack) -> None:
    """As if no checksum were checked: reading gives the array, or a bolide error."""
    path = fake_meteor.arrays(english) / "synonyms.offsets.npy"
    good, wanted, told = path.read_bytes(), np.load(path), 0
    folder = path.parent.parent
    files = manifest.files(folder, manifest.read(folder))
    for place, byte in product(range(128), b"x(){}'\\\0\n[1-L"):
        try:
            found = load._array(files, path.name, good[:place] + bytes([byte]) + good[place + 1 :])
        except ResourceError as error:
            told += 1
            assert re.search(r"offsets\.npy is damaged .*: repair it with", str(error))
            assert "\n" not in str(error)
        else:
            assert found.dtype.itemsize * found.size <= wanted.nbytes
    assert told > 1000


def test_a_truncated_file_is_told_by_its_sizes(english: Pack) -> None:
    path = fake_meteor.arrays(english) / "synonyms.ids.npy"
    size = path.stat().st_size
    path.write_bytes(path.read_bytes()[:-1])
    for check in (resources.load_pack, resources.verify):
        with pytest.raises(
            ResourceError, match=rf"synonyms\.ids\.npy has {size - 1} bytes, expected {size}: "
        ):
            check(fake_meteor.arrays(english).parent)


def test_every_flipped_byte_of_a_small_file_is_found_on_opening(english: Pack) -> None:
    path = fake_meteor.arrays(english) / "function_words.offsets.npy"
    good = path.read_bytes()
    for place in range(len(good)):
        path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        with pytest.raises(
            ResourceError, match=r"function_words\.offsets\.npy is damaged.*install en --force"
        ):
            resources.load_pack(fake_meteor.arrays(english).parent)


def test_every_flipped_byte_is_found_by_verify(english: Pack) -> None:
    folder = fake_meteor.arrays(english)
    for path in sorted(folder.iterdir()):
        good = path.read_bytes()
        for place in {0, len(good) // 2, len(good) - 1}:
            bad = bytearray(good)
            bad[place] ^= 1
            path.write_bytes(bad)
            with pytest.raises(ResourceError, match=path.name):
                resources.verify(folder.parent)
        path.write_bytes(good)
    assert resources.verify(folder.parent).hash == english.hash


def test_arrays_that_do_not_fit_together(english: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Damage that keeps the size of a large file, but that opening detects without reading everything."""
    monkeypatch.setattr(load, "SMALL", 0)
    monkeypatch.setenv("BOLIDE_VERIFY", "never")
    path = fake_meteor.arrays(english) / "synonyms.words.offsets.npy"
    data = bytearray(path.read_bytes())
    data[-4:] = (10**9).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(ResourceError, match="damaged"):
        resources.load_pack(fake_meteor.arrays(english).parent)


FORMAT = f"format = {manifest.FORMAT}"
BAD_MANIFESTS = {
    "no TOML": ("= = =", "is damaged"),
    "empty": ("", "is damaged"),
    "binary": ("\x00\x01", "is damaged"),
    "future": ("format = 99", f"has format 99, this bolide reads {manifest.FORMAT}"),
    "files": (
        f'format = {manifest.FORMAT}\nlanguage = "en"\nbolide = "0"\nfolder = "x"\nfiles = 3',
        "is damaged",
    ),
}


@pytest.mark.parametrize(("text", "message"), BAD_MANIFESTS.values(), ids=list(BAD_MANIFESTS))
def test_damaged_manifest(english: Pack, text: str, message: str) -> None:
    assert english.path is not None
    (english.path / manifest.NAME).write_text(text)
    for check in (resources.load_pack, resources.verify):
        with pytest.raises(ResourceError, match=message):
            check(english.path)


def test_manifest_that_is_no_text(english: Pack) -> None:
    assert english.path is not None
    (english.path / manifest.NAME).write_bytes(b"\xff\xfe")
    with pytest.raises(ResourceError, match="is damaged"):
        resources.load_pack(english.path)


def test_folder_that_is_no_pack(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(ResourceError, match="is not a language pack"):
            resources.load_pack(folder)
