"""A table of documents, where segments are parts of such: a line each, a column for each system."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bolide.comparison.compare import Comparison
from bolide.comparison.reports.parts import TableRows
from bolide.comparison.reports.style import Style, printable
from bolide.comparison.reports.tables import ESCAPES, latex_row, signed


def rows(comparison: Comparison, decimals: int) -> TableRows:
    """Titles, then the documents in their order in the text; nothing if there are none."""
    scores = [system.score.documents or {} for system in comparison.systems]
    names = list(dict.fromkeys(name for documents in scores for name in documents))
    if not names:
        return []
    systems = [printable(system.name) for system in comparison.systems]
    titles = ["document", "segments", *(["METEOR"] if len(systems) == 1 else systems)]
    found = []
    for name in names:
        of = [documents.get(name) for documents in scores]
        count = next(score.segment_count for score in of if score is not None)
        values = ["" if score is None else f"{score.score:.{decimals}f}" for score in of]
        found.append([printable(name), str(count), *values])
    return [titles, *found]


def _text(table: TableRows) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for first, *others in table:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells]).rstrip()
    yield ""


def _markdown(table: TableRows) -> Iterator[str]:
    titles, *others = [[cell.strip().translate(ESCAPES["markdown"]) for cell in row] for row in table]
    yield f"| {' | '.join(titles)} |"
    yield f"|---|{'|'.join('---:' for _ in titles[1:])}|"
    yield from (f"| {' | '.join(row)} |" for row in others)
    yield ""


def _latex(table: TableRows) -> Iterator[str]:
    titles, *others = [[cell.strip().translate(ESCAPES["latex"]) for cell in row] for row in table]
    others = [[first, *map(signed, cells)] for first, *cells in others]
    yield rf"\begin{{tabular}}{{l{'r' * len(titles[1:])}}}"
    yield from (r"\toprule", latex_row(titles), r"\midrule")
    yield from map(latex_row, others)
    yield from (r"\bottomrule", r"\end{tabular}", "")


# JSON and TSV have the documents among their other values.
FORMATS: dict[str, Callable[[TableRows], Iterator[str]]] = {
    "text": _text,
    "markdown": _markdown,
    "latex": _latex,
}


def lines(comparison: Comparison, output: str, style: Style) -> Iterator[str]:
    """The table of documents, to stand before the report itself."""
    table = rows(comparison, style.decimals) if output in FORMATS else []
    if table and not (style.quiet and output == "text"):
        yield from FORMATS[output](table)
