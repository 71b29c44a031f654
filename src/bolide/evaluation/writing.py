"""Writes judgments in formats that `formats` reads, chosen by the suffix of the file:

    .rank    Java's Trainer: segment, language pair, better system, language pair, worse system
    .csv     rankings of WMT: two systems per row, ties as equal ranks
    .tsv     ratings (system, segment, judge, score) if there are any; else pairs (segid, better, worse)

Rankings of ratings are all pairs of mean ratings of a segment. Only .csv can hold ties. In .csv and
.tsv, names that a spreadsheet would compute are escaped, as in all tables. Java does not know
the escapes. The module `scores` writes scores of metrics.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from bolide._support.writing import atomic_text
from bolide.comparison.reports.style import table_name
from bolide.errors import ConfigurationError, InputError
from bolide.evaluation.judgments import JudgedPairs, Judgments

CSV_COLUMNS = ["srclang", "trglang", "srcIndex", "segmentId", "judgeID"]
CSV_COLUMNS += ["system1Id", "system2Id", "system1rank", "system2rank"]


def _named(judgments: Judgments, pairs: JudgedPairs) -> Iterator[tuple[str, str, str]]:
    for segment, better, worse in zip(pairs.segments, pairs.better, pairs.worse, strict=True):
        yield judgments.segments[segment], judgments.systems[better], judgments.systems[worse]


def _rank(judgments: Judgments, language_pair: str) -> Iterator[list[str]]:
    for segment, better, worse in _named(judgments, judgments.ranked()[0]):
        yield [segment, language_pair, better, language_pair, worse]


def _wmt_csv(judgments: Judgments, language_pair: str) -> Iterator[list[str]]:
    yield CSV_COLUMNS
    for pairs, lower in zip(judgments.ranked(), ("2", "1"), strict=True):
        for segment, better, worse in (map(table_name, names) for names in _named(judgments, pairs)):
            yield [*language_pair.split("-"), segment, segment, "", better, worse, "1", lower]


def _tsv(judgments: Judgments, language_pair: str) -> Iterator[list[str]]:
    if not judgments.has_ratings:
        yield ["segid", "better", "worse"]
        for names in _named(judgments, judgments.pairs):
            yield [table_name(name) for name in names]
        return
    yield ["system", "segment", "judge", "score"]
    r = judgments.ratings
    for segment, system, judge, score in zip(r.segments, r.systems, r.judges, r.scores.tolist(), strict=True):
        names = judgments.systems[system], judgments.segments[segment], judgments.judges[judge]
        yield [*map(table_name, names), repr(score)]


FORMATS: dict[str, Callable[[Judgments, str], Iterator[list[str]]]] = {
    ".rank": _rank,
    ".csv": _wmt_csv,
    ".tsv": _tsv,
}


def check_file(path: str | os.PathLike[str], language_pair: str | None) -> None:
    """Fails if judgments cannot be written to a file with this name."""
    place = Path(path)
    if place.suffix not in FORMATS:
        raise ConfigurationError(
            f"the name of a file of judgments must end in {', '.join(FORMATS)}, not '{place.name}'; for "
            ".seg.score and .sys.score use --write-seg-scores and --write-sys-scores"
        )
    if place.suffix == ".tsv":
        return
    if language_pair is None:
        raise ConfigurationError(f"{place.name} needs a language pair, such as cs-en")
    if len(language_pair.split("-")) != 2:
        raise ConfigurationError(f"a language pair is two languages, such as cs-en, not '{language_pair}'")


def write_judgments(
    path: str | os.PathLike[str], judgments: Judgments, language_pair: str | None = None
) -> None:
    """Writes a file of judgments. All formats except .tsv need the language pair."""
    check_file(path, language_pair)
    if not judgments.has_pairs and not judgments.has_ratings:
        raise InputError(f"{judgments.name} has no judgments of segments to write")
    place = Path(path)
    rows = FORMATS[place.suffix](judgments, language_pair or "")
    with atomic_text(path) as file:
        if place.suffix == ".csv":
            csv.writer(file, lineterminator="\n").writerows(rows)
        else:
            file.writelines("\t".join(row) + "\n" for row in rows)
