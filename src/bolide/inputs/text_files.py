"""Text files, one segment per line: reads one file, or several in parallel, in which line k is segment k.

Lines end with LF or CR LF. Other Unicode line breaks do not end a line: they may occur inside a segment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

import numpy as np

from bolide import _core
from bolide.errors import InputError, SegmentError
from bolide.inputs.files import STDIN, Stream, check_readable, shown
from bolide.inputs.line_reader import BY_NAME, BY_PIPE, LineReader
from bolide.inputs.segments import Segments, batch_sizes


@contextmanager
def reading(name: str, *, whole: bool = False) -> Iterator[LineReader]:
    """Opens a reader of the lines of a file. Invalid UTF-8 is an error that names the line. `whole`: the
    caller keeps all lines in memory."""
    with Stream(name, whole=whole) as stream:
        unpacking = BY_PIPE if name == STDIN else BY_NAME
        yield LineReader(stream, shown(name), drop_mark=True, unpacking=unpacking)


def read_lines(name: str, *, whole: bool = False) -> Iterator[str]:
    """Yields the lines of a file without their ends. `whole`: the caller keeps all of them in memory."""
    with reading(name, whole=whole) as reader:
        while len(some := reader.take_some()):
            yield from some


def read_segments(
    hypothesis: str, references: Sequence[str], size: int | None = None, *, documents: str | None = None
) -> Iterator[Segments]:
    """Yields batches of segments from a hypothesis file and one or more parallel reference files.

    All batches have the same size if `size` is given. `documents` is a file with one document id per segment.
    """
    names = [hypothesis, *references, *([] if documents is None else [documents])]
    check_readable([hypothesis], names[1:])
    with ExitStack() as stack:
        readers = [stack.enter_context(reading(name)) for name in names]
        for count in batch_sizes(size):
            first = readers[0].taken + 1
            batch = [reader.take(count) for reader in readers]
            length = len(batch[0])
            if any(len(texts) != length for texts in batch):
                for reader in readers:
                    reader.count_rest()
                counts = [reader.taken for reader in readers]
                _refuse_cr(names, readers, batch)
                raise unequal(names, counts, len(references))
            if not length:
                return
            each = np.full(length, len(references), dtype=np.int32)
            ids = None if documents is None else list(batch.pop())
            yield Segments(batch[0], _interleaved(batch[1:]), each, False, first, ids)


def _refuse_cr(names: Sequence[str], readers: Sequence[LineReader], batch: Sequence[_core.Lines]) -> None:
    """Fails if a file has only CR as line ends, and so is one long line."""
    for name, reader, texts in zip(names, readers, batch, strict=True):
        if reader.unbroken and len(texts) and "\r" in texts[0]:
            raise InputError(
                f"{shown(name)} has only CR as line ends, and so is one line: convert it first, for "
                "example with tr '\\r' '\\n'"
            )


def _interleaved(streams: Sequence[_core.Lines]) -> list[str] | _core.Lines:
    """The references of segment 1, of segment 2, and so on. One stream is in this order already, and need not
    become Python strings."""
    if len(streams) == 1:
        return streams[0]
    return [text for texts in zip(*streams, strict=True) for text in texts]


@contextmanager
def naming_lines(hypothesis: str, references: Sequence[str]) -> Iterator[None]:
    """Turns errors about a segment into errors about a line of one of the files."""
    try:
        yield
    except SegmentError as error:
        name = [hypothesis, *references][error.reference]
        raise InputError(f"{shown(name)}, line {error.segment}: {error.problem}") from None


def unequal(names: Sequence[str], counts: Sequence[int], references: int, what: str = "lines") -> InputError:
    """The error for files of different lengths, with the likely remedy. The first file has the hypotheses,
    then come `references` files of references, then perhaps documents."""
    found = ", ".join(f"{shown(name)} has {count}" for name, count in zip(names, counts, strict=True))
    problem = f"the files differ in their number of {what}: {found}; "
    first, others = counts[0], counts[1 : 1 + references]
    if first > 1 and len(others) == first and len(set(others)) == 1 and others[0] != first:
        return InputError(
            f"{problem}the references are transposed: each -r FILE must be a whole reference translation, "
            f"{what.removesuffix('s')} k of it for segment k"
        )
    each, rest = divmod(others[0], first) if first and len(others) == 1 and what == "lines" else (0, 0)
    if 1 < each < 10 and not rest:
        return InputError(
            f"{problem}if the {each} references of a segment are on consecutive lines, put them on one line "
            f"(paste {' '.join('-' * each)} < {names[1]}) and add --refs-per-line"
        )
    same = "line k of each must be segment k" if what == "lines" else "each must have all, in the same order"
    return InputError(problem + same)
