"""Opens and decompresses input files in constant memory. Errors name the file.

Compressed files are recognized by their names (.gz, .bz2, .xz, .zst); `-` is standard input.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any, ClassVar

from bolide.errors import InputError

STDIN = "-"
# Limits, in bytes, so that memory is bounded. Real text is far below them.
LONGEST = 1 << 26  # a line
WHOLE = 1 << 30  # a file that is unpacked and kept in memory: SGML, XML, Parquet, judgments, n-best lists

# Part of the standard library since Python 3.14; a backport before.
ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"


def _standard_library(module: str) -> Callable[[Path], IO[bytes]]:
    return lambda path: import_module(module).open(path, "rb")


def _xz(path: Path) -> IO[bytes]:
    from bolide._support.xz import open_xz

    return open_xz(path)


OPENERS: dict[str, Callable[[Path], IO[bytes]]] = {
    ".gz": _standard_library("gzip"),
    ".bz2": _standard_library("bz2"),
    ".xz": _xz,
    ".zst": _standard_library(ZSTD),
}


def open_binary(name: str) -> IO[bytes]:
    """Opens a file for reading bytes, decompressed. Errors name the file."""
    if name == STDIN:
        return sys.stdin.buffer
    path = Path(name)
    try:
        return OPENERS[path.suffix](path) if path.suffix in OPENERS else path.open("rb")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise InputError(f"cannot read {name}: {reason(error)}") from None


def check_readable(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    """Fails before anything is scored if a file cannot be opened, or if standard input or a pipe, which can
    be read only once, would be needed several times."""
    needed = Counter([*hypotheses, *list(references) * len(hypotheses)])
    for name, times in needed.items():
        if can_be_read_again(name):
            open_binary(name).close()
        elif times > 1:
            raise InputError(f"{shown(name)} can be read only once; save it to a file")


def uncompressed(name: str | os.PathLike[str]) -> Path:
    """The path without the suffix of a compression.

    >>> uncompressed("corpus.tsv.gz").name, uncompressed("corpus.tsv").name
    ('corpus.tsv', 'corpus.tsv')
    """
    path = Path(name)
    return path.with_suffix("") if path.suffix in OPENERS else path


def shown(name: str) -> str:
    """The name of a file as messages show it."""
    return "standard input" if name == STDIN else name


def reason(error: Any) -> str:
    """The reason that the system or a library gives for an error, in one line."""
    return getattr(error, "strerror", None) or " ".join(str(error).split()) or type(error).__name__


class ReadMeter:
    """Counts the bytes of files that streams read while it is in use; of compressed files, the compressed
    bytes. `moved` is called with the count after every reading."""

    _active: ClassVar[list[ReadMeter]] = []

    def __init__(self, moved: Callable[[int], None] = lambda count: None) -> None:
        self.count = 0
        self._moved = moved

    def __enter__(self) -> ReadMeter:
        self._active.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._active.remove(self)

    @classmethod
    def add(cls, count: int) -> None:
        for meter in cls._active:
            meter.count += count
            meter._moved(meter.count)

    @classmethod
    def is_needed(cls) -> bool:
        return bool(cls._active)


class Stream:
    """The decompressed bytes of a file. Errors name the file."""

    def __init__(self, name: str, *, whole: bool = False) -> None:
        """`whole`: the caller keeps everything in memory, so that a compressed file has a limit."""
        self.name = name
        self._left = WHOLE if whole and Path(name).suffix in OPENERS else None
        self._stream = open_binary(name)
        # read1 returns what a pipe has, without waiting for more.
        self._read_some = getattr(self._stream, "read1", self._stream.read)
        self._metered = 0

    def read(self, size: int, /) -> bytes:
        """Reads at most `size` bytes; none at the end."""
        data = self._guarded(self._read_some, size)
        if ReadMeter.is_needed():
            place = self._place(len(data))
            ReadMeter.add(place - self._metered)
            self._metered = place
        if self._left is not None:
            self._left -= len(data)
            if self._left < 0:
                raise InputError(f"{self.name} unpacks to more than {WHOLE:,} bytes: unpack it first")
        return data

    def read_all(self) -> bytes:
        return b"".join(iter(lambda: self.read(1 << 20), b""))

    def _place(self, read: int) -> int:
        """How much of the file has been read, even before a meter was in use."""
        try:
            return os.lseek(self._stream.fileno(), 0, os.SEEK_CUR)
        except OSError:  # a pipe
            return self._metered + read

    def _guarded(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            return read(size)
        except (OSError, EOFError) as error:
            raise InputError(f"cannot read {shown(self.name)}: {reason(error)}") from None
        except Exception as error:
            if type(error).__name__ not in ("error", "LZMAError", "ZstdError"):  # from zlib, lzma, zstd
                raise
            message = f"cannot read {shown(self.name)}: damaged compressed data ({error})"
            raise InputError(message) from None

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        if self.name != STDIN:
            self._stream.close()


def can_be_read_again(name: str) -> bool:
    """Whether a name is a file and not a pipe. Fails if it does not exist."""
    try:
        return name != STDIN and not stat.S_ISFIFO(Path(name).stat().st_mode)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {name}: {reason(error)}") from None


def check_archive(stream: IO[bytes]) -> None:
    """Fails with a ValueError if the arrays in an open .npz file unpack to too much. `zipfile` never returns
    more bytes of a member than its table of contents states."""
    from zipfile import ZipFile, is_zipfile

    if is_zipfile(stream):
        with ZipFile(stream) as archive:
            if sum(member.file_size for member in archive.infolist()) > WHOLE:
                raise ValueError(f"it unpacks to more than {WHOLE:,} bytes")
    stream.seek(0)


class LimitedLines(io.RawIOBase):
    """The bytes of a file. A line that is too long is an error, before it is in memory."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream = stream
        self._name = name
        self._line, self._length = 1, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, place: int, whence: int = os.SEEK_SET, /) -> int:
        """Only to the beginning, or to where the file is."""
        if place == 0 and whence == os.SEEK_SET:
            self._line, self._length = 1, 0
        return self._stream.seek(place, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def readinto(self, target: Any, /) -> int:
        data = self._stream.read(len(target))
        target[: len(data)] = data
        self._line += data.count(b"\n")
        self._length = self._length + len(data) if b"\n" not in data else len(data) - data.rindex(b"\n") - 1
        if self._length > LONGEST:
            raise InputError(f"{self._name}, line {self._line}: longer than {LONGEST:,} bytes; is it text?")
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()
