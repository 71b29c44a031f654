"""Comparisons as HTML for notebooks: the table of the text report, with the colours and marks of X-ray."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from bolide._support import palette
from bolide._support.labels import short_name
from bolide._support.visible import visible
from bolide.comparison.reports import tables
from bolide.comparison.reports.style import Style
from bolide.explanation.notebook import CELL, FRAME, small

if TYPE_CHECKING:
    from bolide.comparison.compare import ComparedSystem, Comparison

WHISKER, HIGH, PAD = 120, 14, 5  # pixels
# The marks of systems as SVG, in the order of palette.MARKS, around the origin.
MARKS = (
    '<circle r="4"/>',
    '<rect x="-4" y="-4" width="8" height="8"/>',
    '<path d="M-4 4H4L0 -4Z"/>',
    '<path d="M0 -5L5 0L0 5L-5 0Z"/>',
)
RIGHT = f"{CELL};white-space:nowrap"
LEFT = RIGHT.replace("text-align:right", "text-align:left")


def comparison_html(comparison: Comparison, names: Sequence[str] | None = None) -> str:
    """The table, notes and signatures. `names` are those of all systems, which decide their colours."""
    notes = [*tables.notes(comparison, Style()), *tables.signatures(comparison)]
    return (
        f'<div style="{FRAME}"><div style="overflow-x:auto">{table_html(comparison, names)}</div>'
        f"{''.join(small(note) for note in notes)}</div>"
    )


def table_html(comparison: Comparison, names: Sequence[str] | None = None) -> str:
    """The table of systems, with intervals drawn on a common scale."""
    known = list(names or (system.name for system in comparison.systems))
    columns, scale = tables.columns(comparison), _Scale(comparison.systems)
    best = max(system.score.score for system in comparison.systems)
    heads = [
        _head(column.title, column.right) + (_head("", True) if column.title == "95% interval" else "")
        for column in columns
    ]
    rows = []
    for system in tables.in_order(comparison):
        cells = []
        for column in columns:
            text = escape(visible(column.cell(system, Style()).strip()))
            if column.title == "METEOR" and system.score.score == best:
                text = f"<b>{text}</b>"
            if not column.right:
                text = f"{mark(known.index(system.name))} {name_html(system.name)}"
            cells.append(f'<td style="{RIGHT if column.right else LEFT}">{text}</td>')
            if column.title == "95% interval":
                cells.append(f'<td style="{RIGHT}">{scale.drawn(system, known.index(system.name))}</td>')
        rows.append(f'<tr style="background:none">{"".join(cells)}</tr>')
    return (
        '<table style="border-collapse:collapse;color:inherit">'
        f'<tr style="background:none">{"".join(heads)}</tr>{"".join(rows)}</table>'
    )


def _head(title: str, right: bool) -> str:
    return f'<th style="{RIGHT if right else LEFT};font-weight:normal;opacity:.75">{escape(title)}</th>'


def name_html(name: str) -> str:
    """The name of a system. A long one has its whole text as a tooltip."""
    whole, short = visible(name), short_name(name)
    about = "" if short == whole else f' title="{escape(whole)}"'
    return f"<bdi{about}>{escape(short)}</bdi>"


def mark(system: int) -> str:
    """The mark of a system in its colour."""
    return (
        f'<svg width="10" height="10" viewBox="-5 -5 10 10" fill="{palette.system_colour(system)}" '
        f'aria-hidden="true">{MARKS[palette.mark(system)]}</svg>'
    )


class _Scale:
    """The common scale of all intervals."""

    def __init__(self, systems: Iterable[ComparedSystem]) -> None:
        ends = [end for system in systems for end in (system.interval or (system.score.score,))]
        self._low, self._size = min(ends), (max(ends) - min(ends)) or 1.0

    def _at(self, value: float) -> float:
        return round(PAD + (value - self._low) / self._size * (WHISKER - 2 * PAD), 1)

    def drawn(self, system: ComparedSystem, number: int) -> str:
        low, high = system.interval or (system.score.score,) * 2
        y, colour = HIGH / 2, palette.system_colour(number)
        return (
            f'<svg width="{WHISKER}" height="{HIGH}" viewBox="0 0 {WHISKER} {HIGH}" style="max-width:none" '
            'aria-hidden="true">'
            f'<path d="M{self._at(low)} {y}H{self._at(high)}" stroke="{colour}" stroke-width="1.75"/>'
            f'<g transform="translate({self._at(system.score.score)} {y})" fill="{colour}">'
            f"{MARKS[palette.mark(number)]}</g></svg>"
        )
