"""The shapes of a picture, which svg.py and tikz.py write.

Lengths are in pixels of 1/96 inch, from the upper left corner. The fonts of the reader are not known, so
`text_width` is an estimate, rather too large.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from bolide._support.palette import INK

SIZE = 13.0  # font size
SMALL = 11.0


@dataclass(frozen=True)
class Box:
    """A rectangle. `tip` is its tooltip."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    stroke: str | None = None
    thickness: float = 1.0
    dashed: bool = False
    radius: float = 0.0
    opacity: float = 1.0
    tip: str = ""


@dataclass(frozen=True)
class Disc:
    x: float
    y: float
    radius: float
    fill: str
    stroke: str
    thickness: float = 1.0
    tip: str = ""


@dataclass(frozen=True)
class Band:
    """A ribbon between two rows. Each end is its left and right edge and its vertical position."""

    top: tuple[float, float, float]
    bottom: tuple[float, float, float]
    fill: str
    opacity: float
    tip: str = ""


@dataclass(frozen=True)
class Label:
    """A line of text. Its "start", "middle" or "end" is at the point, and it is rotated around the point by
    `angle` degrees, counterclockwise."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    angle: float = 0.0
    size: float = SIZE
    colour: str = INK
    bold: bool = False


Shape = Box | Disc | Band | Label


@dataclass(frozen=True)
class Picture:
    """Shapes, the first at the back, with a title and a description for screen readers."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str
    description: str


# Widths of letters of Helvetica, in thousandths of the font size. Arial and Liberation Sans have the same.
WIDTHS = {
    191: "'", 222: "ijl", 260: "|", 278: " !,./:;I[]\\ft", 333: "()-r`", 334: "{}", 355: '"', 389: "*",
    469: "^", 500: "ckJsvxyz", 556: "#$0123456789?L_abdeghnopqu", 584: "+<=>~", 611: "FTZ", 667: "&ABEKPSVXY",
    722: "CDHNRUw", 778: "GOQ", 833: "Mm", 889: "%", 944: "W", 1000: "—…", 1015: "@",
}  # fmt: skip
WIDTH_OF = {character: width for width, characters in WIDTHS.items() for character in characters}
USUAL, CAPITAL, WIDE = 580, 720, 1000  # other characters
BOLD = 1.17  # factor for bold letters in TeX; elsewhere less


def text_width(text: str, size: float = SIZE) -> float:
    """The approximate width of a text.

    >>> text_width("ill", 10) < text_width("sum", 10) < text_width("水水水", 10)
    True
    """
    return size * sum(map(_character_width, unicodedata.normalize("NFC", text))) / 1000


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return WIDE
    letter = unicodedata.normalize("NFD", character)[0]  # without its accents
    return WIDTH_OF.get(letter, CAPITAL if letter.isupper() else USUAL)


def is_east_asian(text: str) -> bool:
    """Whether a text has only full-width characters, so that it can be written vertically."""
    return bool(text) and all(unicodedata.east_asian_width(character) in "WF" for character in text)
