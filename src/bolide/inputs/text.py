"""Plain text: a line is a segment.

Lines end at LF (a CR before it is dropped), never at the other characters that Unicode calls line breaks:
those may stand inside a segment.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import chain, islice

import numpy as np

from bolide.errors import InputError, SegmentError
from bolide.inputs.files import check_readable, decoded, opened, shown
from bolide.segments import Segments

# Segments read ahead at a time.
BATCH = 1 << 11


def line_blocks(name: str) -> Generator[list[str], None, None]:
    """The file's lines without their ends, in lists of any length."""
    with opened(name) as stream:
        for text in decoded(stream, name):
            yield text_lines(text)


def text_lines(text: str) -> list[str]:
    """The lines of a text, which may end with an LF or without."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    found = text.split("\n")
    if not found[-1]:
        found.pop()
    return found


def lines(name: str) -> Iterator[str]:
    """The file's lines without their ends. Bad UTF-8 is an error that names the line."""
    with closing(line_blocks(name)) as blocks:
        for block in blocks:
            yield from block


def segments(
    hypothesis: str, references: Sequence[str], size: int = BATCH, *, documents: str | None = None
) -> Iterator[Segments]:
    """Batches of segments from a hypothesis file and one or more parallel reference files, with the document
    of each if there is a file of their ids."""
    names = [hypothesis, *references, *([] if documents is None else [documents])]
    check_readable([hypothesis], names[1:])
    width = len(references)
    with ExitStack() as stack:
        blocks = [stack.enter_context(closing(line_blocks(name))) for name in names]
        streams = [chain.from_iterable(block) for block in blocks]
        read = 0
        while True:
            batch = [list(islice(stream, size)) for stream in streams]
            length = len(batch[0])
            if any(len(texts) != length for texts in batch):
                pairs = zip(batch, streams, strict=True)
                raise unequal(names, [read + len(texts) + sum(1 for _ in stream) for texts, stream in pairs])
            if not length:
                return
            flat = batch[1]
            if width > 1:  # one after the other for each segment
                flat = [""] * (length * width)
                for number in range(width):
                    flat[number::width] = batch[1 + number]
            counts = np.full(length, width, dtype=np.int32)
            ids = None if documents is None else batch[-1]
            yield Segments(batch[0], flat, counts, False, read + 1, ids)
            read += length


@contextmanager
def naming_lines(hypothesis: str, references: Sequence[str]) -> Iterator[None]:
    """Errors about a segment of these files become errors about a line of one of them."""
    try:
        yield
    except SegmentError as error:
        name = [hypothesis, *references][error.reference]
        raise InputError(f"{shown(name)}, line {error.segment}: {error.problem}") from None


def unequal(names: Sequence[str], counts: Sequence[int], what: str = "lines") -> InputError:
    """The error for files that do not fit, with what may have been meant."""
    found = ", ".join(f"{shown(name)} has {count}" for name, count in zip(names, counts, strict=True))
    problem = f"the files differ in their number of {what}: {found}; "
    first, others = counts[0], counts[1:]
    if first > 1 and len(others) == first and len(set(others)) == 1:
        return InputError(
            f"{problem}the references are transposed: each -r FILE must be a whole reference translation, "
            f"{what.removesuffix('s')} k of it for segment k"
        )
    if first and len(others) == 1 and others[0] > first and others[0] % first == 0:
        each = others[0] // first
        return InputError(
            f"{problem}if the {each} references of a segment follow one another, put them on one line "
            f"(paste {' '.join('-' * each)} < {names[1]}) and say --refs-per-line"
        )
    return InputError(f"{problem}{what.removesuffix('s')} k of each must be segment k")
