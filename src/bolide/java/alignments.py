r"""Reads Java's alignment files, which `-writeAlignments` writes to PREFIX-align.out.

A record is a segment with its best reference. In SGML its name has four parts:

    Alignment \t 1 \t precision \t recall \t penalty \t score
    the words of the hypothesis
    the words of the reference
    Line2Start:Length \t Line1Start:Length \t Module \t\t Score
    0:1 \t\t\t 0:1 \t\t\t 0 \t\t 1.0
    (an empty line)

The file gives the number of the module that found a match, but not the names of the modules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bolide import _core
from bolide.errors import InputError
from bolide.inputs.files import STDIN, open_binary, shown
from bolide.inputs.text_files import read_lines

TITLE = "Alignment"
TABLE = "Line2Start:Length\tLine1Start:Length\tModule\t\tScore"
MATCH = re.compile(r"(\d+):(\d+)\t+(\d+):(\d+)\t+(\d+)\t+(\S+)", re.ASCII)
VALUES = ("precision", "recall", "penalty", "score")
# Number of names of a segment: its number, or set, system, document and segment.
PLAIN, SGML = 1, 4
# Largest number of digits of a word or module number.
DIGITS = 7


@dataclass(frozen=True)
class AlignedSegment:
    """A segment: names; precision, recall, penalty and score; words; and matches. A match is reference start
    and length, hypothesis start and length, and module."""

    names: tuple[str, ...]
    values: tuple[float, ...]
    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    matches: tuple[tuple[int, ...], ...]

    @property
    def system(self) -> str | None:
        return self.names[1] if len(self.names) == SGML else None

    @property
    def place(self) -> tuple[str, ...]:
        """The names of the segment without the system."""
        return (self.names[0], *self.names[2:]) if len(self.names) == SGML else self.names


@dataclass(frozen=True)
class JavaSystem:
    """The segments of one system in a file."""

    name: str
    file: str
    records: list[AlignedSegment]


def is_alignments(name: str) -> bool:
    """Whether a file begins like an alignment file."""
    if name == STDIN or not Path(name).is_file():
        return False
    with open_binary(name) as stream:
        try:
            start = stream.read(len(TITLE) + 1)
        except (OSError, EOFError, ValueError):
            return False  # the reader of the file reports the error
    return start == f"{TITLE}\t".encode()


def read(name: str, wanted: Sequence[str] = ()) -> list[JavaSystem]:
    """Reads the systems of a file: one, or in SGML all of them, or those in `wanted`."""
    found: dict[str | None, list[AlignedSegment]] = {}
    for record in records(name):
        found.setdefault(record.system, []).append(record)
    if not found:
        raise InputError(f"{shown(name)} is empty; it should contain alignments (Java's -writeAlignments)")
    for system in wanted:
        if system not in found:
            there = ", ".join(map(str, found)) if None not in found else "one system without a name"
            raise InputError(f"{shown(name)} has no system '{system}'; it has: {there}")
    several = len(found) > 1
    return [
        JavaSystem(f"{name}:{system}" if several else name, name, found[system]) for system in wanted or found
    ]


def records(name: str) -> Iterator[AlignedSegment]:
    """Yields the records of a file. Errors name the line."""
    reader = _RecordReader(name)
    while (title := reader.next_or_none()) is not None:
        yield reader.record(title)


class _RecordReader:
    def __init__(self, name: str) -> None:
        self._name = shown(name)
        self._lines = read_lines(name, whole=True)
        self._number = 0
        self._count = 0

    def next_or_none(self) -> str | None:
        self._number += 1
        return next(self._lines, None)

    def _next(self) -> str:
        line = self.next_or_none()
        if line is None:
            raise self._wrong(
                f"the file ends inside record {self._count}, before the empty line that ends it; is it "
                "complete?"
            )
        return line

    def _wrong(self, problem: str) -> InputError:
        return InputError(f"{self._name}, line {self._number}: {problem}")

    def record(self, title: str) -> AlignedSegment:
        self._count += 1
        names, values = self._title(title)
        hypothesis, reference = (tuple(_core.split(self._next())) for _ in range(2))
        if (line := self._next()) != TABLE:
            raise self._wrong(f"expected '{TABLE}', not '{line[:40]}'")
        matches: list[tuple[int, ...]] = []
        while line := self._next():
            matches.append(self._match(line, matches, len(reference), len(hypothesis)))
        self._check_once(matches)
        return AlignedSegment(names, values, hypothesis, reference, tuple(matches))

    def _title(self, line: str) -> tuple[tuple[str, ...], tuple[float, ...]]:
        first, *names = line.split("\t")
        numbers, names = names[-len(VALUES) :], names[: -len(VALUES)]
        try:
            values = tuple(map(float, numbers))
        except ValueError:
            values = ()
        if first != TITLE or len(names) not in (PLAIN, SGML) or len(values) != len(VALUES):
            raise self._wrong(
                f"expected '{TITLE}', the number of a segment (or set, system, document and segment) and its "
                f"{', '.join(VALUES)}, not '{line[:40]}'"
            )
        return tuple(names), values

    def _match(
        self, line: str, before: Sequence[tuple[int, ...]], reference: int, hypothesis: int
    ) -> tuple[int, ...]:
        found = MATCH.fullmatch(line)
        parts = found.groups() if found else ()
        if not parts or any(len(part) > DIGITS for part in parts[:5]):
            raise self._wrong(
                f"expected a match such as '0:1\\t\\t\\t0:1\\t\\t\\t0\\t\\t1.0', not '{line[:40]}'"
            )
        numbers = tuple(map(int, parts[:5]))
        sides = (numbers[0:2], reference, "reference"), (numbers[2:4], hypothesis, "hypothesis")
        for (start, length), words, side in sides:
            if not length or start + length > words:
                raise self._wrong(f"{start}:{length} is outside the {side}, which has {words} words")
        if before and numbers[0] < before[-1][0] + before[-1][1]:
            raise self._wrong("matches must be in the order of the reference, and must not overlap")
        return numbers

    def _check_once(self, matches: Sequence[tuple[int, ...]]) -> None:
        end = 0
        for _, _, start, length, _ in sorted(matches, key=lambda match: match[2]):
            if start < end:
                raise self._wrong(f"word {start} of the hypothesis is in two matches of this record")
            end = start + length
