"""Files: opening, decompressing and decoding them, in constant memory, with errors that name them.

Compressed files are known by their names (.gz, .bz2, .xz, .zst); `-` is standard input.
"""

from __future__ import annotations

import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from bolide.errors import InputError

STDIN = "-"
# Bytes read at a time: text of that size is still in the cache when it is split.
BLOCK = 1 << 17
BOM = b"\xef\xbb\xbf"

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
# How files begin that are no text, and what to do about it.
SIGNATURES = {
    b"\x1f\x8b": "it is compressed: its name must end in .gz",
    b"BZh": "it is compressed: its name must end in .bz2",
    b"\xfd7zXZ": "it is compressed: its name must end in .xz",
    b"\x28\xb5\x2f\xfd": "it is compressed: its name must end in .zst",
    b"PAR1": "it is Parquet: its name must end in .parquet, or say --input-format parquet",
    b"PK\x03\x04": "it is a ZIP archive or a spreadsheet: unpack it, or save it as text",
    b"\xff\xfe": "it looks like UTF-16: convert it first, for example with iconv -f utf-16 -t utf-8",
    b"\xfe\xff": "it looks like UTF-16: convert it first, for example with iconv -f utf-16 -t utf-8",
}


def open_binary(name: str) -> IO[bytes]:
    """The file's bytes, decompressed. Errors name the file."""
    if name == STDIN:
        return sys.stdin.buffer
    path = Path(name)
    try:
        return OPENERS[path.suffix](path) if path.suffix in OPENERS else path.open("rb")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise InputError(f"cannot read {name}: {reason(error)}") from None


def check_readable(hypotheses: Sequence[str], references: Sequence[str]) -> None:
    """An error now, before anything is scored, if a file is not there or may not be read, or if what can be
    read only once (standard input, a pipe) would be needed several times."""
    needed = Counter([*hypotheses, *list(references) * len(hypotheses)])
    for name, times in needed.items():
        if _can_be_read_again(name):
            open_binary(name).close()
        elif times > 1:
            raise InputError(f"{shown(name)} can be read only once; save it to a file")


def shown(name: str) -> str:
    """A file's name for messages."""
    return "standard input" if name == STDIN else name


def reason(error: Any) -> str:
    """What the system, or a library, says is wrong, in one line."""
    return getattr(error, "strerror", None) or " ".join(str(error).split())


@contextmanager
def opened(name: str) -> Iterator[IO[bytes]]:
    """The file's bytes, decompressed; a damaged or unreadable file is an InputError. Standard input stays
    open."""
    stream = open_binary(name)
    try:
        yield stream
    except (OSError, EOFError) as error:
        raise InputError(f"cannot read {shown(name)}: {reason(error)}") from None
    except Exception as error:
        if type(error).__name__ not in ("error", "LZMAError", "ZstdError"):  # of zlib, lzma, zstd
            raise
        raise InputError(f"cannot read {shown(name)}: damaged compressed data ({error})") from None
    finally:
        if name != STDIN:
            stream.close()


def blocks(stream: IO[bytes]) -> Iterator[bytes]:
    """The stream's bytes in blocks of whole lines: all end with LF but perhaps the last."""
    read = getattr(stream, "read1", stream.read)  # what a pipe has, without waiting for a full block
    kept: list[bytes] = []
    while block := read(BLOCK):
        end = block.rfind(b"\n") + 1
        if end:
            yield b"".join((*kept, block[:end]))
            kept = [block[end:]] if end < len(block) else []
        else:  # a line longer than a block
            kept.append(block)
    if kept:
        yield b"".join(kept)


def decoded(stream: IO[bytes], name: str, *, bom: bool = True) -> Iterator[str]:
    """The stream's text in blocks of whole lines. Bad UTF-8 is an error that names the line; a mark of the
    byte order at the beginning is dropped, if `bom`."""
    # Lines are counted only where they cannot be counted afterwards.
    origin = stream.tell() if stream.seekable() else None
    start, done, number = b"", 0, 0
    for block in blocks(stream):
        if not done:
            start = block[:8]
        text_block = block.removeprefix(BOM) if bom and not done else block
        try:
            text = text_block.decode()
        except UnicodeDecodeError as error:
            if origin is not None:
                stream.seek(origin)
                number = _count_lines(stream, done)
            raise _not_utf8(name, text_block, error.start, number, start) from None
        done += len(block)
        if origin is None:
            number += text.count("\n")
        yield text


def _count_lines(stream: IO[bytes], size: int) -> int:
    """Of the next so many bytes."""
    count = 0
    while size and (block := stream.read(min(size, BLOCK))):
        count += block.count(b"\n")
        size -= len(block)
    return count


def _not_utf8(name: str, block: bytes, position: int, number: int, start: bytes) -> InputError:
    line = number + block.count(b"\n", 0, position) + 1
    column = position - block.rfind(b"\n", 0, position)
    where = f"byte 0x{block[position]:02x} at column {column}"
    remedies = [remedy for signature, remedy in SIGNATURES.items() if start.startswith(signature)]
    remedy = remedies[0] if remedies else "convert the file first, for example with iconv"
    return InputError(f"{shown(name)}, line {line}: not UTF-8 ({where}); {remedy}")


def _can_be_read_again(name: str) -> bool:
    """Not so a pipe. An error if there is nothing of that name."""
    try:
        return name != STDIN and not stat.S_ISFIFO(Path(name).stat().st_mode)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {name}: {reason(error)}") from None
