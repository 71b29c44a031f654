"""Writes a picture as self-contained SVG. The XML library escapes all text."""

from __future__ import annotations

import unicodedata
from functools import singledispatch
from xml.etree import ElementTree

from bolide._support.palette import PAPER
from bolide.xray.figures.shapes import Band, Box, Disc, Label, Picture

NAMESPACE = "http://www.w3.org/2000/svg"
# Fonts of most systems. For letters that a font lacks, a renderer may choose a bad font. So fonts are named
# for scripts that these fonts lack.
FONTS = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', 'DejaVu Sans', sans-serif"
SCRIPT_FONTS = {
    "ARABIC": "'Noto Sans Arabic', 'Noto Naskh Arabic', 'Geeza Pro', 'DejaVu Sans', sans-serif",
    "HEBREW": "'Noto Sans Hebrew', 'Arial Hebrew', 'DejaVu Sans', sans-serif",
    "CJK": "'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', 'Source Han Sans SC', sans-serif",
    "HIRAGANA": "'Noto Sans CJK JP', 'Hiragino Sans', 'Yu Gothic', sans-serif",
    "KATAKANA": "'Noto Sans CJK JP', 'Hiragino Sans', 'Yu Gothic', sans-serif",
    "HANGUL": "'Noto Sans CJK KR', 'Apple SD Gothic Neo', 'Malgun Gothic', sans-serif",
    "DEVANAGARI": "'Noto Sans Devanagari', 'Kohinoor Devanagari', 'Nirmala UI', sans-serif",
}
DASHES = "3 2"
FORBIDDEN = {0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}  # not allowed in XML


def write(picture: Picture) -> str:
    """The picture as an SVG document."""
    width, height = number(picture.width), number(picture.height)
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": NAMESPACE,
            "width": width,
            "height": height,
            "viewBox": f"0 0 {width} {height}",
            "role": "img",
            "aria-labelledby": "title description",
            "font-family": FONTS,
        },
    )
    for name, text in (("title", picture.title), ("desc", picture.description)):
        part = ElementTree.SubElement(root, name, id="title" if name == "title" else "description")
        part.text = _valid(text)
    paper = Box(0, 0, picture.width, picture.height, fill=PAPER)
    root.extend(element(shape) for shape in (paper, *picture.shapes))
    for child in root:  # one line per element, without spaces in text
        child.tail = "\n"
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def number(value: float) -> str:
    """A length with two decimals.

    >>> number(3.0), number(2 / 3), number(-0.001)
    ('3', '0.67', '0')
    """
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def _valid(text: str) -> str:
    return text.translate(FORBIDDEN)


@singledispatch
def element(shape: object) -> ElementTree.Element:
    """The SVG element of a shape."""
    raise TypeError(f"not a shape: {shape!r}")


def _element(name: str, tip: str, **attributes: str | float | None) -> ElementTree.Element:
    """An element with all attributes that are not None; `_` in their names stands for a hyphen."""
    found = ElementTree.Element(name)
    for key, value in attributes.items():
        if value is not None:
            found.set(key.replace("_", "-"), value if isinstance(value, str) else number(value))
    if tip:
        ElementTree.SubElement(found, "title").text = _valid(tip)
    return found


@element.register
def _(box: Box) -> ElementTree.Element:
    return _element(
        "rect",
        box.tip,
        x=box.x,
        y=box.y,
        width=box.width,
        height=box.height,
        rx=box.radius or None,
        fill=box.fill or "none",
        fill_opacity=None if box.opacity == 1 else box.opacity,
        stroke=box.stroke,
        stroke_width=box.thickness if box.stroke else None,
        stroke_dasharray=DASHES if box.dashed else None,
    )


@element.register
def _(disc: Disc) -> ElementTree.Element:
    return _element(
        "circle",
        disc.tip,
        cx=disc.x,
        cy=disc.y,
        r=disc.radius,
        fill=disc.fill,
        stroke=disc.stroke,
        stroke_width=disc.thickness,
    )


@element.register
def _(band: Band) -> ElementTree.Element:
    (a, b, y), (c, d, z) = band.top, band.bottom
    middle = (y + z) / 2
    steps: list[str | float] = [
        "M", a, y, "C", a, middle, c, middle, c, z, "L", d, z, "C", d, middle, b, middle, b, y, "Z",
    ]  # fmt: skip
    path = " ".join(step if isinstance(step, str) else number(step) for step in steps)
    return _element("path", band.tip, d=path, fill=band.fill, fill_opacity=band.opacity)


@element.register
def _(label: Label) -> ElementTree.Element:
    x, y = number(label.x), number(label.y)
    found = _element(
        "text",
        "",
        x=x,
        y=y,
        font_size=label.size,
        font_family=_family(label.text),
        font_weight="bold" if label.bold else None,
        fill=label.colour,
        text_anchor=None if label.anchor == "start" else label.anchor,
        transform=f"rotate({number(-label.angle)} {x} {y})" if label.angle else None,
    )
    found.text = _valid(label.text)
    return found


def _family(text: str) -> str | None:
    """The fonts for a text in a script that the default fonts lack, by its first letter."""
    first = next(filter(str.isalpha, text), "")
    return SCRIPT_FONTS.get(unicodedata.name(first, "").partition(" ")[0]) if first else None
