"""`-stdio`: a server for tuning programs that answers every input line with one line.

    SCORE ||| reference ||| ... ||| hypothesis      returns statistics
    EVAL ||| statistics                             returns the score

Every line is answered and flushed before the server waits for more input. Lines that have arrived together
are scored together, which is many times faster. The answer to an invalid line begins with `Error:`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO, TextIO

from bolide._support.java_number import java_double, parse_double
from bolide.errors import InputError, SegmentError
from bolide.formula.statistics import evaluate
from bolide.inputs.files import LONGEST
from bolide.inputs.segments import by_segment
from bolide.java.files import trim
from bolide.java.output import COLUMNS, statistics
from bolide.scoring.meteor import Meteor

SEPARATOR = "|||"
UNKNOWN = "Error: specify SCORE or EVAL"
NO_REFERENCE = "Error: specify hypothesis and at least one reference"
NO_STATISTICS = "Error: specify Meteor stats"
# Bytes read at a time, which limits how much is scored together.
BLOCK = 1 << 18
LINE_END = re.compile(rb"\r\n|\r|\n")


def serve(meteor: Meteor, stdin: BinaryIO, stdout: TextIO) -> None:
    """Answers lines until the input ends."""
    answered = 0
    for waiting in _waiting_lines(stdin):
        lines, bad = _decoded(waiting, answered + 1)
        stdout.write("".join([answer + "\n" for answer in answers(meteor, lines)]))
        stdout.flush()
        if bad is not None:
            raise bad
        answered += len(lines)


def answers(meteor: Meteor, lines: Sequence[str]) -> list[str]:
    """Returns the answer to each line."""
    replies: dict[int, str] = {}
    to_score: dict[int, list[str]] = {}
    for number, line in enumerate(lines):
        if line.startswith(("SCORE", "score")):
            _, *texts = _fields(line)
            if len(texts) < 2:
                replies[number] = NO_REFERENCE
            else:
                to_score[number] = [trim(text) for text in texts]
        else:
            replies[number] = _score(meteor, line) if line.startswith(("EVAL", "eval")) else UNKNOWN
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


def _score(meteor: Meteor, line: str) -> str:
    _, *rows = _fields(line)
    if len(rows) != 1:
        return NO_STATISTICS + (" (one row per line)" if rows else "")
    words = rows[0].split()
    try:
        row = [parse_double(word) for word in words[:COLUMNS]]
    except ValueError as error:
        return f"{NO_STATISTICS} ('{error}' is not a number)"
    if len(row) < COLUMNS:
        return f"{NO_STATISTICS} ({COLUMNS} numbers, not {len(row)})"
    return java_double(float(evaluate(row, meteor.parameters)[0, -1]))


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
