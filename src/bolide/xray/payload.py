"""Converts an X-ray to plain data for the page. It is compact: there may be five systems of 3,000 segments.

A text is a list of numbers in the list of `pieces`. A piece is a word of the metric with its spelling in the
user's text, and the characters around it that belong to no word. So the user's text needs little more space
than the words alone. Reasons of matches are indices, too; matches are flat lists of seven numbers. The format
is described in payload.schema.json. `FORMAT` changes with incompatible changes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bolide._support.garbage import paused_collector
from bolide._support.numbered import Numbered
from bolide.formula.layout import layout_of
from bolide.profiles import UNITS
from bolide.xray import plots
from bolide.xray.analysis_payload import analysis_data
from bolide.xray.media import media_data
from bolide.xray.model import Words, Xray, XraySystem, row_matches
from bolide.xray.scores import OtherScores

FORMAT = 2
NO_REASON = -1
NO_CHUNK = -1


@paused_collector()
def payload(xray: Xray, folder: Path | None = None) -> dict[str, Any]:
    """The data of the page, which will be in `folder`."""
    texts, media = xray.spelled.pieces, xray.annotations.media
    flat = _Matches(xray)
    systems = [
        {"full": full, "hypotheses": hypotheses, **_system(xray, system, flat)}
        for system, full, hypotheses in zip(
            xray.systems, xray.full_names, xray.spelled.hypotheses, strict=True
        )
    ]
    return {
        "format": FORMAT,
        "title": xray.title,
        "language": xray.language,
        "direction": xray.direction,
        "origin": xray.origin,
        "signature": xray.signature,
        "eval_id": xray.eval_id,
        "pooled": xray.pooled,
        "unit": UNITS[xray.unit],
        "functions": xray.functions,
        "notes": list(xray.notes),
        "modules": [{"name": m.name, "short": m.short, "weight": m.weight} for m in xray.modules],
        "parameters": _parameters(xray),
        "raw": texts.raw,
        "words": list(texts.words),
        "pieces": [list(piece) for piece in texts.pieces],
        "wordless": list(texts.wordless),
        "function": [number for word, number in texts.words.items() if word in xray.function_words],
        "sources": _listed(segment.source for segment in xray.segments),
        "media": media and media_data(media, folder or Path()),
        "names": _listed(segment.name for segment in xray.segments),
        "documents": _listed(segment.document for segment in xray.segments),
        "references": xray.spelled.references,
        "reasons": list(flat.reasons),
        "systems": systems,
        "pairs": [vars(pair) for pair in xray.pairs],
        "scores": [_scores(xray, scores) for scores in xray.scores],
        "analysis": analysis_data(xray),
        "plots": plots.specifications(xray),
    }


def _scores(xray: Xray, scores: OtherScores) -> dict[str, Any]:
    """Another metric: its scores of systems and segments."""
    names, size = [system.name for system in xray.systems], len(xray.segments)
    values = [_numbers(scores.values(name, size)) for name in names]
    return {
        "name": scores.name,
        "higher": scores.rises,
        "signature": scores.signature,
        "corpus": [scores.of_system(name) for name in names],
        "segments": values,
    }


def to_json(found: dict[str, Any]) -> bytes:
    """Plain data as compact JSON."""
    return json.dumps(found, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _listed(values: Iterable[str | None]) -> list[str | None] | None:
    """The values as a list, or None if all are None."""
    found = list(values)
    return None if all(value is None for value in found) else found


def _parameters(xray: Xray) -> dict[str, Any] | None:
    p = xray.parameters
    if p is None:
        return None
    numbers = {name: getattr(p, name) for name in ("alpha", "beta", "gamma", "delta")}
    return {**numbers, **{name: getattr(p.formula, name) for name in ("fmean", "whole", "fragments")}}


def _system(xray: Xray, system: XraySystem, flat: _Matches) -> dict[str, Any]:
    return {
        "name": system.name,
        **_figures(system),
        **_counts(xray, system),
        "best": (system.rows.best - xray.starts[:-1]).tolist(),
        "united": _united(xray, system),
        "alignments": _alignments(xray, system, flat),
    }


FIGURES = ("score", "precision", "recall", "f1", "fmean", "penalty", "chunks", "bounded", "unproven")


def _figures(system: XraySystem) -> dict[str, Any]:
    """The values of the whole corpus; None if Java's files do not have them."""
    result = system.result
    score = None if result is None else result.score
    known = {name: None if score is None else _number(getattr(score, name)) for name in FIGURES}
    sides = ("hypothesis", "reference")
    lengths = {side: None if score is None else getattr(score, f"{side}_length") for side in sides}
    pair = {name: None if result is None else getattr(result, name) for name in ("interval", "rank")}
    return {**known, "lengths": lengths, **{name: value and list(value) for name, value in pair.items()}}


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _numbers(values: np.ndarray[Any, Any]) -> list[Any]:
    """Values as lists; None for undefined values."""
    finite = np.isfinite(values)
    if finite.all():
        return values.tolist()  # type: ignore[no-any-return]
    return np.where(finite, values, None).tolist()  # type: ignore[call-overload, no-any-return]


