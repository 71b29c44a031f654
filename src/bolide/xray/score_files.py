"""Reads files of scores: `--scores comet.tsv`.

Scores of systems that the report has not are skipped, if the file has scores of all systems of the report.

one column per system    the first line has the names of the systems; then one line per segment. A column
                         `segment` may number the lines. The file name is the name of the metric. Without
                         a line of names, the columns are the systems in their order
one line per score       columns system, segment, and one or more metrics
NAME.seg.score           lines of a system and a score, as in mt-metrics-eval

Columns are separated by tabs, or by commas in .csv. An empty cell, `nan` or `None` is a missing score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from bolide._support.plurals import counted
from bolide.comparison.reports.style import from_table
from bolide.errors import InputError
from bolide.evaluation.formats import SEGMENT, SYSTEM, JudgmentFile
from bolide.evaluation.scores import NOT_METRICS
from bolide.inputs.files import shown, uncompressed
from bolide.xray.scores import OtherScores

SEG_SCORE = ".seg.score"
Column = list[float | None]
Row = Sequence[str]


def read_score_file(
    name: str, systems: Mapping[str, str], segments: int, lower: Sequence[str] = ()
) -> list[OtherScores]:
    """The metrics in a file. `systems` has the names of systems by all names that a file may use; `lower` has
    the metrics whose low scores are good."""
    plain = uncompressed(name).name
    source = JudgmentFile(name, "," if plain.lower().endswith(".csv") else "\t")
    rows = source.rows()
    if plain.endswith(SEG_SCORE):
        found = _of_lines(source, rows, plain.removesuffix(SEG_SCORE), systems, segments)
    else:
        titles = [title.strip() for title in next(rows, [])]
        if not titles:
            raise InputError(f"{shown(name)} is empty; its first line must name the columns")
        lowered = [title.lower() for title in titles]
        if all(map(_is_score, titles)):
            names = list(dict.fromkeys(systems.values()))
            if len(titles) != len(names):
                source.fail(
                    f"{counted(len(titles), 'columns')} for {counted(len(names), 'systems')}; "
                    "name the systems in the first line"
                )
            found = _wide(source, names, chain([titles], rows), Path(plain).stem, systems, segments)
        elif any(each in SYSTEM for each in lowered):
            found = _tidy(source, titles, rows, systems, segments)
        else:
            found = _wide(source, titles, rows, Path(plain).stem, systems, segments)
    wanted = {each.lower() for each in lower}
    return [
        OtherScores(metric, values, False if metric.lower() in wanted else None)
        for metric, values in found.items()
    ]


def aliases(names: Sequence[str], files: Sequence[str | None]) -> dict[str, str]:
    """The names of systems by all names that a file may use: the name, the file, with or without its folder
    and its ending. A name that several systems could have is left out."""
    found: dict[str, str | None] = {}
    for name, file in zip(names, files, strict=True):
        path = Path(file or name)
        for other in {file or name, path.name, path.stem} - set(names):
            found[other] = name if other not in found else None
    return {**{name: name for name in names}, **{k: v for k, v in found.items() if v is not None}}


def _wide(
    source: JudgmentFile,
    titles: Sequence[str],
    rows: Iterable[Row],
    metric: str,
    systems: Mapping[str, str],
    segments: int,
) -> dict[str, dict[str, Column]]:
    """One column per system. Without a line of names, the columns are the systems in their order."""
    names = list(dict.fromkeys(systems.values()))
    lines = list(_numbered(source, rows))
    numbers = next((k for k, title in enumerate(titles) if title.lower() in SEGMENT), None)
    named = {k: systems.get(title) for k, title in enumerate(titles) if k != numbers}
    columns = {k: name for k, name in named.items() if name is not None}
    others = {titles[k]: 1 for k, name in named.items() if name is None}
    _check_others(source, others, columns.values(), systems)
    _check_once(source, list(columns.values()))
    if len(lines) != segments:
        raise InputError(
            f"{shown(source.name)} has scores of {counted(len(lines), 'segments')} for "
            f"{counted(segments, 'segments')}; it needs one line per segment, after a line with the names of "
            "the systems"
        )
    found: dict[str, Column] = {name: [] for name in names if name in columns.values()}
    zero = numbers is not None and lines[0][1][numbers : numbers + 1] == ["0"]  # counted from 0
    for place, (line, row) in enumerate(lines):
        source.line = line
        if len(row) != len(titles):
            source.fail(f"the first line has {counted(len(titles), 'columns')}, this line has {len(row)}")
        expected = str(place + (not zero))
        if numbers is not None and row[numbers].strip() != expected:
            source.fail(f"segment {row[numbers]} is in the place of segment {expected}; sort the lines")
        for k, name in columns.items():
            found[name].append(_number(source, row[k], titles[k]))
    return {metric: found}


def _tidy(
    source: JudgmentFile,
    titles: Sequence[str],
    rows: Iterator[Row],
    systems: Mapping[str, str],
    segments: int,
) -> dict[str, dict[str, Column]]:
    """One line per score of a segment. Lines without a segment, of whole systems, are skipped."""
    lowered = [title.lower() for title in titles]
    system = next(k for k, title in enumerate(lowered) if title in SYSTEM)
    segment = next((k for k, title in enumerate(lowered) if title in SEGMENT), None)
    if segment is None:
        raise InputError(f"{shown(source.name)}, line 1: no column 'segment'; it has {', '.join(titles)}")
    metrics = [
        k for k, title in enumerate(lowered) if k not in (system, segment) and title not in NOT_METRICS
    ]
    if not metrics:
        raise InputError(f"{shown(source.name)}, line 1: no column of scores; it has {', '.join(titles)}")
    found: dict[str, dict[str, Column]] = {titles[k]: {} for k in metrics}
    given: set[tuple[str, int]] = set()
    others: dict[str, int] = {}
    for line, row in _numbered(source, rows):
        source.line = line
        if len(row) != len(titles):
            source.fail(f"the first line has {counted(len(titles), 'columns')}, this line has {len(row)}")
        if not row[segment].strip():
            continue
        name = systems.get(from_table(row[system]))
        if name is None:
            others.setdefault(from_table(row[system]), line)
            continue
        place = _place(source, row[segment], segments)
        if (name, place) in given:
            source.fail(f"segment {row[segment]} of {row[system]} occurs twice")
        given.add((name, place))
        for k in metrics:
            column = found[titles[k]].setdefault(name, [None] * segments)
            column[place] = _number(source, row[k], titles[k])
    _check_others(source, others, {name for name, _ in given}, systems)
    if not given:
        raise InputError(f"{shown(source.name)} has no scores of segments")
    return found


def _of_lines(
    source: JudgmentFile, rows: Iterator[Row], metric: str, systems: Mapping[str, str], segments: int
) -> dict[str, dict[str, Column]]:
    """Lines of a system and a score, segments in order."""
    found: dict[str, Column] = {}
    others: dict[str, int] = {}
    for line, row in _numbered(source, rows):
        source.line = line
        own = source.fields(row, 2, SEG_SCORE)[0]
        name = systems.get(own)
        if name is None:
            others.setdefault(own, line)
            continue
        found.setdefault(name, []).append(_number(source, row[1], "the score"))
    _check_others(source, others, found, systems)
    for name, values in found.items():
        if len(values) != segments:
            raise InputError(
                f"{shown(source.name)} has {len(values)} scores of {name} for {segments} segments"
            )
    if not found:
        raise InputError(f"{shown(source.name)} has no scores of segments")
    return {metric: found}


def _numbered(source: JudgmentFile, rows: Iterable[Row]) -> Iterator[tuple[int, Row]]:
    for row in rows:
        yield source.line, row


def _is_score(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _number(source: JudgmentFile, cell: str, what: str) -> float | None:
    value = source.number(cell, f"'{what}'", missing=True)
    return None if value != value else value  # not a number


def _check_others(
    source: JudgmentFile, others: Mapping[str, int], found: Iterable[str], systems: Mapping[str, str]
) -> None:
    """Fails if a file has other systems (by the line of each), but not all of the report: their names may be
    wrong."""
    if others and set(systems.values()) - set(found):
        name, source.line = next(iter(others.items()))
        known = ", ".join(dict.fromkeys(systems.values()))
        source.fail(f"unknown system '{name}'; the systems are: {known}")


def _check_once(source: JudgmentFile, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            source.line = 1
            source.fail(f"two columns for {name}")


def _place(source: JudgmentFile, cell: str, segments: int) -> int:
    text = cell.strip()
    if not text.isdecimal() or not 1 <= int(text) <= segments:
        source.fail(f"there is no segment '{text}'; segments are numbered from 1 to {segments}")
    return int(text) - 1
