"""Reports for people: one table of systems as text, Markdown or LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from bolide.comparison.reports import grid
from bolide.comparison.reports.grid import ESCAPES, GAP, latex_row, signed
from bolide.comparison.reports.style import SegmentRows, Style, printable
from bolide.comparison.significance import LEVEL
from bolide.formula.parameters import Parameters
from bolide.formula.statistics import scores

if TYPE_CHECKING:
    from bolide.comparison.compare import ComparedSystem, Comparison
    from bolide.comparison.metrics import ComparedMetric

TESTS = {"bootstrap": "paired bootstrap", "randomization": "approximate randomization", "none": "bootstrap"}
# The smallest p-value that four decimals can show.
SMALLEST = 0.0001
PARTS_GROUP, FIRST_METRIC_GROUP = 1, 2
SEGMENT_DECIMALS = 6
# Terminal codes.
PLAIN, BOLD, GREEN, RED = "\x1b[0m", "\x1b[1m", "\x1b[32m", "\x1b[31m"

RANGE = re.compile(r"[0-9]+-[0-9]+")


Cell = Callable[["ComparedSystem", Style], str]


@dataclass(frozen=True)
class ReportColumn:
    """A column of the table: `cell` makes its text from a system. Numbers are aligned to the `right`. In a
    table that is too wide, columns of the same `group` stay together."""

    title: str
    cell: Cell
    group: int = 0
    right: bool = True


def _number(field: str) -> Cell:
    return lambda system, style: style.number(getattr(system.score, field))


def _interval(system: ComparedSystem, style: Style) -> str:
    return f"[{', '.join(map(style.number, system.interval))}]" if system.interval else ""


def _rank(system: ComparedSystem, style: Style) -> str:
    return "-".join(str(place) for place in sorted(set(system.rank or ())))


def _difference(system: ComparedSystem, style: Style) -> str:
    return "baseline" if system.difference is None else style.number(system.difference, "+")


def _p_value(system: ComparedSystem, style: Style) -> str:
    return _shown_p(system.p_value)


def _shown_p(p_value: float | None) -> str:
    if p_value is None:
        return ""
    shown = f"<{SMALLEST}" if p_value < SMALLEST else f"{p_value:.4f}"
    return shown + ("*" if p_value < LEVEL else " ")


def _significant(system: ComparedSystem) -> bool:
    return system.p_value is not None and system.p_value < LEVEL


def _name(system: ComparedSystem, style: Style) -> str:
    return style.name(system.name)


# Parts of the score.
PARTS = {"P": "precision", "R": "recall", "Fmean": "fmean", "penalty": "penalty"}


def columns(comparison: Comparison) -> list[ReportColumn]:
    """The columns that have values."""
    systems = comparison.systems
    ranked, sampled = systems[0].rank is not None, systems[0].interval is not None
    tested = any(system.p_value is not None for system in systems)
    return [
        *([ReportColumn("rank", _rank)] if ranked else []),
        ReportColumn("system", _name, right=False),
        ReportColumn("METEOR", _number("score")),
        *([ReportColumn("95% interval", _interval)] if sampled else []),
        *(ReportColumn(title, _number(field), PARTS_GROUP) for title, field in PARTS.items()),
        *([ReportColumn("difference", _difference)] if comparison.baseline is not None else []),
        *([ReportColumn("p-value", _p_value)] if tested else []),
        *chain(*(_of_metric(metric, group) for group, metric in enumerate(comparison.metrics))),
    ]


def _of_metric(metric: ComparedMetric, number: int) -> Iterator[ReportColumn]:
    """The columns of another metric."""
    results, group = metric.results, FIRST_METRIC_GROUP + number
    yield ReportColumn(metric.title, lambda s, style: style.metric(results[s.name].score), group)
    if any(result.p_value is not None for result in results.values()):
        yield ReportColumn("p-value", lambda s, style: _shown_p(results[s.name].p_value), group)


def in_order(comparison: Comparison) -> tuple[ComparedSystem, ...]:
    """The systems by rank, if they have ranks; else in the order given."""
    return comparison.systems if comparison.pairs is None else comparison.ranking


def notes(comparison: Comparison, style: Style) -> list[str]:
    """How the numbers were computed, in words."""
    count, samples = comparison.systems[0].score.segment_count, comparison.samples
    found = [f"{count} segment{'s' * (count != 1)}"]
    tested = any(system.p_value is not None for system in comparison.systems)
    if samples is not None:
        drawn = f"{samples} sample{'s' * (samples != 1)}"
        found[0] += f"; {TESTS[comparison.test if tested else 'none']}, {drawn}, seed {comparison.seed}"
    elif count == 1 and comparison.baseline is not None:
        found[0] += ": nothing to resample"
    if style.percent:
        found[0] += "; scores are percentages"
    if tested:
        found.append(f"* p < {LEVEL} against {style.name(comparison.baseline or '')}")
    if not all(metric.higher for metric in comparison.metrics):
        found.append("↓ lower is better")
    if comparison.pairs is not None:
        found.append(f"ranks: p < {LEVEL} between any two systems of different ranks")
    return found


def signatures(comparison: Comparison) -> list[str]:
    """The signatures of the scores without repetition, after their Java Eval IDs."""
    scores = [system.score for system in comparison.systems]
    ids = [f"Java Eval ID: {score.eval_id}" for score in scores if score.eval_id is not None]
    others = [metric.signature for metric in comparison.metrics]
    return list(dict.fromkeys([*ids, *(score.signature for score in scores), *others]))


# ---- text ----------------------------------------------------------------------------------------


def text(comparison: Comparison, style: Style) -> Iterator[str]:
    """One line for one system, a table for several, then the signature. With `quiet`, only the scores."""
    if style.quiet:
        for system in comparison.systems:
            others = [style.metric(metric.results[system.name].score) for metric in comparison.metrics]
            yield "\t".join([style.number(system.score.score), *others])
        return
    if len(comparison.systems) == 1:
        yield from _single(comparison.systems[0], comparison.metrics, style)
    else:
        yield from _text_table(comparison, style)
    yield from notes(comparison, style)
    yield from signatures(comparison)


def text_segments(found: SegmentRows, parameters: Parameters, style: Style) -> Iterator[str]:
    """One line per segment. With `quiet`, only its score."""
    name = printable(found.system)
    others = [values.tolist() for values in found.metrics.values()]
    for k, value in enumerate(scores(found.statistics, parameters).tolist()):
        cells = [style.number(value, decimals=SEGMENT_DECIMALS), *(style.metric(own[k]) for own in others)]
        yield "\t".join(cells if style.quiet else [name, str(k + found.first), *cells])


def _single(system: ComparedSystem, metrics: Sequence[ComparedMetric], style: Style) -> Iterator[str]:
    """The scores in one line, or in two if they do not fit; and those of other metrics."""
    name, score = style.name(system.name), f"METEOR {style.number(system.score.score)}"
    first = f"{name}  {score} {_interval(system, style)}".rstrip()
    others = [f"{title} {style.number(getattr(system.score, field))}" for title, field in PARTS.items()]
    line = "  ".join([first, *others])
    yield from [line] if len(line) <= style.columns else [first, "  ".join(["", *others])]
    if metrics:
        shown = (f"{m.title} {style.metric(m.results[system.name].score)}" for m in metrics)
        yield "  ".join(["", *shown])


def _text_table(comparison: Comparison, style: Style) -> Iterator[str]:
    shown, systems = columns(comparison), in_order(comparison)
    rows = [[column.title for column in shown]]
    rows += [[column.cell(system, style) for column in shown] for system in systems]
    place = [column.right for column in shown].index(False)  # of the names
    others = [k for k, column in enumerate(shown) if not column.group and k != place]
    space = style.columns - sum(len(GAP) + max(len(row[k]) for row in rows) for k in others)
    for row, name in zip(rows[1:], grid.fitted([row[place] for row in rows[1:]], space), strict=True):
        row[place] = name
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    best = max(system.score.score for system in systems)
    for number, part in enumerate(
        grid.split(widths, [column.group for column in shown], place, style.columns)
    ):
        if number:
            yield ""
        for system, row in zip([None, *systems], rows, strict=True):
            cells = [
                _coloured(aligned, shown[k], system, best) if style.colour else aligned
                for k in part
                for aligned in [row[k].rjust(widths[k]) if shown[k].right else row[k].ljust(widths[k])]
            ]
            yield GAP.join(cells).rstrip()


def _coloured(cell: str, column: ReportColumn, system: ComparedSystem | None, best: float) -> str:
    """Colours a cell: titles and the best score are bold, significantly better is green, worse is red."""
    if system is None or (column.title == "METEOR" and system.score.score == best):
        return f"{BOLD}{cell}{PLAIN}"
    if not column.group and column.title in ("difference", "p-value") and _significant(system):
        return f"{GREEN if (system.difference or 0) > 0 else RED}{cell}{PLAIN}"
    return cell


# ---- Markdown and LaTeX --------------------------------------------------------------------------


def _escaped(comparison: Comparison, style: Style, language: str) -> Iterator[list[str]]:
    for system in in_order(comparison):
        cells = [column.cell(system, style).strip() for column in columns(comparison)]
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
    for note in notes(comparison, style):
        yield ""
        yield note.translate(ESCAPES["markdown"])
    for signature in signatures(comparison):
        yield ""
        yield f"`{signature}`"


def latex(comparison: Comparison, style: Style) -> Iterator[str]:
    """A tabular for the package booktabs, with notes as comments. With `quiet`, without notes."""
    shown = columns(comparison)
    if not style.quiet:
        yield from (f"% {note}" for note in [*notes(comparison, style), *signatures(comparison)])
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
