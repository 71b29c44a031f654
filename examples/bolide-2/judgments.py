"""WMT translations with pairwise human judgments, as arrays; and how well a metric agrees with them.

A set is one language pair of one year, such as wmt12.cs-en. It has three gzipped TSV files with a header:

    SET.hyp.tsv.gz     system, segment, text
    SET.ref.tsv.gz     segment, text
    SET.pairs.tsv.gz   segment, better system, worse system
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

# Scores are compared at this precision, so that the order of summation makes no difference.
DIGITS = 10


def rows(path: Path) -> list[list[str]]:
    lines = gzip.decompress(path.read_bytes()).decode("utf-8").removesuffix("\n").split("\n")
    return [line.split("\t") for line in lines[1:]]


@dataclass(frozen=True)
class Judged:
    """The comparisons, and the compared translations. Each distinct text of a segment is listed once."""

    name: str
    hypotheses: list[str]
    references: list[str]
    keys: list[tuple[str, str]]  # for each translation, a system and a segment that have it
    better: Places
    worse: Places
    segments: Places  # the segment of each comparison, numbered from 0

    @property
    def year(self) -> str:
        return self.name.partition(".")[0]

    @property
    def languages(self) -> list[str]:
        """Source and target."""
        return self.name.partition(".")[2].split("-")

    @property
    def foreign(self) -> str:
        """The language that is not English."""
        return next(code for code in self.languages if code != "en")


def read(folder: Path, name: str) -> Judged:
    texts = {(system, segment): text for system, segment, text in rows(folder / f"{name}.hyp.tsv.gz")}
    reference: dict[str, str] = dict(rows(folder / f"{name}.ref.tsv.gz"))  # type: ignore[arg-type]
    places: dict[tuple[str, str], int] = {}
    keys: list[tuple[str, str]] = []
    segments: dict[str, int] = {}

    def place(system: str, segment: str) -> int:
        found = places.setdefault((segment, texts[system, segment]), len(places))
        if found == len(keys):
            keys.append((system, segment))
        return found

    judged = [
        (place(better, segment), place(worse, segment), segments.setdefault(segment, len(segments)))
        for segment, better, worse in rows(folder / f"{name}.pairs.tsv.gz")
    ]
    better, worse, numbers = np.array(judged, dtype=np.intp).T
    hypotheses = [text for _, text in places]
    references = [reference[segment] for segment, _ in places]
    return Judged(name, hypotheses, references, keys, better, worse, numbers)


def agreement(judged: Judged, scores: Floats) -> npt.NDArray[np.int64]:
    """By segment: the number of comparisons that the metric has right, wrong, and tied."""
    rounded = np.round(scores, DIGITS)
    signs = np.sign(rounded[judged.better] - rounded[judged.worse]).astype(np.int64)
    size = int(judged.segments.max()) + 1
    found = [np.bincount(judged.segments, signs == sign, size) for sign in (1, -1, 0)]
    return np.stack(found, axis=1).astype(np.int64)


def taus(counts: npt.NDArray[np.generic]) -> Floats:
    """Kendall's τ of counts of right, wrong and tied comparisons.

    By the rules of WMT14 (a tie counts only in the denominator) and of WMT12 (a tie is wrong).
    """
    right, wrong, tied = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    return np.stack([right - wrong, right - wrong - tied], axis=-1) / (right + wrong + tied)[..., np.newaxis]


def samples(counts: Sequence[npt.NDArray[np.int64]], number: int, seed: int = 1) -> list[Places]:
    """For each set, how often each segment occurs in each bootstrap sample."""
    random = np.random.default_rng(seed)
    return [random.multinomial(len(c), np.full(len(c), 1 / len(c)), size=number) for c in counts]


def interval(values: Floats) -> tuple[float, float]:
    """The 95% interval of bootstrapped values."""
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)
