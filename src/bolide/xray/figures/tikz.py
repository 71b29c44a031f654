r"""A picture as TikZ, for papers: a file that compiles alone, and that a paper can \input.

Alone, with pdflatex, xelatex or lualatex, it makes a page as large as the picture. In a paper that has
\usepackage{tikz}, \input{figure} (say, in a figure environment) is the picture and nothing else; words are in
the paper's font. No TikZ library is needed.

All text is escaped (`escape`): no character of a segment can end a node or begin a command.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import singledispatch

from bolide.xray.figures.shapes import Band, Box, Disc, Label, Picture, Shape
from bolide.xray.figures.svg import number

POINTS = 0.75  # in a pixel
CENTIMETRES = 2.54 / 96
EDGE = 0.3  # centimetres that a page is larger than the picture
ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}
# TeX's own characters, and those that the usual encoding of letters has otherwise.
ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # Two of these would become another character, and babel makes them commands in some languages.
    **{character: rf"\string{character}{{}}" for character in "\"'`-,:;!?=*/"},
}


def escape(text: str) -> str:
    r"""Text that TeX sets as it is.

    >>> print(escape("50 % of {x}"))
    50 \% of \{x\}
    """
    return "".join(ESCAPES.get(character, character) for character in text)


def write(picture: Picture) -> str:
    """The picture as a file of LaTeX."""
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
    """What makes the file a document, unless it is \\input into one."""
    width, height = (number(length * CENTIMETRES + EDGE) for length in (picture.width, picture.height))
    corner = _point(picture.width, picture.height)
    yield "% Compile it alone, or write \\input{...} in a document with \\usepackage{tikz}."
    if others := sorted(_scripts(picture)):
        yield f"% Letters that are not Latin ({', '.join(others)}): use xelatex or lualatex, and a font"
        yield "% that has them: put \\usepackage{fontspec}\\setmainfont{...} behind \\usepackage{tikz}."
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
    """The scripts of letters other than Latin."""
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
    """A shape's command."""
    raise TypeError(f"no shape: {shape!r}")


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
def _(words: Label) -> str:
    options = [f"anchor={ANCHORS[words.anchor]}", f"text={_name(words.colour)}"]
    options += [f"rotate={number(words.angle)}"] if words.angle else []
    size = words.size * POINTS
    font = rf"\fontsize{{{number(size)}}}{{{number(size * 1.2)}}}\selectfont"
    options.append(f"font={font}" + (r"\bfseries" if words.bold else ""))
    return rf"\node[{','.join(options)}] at {_point(words.x, words.y)} {{{escape(words.text)}}};"


def _painted(fill: str | None, stroke: str | None, thickness: float) -> list[str]:
    options = [f"fill={_name(fill)}"] if fill else []
    if stroke:
        options += [f"draw={_name(stroke)}", f"line width={number(thickness * POINTS)}pt"]
    return options
