"""Studies of several data sets: the results of each set, and their mean over the sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

import numpy as np

from bolide._support import checks
from bolide._support.visible import json_text
from bolide.comparison.reports import grid
from bolide.comparison.reports.data import plain
from bolide.comparison.reports.grid import TableRows
from bolide.comparison.reports.style import printable, table_name
from bolide.errors import ConfigurationError
from bolide.evaluation import tables
from bolide.evaluation.study import Study, StudyResult
from bolide.inputs.files import uncompressed

MEAN = "mean"


@dataclass(frozen=True, repr=False)
class StudySets:
    """Studies by the names of their data sets. `print` shows them as one table."""

    studies: Mapping[str, Study]

    @property
    def means(self) -> list[StudyResult]:
        """The mean of each metric by each measure, over the sets that have the measure. Every set counts
        once. NaN if a value is undefined."""
        found: dict[tuple[str, str], list[StudyResult]] = {}
        for study in self.studies.values():
            for result in study.results:
                found.setdefault((result.measure, result.metric), []).append(result)
        return [
            StudyResult(
                first.metric,
                first.measure,
                first.level,
                first.grouping,
                float(np.mean([each.value for each in (first, *others)])),
            )
            for first, *others in found.values()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as in the JSON of the command line."""
        return {
            "sets": {name: study.to_dict() for name, study in self.studies.items()},
            MEAN: [
                {name: result.to_dict()[name] for name in ("metric", "measure", "level", "grouping", "value")}
                for result in self.means
            ],
        }

    def lines(self, output: str = "text", width: int | None = None) -> Iterator[str]:
        """The lines of a report, as in `tables.lines`."""
        return FORMATS[checks.choice("format", output, FORMATS)](self, width)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<StudySets of {', '.join(self.studies)}>"


def set_names(files: Sequence[str]) -> list[str]:
    """Names of the data sets in files: as many parts of their paths as tell them apart.

    >>> set_names(["a/data.jsonl.gz", "b/data.jsonl.gz"]), set_names(["a/x.jsonl", "a/y.jsonl"])
    (['a/data', 'b/data'], ['x', 'y'])
    """
    paths = [PurePath(uncompressed(file)).with_suffix("").parts for file in files]
    for count in range(1, max(map(len, paths)) + 1):
        names = ["/".join(parts[-count:]) for parts in paths]
        if len(set(names)) == len(names):
            return names
    double = next(file for file in files if files.count(file) > 1)
    raise ConfigurationError(f"{double} was given twice")


# ---- printing ------------------------------------------------------------------------------------


def _rows(sets: StudySets, decimals: int) -> TableRows:
    """One row per set and measure, one column per metric. With intervals or tests: one row per result."""
    studies = list(sets.studies.values())
    if any(result.interval or result.test for study in studies for result in study.results):
        return _long(sets, decimals)
    metrics = list(dict.fromkeys(metric for study in studies for metric in study.metrics))
    results = [(name, result) for name, study in sets.studies.items() for result in study.results]
    results += [(MEAN, result) for result in sets.means]
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for name, result in results:
        row = cells.setdefault((printable(name), tables.title(result)), {})
        row[result.metric] = tables.number(result.value, decimals)
    measures = dict.fromkeys(measure for _, measure in cells)
    ordered = [(name, measure) for measure in measures for name, own in cells if own == measure]
    found = [["set", "measure", *map(printable, metrics)]]
    found += [[*place, *(cells[place].get(metric, "") for metric in metrics)] for place in ordered]
    return found


def _long(sets: StudySets, decimals: int) -> TableRows:
    found: TableRows = []
    for name, study in sets.studies.items():
        titles, *rows = tables.rows(study, decimals)
        found = found or [["set", *titles]]
        found += [[printable(name), *row] for row in rows]
    means = [
        [MEAN, tables.title(result), printable(result.metric), tables.number(result.value, decimals)]
        for result in sets.means
    ]
    found += means
    columns = max(map(len, found))
    return [[*row, *[""] * (columns - len(row))] for row in found]


def _notes(sets: StudySets) -> list[str]:
    return [
        f"{printable(name)}: {line}" for name, study in sets.studies.items() for line in tables.notes(study)
    ]


def _signatures(sets: StudySets) -> list[tuple[str, str]]:
    """Each signature once, with the names of its metrics, and of its sets if they differ."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, study in sets.studies.items():
        for names, line in tables.signatures(study):
            found.setdefault((names, line), []).append(printable(name))
    return [
        (names if len(of_sets) == len(sets.studies) else f"{names} ({', '.join(of_sets)})", line)
        for (names, line), of_sets in found.items()
    ]


def _drawn(kind: str) -> Callable[[StudySets, int | None], Iterator[str]]:
    def draw(sets: StudySets, width: int | None) -> Iterator[str]:
        yield from grid.FORMATS[kind](_rows(sets, tables.DECIMALS if width is None else width))
        yield from tables.noted(_notes(sets), _signatures(sets), kind)

    return draw


def _tsv(sets: StudySets, width: int | None) -> Iterator[str]:
    means = replace(next(iter(sets.studies.values())), results=tuple(sets.means))
    for k, (name, study) in enumerate([*sets.studies.items(), (MEAN, means)]):
        titles, *rows = tables.lines(study, "tsv", width)
        yield from [] if k else [f"set\t{titles}"]
        yield from (f"{table_name(name)}\t{row}" for row in rows)


def _json(sets: StudySets, width: int | None) -> Iterator[str]:
    yield json_text(plain(sets.to_dict(), width), indent=2, allow_nan=False)


FORMATS: dict[str, Callable[[StudySets, int | None], Iterator[str]]] = {
    "text": _drawn("text"),
    "markdown": _drawn("markdown"),
    "latex": _drawn("latex"),
    "tsv": _tsv,
    "json": _json,
}
