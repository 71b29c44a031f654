r"""Writes a picture as TikZ, to compile alone or to \input in a paper.

Compiled alone, with pdflatex, xelatex or lualatex, it makes a page of the size of the picture. In a paper
with \usepackage{tikz}, \input{figure} inserts only the picture, and words have the font of the paper. No TikZ
library is needed.

All text is escaped (`escape`), so that no character of a segment can end a node or start a command.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import singledispatch

from bolide.comparison.reports.grid import LATEX
from bolide.xray.figures.shapes import Band, Box, Disc, Label, Picture, Shape
from bolide.xray.figures.svg import number

POINTS = 0.75  # per pixel
CENTIMETRES = 2.54 / 96
EDGE = 0.3  # how much larger the page is than the picture, in centimetres
ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}
ESCAPES = {
    **LATEX,
    # Two of these in a row become another character, and babel makes them commands in some languages.
    **{character: rf"\string{character}{{}}" for character in "\"'`-,:;!?=*/"},
}


def escape(text: str) -> str:
    r"""Escapes text, so that TeX prints it unchanged.

    >>> print(escape("50 % of {x}"))
    50 \% of \{x\}
    """
    return "".join(ESCAPES.get(character, character) for character in text)


def write(picture: Picture) -> str:
    """The picture as a LaTeX file."""
    colours = sorted({colour for shape in picture.shapes for colour in _colours(shape)})
    lines = [
        *_head(picture),
        r"\begin{tikzpicture}[x=0.75pt,y=-0.75pt,inner sep=0pt,outer sep=0pt,line join=round]",
        r"\bolidefigurebox",
        *(rf"\definecolor{{{_name(colour)}}}{{HTML}}{{{colour[1:].upper()}}}" for colour in colours),
        *map(command, picture.shapes),
        r"\end{tikzpicture}%",
        r"\bolidefigureend",
    ]
    return "\n".join(lines) + "\n"


def _head(picture: Picture) -> Iterable[str]:
    """Makes the file a document, unless it is \\input into one."""
    width, height = (number(length * CENTIMETRES + EDGE) for length in (picture.width, picture.height))
    corner = _point(picture.width, picture.height)
    yield "% Compile this file alone, or \\input it in a document with \\usepackage{tikz}."
    if others := sorted(_scripts(picture)):
        yield f"% There are letters that are not Latin ({', '.join(others)}): use xelatex or lualatex with a"
        yield "% font that has them: add \\usepackage{fontspec}\\setmainfont{...} after \\usepackage{tikz}."
    yield from (
        r"\ifdefined\tikzpicture",
        r"\def\bolidefigurebox{}\def\bolidefigureend{}",
        r"\else",
        r"\documentclass{article}",
        rf"\usepackage[paperwidth={width}cm,paperheight={height}cm,margin=1mm]{{geometry}}",
        r"\usepackage{tikz}",
        r"\ifdefined\pdfoutput\usepackage[T1]{fontenc}\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}\fi",
        r"\pagestyle{empty}\setlength{\parindent}{0pt}\setlength{\topskip}{0pt}",
        rf"\def\bolidefigurebox{{\useasboundingbox (0,0) rectangle {corner};}}",
        r"\def\bolidefigureend{\end{document}}",
        r"\begin{document}",
        r"\fi",
    )


def _scripts(picture: Picture) -> set[str]:
    """The scripts of letters that are not Latin."""
    letters = (c for shape in picture.shapes if isinstance(shape, Label) for c in shape.text if c.isalpha())
    names = (unicodedata.name(letter, "UNKNOWN").partition(" ")[0] for letter in letters)
    return {name.partition("-")[0].title() if name != "CJK" else name for name in names} - {"Latin"}


def _name(colour: str) -> str:
    return f"bolide{colour[1:]}"


def _colours(shape: Shape) -> list[str]:
    found = (getattr(shape, name, None) for name in ("fill", "stroke", "colour"))
    return [colour for colour in found if colour]


def _point(x: float, y: float) -> str:
    return f"({number(x)},{number(y)})"


@singledispatch
def command(shape: object) -> str:
    """The TikZ command of a shape."""
    raise TypeError(f"not a shape: {shape!r}")


@command.register
def _(box: Box) -> str:
    options = _painted(box.fill, box.stroke, box.thickness)
    options += ["dash pattern=on 2.25pt off 1.5pt"] if box.dashed else []
    options += [f"rounded corners={number(box.radius * POINTS)}pt"] if box.radius else []
    options += [f"fill opacity={number(box.opacity)}"] if box.opacity != 1 else []
    corner = _point(box.x + box.width, box.y + box.height)
    return rf"\path[{','.join(options)}] {_point(box.x, box.y)} rectangle {corner};"


@command.register
def _(disc: Disc) -> str:
    options = ",".join(_painted(disc.fill, disc.stroke, disc.thickness))
    return rf"\path[{options}] {_point(disc.x, disc.y)} circle[radius={number(disc.radius * POINTS)}pt];"


@command.register
def _(band: Band) -> str:
    (a, b, y), (c, d, z) = band.top, band.bottom
    middle = (y + z) / 2
    down = f"{_point(a, y)} .. controls {_point(a, middle)} and {_point(c, middle)} .. {_point(c, z)}"
    up = f"{_point(d, z)} .. controls {_point(d, middle)} and {_point(b, middle)} .. {_point(b, y)}"
    return rf"\path[fill={_name(band.fill)},fill opacity={number(band.opacity)}] {down} -- {up} -- cycle;"


@command.register
def _(label: Label) -> str:
    options = [f"anchor={ANCHORS[label.anchor]}", f"text={_name(label.colour)}"]
    options += [f"rotate={number(label.angle)}"] if label.angle else []
    size = label.size * POINTS
    font = rf"\fontsize{{{number(size)}}}{{{number(size * 1.2)}}}\selectfont"
    options.append(f"font={font}" + (r"\bfseries" if label.bold else ""))
    return rf"\node[{','.join(options)}] at {_point(label.x, label.y)} {{{escape(label.text)}}};"


def _painted(fill: str | None, stroke: str | None, thickness: float) -> list[str]:
    options = [f"fill={_name(fill)}"] if fill else []
    if stroke:
        options += [f"draw={_name(stroke)}", f"line width={number(thickness * POINTS)}pt"]
    return options
