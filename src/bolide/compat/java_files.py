"""Files as Java reads them, and output files that are whole or not there.

A line ends at LF, CR or CR LF; the last needs no end. Java replaces bytes that are not UTF-8; here they are
an error.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TextIO

import numpy as np

from bolide.errors import InputError
from bolide.lines import LineReader
from bolide.segments import Segments, batch_sizes
from bolide.unfinished import unfinished

UNPACKING = (
    "bolide java, like the jar, reads plain text only; unpack it first, as in {unpack} FILE{ending} > FILE"
)
TRIMMED = "".join(map(chr, range(0x21)))


def lines(name: str) -> Iterator[str]:
    """The file's lines without their ends."""
    with _reading(name) as reader:
        while len(batch := reader.take_some()):
            yield from batch


def trim(text: str) -> str:
    """`String.trim`, which Java applies to segments in SGML and on standard input, but not in plain text."""
    return text.strip(TRIMMED)


def segments(test: str, reference: str, count: int) -> Iterator[Segments]:
    """Batches of segments with `count` references each, which follow one another in the reference file."""
    with _reading(test) as hypotheses, _reading(reference) as references:
        for size in batch_sizes():
            first = hypotheses.taken + 1
            batch, texts = hypotheses.take(size), references.take(size * count)
            if len(texts) != len(batch) * count:
                hypotheses.count_rest()
                references.count_rest()
                raise _unequal(test, hypotheses.taken, reference, references.taken, count)
            if len(batch) == 0:
                return
            yield Segments(batch, texts, np.full(len(batch), count, dtype=np.int32), False, first=first)


def check(test: str, reference: str, count: int) -> None:
    """An error now, before anything is printed, if the files cannot be read or do not fit. A pipe can be
    read only once, so what is wrong with it shows while it is scored."""
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


@contextmanager
def _reading(name: str) -> Iterator[LineReader]:
    try:
        stream = Path(name).open("rb")  # noqa: SIM115  (closed below)
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror}") from None
    with stream:
        yield LineReader(stream, name, java_ends=True, unpacking=UNPACKING)


def _count_lines(name: str) -> int:
    with _reading(name) as reader:
        return reader.count_rest()


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
