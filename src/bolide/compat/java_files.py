"""Files as Java reads them, and output files that are whole or not there.

A line ends at LF, CR or CR LF; the last needs no end. Java replaces bytes that are not UTF-8; here they are
an error.
"""

from __future__ import annotations

import os
import stat
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TextIO

import numpy as np

from bolide.errors import InputError
from bolide.segments import Segments
from bolide.unfinished import unfinished

# Segments read, scored and printed at a time.
BATCH = 1 << 11
# Characters read at a time.
BLOCK = 1 << 20
TRIMMED = "".join(map(chr, range(0x21)))


def lines(name: str) -> Iterator[str]:
    """The file's lines without their ends."""
    try:
        with Path(name).open(encoding="utf-8") as stream:  # universal newlines: Java's three
            while block := stream.readlines(BLOCK):
                yield from [line.removesuffix("\n") for line in block]
    except UnicodeDecodeError:
        raise InputError(_not_utf8(Path(name))) from None
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror}") from None


def trim(text: str) -> str:
    """`String.trim`, which Java applies to segments in SGML and on standard input, but not in plain text."""
    return text.strip(TRIMMED)


def segments(test: str, reference: str, count: int) -> Iterator[Segments]:
    """Batches of segments with `count` references each, which follow one another in the reference file."""
    hypotheses, references = lines(test), lines(reference)
    read = 0
    while True:
        batch, texts = list(islice(hypotheses, BATCH)), list(islice(references, BATCH * count))
        if len(texts) != len(batch) * count:
            tests = read + len(batch) + sum(1 for _ in hypotheses)
            rest = sum(1 for _ in references)
            raise _unequal(test, tests, reference, read * count + len(texts) + rest, count)
        if not batch:
            return
        yield Segments(batch, texts, np.full(len(batch), count, dtype=np.int32), False, first=read + 1)
        read += len(batch)


def check(test: str, reference: str, count: int) -> None:
    """An error now, before anything is printed, if the files cannot be read or do not fit. A pipe can be
    read only
    once, so what is wrong with it shows while it is scored."""
    if all(_can_be_read_twice(name) for name in (test, reference)):
        tests, references = map(_count_lines, (test, reference))
        if references != tests * count:
            raise _unequal(test, tests, reference, references, count)


@contextmanager
def replacing(name: str) -> Iterator[TextIO]:
    """Writes a file under another name and renames it when it is complete; on failure nothing is left."""
    path = Path(name)
    with _named(name):
        stream = NamedTemporaryFile(  # noqa: SIM115  (closed before it is renamed)
            "w", encoding="utf-8", newline="\n", dir=path.parent, prefix=f".{path.name}.", delete=False
        )
    temporary = Path(stream.name)
    try:
        with unfinished(temporary):
            yield stream  # type: ignore[misc]
        with _named(name):
            stream.close()
            temporary.chmod(0o666 & ~_umask())  # as if it had been opened by its own name
            temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            stream.close()
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def _named(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {name}: {error.strerror}") from None


def _umask() -> int:
    mask = os.umask(0o22)
    os.umask(mask)
    return mask


def _count_lines(name: str) -> int:
    """As many as `lines` would give, and the same errors, but fast."""
    count, last, decoder = 0, b"\n", getincrementaldecoder("utf-8")()
    try:
        with Path(name).open("rb") as stream:
            while block := stream.read(BLOCK):
                decoder.decode(block)
                # CR LF is one end, also where the block ends between them.
                count += block.count(b"\n")
                if b"\r" in block:
                    count += block.count(b"\r") - block.count(b"\r\n")
                count -= last == b"\r" and block.startswith(b"\n")
                last = block[-1:]
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise InputError(_not_utf8(Path(name))) from None
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror}") from None
    return count + (last not in b"\r\n")


def _can_be_read_twice(name: str) -> bool:
    try:
        return stat.S_ISREG(Path(name).stat().st_mode)
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror}") from None


def _unequal(test: str, tests: int, reference: str, references: int, count: int) -> InputError:
    each = "one for each" if count == 1 else f"{count} for each (-r {count})"
    return InputError(
        f"test and reference not same length: {test} has {tests} lines, {reference} has {references}; "
        f"there must be {each}"
    )


def _not_utf8(path: Path) -> str:
    """Where the first bad byte is. Decoding works in blocks, so the file is read again."""
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                where = f"byte 0x{line[error.start]:02x} at column {error.start + 1}"
                return f"{path}, line {number}: not UTF-8 ({where}); convert it first, for example with iconv"
    return f"{path}: not UTF-8"
