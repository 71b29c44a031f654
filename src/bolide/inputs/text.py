"""Plain text: a line is a segment.

Lines end at LF (a CR before it is dropped), never at the other characters that Unicode calls line breaks:
those may stand inside a segment.
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
def reading(name: str) -> Iterator[LineReader]:
    """A reader of the file's lines. Bad UTF-8 is an error that names the line."""
    with Stream(name) as stream:
        unpacking = BY_PIPE if name == STDIN else BY_NAME
        yield LineReader(stream, shown(name), drop_mark=True, unpacking=unpacking)


def read_lines(name: str) -> Iterator[str]:
    """The file's lines without their ends."""
    with reading(name) as reader:
        while len(some := reader.take_some()):
            yield from some


def read_segments(
    hypothesis: str, references: Sequence[str], size: int | None = None, *, documents: str | None = None
) -> Iterator[Segments]:
    """Batches of segments, all of one size if it is given, from a hypothesis file and one or more parallel
    reference files, with the document of each if there is a file of their ids."""
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
    """An error if one of the files has no line end but CR, and so is one long line."""
    for name, reader, texts in zip(names, readers, batch, strict=True):
        if reader.unbroken and len(texts) and "\r" in texts[0]:
            raise InputError(
                f"{shown(name)} has CR as its only line ends, and so is one line: convert it first, for "
                "example with tr '\\r' '\\n'"
            )


def _interleaved(streams: Sequence[_core.Lines]) -> list[str] | _core.Lines:
    """The references of each segment one after the other. Those of one stream are so already, and need not
    become Python's strings."""
    if len(streams) == 1:
        return streams[0]
    return [text for texts in zip(*streams, strict=True) for text in texts]


@contextmanager
def naming_lines(hypothesis: str, references: Sequence[str]) -> Iterator[None]:
    """Errors about a segment of these files become errors about a line of one of them."""
    try:
        yield
    except SegmentError as error:
        name = [hypothesis, *references][error.reference]
        raise InputError(f"{shown(name)}, line {error.segment}: {error.problem}") from None


def unequal(names: Sequence[str], counts: Sequence[int], references: int, what: str = "lines") -> InputError:
    """The error for files that do not fit, with what may have been meant. The first has the hypotheses, then
    come so many references, then perhaps documents."""
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
            f"{problem}if the {each} references of a segment follow one another, put them on one line "
            f"(paste {' '.join('-' * each)} < {names[1]}) and say --refs-per-line"
        )
    same = "line k of each must be segment k" if what == "lines" else "each must have all, in the same order"
    return InputError(problem + same)
