"""Reports in parts, each with a heading, a text and a table: as text, Markdown or one HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from bolide.comparison.reports import grid
from bolide.comparison.reports.grid import TableRows


@dataclass(frozen=True)
class ReportPart:
    """A heading, a short text, a table, and plots: pairs of a name and SVG (or a path)."""

    title: str
    text: str
    table: TableRows
    plots: tuple[tuple[str, str], ...] = ()


def text(parts: Sequence[ReportPart]) -> Iterator[str]:
    """The headings and tables as lines.

    >>> print(*text([ReportPart("Sizes", "", [["", "words"], ["one", "10"], ["two", "9"]])]), sep="\\n")
    Sizes
           words
      one     10
      two      9
    <BLANKLINE>
    """
    for part in parts:
        yield part.title
        yield from (f"  {line}".rstrip() for line in grid.text(part.table))


def markdown(parts: Sequence[ReportPart], title: str) -> str:
    lines = [f"# {title}", ""]
    for part in parts:
        titles, *rows = part.table
        lines += [f"## {part.title}", "", part.text, ""]
        lines += [_row(titles), "|" + "---|" * len(titles), *map(_row, rows), ""]
        for name, path in part.plots:
            lines += [f"![{name}]({path})", ""]
    return "\n".join(lines)


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def html(parts: Sequence[ReportPart], title: str) -> str:
    body = [f"<h1>{escape(title)}</h1>"]
    for part in parts:
        titles, *rows = part.table
        body += [f"<h2>{escape(part.title)}</h2>", f"<p>{escape(part.text)}</p>", "<table>"]
        body.append("<tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in titles) + "</tr>")
        body += ["<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows]
        body += ["</table>", *(f"<figure>{svg}</figure>" for _, svg in part.plots)]
    style = (
        "body{font:16px sans-serif;max-width:70em;margin:2em auto}td,th{padding:.2em .8em;text-align:right}"
    )
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{style}</style>'
    lines = ["<!doctype html>", f'<html lang="en"><head>{head}</head>', "<body>", *body, "</body></html>", ""]
    return "\n".join(lines)
