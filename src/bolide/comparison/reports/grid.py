"""Draws a table of texts as plain text, Markdown or LaTeX. The first row has the titles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

TableRows = list[list[str]]

LATEX = {
    **{character: f"\\{character}" for character in "#$%&_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # TeX's default fonts have other characters in these places.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
MARKDOWN = {character: f"\\{character}" for character in "\\`*_{}[]<>#|~$"}
ESCAPES = {"latex": str.maketrans(LATEX), "markdown": str.maketrans(MARKDOWN)}
SIGNED = re.compile(r"[+-][0-9.]+")


def text(table: TableRows) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for first, *others in table:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells]).rstrip()
    yield ""


def markdown(table: TableRows) -> Iterator[str]:
    titles, *others = [[cell.strip().translate(ESCAPES["markdown"]) for cell in row] for row in table]
    yield f"| {' | '.join(titles)} |"
    yield f"|---|{'|'.join('---:' for _ in titles[1:])}|"
    yield from (f"| {' | '.join(row)} |" for row in others)
    yield ""


def latex(table: TableRows) -> Iterator[str]:
    titles, *others = [[cell.strip().translate(ESCAPES["latex"]) for cell in row] for row in table]
    others = [[first, *map(signed, cells)] for first, *cells in others]
    yield rf"\begin{{tabular}}{{l{'r' * len(titles[1:])}}}"
    yield from (r"\toprule", latex_row(titles), r"\midrule")
    yield from map(latex_row, others)
    yield from (r"\bottomrule", r"\end{tabular}", "")


def latex_row(cells: Sequence[str]) -> str:
    r"""A line of a tabular. The \\ of the line before would read a star or a bracket as its argument."""
    protected = "{}" if cells[0].startswith(("[", "*")) else ""
    return protected + " & ".join(cells) + r" \\"


def signed(cell: str) -> str:
    """Puts signed numbers into math mode, where a minus is not a hyphen."""
    return f"${cell}$" if SIGNED.fullmatch(cell) else cell


FORMATS: dict[str, Callable[[TableRows], Iterator[str]]] = {
    "text": text,
    "markdown": markdown,
    "latex": latex,
}
