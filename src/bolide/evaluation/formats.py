"""Reads files of human judgments.

    wmt-csv    srclang,trglang,srcIndex,…,judgeId,…,system1Id,…,system1rank,…   WMT; rank −1: not judged
    pairs      segid  better  worse  [judge]                  TSV; one pairwise judgment per line
    rank       segment  LP  better  LP  worse                 Java's Trainer; no header
    ratings    system  segment  [judge]  score                TSV; or the mean of adequacy and fluency
    seg.score  system  score                                  mt-metrics-eval; segments in order
    sys.score  system  score                                  mt-metrics-eval

A file that names a language pair in each line may have several. Each becomes a separate `Judgments`.
"""

from __future__ import annotations

import csv
import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NoReturn

import numpy as np

from bolide._support import checks
from bolide._support.numbered import Numbered
from bolide._support.plurals import counted
from bolide.comparison.reports.style import from_table
from bolide.errors import ConfigurationError, InputError
from bolide.evaluation.judgments import JudgedPairs, Judgments, Ratings
from bolide.inputs.delimited import allow_long_fields
from bolide.inputs.files import STDIN, shown, uncompressed
from bolide.inputs.text_files import read_lines
from bolide.language import languages

SEGMENT = ("segid", "segment", "seg", "segmentid", "seg_id", "srcindex")
JUDGE = ("judge", "judgeid", "rater", "annotator", "judge_id")
SYSTEM = ("system", "sys", "systemid")
# One of these, or the mean of adequacy and fluency, as in the 2005 paper.
SCORE = ("score", "rating")
BOTH = ("adequacy", "fluency")
# What mt-metrics-eval writes for a missing score.
MISSING = ("none", "nan", "")
# Three-letter codes in the WMT files of 2014 to 2016.
CODES = {
    "eng": "en", "cze": "cs", "ces": "cs", "ger": "de", "deu": "de", "fre": "fr", "fra": "fr", "spa": "es",
    "rus": "ru", "hin": "hi", "hindi": "hi", "fin": "fi", "rum": "ro", "ron": "ro", "tur": "tr", "lav": "lv",
    "chi": "zh", "zho": "zh",
}  # fmt: skip


class Collector:
    """Collects the judgments of one language pair, line by line."""

    def __init__(self) -> None:
        self.systems: Numbered[str] = Numbered()
        self.segments: Numbered[str] = Numbered()
        self.judges: Numbered[str] = Numbered()
        self.pairs: list[tuple[int, int, int]] = []
        self.ties: list[tuple[int, int, int]] = []
        self.ratings: list[tuple[int, int, int]] = []
        self.scores: list[float] = []
        self.of_systems: dict[str, float] = {}

    @property
    def empty(self) -> bool:
        given = [score for score in self.of_systems.values() if not math.isnan(score)]
        return not (self.pairs or self.ties or self.ratings or given)

    def pair(self, segment: str, better: str, worse: str, *, tie: bool = False) -> None:
        row = self.segments[segment], self.systems[better], self.systems[worse]
        (self.ties if tie else self.pairs).append(row)

    def rating(self, segment: str, system: str, judge: str, score: float) -> None:
        row = self.segments[segment], self.systems[system], self.judges[judge]
        if not math.isnan(score):
            self.ratings.append(row)
            self.scores.append(score)

    def judgments(self, name: str) -> Judgments:
        of_systems = None
        if self.of_systems:
            of_systems = np.array([self.of_systems.get(system, math.nan) for system in self.systems])
        ratings = np.array(self.ratings, dtype=np.intp).reshape(-1, 3).T
        return Judgments(
            tuple(self.systems),
            tuple(self.segments),
            JudgedPairs(*np.array(self.pairs, dtype=np.intp).reshape(-1, 3).T),
            JudgedPairs(*np.array(self.ties, dtype=np.intp).reshape(-1, 3).T),
            Ratings(ratings[0], ratings[1], ratings[2], np.array(self.scores)),
            tuple(self.judges),
            of_systems,
            name,
        )


class Collectors(dict[str, Collector]):
    """One collector per language pair; "" if the file names none."""

    def __missing__(self, pair: str) -> Collector:
        self[pair] = Collector()
        return self[pair]


