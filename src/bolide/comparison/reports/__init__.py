"""Reports of comparisons as lines of text: `lines(comparison, "markdown")`.

A report begins with titles and with segments, if there are any. These can be printed while systems are being
scored: `beginning`, `segment_lines`, then `ending`. `lines` is all of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bolide._support import checks
from bolide.comparison.reports import data, documents, tables
from bolide.comparison.reports.style import SegmentRows, Style
from bolide.errors import ConfigurationError
from bolide.formula.parameters import Parameters

if TYPE_CHECKING:
    from bolide.comparison.compare import Comparison


@dataclass(frozen=True)
class ReportFormat:
    """How to write systems, and segments if they have lines of their own."""

    systems: Callable[[Comparison, Style], Iterator[str]]
    segments: Callable[[SegmentRows, Parameters, Style], Iterator[str]] | None = None
    titles: Callable[[Sequence[str]], str] | None = None  # of other metrics


FORMATS = {
    "text": ReportFormat(tables.text, tables.text_segments),
    "json": ReportFormat(data.json_lines),
    "tsv": ReportFormat(data.tsv, data.tsv_segments, data.titles),
    "markdown": ReportFormat(tables.markdown),
    "latex": ReportFormat(tables.latex),
}


# Formats without segments, and formats for programs.
TABLES, DATA = ("markdown", "latex"), ("json", "tsv")


def check(output: str, style: Style) -> None:
    """Fails, before anything is scored, if there is no such report."""
    checks.choice("format", output, FORMATS)
    if style.percent and output in DATA:
        raise ConfigurationError(
            f"format {output} has fractions; for percentages choose text, markdown or latex"
        )
    if style.segments and output in TABLES:
        raise ConfigurationError(
            f"format {output} is a table of systems; for segments choose text, json or tsv"
        )


def lines(comparison: Comparison, output: str = "text", style: Style | None = None) -> Iterator[str]:
    """The lines of a report, without line ends."""
    style = style or Style()
    check(output, style)
    return chain(
        beginning(output, [metric.name for metric in comparison.metrics]),
        _all_segments(comparison, output, style) if style.segments else (),
        ending(comparison, output, style),
    )


def beginning(output: str, metrics: Sequence[str] = ()) -> tuple[str, ...]:
    """The lines before all others, with the names of other metrics."""
    titles = FORMATS[output].titles
    return () if titles is None else (titles(metrics),)


def segment_lines(found: SegmentRows, parameters: Parameters, output: str, style: Style) -> Iterator[str]:
    """The lines of segments; none if they are not asked for, or if they are part of the ending."""
    write = FORMATS[output].segments if style.segments else None
    return iter(()) if write is None else write(found, parameters, style)


def ending(comparison: Comparison, output: str, style: Style) -> Iterator[str]:
    """The lines of documents and systems."""
    return chain(documents.lines(comparison, output, style), FORMATS[output].systems(comparison, style))


def _all_segments(comparison: Comparison, output: str, style: Style) -> Iterator[str]:
    for system in comparison.systems:
        statistics, flags = system.score.statistics, system.score.flags
        if statistics is not None:
            flags = np.zeros(len(statistics), dtype=np.uint8) if flags is None else flags
            metrics = {each.name: each.results[system.name].segments for each in comparison.metrics}
            found = SegmentRows(system.name, 1, statistics, flags, metrics)
            yield from segment_lines(found, comparison.parameters, output, style)


def schema() -> dict[str, Any]:
    """The JSON Schema of the format `json`."""
    text = Path(__file__).with_name("score.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
