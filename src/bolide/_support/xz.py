"""Reads .xz files with a limit on memory, which `lzma.open` does not offer.

The header of such a file names the memory that its reader reserves: up to 4 GB, however small the file is.
"""

from __future__ import annotations

import errno
import io
import lzma
import os
from pathlib import Path
from typing import Any

MEMORY = 1 << 28  # bytes; a file made by `xz -9` needs 65 MiB
_CHUNK = 1 << 16


def open_xz(path: Path) -> io.BufferedReader:
    """Opens a file for reading, decompressed. If it needs too much memory, reading it raises `OSError`."""
    return io.BufferedReader(_Unpacked(path))


class _Unpacked(io.RawIOBase):
    """The decompressed bytes of a file, which may have several streams."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._rewind()

    def _rewind(self) -> None:
        self._file.seek(0)
        self._place = 0  # in the decompressed bytes
        self._input = b""  # read, but not decompressed
        self._decompressor = _decompressor()

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._file.fileno()

    def seekable(self) -> bool:
        return self._file.seekable()

    def tell(self) -> int:
        return self._place

    def seek(self, place: int, whence: int = os.SEEK_SET, /) -> int:
        """Backwards means decompressing again from the beginning."""
        if whence == os.SEEK_END:
            raise io.UnsupportedOperation("the size is not known")
        place += self._place if whence == os.SEEK_CUR else 0
        if place < self._place:
            self._rewind()
        while self._place < place and (data := self._some(min(_CHUNK, place - self._place))):
            self._place += len(data)
        return self._place

    def readinto(self, target: Any, /) -> int:
        data = self._some(len(target))
        self._place += len(data)
        target[: len(data)] = data
        return len(data)

    def _some(self, size: int) -> bytes:
        """The next bytes, at most `size`. There are none at the end."""
        while True:
            if self._decompressor.eof:
                self._input = self._decompressor.unused_data or self._input
                if not self._next_stream():
                    return b""
            if self._decompressor.needs_input and not self._input:
                self._input = self._file.read(_CHUNK)
                if not self._input:
                    raise EOFError("Compressed file ended before the end-of-stream marker was reached")
            self._input, compressed = b"", self._input
            if data := self._decompressed(compressed, size):
                return data

    def _decompressed(self, data: bytes, size: int) -> bytes:
        try:
            return self._decompressor.decompress(data, size)
        except lzma.LZMAError as error:
            if "limit" not in str(error):  # "Memory usage limit exceeded"
                raise
            remedy = f"unpacking it needs more than {MEMORY:,} bytes of memory; unpack it first"
            raise OSError(errno.ENOMEM, remedy) from error

    def _next_stream(self) -> bool:
        """Whether another stream follows. Zeros between streams are skipped."""
        while not (rest := self._input.lstrip(b"\0")):
            self._input = self._file.read(_CHUNK)
            if not self._input:
                return False
        self._input, self._decompressor = rest, _decompressor()
        return True

    def close(self) -> None:
        self._file.close()
        super().close()


def _decompressor() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)
