"""A table of documents: one line per document, one column per system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bolide.comparison.reports import grid
from bolide.comparison.reports.grid import FORMATS, TableRows
from bolide.comparison.reports.style import Style, printable

if TYPE_CHECKING:
    from bolide.comparison.compare import Comparison


def rows(comparison: Comparison, style: Style) -> TableRows:
    """Titles, then the documents in the order of the text; nothing if there are none."""
    scores = [system.score.documents or {} for system in comparison.systems]
    names = list(dict.fromkeys(name for documents in scores for name in documents))
    if not names:
        return []
    systems = [style.name(system.name) for system in comparison.systems]
    titles = ["document", "segments", *(["METEOR"] if len(systems) == 1 else systems)]
    found = []
    for name in names:
        of = [documents.get(name) for documents in scores]
        count = next(score.segment_count for score in of if score is not None)
        values = ["" if score is None else style.number(score.score) for score in of]
        found.append([printable(name), str(count), *values])
    return [titles, *found]


def lines(comparison: Comparison, output: str, style: Style) -> Iterator[str]:
    """The table of documents, to print before the report. JSON and TSV have documents among other values."""
    table = rows(comparison, style) if output in FORMATS else []
    if table and not (style.quiet and output == "text"):
        yield from grid.text(table, style.columns) if output == "text" else FORMATS[output](table)
