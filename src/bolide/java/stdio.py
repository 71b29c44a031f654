"""`-stdio`: a server for tuning programs that answers every input line with one line.

    SCORE ||| reference ||| ... ||| hypothesis      returns statistics
    EVAL ||| statistics                             returns the score
    EVAL ||| statistics ||| statistics ...          returns the score of each, and of their sum

There are two versions of the jar. The copy in coco-caption, which programs for captions use, also returns the
score of the sum if there is only one row: it answers with two equal lines. Its command SING answers with one.
`coco=True` does the same.

Every line is answered and flushed before the server waits for more input. Lines that have arrived together
are scored together, which is many times faster. The answer to an invalid line begins with `Error:`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO, TextIO

import numpy as np

from bolide import _core
from bolide._support.java_number import java_double, parse_double
from bolide.errors import InputError, SegmentError
from bolide.formula.statistics import scores
from bolide.inputs.files import LONGEST
from bolide.inputs.segments import by_segment
from bolide.java.files import trim
from bolide.java.output import COLUMNS, statistics
from bolide.scoring.meteor import Meteor

SEPARATOR = "|||"
UNKNOWN = "Error: specify SCORE or EVAL"
UNKNOWN_COCO = f"{UNKNOWN} or SING"
NO_REFERENCE = "Error: specify hypothesis and at least one reference"
NO_STATISTICS = "Error: specify Meteor stats"
# Bytes read at a time, which limits how much is scored together.
BLOCK = 1 << 18
LINE_END = re.compile(rb"\r\n|\r|\n")


def serve(meteor: Meteor, stdin: BinaryIO, stdout: TextIO, *, coco: bool = False) -> None:
    """Answers lines until the input ends."""
    answered = 0
    for waiting in _waiting_lines(stdin):
        lines, bad = _decoded(waiting, answered + 1)
        stdout.write("".join([answer + "\n" for answer in answers(meteor, lines, coco=coco)]))
        stdout.flush()
        if bad is not None:
            raise bad
        answered += len(lines)


def answers(meteor: Meteor, lines: Sequence[str], *, coco: bool = False) -> list[str]:
    """Returns the answer to each line. The answer to EVAL may have several lines."""
    replies: dict[int, str] = {}
    to_score: dict[int, list[str]] = {}
    for number, line in enumerate(lines):
        _, *fields = _fields(line)
        if line.startswith(("SCORE", "score")):
            if len(fields) < 2:
                replies[number] = NO_REFERENCE
            else:
                to_score[number] = [trim(text) for text in fields]
        elif line.startswith(("EVAL", "eval")):
            replies[number] = _evaluated(meteor, fields, with_sum=coco or len(fields) > 1)
        elif coco and line.startswith(("SING", "sing")):
            replies[number] = _evaluated(meteor, fields if len(fields) == 1 else [], with_sum=False)
        else:
            replies[number] = UNKNOWN_COCO if coco else UNKNOWN
    replies.update(_scored(meteor, to_score))
    return [replies[number] for number in range(len(lines))]


def _scored(meteor: Meteor, lines: dict[int, list[str]]) -> dict[int, str]:
    """The statistics of the texts of each line; the hypothesis is the last text. A line that cannot be scored
    does not stop the others."""
    if not lines:
        return {}
    segments = by_segment([texts[-1] for texts in lines.values()], [texts[:-1] for texts in lines.values()])
    try:
        rows = meteor.measure(segments).statistics
    except SegmentError as error:
        bad = list(lines)[error.segment - 1]
        others = {number: texts for number, texts in lines.items() if number != bad}
        return {**_scored(meteor, others), bad: f"Error: {error.side}: {error.problem}"}
    return dict(zip(lines, statistics(rows), strict=True))


def _fields(line: str) -> list[str]:
    """Splits a line as Java does: empty fields at the end are dropped, but not fields with a space."""
    fields = line.split(SEPARATOR)
    while len(fields) > 1 and not fields[-1]:
        fields.pop()
    return fields


def _evaluated(meteor: Meteor, rows: Sequence[str], *, with_sum: bool) -> str:
    """The score of each row of statistics, one per line."""
    if not rows:
        return NO_STATISTICS
    parsed = []
    for number, row in enumerate(rows, 1):
        try:
            parsed.append(_statistics(row))
        except ValueError as error:
            where = f"row {number}: " if len(rows) > 1 else ""
            return f"{NO_STATISTICS} ({where}{error})"
    table = np.array(parsed)
    if with_sum:
        # A row that is matched completely and in one chunk adds no chunk. `accumulate` adds row after row, as
        # Java does; `sum` may add in another order, and round differently.
        added = [_core.aggregate(row, meteor.parameters.formula.core) for row in np.split(table, len(table))]
        table = np.vstack([table, np.add.accumulate(added)[-1]])
    return "\n".join(java_double(float(score)) for score in scores(table, meteor.parameters))


def _statistics(row: str) -> list[float]:
    words = row.split()
    try:
        numbers = [parse_double(word) for word in words[:COLUMNS]]
    except ValueError as error:
        raise ValueError(f"'{error}' is not a number") from None
    if len(numbers) < COLUMNS:
        raise ValueError(f"{COLUMNS} numbers, not {len(numbers)}")
    return numbers


def _waiting_lines(stdin: BinaryIO) -> Iterator[list[bytes]]:
    """Yields all lines that have arrived, at least one. A CR ends a line at once; an LF may follow it."""
    begun: list[bytes] = []
    length = 0
    after_cr = False
    while block := _block(stdin):
        if after_cr:
            block = block.removeprefix(b"\n")
        after_cr = block.endswith(b"\r")
        first, *others = LINE_END.split(block)
        begun.append(first)
        length = length + len(first) if not others else len(others[-1])
        if length > LONGEST:
            raise InputError(f"standard input has a line of more than {LONGEST:,} bytes; is it text?")
        if others:
            yield [b"".join(begun), *others[:-1]]
            begun = [others[-1]]
    if last := b"".join(begun):
        yield [last]


def _block(stdin: BinaryIO) -> bytes:
    try:
        found: bytes = stdin.read1(BLOCK)  # type: ignore[attr-defined]
    except OSError as error:
        raise InputError(f"cannot read standard input: {error.strerror}") from None
    return found


def _decoded(lines: Sequence[bytes], first: int) -> tuple[list[str], InputError | None]:
    """Decodes lines up to the first invalid one."""
    texts: list[str] = []
    for number, line in enumerate(lines, first):
        try:
            texts.append(line.decode())
        except UnicodeDecodeError as error:
            where = f"byte 0x{line[error.start]:02x} at column {error.start + 1}"
            return texts, InputError(f"standard input, line {number}: not UTF-8 ({where})")
    return texts, None
