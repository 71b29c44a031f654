"""Reads lines in batches. The core keeps them as bytes; Python strings are made only on access."""

from __future__ import annotations

from typing import NoReturn, Protocol

from bolide import _core
from bolide.errors import InputError
from bolide.inputs.files import LONGEST

# Bytes read at a time.
BLOCK = 1 << 18
MOST = 1 << 30  # bytes of lines that are read together, so that memory is bounded
# The byte order mark that some programs write before UTF-8.
MARK = b"\xef\xbb\xbf"
# The first bytes of compressed files, the suffix of their names, and the command that unpacks them.
PACKED = {
    b"\x1f\x8b": (".gz", "zcat"),
    b"BZh": (".bz2", "bzcat"),
    b"\xfd7zXZ": (".xz", "xzcat"),
    b"\x28\xb5\x2f\xfd": (".zst", "zstdcat"),
}
# Remedies for compressed files: with a file name, and in a pipe.
BY_NAME = "its name must end in {ending}"
BY_PIPE = "unpack it first, as in {unpack} FILE{ending} | bolide ..."
# The first bytes of other files that are not text, and the remedy.
STARTS = {
    b"PAR1": "it is Parquet: its name must end in .parquet",
    b"PK\x03\x04": "it is an archive or a spreadsheet: unpack it, or save it as text",
    b"\xff\xfe": "it is UTF-16: convert it first, for example with iconv -f utf-16 -t utf-8",
    b"\xfe\xff": "it is UTF-16: convert it first, for example with iconv -f utf-16 -t utf-8",
    b"\x89PNG": "it is a picture, not text",
    b"\xff\xd8\xff": "it is a picture, not text",
    b"%PDF": "it is a PDF: save it as text",
}


def remedy(start: bytes, unpacking: str = BY_NAME) -> str:
    """The remedy for a file that is not UTF-8, by its first bytes.

    >>> remedy(b"BZh9"), remedy(b"na\\xefve")
    ('it is compressed: its name must end in .bz2', 'convert the file first, for example with iconv')
    """
    for packed, (ending, unpack) in PACKED.items():
        if start.startswith(packed):
            return "it is compressed: " + unpacking.format(ending=ending, unpack=unpack)
    known = (advice for other, advice in STARTS.items() if start.startswith(other))
    return next(known, "convert the file first, for example with iconv")


class ByteSource(Protocol):
    """A source of bytes: `read` returns at most `size` bytes, none at the end."""

    def read(self, size: int, /) -> bytes: ...


class LineReader:
    """The lines of a stream. They end with LF or CR LF; with `java_ends` also with CR. The last line needs no
    end. With `drop_mark` a byte order mark at the beginning is dropped. Errors give the stream's `name` and
    the line; `unpacking` is the remedy if the stream is compressed.

    >>> import io
    >>> reader = LineReader(io.BytesIO(b"one\\ntwo\\r\\nthree"), "file")
    >>> list(reader.take(2)), list(reader.take(2)), list(reader.take(2))
    (['one', 'two'], ['three'], [])
    """

    def __init__(
        self,
        stream: ByteSource,
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
        self.unbroken = False  # set at the end: whether there was no line end at all

    def take(self, count: int) -> _core.Lines:
        """Returns the next `count` lines; fewer only at the end."""
        while self._buffer.available < count and not self._ended:
            self._read()
            if self._buffer.waiting > MOST:
                self._fail(f"the last {self._buffer.available:,} lines have more than {MOST:,} bytes")
        return self._taken(count)

    def take_some(self) -> _core.Lines:
        """Returns the lines that have arrived, at least one; none only at the end."""
        while not self._buffer.available and not self._ended:
            self._read()
        return self._taken(self._buffer.available)

    def count_rest(self) -> int:
        """Reads to the end and returns the number of lines."""
        before = self.taken
        while not self._ended:
            self._taken(self._buffer.available)
            self._read()
        self._taken(self._buffer.available)
        return self.taken - before

    @property
    def taken(self) -> int:
        """The number of lines read so far."""
        return self._buffer.taken

    def _read(self) -> None:
        block = self._block()
        if not self._start:
            while block and len(block) < len(MARK) and (more := self._block()):  # pipes may send single bytes
                block += more
            self._start = block[:8]
            if self._drop_mark and block.startswith(MARK):
                block = block[len(MARK) :] or self._block()
        if block:
            self._buffer.feed(block)
            if self._buffer.incomplete > LONGEST:
                self._fail(f"longer than {LONGEST:,} bytes")
        else:
            self.unbroken = not self._buffer.taken and not self._buffer.available
            self._buffer.close()
            self._ended = True

    def _fail(self, problem: str) -> NoReturn:
        line = self.taken + self._buffer.available + 1
        raise InputError(f"{self._name}, line {line}: {problem}; is it text with one segment per line?")

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
