"""Running the official jar as a black box and reading what it prints."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from oracle.matchers import Match


@dataclass(frozen=True)
class JavaAlignment:
    """One record of an alignment file."""

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    matches: tuple[Match, ...]


def run(jar: Path, hypotheses: Sequence[str], references: Sequence[str], options: Iterable[str]) -> Run:
    """Scores lines; `references` holds all references of the first segment, then of the second, and so on."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "hypotheses").write_bytes(lines(hypotheses))
        (folder / "references").write_bytes(lines(references))
        command = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", str(jar.resolve()), "hypotheses", "references"]
        done = subprocess.run([*command, *options], cwd=folder, capture_output=True, check=True)
        alignments = folder / "meteor-align.out"
        return Run(
            done.stdout.decode(),
            done.stderr.decode(),
            alignments.read_text("utf-8") if alignments.exists() else "",
        )


def lines(texts: Iterable[str]) -> bytes:
    return "".join(text + "\n" for text in texts).encode()


@dataclass(frozen=True)
class Run:
    """What one run of the jar printed and wrote."""

    output: str
    errors: str
    alignment_file: str

    def statistics(self) -> list[list[int]]:
        """With ``-ssOut``: a row per segment."""
        return [[int(float(field)) for field in line.split()] for line in self.output.splitlines()]

    def segments(self) -> list[float]:
        """With ``-q``: the segment scores, which go to standard error."""
        return [float(line) for line in self.errors.splitlines()]

    def alignments(self) -> list[JavaAlignment]:
        """With ``-writeAlignments``."""
        return list(read_alignments(self.alignment_file))


def read_alignments(text: str) -> Iterator[JavaAlignment]:
    """Records of: header, hypothesis, reference, column names, a line per match, an empty line."""
    rows = iter(text.split("\n"))
    for row in rows:
        if not row.startswith("Alignment\t"):
            continue
        hypothesis, reference = next(rows).split(" "), next(rows).split(" ")
        next(rows)
        matches = []
        while row := next(rows):
            spans = [field for field in row.split("\t") if field]
            places = [int(number) for span in spans[:2] for number in span.split(":")]
            matches.append(Match(*places, stage=int(spans[2])))
        yield JavaAlignment(tuple(filter(None, hypothesis)), tuple(filter(None, reference)), tuple(matches))
