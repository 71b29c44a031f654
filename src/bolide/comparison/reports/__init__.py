"""Reports of comparisons as lines of text: `lines(comparison, "markdown")`.

A report is a function of a comparison and a style that yields lines. FORMATS has one per format.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from bolide.comparison.compare import Comparison
from bolide.comparison.reports import data, documents, tables
from bolide.comparison.reports.style import Style
from bolide.errors import ConfigurationError, unknown

ReportFormat = Callable[[Comparison, Style], Iterator[str]]

FORMATS: dict[str, ReportFormat] = {
    "text": tables.text,
    "json": data.json_lines,
    "tsv": data.tsv,
    "markdown": tables.markdown,
    "latex": tables.latex,
}


# Formats without segments.
TABLES = ("markdown", "latex")


def check(output: str, style: Style) -> None:
    """Fails, before anything is scored, if there is no such report."""
    if output not in FORMATS:
        raise unknown("format", output, FORMATS)
    if style.segments and output in TABLES:
        raise ConfigurationError(
            f"format {output} is a table of systems; for segments choose text, json or tsv"
        )


def lines(comparison: Comparison, output: str = "text", style: Style | None = None) -> Iterator[str]:
    """The lines of a report, without line ends."""
    style = style or Style()
    check(output, style)
    return chain(documents.lines(comparison, output, style), FORMATS[output](comparison, style))


def schema() -> dict[str, Any]:
    """The JSON Schema of the format `json`."""
    text = Path(__file__).with_name("score.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


__all__ = ["FORMATS", "TABLES", "ReportFormat", "Style", "check", "lines", "schema"]
