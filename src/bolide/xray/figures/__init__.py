"""Figures of alignments for papers: the matrix of Meteor X-ray, or two rows with ribbons.

svg = alignment_figure(xray, 16, systems=["online-A", "online-B"])          # the 17th segment
Path("figure.svg").write_bytes(svg)

layers             the alignments of one system or two
matrix, ribbons    convert layers to shapes
svg, tikz          write shapes; vl-convert makes PNG and PDF from SVG
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bolide._support import checks
from bolide._support.extras import extra
from bolide.errors import ConfigurationError, InputError
from bolide.xray.figures import svg, tikz
from bolide.xray.figures.layers import Layer
from bolide.xray.figures.matrix import matrix
from bolide.xray.figures.ribbons import ribbons
from bolide.xray.figures.shapes import Picture
from bolide.xray.model import Xray

STYLES: dict[str, Callable[[tuple[Layer, ...], str], Picture]] = {"matrix": matrix, "ribbons": ribbons}
SCALE = 3.0  # of PNG: 288 dpi
MOST_SYSTEMS = 2


def alignment_figure(
    xray: Xray,
    segment: int,
    systems: Sequence[int | str] | None = None,
    reference: int | None = None,
    style: str = "matrix",
    format: str = "svg",  # noqa: A002  (the option's name)
) -> bytes:
    """The alignment of a segment (counted from 0) for one system, by default the first, or for two in one
    figure.

    `reference` (counted from 0) is by default the best reference of the first system. `style` is "matrix" or
    "ribbons"; `format` is "svg", "png", "pdf", or "tex" for TikZ.
    """
    draw = STYLES[checks.choice("style", style, STYLES)]
    write = FORMATS[checks.choice("format", format, FORMATS)]
    return write(draw(layers(xray, segment, systems, reference), xray.direction))


def check_parts(segment: int, segments: int, systems: int) -> None:
    """Fails if a figure cannot show the segment with this index, or so many systems."""
    if not 0 <= segment < segments:
        raise ConfigurationError(f"there is no segment {segment + 1}: there are {segments}")
    if not 1 <= systems <= MOST_SYSTEMS:
        raise ConfigurationError(f"a figure shows one system or two, not {systems}")


def layers(
    xray: Xray, segment: int, systems: Sequence[int | str] | None = None, reference: int | None = None
) -> tuple[Layer, ...]:
    """The layers of a figure."""
    chosen = [0] if systems is None else list(systems)
    check_parts(segment, len(xray.segments), len(chosen))
    if len({id(xray.system(system)) for system in chosen}) < len(chosen):
        raise ConfigurationError("the two systems of a figure must differ")
    found = []
    for system in chosen:
        best = xray.best(chosen[0], segment) if reference is None else reference
        counts = reference is None and best == xray.best(system, segment)
        found.append(_layer(xray, system, segment, best, counts=counts))
    return tuple(found)


def _layer(xray: Xray, system: int | str, segment: int, reference: int, *, counts: bool) -> Layer:
    """The layer of a system, with the score of the segment, or of this reference only."""
    name, known = xray.system(system).name, xray.references(system, segment)
    if reference not in known:
        those = ", ".join(str(k + 1) for k in known)
        missing = f"segment {segment + 1} of {name} has no alignment with reference {reference + 1}"
        raise InputError(f"{missing}, only with {those}")
    alignment = xray.alignment(system, segment, None if counts else reference)
    return Layer(name, alignment, tuple(xray.reason(alignment, match) for match in alignment.matches))


def _converted(picture: Picture, form: str, **options: float) -> bytes:
    with extra("plots"):
        import vl_convert
    made: bytes = getattr(vl_convert, f"svg_to_{form}")(svg.write(picture), **options)
    return made


FORMATS: dict[str, Callable[[Picture], bytes]] = {
    "svg": lambda picture: svg.write(picture).encode(),
    "png": lambda picture: _converted(picture, "png", scale=SCALE),
    "pdf": lambda picture: _converted(picture, "pdf"),
    "tex": lambda picture: tikz.write(picture).encode(),
}