def _counts(xray: Xray, system: XraySystem) -> dict[str, Any]:
    """The statistics of the corpus, and those of each module by name."""
    totals = xray.totals(system.name)
    if totals is None:
        return {"totals": None, "matches": None}
    layout = layout_of(totals)
    modules = totals[layout.all_stages].reshape(len(layout.stages), -1).tolist()
    matches = [dict(zip(layout.STAGE_COLUMNS, counts, strict=True)) for counts in modules]
    return {"totals": totals.tolist(), "matches": matches}


def _united(xray: Xray, system: XraySystem) -> list[dict[str, Any]] | None:
    """The statistics and values of segments, if they count all references together."""
    if not xray.united:
        return None
    rows = zip(system.rows.statistics.tolist(), _numbers(system.segment_values), strict=True)
    return [{"statistics": statistics, "values": values} for statistics, values in rows]


def _alignments(xray: Xray, system: XraySystem, flat: _Matches) -> list[list[dict[str, Any] | None]]:
    rows = system.rows
    statistics = rows.row_statistics.tolist() if xray.parameters is not None else [None] * len(system.there)
    values, flags = _numbers(system.values), rows.row_flags.tolist()
    found = []
    starts = xray.starts.tolist()
    for k, segment in enumerate(xray.segments):
        hypothesis = system.hypotheses[k]
        alignments: list[dict[str, Any] | None] = []
        for row, reference in enumerate(segment.references, starts[k]):
            if not system.there[row]:
                alignments.append(None)
                continue
            alignment = {
                "matches": flat(row_matches(rows, row), hypothesis, reference),
                "statistics": statistics[row],
                "values": values[row],
                "flags": flags[row],
            }
            if row in system.left_out:
                missing = [(*each.row, NO_CHUNK) for each in system.left_out[row]]
                alignment["left_out"] = flat(missing, hypothesis, reference)
            alignments.append(alignment)
        found.append(alignments)
    return found


class _Matches:
    """Turns matches into numbers: seven per match, four for its position, then module, chunk and reason."""

    def __init__(self, xray: Xray) -> None:
        self.reasons: Numbered[str] = Numbered()
        self._why = xray.why
        self._known: dict[tuple[int, str, str], int] = {}

    def __call__(self, matches: Iterable[Sequence[int]], hypothesis: Words, reference: Words) -> list[int]:
        flat: list[int] = []
        for theirs, size, ours, own_size, stage, chunk in matches:
            if size == own_size == 1:  # nearly all, so without slices
                number = self._known.get((stage, hypothesis[ours], reference[theirs]))
                if number is None:
                    number = self._number(stage, (hypothesis[ours],), (reference[theirs],))
                    self._known[stage, hypothesis[ours], reference[theirs]] = number
            else:
                mine, other = hypothesis[ours : ours + own_size], reference[theirs : theirs + size]
                number = self._number(stage, mine, other)
            flat += (theirs, size, ours, own_size, stage, chunk, number)
        return flat

    def _number(self, stage: int, ours: Words, theirs: Words) -> int:
        """The number of the reason of a match."""
        why = self._why(stage, ours, theirs)
        return NO_REASON if why is None else self.reasons[why]
