"""Reads plain text as Java does.

A line ends with LF, CR or CR LF; the last line needs no end. Java replaces invalid UTF-8; here it is an
error.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from bolide.errors import InputError
from bolide.inputs.line_reader import LineReader
from bolide.inputs.segments import Segments, batch_sizes

UNPACKING = (
    "bolide java, like the jar, reads plain text only; unpack it first, as in {unpack} FILE{ending} > FILE"
)
TRIMMED = "".join(map(chr, range(0x21)))


def lines(name: str) -> Iterator[str]:
    """Yields the lines of a file without their ends."""
    with _reading(name) as reader:
        while len(batch := reader.take_some()):
            yield from batch


def trim(text: str) -> str:
    """`String.trim`. Java applies it to segments in SGML and on standard input, but not in plain text."""
    return text.strip(TRIMMED)


def segments(test: str, reference: str, count: int) -> Iterator[Segments]:
    """Yields batches of segments with `count` references each, on consecutive lines of the reference file."""
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


def check(test: str, reference: str, count: int, *, may_be_empty: bool) -> None:
    """Fails before anything is printed if the files cannot be read, have different lengths or are empty. A
    pipe can be read only once, so its errors appear while it is scored."""
    tests, references = map(_known_count, (test, reference))
    if tests is not None and references is not None and references != tests * count:
        raise _unequal(test, tests, reference, references, count)
    if tests == references == 0 and not may_be_empty:
        raise empty(test, reference)


def empty(test: str, reference: str) -> InputError:
    return InputError(f"{test} and {reference} are empty: nothing to score")


@contextmanager
def _reading(name: str) -> Iterator[LineReader]:
    try:
        stream = Path(name).open("rb")  # noqa: SIM115  (closed below)
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror}") from None
    with stream:
        yield LineReader(stream, name, java_ends=True, unpacking=UNPACKING)


def _known_count(name: str) -> int | None:
    """The number of lines, or None for a pipe. Fails for a folder."""
    try:
        mode = Path(name).stat().st_mode
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror}") from None
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        return None
    with _reading(name) as reader:
        return reader.count_rest()


def _unequal(test: str, tests: int, reference: str, references: int, count: int) -> InputError:
    each = "one reference" if count == 1 else f"{count} references (-r {count})"
    return InputError(
        f"test and reference not same length: {test} has {tests} lines, {reference} has {references}; "
        f"every line needs {each}"
    )
