"""What is made of an X-ray: a report, or a figure, in a file that is whole or not there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from bolide._support.writing import atomic_path, check_target
from bolide.errors import ConfigurationError
from bolide.xray import plots
from bolide.xray.filters import whole_number
from bolide.xray.model import Xray

REPORTS = (".html", ".htm")
ALIGNMENT = "alignment"
# What a figure's file may be; data of plots only, TikZ of alignments only.
FIGURES = (".svg", ".png", ".pdf", ".tex", ".json")

AnyPath = str | os.PathLike[str]


def check_output(path: AnyPath, figure: str | None = None) -> None:
    """An error, before anything is scored, if that file cannot be the report, or the figure."""
    target = Path(path)
    kind, endings = ("a figure", _endings(figure)) if figure is not None else ("a report", REPORTS)
    if target.suffix.lower() not in endings:
        raise ConfigurationError(f"{kind} must end in {' or '.join(endings)}, not as {target.name or path}")
    check_target(path)


def _endings(figure: str) -> tuple[str, ...]:
    """The endings that the file of a figure may have."""
    without = ".json" if segment_of(figure) is not None else ".tex"
    return tuple(ending for ending in FIGURES if ending != without)


def segment_of(figure: str) -> int | None:
    """The number of the segment whose alignment a figure is; None if it is a plot.

    >>> segment_of("alignment:17"), segment_of("scores")
    (17, None)
    """
    name, colon, number = figure.partition(":")
    if name == ALIGNMENT:
        if not (segment := whole_number(number)):
            raise ConfigurationError(f"'{figure[:40]}' needs a segment's number, such as {ALIGNMENT}:17")
        return segment
    plots.check(figure if colon else name)
    return None


def write_report(xray: Xray, path: AnyPath) -> None:
    """The page with everything, in one file."""
    from bolide.xray.page import html
    from bolide.xray.payload import payload

    check_output(path)
    _write(path, html(payload(xray)).encode())


def write_figure(
    xray: Xray,
    figure: str,
    path: AnyPath,
    *,
    systems: Sequence[int | str] | None = None,
    reference: int | None = None,
    style: str = "matrix",
) -> None:
    """A plot by its name (`bolide.xray.plots`); or alignment:NUMBER, to which the other arguments belong: one
    system or two, a reference (counted from 0), and "matrix" or "ribbons"."""
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
