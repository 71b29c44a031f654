"""A comparison as lines of output: `lines(comparison, "markdown")`.

A report is a function from a comparison and a style to lines; FORMATS has one for each name.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from bolide.comparison import Comparison
from bolide.errors import unknown
from bolide.reports import data, documents, tables
from bolide.reports.style import Style

Report = Callable[[Comparison, Style], Iterator[str]]

FORMATS: dict[str, Report] = {
    "text": tables.text,
    "json": data.json_lines,
    "tsv": data.tsv,
    "markdown": tables.markdown,
    "latex": tables.latex,
}


def lines(comparison: Comparison, output: str = "text", style: Style | None = None) -> Iterator[str]:
    """The lines of a report, without their ends."""
    if output not in FORMATS:
        raise unknown("format", output, FORMATS)
    style = style or Style()
    return chain(documents.lines(comparison, output, style), FORMATS[output](comparison, style))


def schema() -> dict[str, Any]:
    """The JSON Schema of the format json."""
    text = Path(__file__).with_name("score.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


__all__ = ["FORMATS", "Report", "Style", "lines", "schema"]
