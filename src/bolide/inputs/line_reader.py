"""Lines of files, in batches that never become Python strings unless somebody looks at them."""

from __future__ import annotations

from typing import Protocol

from bolide import _core
from bolide.errors import InputError

# Bytes read at a time.
BLOCK = 1 << 18
# What some programs put before UTF-8.
MARK = b"\xef\xbb\xbf"
# How compressed files begin, how their names end, and what unpacks them.
PACKED = {
    b"\x1f\x8b": (".gz", "zcat"),
    b"BZh": (".bz2", "bzcat"),
    b"\xfd7zXZ": (".xz", "xzcat"),
    b"\x28\xb5\x2f\xfd": (".zst", "zstdcat"),
}
# What to do about them: where files are known by their names, and where they have none.
BY_NAME = "its name must end in {ending}"
BY_PIPE = "unpack it on its way, as in {unpack} FILE{ending} | bolide ..."
# How other files begin that are no text, and what to do about it.
STARTS = {
    b"PAR1": "it is Parquet: its name must end in .parquet",
    b"PK\x03\x04": "it is an archive or a spreadsheet: unpack it, or save it as text",
    b"\xff\xfe": "it is UTF-16: convert it first, for example with iconv -f utf-16 -t utf-8",
    b"\xfe\xff": "it is UTF-16: convert it first, for example with iconv -f utf-16 -t utf-8",
}


def remedy(start: bytes, unpacking: str = BY_NAME) -> str:
    """What to do about a file that is not UTF-8, by its first bytes.

    >>> remedy(b"BZh9"), remedy(b"na\\xefve")
    ('it is compressed: its name must end in .bz2', 'convert the file first, for example with iconv')
    """
    for packed, (ending, unpack) in PACKED.items():
        if start.startswith(packed):
            return "it is compressed: " + unpacking.format(ending=ending, unpack=unpack)
    known = (told for other, told in STARTS.items() if start.startswith(other))
    return next(known, "convert the file first, for example with iconv")


class Source(Protocol):
    """What bytes are read from: at most so many, none at the end."""

    def read(self, size: int, /) -> bytes: ...


class LineReader:
    """The lines of a stream. They end at LF, and a CR before it belongs to the end; or, if `java_ends`, at
    LF, CR or CR LF. The last line needs no end. With `drop_mark` a mark of the byte order at the beginning is
    passed over. What is wrong is told by the stream's `name` and the line, with `unpacking` as what to do if
    it is compressed.

    >>> import io
    >>> reader = LineReader(io.BytesIO(b"one\\ntwo\\r\\nthree"), "file")
    >>> list(reader.take(2)), list(reader.take(2)), list(reader.take(2))
    (['one', 'two'], ['three'], [])
    """

    def __init__(
        self,
        stream: Source,
        name: str,
        *,
        java_ends: bool = False,
        drop_mark: bool = False,
        unpacking: str = BY_NAME,
    ) -> None:
        self._stream = stream
        self._name = name
        self._unpacking = unpacking
        self._drop_mark = drop_mark
        self._buffer = _core.LineBuffer(java_ends)
        self._start = b""  # the stream's first bytes
        self._ended = False
        self.unbroken = False  # at the end: whether there was no line end at all

    def take(self, count: int) -> _core.Lines:
        """The next lines; fewer than asked for only at the end."""
        while self._buffer.available < count and not self._ended:
            self._read()
        return self._taken(count)

    def take_some(self) -> _core.Lines:
        """The next lines, as many as have come; none only at the end."""
        while not self._buffer.available and not self._ended:
            self._read()
        return self._taken(self._buffer.available)

    def count_rest(self) -> int:
        """The number of lines that are left."""
        before = self.taken
        while not self._ended:
            self._taken(self._buffer.available)
            self._read()
        self._taken(self._buffer.available)
        return self.taken - before

    @property
    def taken(self) -> int:
        """The number of lines up to now."""
        return self._buffer.taken

    def _read(self) -> None:
        block = self._block()
        if not self._start:
            while block and len(block) < len(MARK) and (more := self._block()):  # a pipe, a byte at a time
                block += more
            self._start = block[:8]
            if self._drop_mark and block.startswith(MARK):
                block = block[len(MARK) :] or self._block()
        if block:
            self._buffer.feed(block)
        else:
            self.unbroken = not self._buffer.taken and not self._buffer.available
            self._buffer.close()
            self._ended = True

    def _block(self) -> bytes:
        try:
            return self._stream.read(BLOCK)
        except OSError as error:
            raise InputError(f"cannot read {self._name}: {error.strerror or error}") from None

    def _taken(self, count: int) -> _core.Lines:
        try:
            return self._buffer.take(count)
        except UnicodeDecodeError as error:
            where = f"byte 0x{error.object[error.start]:02x} at column {error.start + 1}"
            problem = f"not UTF-8 ({where}); {remedy(self._start, self._unpacking)}"
            raise InputError(f"{self._name}, line {self.taken + 1}: {problem}") from None
