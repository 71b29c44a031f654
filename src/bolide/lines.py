"""Lines of files, in batches that never become Python strings unless somebody looks at them."""

from __future__ import annotations

from typing import IO

from bolide import _core
from bolide.errors import InputError

# Bytes read at a time.
BLOCK = 1 << 18


class LineReader:
    """The lines of a stream. They end at LF, and a CR before it belongs to the end; or, if `java_ends`, at
    LF, CR or CR LF. The last line needs no end. What is wrong is told by the stream's `name` and the line.

    >>> import io
    >>> reader = LineReader(io.BytesIO(b"one\\ntwo\\r\\nthree"), "file")
    >>> list(reader.take(2)), list(reader.take(2)), list(reader.take(2))
    (['one', 'two'], ['three'], [])
    """

    def __init__(self, stream: IO[bytes], name: str, *, java_ends: bool = False) -> None:
        self._stream = stream
        self._name = name
        self._buffer = _core.LineBuffer(java_ends)
        self._ended = False

    def take(self, count: int) -> _core.Lines:
        """The next lines; fewer than asked for only at the end."""
        while self._buffer.available < count and not self._ended:
            self._read()
        return self._taken(count)

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
        try:
            block = self._stream.read(BLOCK)
        except OSError as error:
            raise InputError(f"cannot read {self._name}: {error.strerror or error}") from None
        if block:
            self._buffer.feed(block)
        else:
            self._buffer.close()
            self._ended = True

    def _taken(self, count: int) -> _core.Lines:
        try:
            return self._buffer.take(count)
        except UnicodeDecodeError as error:
            where = f"byte 0x{error.object[error.start]:02x} at column {error.start + 1}"
            raise InputError(
                f"{self._name}, line {self.taken + 1}: not UTF-8 ({where}); "
                "convert the file first, for example with iconv"
            ) from None
