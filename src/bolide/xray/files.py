"""Writes an X-ray to a file, atomically: a report or a figure."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from bolide._support.extras import require
from bolide._support.writing import atomic_path, check_target
from bolide.errors import ConfigurationError
from bolide.xray import plots
from bolide.xray.filters import whole_number
from bolide.xray.model import Xray

REPORTS = (".html", ".htm")
ALIGNMENT = "alignment"
# File formats of figures. JSON is for plots only, TikZ for alignments only.
FIGURES = (".svg", ".png", ".pdf", ".tex", ".json")

AnyPath = str | os.PathLike[str]


def check_output(path: AnyPath, figure: str | None = None) -> None:
    """Fails, before anything is scored, if the file cannot be a report or a figure."""
    target = Path(path)
    kind, endings = ("a figure", _endings(figure)) if figure is not None else ("a report", REPORTS)
    if target.suffix.lower() not in endings:
        raise ConfigurationError(
            f"the name of {kind} must end in {' or '.join(endings)}, not '{target.name or path}'"
        )
    check_target(path)
    if figure is None:
        require("xray", "altair", "vl_convert")
    elif segment_of(figure) is None:
        require("xray", "altair", *(() if target.suffix.lower() == ".json" else ("vl_convert",)))
    elif target.suffix.lower() in (".png", ".pdf"):
        require("plots", "vl_convert")


def _endings(figure: str) -> tuple[str, ...]:
    """The possible endings of the file of a figure."""
    without = ".json" if segment_of(figure) is not None else ".tex"
    return tuple(ending for ending in FIGURES if ending != without)


def segment_of(figure: str) -> int | None:
    """The number of the segment in an alignment figure; None for a plot.

    >>> segment_of("alignment:17"), segment_of("scores")
    (17, None)
    """
    name, colon, number = figure.partition(":")
    if name == ALIGNMENT:
        if not (segment := whole_number(number)):
            raise ConfigurationError(f"'{figure[:40]}' needs the number of a segment, such as {ALIGNMENT}:17")
        return segment
    plots.check(figure if colon else name)
    return None


def write_report(xray: Xray, path: AnyPath) -> None:
    """Writes the report, one HTML file."""
    from bolide.xray.page import html
    from bolide.xray.payload import payload

    check_output(path)
    _write(path, html(payload(xray, Path(path).parent)).encode())


def write_figure(
    xray: Xray,
    figure: str,
    path: AnyPath,
    *,
    systems: Sequence[int | str] | None = None,
    reference: int | None = None,
    style: str = "matrix",
) -> None:
    """Writes a figure: a plot by its name (`bolide.xray.plots`), or alignment:NUMBER. The other arguments are
    for alignments: one system or two, a reference (counted from 0), and the style, "matrix" or "ribbons"."""
    check_output(path, figure)
    ending, segment = Path(path).suffix.lower(), segment_of(figure)
    if segment is None:
        made = plots.figure(xray, figure, ending)
    else:
        from bolide.xray.figures import alignment_figure

        made = alignment_figure(xray, segment - 1, systems, reference, style, ending.removeprefix("."))
    _write(path, made)


def _write(path: AnyPath, content: bytes) -> None:
    with atomic_path(path) as new:
        new.write_bytes(content)
