"""Reports for people: one table of systems as text, Markdown or LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bolide.comparison.reports.grid import ESCAPES, latex_row, signed
from bolide.comparison.reports.style import SegmentRows, Style, printable
from bolide.comparison.significance import LEVEL
from bolide.formula.parameters import Parameters
from bolide.formula.statistics import scores

if TYPE_CHECKING:
    from bolide.comparison.compare import ComparedSystem, Comparison

TESTS = {"bootstrap": "paired bootstrap", "randomization": "approximate randomization", "none": "bootstrap"}
# The smallest p-value that four decimals can show.
SMALLEST = 0.0001
# Terminal codes.
PLAIN, BOLD, GREEN, RED = "\x1b[0m", "\x1b[1m", "\x1b[32m", "\x1b[31m"

RANGE = re.compile(r"[0-9]+-[0-9]+")


@dataclass(frozen=True)
class ReportColumn:
    """A column of the table: `cell` makes its text from a system and the number of decimals. Numbers are
    aligned to the `right`."""

    title: str
    cell: Callable[[ComparedSystem, int], str]
    right: bool = True


def _number(field: str) -> Callable[[ComparedSystem, int], str]:
    return lambda system, decimals: f"{getattr(system.score, field):.{decimals}f}"


def _interval(system: ComparedSystem, decimals: int) -> str:
    return "[{:.{d}f}, {:.{d}f}]".format(*system.interval, d=decimals) if system.interval else ""


def _rank(system: ComparedSystem, decimals: int) -> str:
    return "-".join(str(place) for place in sorted(set(system.rank or ())))


def _difference(system: ComparedSystem, decimals: int) -> str:
    return "baseline" if system.difference is None else f"{system.difference:+.{decimals}f}"


def _p_value(system: ComparedSystem, decimals: int) -> str:
    if system.p_value is None:
        return ""
    shown = f"<{SMALLEST}" if system.p_value < SMALLEST else f"{system.p_value:.4f}"
    return shown + ("*" if _significant(system) else " ")


def _significant(system: ComparedSystem) -> bool:
    return system.p_value is not None and system.p_value < LEVEL


def columns(comparison: Comparison) -> list[ReportColumn]:
    """The columns that have values."""
    systems = comparison.systems
    ranked, sampled = systems[0].rank is not None, systems[0].interval is not None
    tested = any(system.p_value is not None for system in systems)
    return [
        *([ReportColumn("rank", _rank)] if ranked else []),
        ReportColumn("system", lambda system, decimals: printable(system.name), right=False),
        ReportColumn("METEOR", _number("score")),
        *([ReportColumn("95% interval", _interval)] if sampled else []),
        ReportColumn("P", _number("precision")),
        ReportColumn("R", _number("recall")),
        ReportColumn("Fmean", _number("fmean")),
        ReportColumn("penalty", _number("penalty")),
        *([ReportColumn("difference", _difference)] if comparison.baseline is not None else []),
        *([ReportColumn("p-value", _p_value)] if tested else []),
    ]


def in_order(comparison: Comparison) -> tuple[ComparedSystem, ...]:
    """The systems by rank, if they have ranks; else in the order given."""
    return comparison.systems if comparison.pairs is None else comparison.ranking


def notes(comparison: Comparison) -> list[str]:
    """How the numbers were computed, in words."""
    count, samples = comparison.systems[0].score.segment_count, comparison.samples
    found = [f"{count} segment{'s' * (count != 1)}"]
    tested = any(system.p_value is not None for system in comparison.systems)
    if samples is not None:
        drawn = f"{samples} sample{'s' * (samples != 1)}"
        found[0] += f"; {TESTS[comparison.test if tested else 'none']}, {drawn}, seed {comparison.seed}"
    elif count == 1 and comparison.baseline is not None:
        found[0] += ": nothing to resample"
    if tested:
        found.append(f"* p < {LEVEL} against {printable(comparison.baseline or '')}")
    if comparison.pairs is not None:
        found.append(f"ranks: p < {LEVEL} between any two systems of different ranks")
    return found


def signatures(comparison: Comparison) -> list[str]:
    """The signatures of the scores without repetition, after their Java Eval IDs."""
    scores = [system.score for system in comparison.systems]
    ids = [f"Java Eval ID: {score.eval_id}" for score in scores if score.eval_id is not None]
    return list(dict.fromkeys([*ids, *(score.signature for score in scores)]))


# ---- text ----------------------------------------------------------------------------------------


def text(comparison: Comparison, style: Style) -> Iterator[str]:
    """A line for one system, a table for several, then the signature. With `quiet`, only the scores."""
    if style.quiet:
        yield from (f"{system.score.score:.{style.decimals}f}" for system in comparison.systems)
        return
    if len(comparison.systems) == 1:
        yield _line(comparison.systems[0], style.decimals)
        if comparison.samples is not None:
            yield from notes(comparison)
    else:
        yield from _text_table(comparison, style)
        yield from notes(comparison)
    yield from signatures(comparison)


def text_segments(found: SegmentRows, parameters: Parameters, style: Style) -> Iterator[str]:
    """One line per segment. With `quiet`, only its score."""
    name, width = printable(found.system), 6 if style.width is None else style.width
    for number, value in enumerate(scores(found.statistics, parameters).tolist(), found.first):
        yield f"{value:.{width}f}" if style.quiet else f"{name}\t{number}\t{value:.{width}f}"


def _line(system: ComparedSystem, decimals: int) -> str:
    score, name, interval = system.score, printable(system.name), _interval(system, decimals)
    shown = {"P": score.precision, "R": score.recall, "Fmean": score.fmean, "penalty": score.penalty}
    parts = [name, f"METEOR {score.score:.{decimals}f} {interval}".rstrip()]
    parts += [f"{title} {value:.{decimals}f}" for title, value in shown.items()]
    return "  ".join([*parts, f"segments {score.segment_count}"])


def _text_table(comparison: Comparison, style: Style) -> Iterator[str]:
    shown, systems = columns(comparison), in_order(comparison)
    rows = [[column.title for column in shown]]
    rows += [[column.cell(system, style.decimals) for column in shown] for system in systems]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    best = max(system.score.score for system in systems)
    for system, row in zip([None, *systems], rows, strict=True):
        cells = [
            cell.rjust(width) if column.right else cell.ljust(width)
            for cell, column, width in zip(row, shown, widths, strict=True)
        ]
        if style.colour:
            cells = [_coloured(c, column, system, best) for c, column in zip(cells, shown, strict=True)]
        yield "  ".join(cells).rstrip()


def _coloured(cell: str, column: ReportColumn, system: ComparedSystem | None, best: float) -> str:
    """Colours a cell: titles and the best score are bold, significantly better is green, worse is red."""
    if system is None or (column.title == "METEOR" and system.score.score == best):
        return f"{BOLD}{cell}{PLAIN}"
    if column.title in ("difference", "p-value") and _significant(system):
        return f"{GREEN if (system.difference or 0) > 0 else RED}{cell}{PLAIN}"
    return cell


# ---- Markdown and LaTeX --------------------------------------------------------------------------


def _escaped(comparison: Comparison, style: Style, language: str) -> Iterator[list[str]]:
    for system in in_order(comparison):
        cells = [column.cell(system, style.decimals).strip() for column in columns(comparison)]
        yield [cell.translate(ESCAPES[language]) for cell in cells]


def markdown(comparison: Comparison, style: Style) -> Iterator[str]:
    """A table in GitHub's Markdown. With `quiet`, without notes and signature."""
    shown = columns(comparison)
    yield f"| {' | '.join(column.title for column in shown)} |"
    yield f"|{'|'.join('---:' if column.right else '---' for column in shown)}|"
    for cells in _escaped(comparison, style, "markdown"):
        yield f"| {' | '.join(cells)} |"
    if style.quiet:
        return
    for note in notes(comparison):
        yield ""
        yield note.translate(ESCAPES["markdown"])
    for signature in signatures(comparison):
        yield ""
        yield f"`{signature}`"


def latex(comparison: Comparison, style: Style) -> Iterator[str]:
    """A tabular for the package booktabs, with notes as comments. With `quiet`, without notes."""
    shown = columns(comparison)
    if not style.quiet:
        yield from (f"% {note}" for note in [*notes(comparison), *signatures(comparison)])
    yield rf"\begin{{tabular}}{{{''.join('r' if column.right else 'l' for column in shown)}}}"
    yield r"\toprule"
    yield latex_row([column.title.translate(ESCAPES["latex"]) for column in shown])
    yield r"\midrule"
    for cells in _escaped(comparison, style, "latex"):
        yield latex_row([_dashed(cell) for cell in cells])
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _dashed(cell: str) -> str:
    """Writes a range of ranks with a dash, and signed numbers in math mode."""
    return cell.replace("-", "--") if RANGE.fullmatch(cell) else signed(cell)
