"""Reports for programs: JSON (described by score.schema.json) and TSV."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from bolide.comparison.compare import FLAGS, ComparedSystem, Comparison, segment_components
from bolide.comparison.reports.style import Style, printable

# Columns of TSV. Segments have values in the columns of COMPONENTS and FLAGS only.
SHOWN = ("score", "precision", "recall", "f1", "fmean", "penalty", "chunks", "matches", "bounded", "unproven")
# Never rounded: a p-value of 0.00 is not possible.
WHOLE = ("p_value",)
RESAMPLED = ("low", "high", "difference", "p_value", "rank")
LAST = ("document", "segment_count")


def json_lines(comparison: Comparison, style: Style) -> Iterator[str]:
    """One object. Numbers have all digits, unless a width is given."""
    values = _plain(comparison.to_dict(segments=style.segments), style.width)
    yield json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False)


def _plain(value: Any, width: int | None) -> Any:
    """Replaces what JSON cannot express: infinite numbers become null."""
    if isinstance(value, dict):
        return {name: _plain(item, None if name in WHOLE else width) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item, width) for item in value]
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, float):
        return (round(value, width) if width is not None else value) if math.isfinite(value) else None
    return value


def tsv(comparison: Comparison, style: Style) -> Iterator[str]:
    """One line per system, after the lines of its segments and documents. Empty fields are unknown."""
    yield "\t".join(["system", "segment", *SHOWN, "signature", *RESAMPLED, *LAST])
    for system in comparison.systems:
        if style.segments:
            yield from _segments(system, comparison, style)
        score = system.score
        for document, part in (score.documents or {}).items():
            own = [getattr(part, field) for field in SHOWN]
            none = [None] * len(RESAMPLED)
            last = [printable(document), part.segment_count]
            yield _row([printable(system.name), "", *own, part.signature, *none, *last], style)
        low, high = system.interval or (None, None)
        rank = None if system.rank is None else "-".join(map(str, sorted(set(system.rank))))
        known = [getattr(score, field) for field in SHOWN]
        p_value = None if system.p_value is None else repr(system.p_value)
        tested = [low, high, system.difference, p_value, rank]
        yield _row(
            [printable(system.name), "", *known, score.signature, *tested, None, score.segment_count], style
        )


def _segments(system: ComparedSystem, comparison: Comparison, style: Style) -> Iterator[str]:
    columns = {
        name: values.tolist()
        for name, values in segment_components(system.score, comparison.parameters).items()
    }
    flags = system.score.flags
    assert flags is not None
    for name, flag in FLAGS.items():
        columns[name] = ((flags & flag) > 0).astype(int).tolist()
    unknown = [None] * (1 + len(RESAMPLED) + len(LAST))
    name = printable(system.name)
    for number, values in enumerate(zip(*(columns[field] for field in SHOWN), strict=True), 1):
        yield _row([name, number, *values, *unknown], style)


def _row(values: list[Any], style: Style) -> str:
    def cell(value: Any) -> str:
        if isinstance(value, float) and style.width is not None:
            return f"{value:.{style.width}f}"
        return "" if value is None else str(value)

    return "\t".join(map(cell, values))
