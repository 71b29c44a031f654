"""Reads .xz files, but not those that reserve too much memory."""

from __future__ import annotations

import base64
import io
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide._support import xz
from bolide._support.xz import open_xz
from bolide.errors import InputError
from bolide.inputs.text_files import read_lines

STREAMS = st.lists(st.binary(max_size=200).map(lambda data: data * 40), min_size=1, max_size=4)
GREEDY: list[dict[str, object]] = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}]


@given(streams=STREAMS, padding=st.integers(0, 3), sizes=st.lists(st.integers(1, 3000), min_size=1))
def test_the_bytes_of_all_streams(
    tmp_path_factory: pytest.TempPathFactory, streams: list[bytes], padding: int, sizes: list[int]
) -> None:
    path = tmp_path_factory.mktemp("xz") / "text.xz"
    path.write_bytes(b"".join(lzma.compress(data) + b"\0" * 4 * padding for data in streams))
    whole = io.BytesIO(b"".join(streams))
    with open_xz(path) as stream:
        for size in sizes:
            assert stream.read(size) == whole.read(size)
        place = min(sizes[0], whole.tell())
        assert stream.seek(place) == whole.seek(place)
        assert stream.read() == whole.read()
        assert stream.tell() == whole.tell()


@pytest.mark.parametrize("cut", [0, 5, 30, -1])
def test_an_incomplete_file(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "text.xz"
    path.write_bytes(lzma.compress(bytes(range(256)))[:cut])
    with open_xz(path) as stream, pytest.raises(EOFError):
        stream.read()


def test_a_file_that_reserves_a_gigabyte(tmp_path: Path) -> None:
    path = tmp_path / "text.xz"
    path.write_bytes(lzma.compress(b"word\n", filters=GREEDY))
    with pytest.raises(
        InputError, match=r"text\.xz: unpacking it needs more than .* bytes of memory; unpack it"
    ):
        list(read_lines(str(path)))


def test_the_memory_that_xz_needs_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "text.xz"
    path.write_bytes(lzma.compress(b"word\n", preset=9 | lzma.PRESET_EXTREME))
    assert list(read_lines(str(path))) == ["word"]
    assert xz.MEMORY >= 1 << 27


def test_the_older_format(tmp_path: Path) -> None:
    """Found by fuzzing: 27 bytes that made the reader reserve 4 GB, because they begin like a .lzma file."""
    path = tmp_path / "text.xz"
    path.write_bytes(base64.b64decode("AP///////////////////////////7IKAEEA"))
    with pytest.raises(InputError, match=r"cannot read .*text\.xz: damaged compressed data"):
        list(read_lines(str(path)))


def test_what_cannot_be_sought(tmp_path: Path) -> None:
    path = tmp_path / "text.xz"
    path.write_bytes(lzma.compress(b"word\n"))
    with open_xz(path) as stream, pytest.raises(io.UnsupportedOperation):
        stream.seek(0, io.SEEK_END)