class JudgmentFile:
    """The rows of a file. Errors name the line."""

    def __init__(self, name: str, delimiter: str = "\t") -> None:
        self.name, self.delimiter, self.line = name, delimiter, 0

    def rows(self) -> Iterator[Sequence[str]]:
        for number, text in enumerate(read_lines(self.name, whole=True), 1):
            self.line = number
            if text.strip():
                yield self._commas(text) if self.delimiter == "," else text.split(self.delimiter)

    def _commas(self, text: str) -> Sequence[str]:
        allow_long_fields()
        try:
            return next(csv.reader([text]))
        except csv.Error as error:
            self.fail(f"not a line of CSV ({str(error).partition(' - ')[0]})")

    def fail(self, problem: str) -> NoReturn:
        raise InputError(f"{shown(self.name)}, line {self.line}: {problem}")

    def number(self, text: str, what: str, *, missing: bool = False) -> float:
        if missing and text.strip().lower() in MISSING:
            return math.nan
        try:
            found = float(text)
        except ValueError:
            found = math.nan
        if not math.isfinite(found):
            self.fail(f"{what} must be a number, not '{text}'")
        return found

    def different(self, better: str, worse: str) -> None:
        if better == worse:
            self.fail(f"'{better}' cannot be better than itself")

    def fields(self, row: Sequence[str], count: int, form: str) -> Sequence[str]:
        if len(row) != count:
            self.fail(f"{form} has {count} fields separated by tabs, this line has {len(row)}")
        return row


class Header:
    """The columns of a file whose first line names them."""

    def __init__(self, file: JudgmentFile, rows: Iterator[Sequence[str]]) -> None:
        self.file = file
        self.names = [name.strip().lower() for name in next(rows, [])]

    def find(self, names: Sequence[str]) -> int | None:
        return next((self.names.index(name) for name in names if name in self.names), None)

    def column(self, names: Sequence[str]) -> int:
        found = self.find(names)
        if found is None:
            self.file.fail(f"no column '{names[0]}'; {self.listed()}")
        return found

    def listed(self) -> str:
        shown = [name if len(name) <= 40 else f"{name[:39]}…" for name in self.names]
        return f"the columns are: {', '.join(shown)}"

    def checked(self, rows: Iterator[Sequence[str]]) -> Iterator[Sequence[str]]:
        for row in rows:
            if len(row) != len(self.names):
                self.file.fail(
                    f"the first line has {counted(len(self.names), 'fields')}, this line has {len(row)}"
                )
            yield row


# ---- the formats ---------------------------------------------------------------------------------


def _pairs(file: JudgmentFile, found: Collectors) -> None:
    rows = file.rows()
    header = Header(file, rows)
    segment, better, worse = (header.column(names) for names in (SEGMENT, ["better"], ["worse"]))
    for row in header.checked(rows):
        file.different(row[better], row[worse])
        found[""].pair(*(from_table(row[k]) for k in (segment, better, worse)))


def _rank(file: JudgmentFile, found: Collectors) -> None:
    for row in file.rows():
        segment, pair, better, other, worse = file.fields(row, 5, "a .rank file")
        if pair != other:
            file.fail(f"systems of two language pairs, {pair} and {other}, cannot be compared")
        file.different(better, worse)
        found[pair].pair(segment, better, worse)


def language_code(name: str) -> str:
    """The code of a language, given by name or code.

    >>> language_code("Czech"), language_code("deu"), language_code("xx")
    ('cs', 'de', 'xx')
    """
    plain = name.strip().lower()
    plain = CODES.get(plain, plain)
    try:
        return languages.get(plain).code
    except ConfigurationError:
        return plain


def _wmt_csv(file: JudgmentFile, found: Collectors) -> None:
    rows = file.rows()
    header = Header(file, rows)
    source, target = header.column(["srclang"]), header.column(["trglang"])
    segment = header.column(["srcindex", "segmentid"])
    names = {m[1]: k for k, name in enumerate(header.names) if (m := re.fullmatch(r"system(\d+)id", name))}
    ranks = {m[1]: k for k, name in enumerate(header.names) if (m := re.fullmatch(r"system(\d+)rank", name))}
    if not names or names.keys() != ranks.keys():
        file.fail("columns system1Id, system2Id, … and system1rank, system2rank, … must come in pairs")
    places = [(names[number], ranks[number]) for number in names]
    for row in header.checked(rows):
        pair = f"{language_code(row[source])}-{language_code(row[target])}"
        judged = [
            (from_table(row[name]), file.number(row[rank], "a rank")) for name, rank in places if row[name]
        ]
        collector = found[pair]
        for (first, a), (second, b) in combinations([each for each in judged if each[1] >= 0], 2):
            if first == second:  # shown twice, to measure the consistency of the judge
                continue
            better, worse = (first, second) if a <= b else (second, first)
            collector.pair(from_table(row[segment]), better, worse, tie=a == b)


