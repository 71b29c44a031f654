"""A picture as SVG: one file that needs nothing else. Text is only ever text: it is put into elements and
attributes by the XML library, never into markup."""

from __future__ import annotations

import unicodedata
from functools import singledispatch
from xml.etree import ElementTree

from bolide.xray.figures.shapes import Band, Box, Disc, Label, Picture
from bolide.xray.palette import PAPER

NAMESPACE = "http://www.w3.org/2000/svg"
# What most systems have. A renderer takes letters that the first font there is lacks from any font that has
# them, and may choose badly, so scripts that these lack are named.
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
FORBIDDEN = {0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}  # in any XML


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
    for child in root:  # a line each; no blanks inside of text
        child.tail = "\n"
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def number(value: float) -> str:
    """A length, to a hundredth.

    >>> number(3.0), number(2 / 3), number(-0.001)
    ('3', '0.67', '0')
    """
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def _valid(text: str) -> str:
    return text.translate(FORBIDDEN)


@singledispatch
def element(shape: object) -> ElementTree.Element:
    """A shape's element."""
    raise TypeError(f"no shape: {shape!r}")


def _element(name: str, tip: str, **attributes: str | float | None) -> ElementTree.Element:
    """An element with those attributes that have a value; `_` in their names is a hyphen."""
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
def _(words: Label) -> ElementTree.Element:
    x, y = number(words.x), number(words.y)
    found = _element(
        "text",
        "",
        x=x,
        y=y,
        font_size=words.size,
        font_family=_family(words.text),
        font_weight="bold" if words.bold else None,
        fill=words.colour,
        text_anchor=None if words.anchor == "start" else words.anchor,
        transform=f"rotate({number(-words.angle)} {x} {y})" if words.angle else None,
    )
    found.text = _valid(words.text)
    return found


def _family(text: str) -> str | None:
    """The fonts for a text whose first letter is of a script that usual fonts lack."""
    first = next(filter(str.isalpha, text), "")
    return SCRIPT_FONTS.get(unicodedata.name(first, "").partition(" ")[0]) if first else None
