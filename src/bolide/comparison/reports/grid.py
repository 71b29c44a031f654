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
    "↓": r"$\downarrow$",
}
MARKDOWN = {character: f"\\{character}" for character in "\\`*_{}[]<>#|~$"}
ESCAPES = {"latex": str.maketrans(LATEX), "markdown": str.maketrans(MARKDOWN)}
SIGNED = re.compile(r"[+-][0-9.]+")
GAP = "  "
# The shortest name that `fitted` makes.
SHORTEST = 16


def text(table: TableRows, columns: int | None = None) -> Iterator[str]:
    """A table; or several if it is wider than `columns`, each with the first column."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    parts = [range(len(widths))] if columns is None else split(widths, range(len(widths)), 0, columns)
    for part in parts:
        for row in table:
            cells = [row[k].rjust(widths[k]) if k else row[k].ljust(widths[k]) for k in part]
            yield GAP.join(cells).rstrip()
        yield ""


def split(
    widths: Sequence[int], groups: Sequence[int], leading: int, columns: int
) -> Sequence[Sequence[int]]:
    """The columns of each of the tables that replace a table which is too wide. Columns of a group stay
    together if they fit. Every table but the first begins with the column `leading`, which is in group 0.

    >>> split([4, 10, 10, 10], [0, 0, 1, 1], 0, 40), split([4, 10, 10, 10], [0, 0, 1, 1], 0, 30)
    ([[0, 1, 2, 3]], [[0, 1], [0, 2, 3]])
    """

    def fits(part: Sequence[int]) -> bool:
        return sum(widths[k] + len(GAP) for k in part) - len(GAP) <= columns

    every = range(len(widths))
    if fits(every):
        return [[*every]]
    found: list[list[int]] = [[]]
    for group in sorted(set(groups)):
        own = [k for k in every if groups[k] == group]
        for piece in [own] if fits([leading, *own]) else [[k] for k in own]:
            if found[-1] not in ([], [leading]) and not fits([*found[-1], *piece]):
                found.append([leading])
            found[-1] += piece
    return found


def fitted(names: Sequence[str], width: int) -> list[str]:
    """Names of at most `width` characters, with an ellipsis in the middle. Names that would become equal stay
    as they are.

    >>> fitted(["short", "newstest.a-very-long-name.de-en"], 20)
    ['short', 'newstest.a…ame.de-en']
    """
    width = max(width, SHORTEST)
    end = (width - 1) // 2
    short = [name if len(name) <= width else f"{name[: width - 1 - end]}…{name[-end:]}" for name in names]
    return short if len(set(short)) == len(set(names)) else list(names)


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


FORMATS: dict[str, Callable[..., Iterator[str]]] = {
    "text": text,
    "markdown": markdown,
    "latex": latex,
}