def _ratings(file: JudgmentFile, found: Collectors) -> None:
    rows = file.rows()
    header = Header(file, rows)
    system, segment, judge = header.column(SYSTEM), header.column(SEGMENT), header.find(JUDGE)
    one = header.find(SCORE)
    scores = [one] if one is not None else [k for k, name in enumerate(header.names) if name in BOTH]
    if not scores:
        file.fail(f"no column 'score', nor 'adequacy' or 'fluency'; {header.listed()}")
    for row in header.checked(rows):
        values = [file.number(row[k], "a rating", missing=True) for k in scores]
        who = "" if judge is None else row[judge]
        names = from_table(row[segment]), from_table(row[system]), from_table(who)
        found[""].rating(*names, sum(values) / len(values))


def _seg_score(file: JudgmentFile, found: Collectors) -> None:
    counts: dict[str, int] = {}
    for row in file.rows():
        system, text = file.fields(row, 2, "a .seg.score file")
        counts[system] = counts.get(system, 0) + 1
        score = file.number(text, "a score", missing=True)
        found[""].rating(str(counts[system]), system, "", score)
    if len(set(counts.values())) > 1:
        numbers = ", ".join(f"{system} has {count}" for system, count in counts.items())
        raise InputError(f"{shown(file.name)}: the systems differ in their number of segments: {numbers}")


def _sys_score(file: JudgmentFile, found: Collectors) -> None:
    collector = found[""]
    for row in file.rows():
        system, text = file.fields(row, 2, "a .sys.score file")
        if system in collector.of_systems:
            file.fail(f"system '{system}' occurs twice")
        collector.systems[system]  # gives it a number
        collector.of_systems[system] = file.number(text, "a score", missing=True)


FORMATS: dict[str, Callable[[JudgmentFile, Collectors], None]] = {
    "wmt-csv": _wmt_csv,
    "pairs": _pairs,
    "rank": _rank,
    "ratings": _ratings,
    "seg.score": _seg_score,
    "sys.score": _sys_score,
}
BY_NAME = ("seg.score", "sys.score", "rank")


def format_of(path: str) -> str:
    """The format of a file, by its name or its first line."""
    for form in BY_NAME:
        if uncompressed(path).name.endswith(f".{form}"):
            return form
    first = next(iter(read_lines(path)), "").lower()
    columns = [name.strip() for name in re.split(r"[\t,]", first)]
    for form, needed in {"wmt-csv": "srclang", "pairs": "better", "ratings": "system"}.items():
        if needed in columns:
            return form
    raise InputError(
        f"{shown(path)}: unknown format of judgments; the first line must name the columns "
        f"(such as: system, segment, score); or give the format (--judgments-format, in Python format=), "
        f"one of: {', '.join(FORMATS)}"
    )


def read_all(
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
) -> dict[str, Judgments]:
    """The judgments in a file by language pair, such as "cs-en", or "" if it names none."""
    name = os.fspath(path)
    if name == STDIN and format is None:
        raise InputError(
            "judgments from standard input need a format: give it (--judgments-format, in Python format=)"
        )
    form = format_of(name) if format is None else format
    checks.choice("format of judgments", form, FORMATS)
    found = Collectors()
    FORMATS[form](JudgmentFile(name, ",") if form == "wmt-csv" else table(name), found)
    judged = {pair: collector.judgments(name) for pair, collector in found.items() if not collector.empty}
    if not judged:
        raise InputError(f"{shown(name)} has no judgments")
    return judged


def read(
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
    *,
    language_pair: str | None = None,
) -> Judgments:
    """Reads the judgments in a file, compressed or not. The format is one of `FORMATS`, by default determined
    by the name and the first line. If there are several language pairs, choose one, such as "cs-en"."""
    judged, name = read_all(path, format), shown(str(path))
    there = ", ".join(judged)
    if language_pair is None or list(judged) == [""]:
        if len(judged) > 1:
            raise InputError(f"{name} has several language pairs: choose one of {there}")
        return next(iter(judged.values()))
    wanted = "-".join(language_code(part) for part in language_pair.split("-"))
    for pair, found in judged.items():
        if pair in (language_pair, wanted):
            return found
    raise InputError(f"{name} has no language pair '{language_pair}'; it has {there}")


def table(name: str) -> JudgmentFile:
    """Opens a file of rows with fields separated by tabs, or by commas if its name ends in .csv."""
    return JudgmentFile(name, "," if uncompressed(name).suffix.lower() == ".csv" else "\t")
