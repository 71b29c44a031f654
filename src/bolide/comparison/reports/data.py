"""Reports for programs: JSON (described by score.schema.json) and TSV."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from bolide._support.visible import json_text
from bolide.comparison.reports.style import SegmentRows, Style, table_name
from bolide.formula.parameters import Parameters
from bolide.scoring.score import FLAGS, SegmentColumn, segment_components

if TYPE_CHECKING:
    from bolide.comparison.compare import Comparison

# Columns of TSV. Segments have values in the columns of COMPONENTS and FLAGS only.
SHOWN = ("score", "precision", "recall", "f1", "fmean", "penalty", "chunks", "matches", "bounded", "unproven")
# Never rounded: a p-value of 0.00 is not possible.
WHOLE = ("p_value",)
RESAMPLED = ("low", "high", "difference", "p_value", "rank")
LAST = ("document", "segment_count")


def json_lines(comparison: Comparison, style: Style) -> Iterator[str]:
    """One object. Numbers have all digits, unless a width is given. It is written in pieces, because the
    values of many segments take much more memory as text."""
    line = ""
    for piece in _json(comparison.fields(segments=style.segments), style.width, "\n"):
        complete, end, line = (line + piece).rpartition("\n")
        if end:
            yield complete
    yield line


def _json(value: Any, width: int | None, margin: str) -> Iterator[str]:
    """JSON with an indentation of two spaces. `margin` is a line end with the current indentation."""
    inner = f"{margin}  "
    if isinstance(value, dict) and value:
        for k, (name, item) in enumerate(value.items()):
            yield f"{',' if k else '{'}{inner}{json_text(name)}: "
            yield from _json(item, None if name in WHOLE else width, inner)
        yield f"{margin}}}"
    elif isinstance(value, (list, SegmentColumn)) and len(value):
        opened = "["
        if isinstance(value, SegmentColumn):
            for piece in value.pieces():
                numbers = ("null" if item is None else repr(item) for item in plain(piece, width))
                yield f"{opened}{inner}{f',{inner}'.join(numbers)}"
                opened = ","
        else:
            for item in value:
                yield f"{opened}{inner}"
                yield from _json(item, width, inner)
                opened = ","
        yield f"{margin}]"
    else:
        yield json_text(plain(value, width), allow_nan=False)


def plain(value: Any, width: int | None) -> Any:
    """Plain values with numbers rounded to `width` decimals. What JSON cannot express is replaced: infinite
    numbers become null."""
    if isinstance(value, dict):
        return {name: plain(item, None if name in WHOLE else width) for name, item in value.items()}
    if isinstance(value, list):
        return [plain(item, width) for item in value]
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, float):
        return (round(value, width) if width is not None else value) if math.isfinite(value) else None
    return value


def titles(metrics: Sequence[str]) -> str:
    """The titles of the columns. Other metrics come last."""
    return "\t".join(["system", "segment", *SHOWN, "signature", *RESAMPLED, *LAST, *metrics])


def tsv(comparison: Comparison, style: Style) -> Iterator[str]:
    """One line per system, after the lines of its documents. Empty fields are unknown."""
    for system in comparison.systems:
        score = system.score
        for document, part in (score.documents or {}).items():
            own = [getattr(part, field) for field in SHOWN]
            none = [None] * len(RESAMPLED)
            last = [table_name(document), part.segment_count, *[None] * len(comparison.metrics)]
            yield _row([table_name(system.name), "", *own, part.signature, *none, *last], style)
        low, high = system.interval or (None, None)
        rank = None if system.rank is None else "-".join(map(str, sorted(set(system.rank))))
        known = [getattr(score, field) for field in SHOWN]
        p_value = None if system.p_value is None else repr(system.p_value)
        tested = [low, high, system.difference, p_value, rank]
        others = [metric.results[system.name].score for metric in comparison.metrics]
        last = [None, score.segment_count]
        row = [table_name(system.name), "", *known, score.signature, *tested, *last, *others]
        yield _row(row, style)


def tsv_segments(found: SegmentRows, parameters: Parameters, style: Style) -> Iterator[str]:
    """One line per segment."""
    columns = {
        name: values.tolist() for name, values in segment_components(found.statistics, parameters).items()
    }
    for name, flag in FLAGS.items():
        columns[name] = ((found.flags & flag) > 0).astype(int).tolist()
    unknown = [None] * (1 + len(RESAMPLED) + len(LAST))
    name = table_name(found.system)
    others = [values.tolist() for values in found.metrics.values()]
    for k, values in enumerate(zip(*(columns[field] for field in SHOWN), strict=True)):
        yield _row([name, k + found.first, *values, *unknown, *(other[k] for other in others)], style)


def _row(values: list[Any], style: Style) -> str:
    return "\t".join(cell(value, style.width) for value in values)


def cell(value: Any, width: int | None) -> str:
    if isinstance(value, float) and width is not None:
        return f"{value:.{width}f}"
    return "" if value is None else str(value)
