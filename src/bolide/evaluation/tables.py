"""Prints a study as text, Markdown, LaTeX, TSV or JSON.

Without intervals and tests there is one row per metric and one column per measure. With them there is one row
per metric and measure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from bolide._support import checks
from bolide._support.visible import json_text
from bolide.comparison.reports import grid
from bolide.comparison.reports.data import cell, plain
from bolide.comparison.reports.grid import ESCAPES, TableRows
from bolide.comparison.reports.style import printable, table_name
from bolide.comparison.significance import LEVEL

if TYPE_CHECKING:
    from bolide.evaluation.study import Study, StudyResult

DECIMALS = 3


def lines(study: Study, output: str = "text", width: int | None = None) -> Iterator[str]:
    """The lines of a report. `width` is the number of decimals (default: 3; all in data)."""
    return FORMATS[checks.choice("format", output, FORMATS)](study, width)


def rows(study: Study, decimals: int = DECIMALS) -> TableRows:
    """The titles, then the rows of the table."""
    if any(result.interval or result.test for result in study.results):
        return _long(study, decimals)
    titles = [_title(study, measure) for measure in study.measures]
    found = [["metric", *titles]]
    for metric in study.metrics:
        cells = [number(study[metric, measure].value, decimals) for measure in study.measures]
        found.append([printable(metric), *cells])
    return found


def _title(study: Study, measure: str) -> str:
    return title(study[study.metrics[0], measure])


def title(result: StudyResult) -> str:
    """The measure of a result, with its grouping."""
    return result.measure if result.grouping in ("", "none") else f"{result.measure} per {result.grouping}"


def _long(study: Study, decimals: int) -> TableRows:
    tested = any(result.test for result in study.results)
    found = [["measure", "metric", "value", "95% interval", *(["difference", "p-value"] if tested else [])]]
    for result in study.results:
        interval = "[{:.{d}f}, {:.{d}f}]".format(*result.interval, d=decimals) if result.interval else ""
        cells = [
            _title(study, result.measure),
            printable(result.metric),
            number(result.value, decimals),
            interval,
        ]
        found.append([*cells, *(_tested(study, result, decimals) if tested else [])])
    if not any(row[3] for row in found[1:]):
        found = [[*row[:3], *row[4:]] for row in found]
    return found


def _tested(study: Study, result: StudyResult, decimals: int) -> list[str]:
    if result.metric == study.baseline:
        return ["baseline", ""]
    if result.difference is None or result.p_value is None or math.isnan(result.p_value):
        return ["" if result.difference is None else f"{result.difference:+.{decimals}f}", ""]
    star = "*" if result.p_value < LEVEL else " "
    return [f"{result.difference:+.{decimals}f}", f"{result.p_value:.4f}{star}"]


def number(value: float, decimals: int) -> str:
    return "–" if math.isnan(value) else f"{value:.{decimals}f}"


def notes(study: Study) -> list[str]:
    """What the numbers were computed from, in words."""
    counts = ", ".join(f"{count:,} {what}" for what, count in study.counts.items() if count)
    found = [counts]
    if study.samples is not None:
        found[0] += f"; {study.samples} samples, seed {study.seed}"
        if any(result.interval for result in study.results):
            found[0] += "; intervals: bootstrap of segments"
    tests = list(dict.fromkeys(result.test for result in study.results if result.test))
    if tests:
        found.append(
            f"* p < {LEVEL} against {printable(study.baseline or '')}, two-sided ({', '.join(tests)})"
        )
    tied = {result.metric: result.epsilon for result in study.results if result.epsilon}
    if tied:
        found.append("tie thresholds: " + ", ".join(f"{printable(m)} {e:.4g}" for m, e in tied.items()))
    return found


def _drawn(kind: str) -> Callable[[Study, int | None], Iterator[str]]:
    def draw(study: Study, width: int | None) -> Iterator[str]:
        table = rows(study, DECIMALS if width is None else width)
        yield from grid.FORMATS[kind](table)
        yield from noted(notes(study), list(signatures(study)), kind)

    return draw


def noted(notes: Sequence[str], signatures: Sequence[tuple[str, str]], kind: str) -> Iterator[str]:
    """The lines below a table: notes and signatures."""
    shown = [f"{names}: {line}" if names else line for names, line in signatures]
    if kind != "markdown":
        yield from (f"{'% ' if kind == 'latex' else ''}{note}" for note in (*notes, *shown))
        return
    escapes = ESCAPES["markdown"]
    shown = [f"{names.translate(escapes)}: `{line}`" if names else f"`{line}`" for names, line in signatures]
    for number, note in enumerate([*(note.translate(escapes) for note in notes), *shown]):
        yield from ([""] if number else [])  # one paragraph each
        yield note


def signatures(study: Study) -> Iterator[tuple[str, str]]:
    """Each signature once, with the names of its metrics."""
    by_line: dict[str, list[str]] = {}
    for name, line in study.signatures.items():
        by_line.setdefault(line, []).append(printable(name))
    return ((", ".join(names), line) for line, names in by_line.items())


def table_lines(table: TableRows, output: str) -> Iterator[str]:
    """Draws any table with titles as text, Markdown, LaTeX or TSV."""
    if output == "tsv":
        return ("\t".join([table_name(first), *others]) for first, *others in table)
    return grid.FORMATS[output](table)


def _tsv(study: Study, width: int | None) -> Iterator[str]:
    of_metric = ("measure", "level", "grouping", "metric", "value", "low", "high")
    names = (*of_metric, "difference", "p_value", "test", "epsilon")
    yield "\t".join(names)
    for result in study.results:
        low, high = result.interval or (None, None)
        known = {**result.to_dict(), "low": low, "high": high, "metric": table_name(result.metric)}
        yield "\t".join(cell(known[name], None if name == "p_value" else width) for name in names)


def _json(study: Study, width: int | None) -> Iterator[str]:
    yield json_text(plain(study.to_dict(), width), indent=2, allow_nan=False)


FORMATS: dict[str, Callable[[Study, int | None], Iterator[str]]] = {
    "text": _drawn("text"),
    "markdown": _drawn("markdown"),
    "latex": _drawn("latex"),
    "tsv": _tsv,
    "json": _json,
}
