"""Run the official jar as a black box, and read what it writes."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.support import java_jar
from tests.support.oracle.matchers import Match

JavaStatistics = list[int]


class JavaAlignment(NamedTuple):
    """One record of an alignment file."""

    hypothesis: str  # as printed (see `printed_words`)
    reference: str
    matches: tuple[Match, ...]
    precision: float
    recall: float
    penalty: float
    score: float


class JavaRun(NamedTuple):
    statistics: list[JavaStatistics]
    alignments: list[JavaAlignment]


def run(
    jar: Path, hypotheses: Sequence[str], references: Sequence[Sequence[str]], options: Iterable[str]
) -> JavaRun:
    """Score segments, each with its list of references (the same number for all)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "hypotheses").write_bytes(lines(hypotheses))
        (folder / "references").write_bytes(lines(text for group in references for text in group))
        java = [*java_jar.java(), "-jar", str(jar.resolve())]
        shape = ["hypotheses", "references", "-r", str(len(references[0])), "-ssOut", "-writeAlignments"]
        done = subprocess.run([*java, *shape, *options], cwd=folder, capture_output=True, check=True)
        alignments = (folder / "meteor-align.out").read_bytes().decode()
    return JavaRun(list(read_statistics(done.stdout.decode())), list(read_alignments(alignments)))


def lines(texts: Iterable[str]) -> bytes:
    return "".join(text + "\n" for text in texts).encode()


def read_statistics(text: str) -> Iterator[JavaStatistics]:
    """The output of ``-ssOut``: one row per segment, whole numbers written as 13.0."""
    for row in text.splitlines():
        yield [int(float(number)) for number in row.split()]


def read_alignments(text: str) -> Iterator[JavaAlignment]:
    """Records of: header, hypothesis, reference, column names, one line per match, an empty line."""
    rows = iter(text.split("\n"))
    for header in rows:
        if not header:
            continue
        hypothesis, reference, _ = next(rows), next(rows), next(rows)
        matches = []
        while row := next(rows):
            reference_span, hypothesis_span, stage, _ = (field for field in row.split("\t") if field)
            spans = [*reference_span.split(":"), *hypothesis_span.split(":")]
            matches.append(Match._make(map(int, [*spans, stage])))
        yield JavaAlignment(hypothesis, reference, tuple(matches), *map(float, header.split("\t")[2:]))


def printed_words(words: Iterable[str]) -> str:
    """Words as Java prints them: without control characters at the ends, although these count as words."""
    return " ".join(words).strip("".join(map(chr, range(0x21))))
