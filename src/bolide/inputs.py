"""Text files, read line by line in constant memory: a line is a segment.

Compressed files are known by their names (.gz, .bz2, .xz, .zst); `-` is standard input. Lines end at LF (a
CR before it is dropped), never at the other characters that Unicode calls line breaks: those may stand inside
a segment.
"""

from __future__ import annotations

import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import IO, Any

from bolide.errors import InputError, SegmentError
from bolide.segments import Segments, by_segment

STDIN = "-"
# Segments read ahead at a time.
BATCH = 1 << 11


# In the standard library from Python 3.14 on; before, its backport.
_ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"


def _standard_library(module: str) -> Callable[[Path], IO[bytes]]:
    return lambda path: import_module(module).open(path, "rb")


OPENERS: dict[str, Callable[[Path], IO[bytes]]] = {
    ".gz": _standard_library("gzip"),
    ".bz2": _standard_library("bz2"),
    ".xz": _standard_library("lzma"),
    ".zst": _standard_library(_ZSTD),
}


def open_binary(name: str) -> IO[bytes]:
    """The file's bytes, decompressed. Errors name the file."""
    if name == STDIN:
        return sys.stdin.buffer
    path = Path(name)
    try:
        return OPENERS[path.suffix](path) if path.suffix in OPENERS else path.open("rb")
    except OSError as error:
        raise InputError(f"cannot read {name}: {_reason(error)}") from None


def check_readable(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    """An error now, before anything is scored, if a file is not there or may not be read, or if what can be
    read only once (standard input, a pipe) would be needed several times."""
    needed = Counter([*hypotheses, *list(references) * len(hypotheses)])
    for name, times in needed.items():
        if _can_be_read_again(name):
            open_binary(name).close()
        elif times > 1:
            raise InputError(f"{shown(name)} can be read only once; save it to a file")


def lines(name: str) -> Iterator[str]:
    """The file's lines without their ends. Bad UTF-8 is an error that names the line."""
    stream = open_binary(name)
    number = 0
    try:
        for number, line in enumerate(_guarded(stream, name), 1):
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                where = f"byte 0x{line[error.start]:02x} at column {error.start + 1}"
                raise InputError(
                    f"{shown(name)}, line {number}: not UTF-8 ({where}); "
                    "convert the file first, for example with iconv"
                ) from None
            yield text.rstrip("\n").removesuffix("\r") if text.endswith("\n") else text
    finally:
        if name != STDIN:
            stream.close()


def segments(hypothesis: str, references: Sequence[str], size: int = BATCH) -> Iterator[Segments]:
    """Batches of segments from a hypothesis file and one or more parallel reference files."""
    names = [hypothesis, *references]
    check_readable([hypothesis], references)
    with ExitStack() as stack:
        streams: list[Iterator[str]] = []
        for name in names:
            stream = lines(name)
            stack.callback(stream.close)  # type: ignore[attr-defined]
            streams.append(stream)
        read = 0
        while True:
            batch = [list(islice(stream, size)) for stream in streams]
            if len({len(texts) for texts in batch}) > 1:
                pairs = zip(batch, streams, strict=True)
                raise _unequal(names, [read + len(texts) + _rest(stream) for texts, stream in pairs])
            if not batch[0]:
                return
            yield by_segment(batch[0], list(zip(*batch[1:], strict=True)), first=read + 1)
            read += len(batch[0])


@contextmanager
def naming_lines(hypothesis: str, references: Sequence[str]) -> Iterator[None]:
    """Errors about a segment of these files become errors about a line of one of them."""
    try:
        yield
    except SegmentError as error:
        name = [hypothesis, *references][error.reference]
        raise InputError(f"{shown(name)}, line {error.segment}: {error.problem}") from None


def shown(name: str) -> str:
    """A file's name for messages."""
    return "standard input" if name == STDIN else name


def _guarded(stream: IO[bytes], name: str) -> Iterator[bytes]:
    """The stream's lines; a damaged or unreadable file is an InputError."""
    try:
        yield from stream
    except (OSError, EOFError) as error:
        raise InputError(f"cannot read {shown(name)}: {_reason(error)}") from None
    except Exception as error:
        if type(error).__name__ not in ("error", "LZMAError", "ZstdError"):  # of zlib, lzma, zstd
            raise
        raise InputError(f"cannot read {shown(name)}: damaged compressed data ({error})") from None


def _can_be_read_again(name: str) -> bool:
    """Not so a pipe. An error if there is nothing of that name."""
    try:
        return name != STDIN and not stat.S_ISFIFO(Path(name).stat().st_mode)
    except OSError as error:
        raise InputError(f"cannot read {name}: {_reason(error)}") from None


def _reason(error: Any) -> str:
    return getattr(error, "strerror", None) or str(error)


def _rest(stream: Iterator[str]) -> int:
    return sum(1 for _ in stream)


def _unequal(names: Sequence[str], counts: Sequence[int]) -> InputError:
    found = ", ".join(f"{shown(name)} has {count}" for name, count in zip(names, counts, strict=True))
    return InputError(f"the files differ in their number of lines: {found}; line k of each must be segment k")
