"""Alignments as figures: SVG, PNG, PDF, TikZ."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import ConfigurationError, InputError, Meteor
from bolide._support.palette import FAINT, INK, colour, tint
from bolide.comparison.compare import ComparisonOptions
from bolide.xray import Xray, of_texts
from bolide.xray.figures import FORMATS, STYLES, alignment_figure, layers, svg, tikz
from bolide.xray.figures.layers import LONGEST, Layer, chunks, label
from bolide.xray.figures.matrix import CELL, matrix
from bolide.xray.figures.ribbons import ribbons
from bolide.xray.figures.shapes import Band, Box, Disc, Label, Picture, text_width
from tests.support.examples import examples
from tests.support.xray_texts import SYSTEMS, small

PLAIN = Meteor("linear", modules=["exact"], normalize="none")
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    '<script>alert(1)</script> & "x" ]]> <!-- \x00\x1b[31m \u202e \ufffe \uffff',
    "\\end{document} \\input{/etc/passwd} $x^2_3$ {a} #1 %c ~ -- --- `` '' ?` !` \"a << , ,,",
]


@pytest.fixture(scope="module")
def found(english: Meteor) -> Xray:
    return small(english)


def odd(texts: list[str], names: tuple[str, ...] = ("one",)) -> Xray:
    systems = dict.fromkeys(names, texts)
    return of_texts(
        systems, [[text] for text in texts], PLAIN, ComparisonOptions(samples=2), layout="segments"
    )


def one(text: str, reference: str, name: str = "one") -> tuple[Layer, ...]:
    return (Layer(name, PLAIN.align(text, reference)),)


def parts(picture: bytes, name: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(picture).findall(f"{SVG}{name}")


def words(picture: bytes) -> list[str]:
    return [(text.text or "").strip("\u200f") for text in parts(picture, "text")]


# ---- what is drawn -----------------------------------------------------------------------------------


@pytest.mark.parametrize("style", STYLES)
def test_all_words_are_there(found: Xray, style: str) -> None:
    shown = Counter(words(alignment_figure(found, 1, ["north"], style=style)))
    alignment = found.alignment("north", 1)
    assert not Counter([*alignment.hypothesis, *alignment.reference]) - shown
    both = Counter(words(alignment_figure(found, 1, ["north", "south"], style=style)))
    other = found.alignment("south", 1).hypothesis
    assert not Counter([*alignment.hypothesis, *alignment.reference, *other]) - both
    assert {"north", "south"} <= set(both)


def test_matches_are_cells_in_the_colour_of_their_module(found: Xray) -> None:
    (layer,) = layers(found, 1, ["north"])
    picture = matrix((layer,), "ltr")
    tips = [shape for shape in picture.shapes if isinstance(shape, Box) and shape.tip]
    matches = layer.alignment.matches
    assert {match.module for match in matches} >= {"exact"}
    grid = next(s for s in picture.shapes if isinstance(s, Box) and s.stroke and not s.radius)
    for box, match in zip(tips, matches, strict=True):
        assert box.fill == tint(colour(match.stage))
        assert box.x == pytest.approx(grid.x + CELL * match.reference_start)
        assert box.y == pytest.approx(grid.y + CELL * match.hypothesis_start)
        assert (box.width, box.height) == (CELL * match.reference_length, CELL * match.hypothesis_length)


def test_chunks_are_outlined(found: Xray) -> None:
    (layer,) = layers(found, 0, ["south"], reference=0)
    outlines = [s for s in matrix((layer,), "ltr").shapes if isinstance(s, Box) and s.stroke == INK]
    assert len(outlines) == layer.alignment.score.chunks > 1
    sizes = {
        (s.hypothesis[1] - s.hypothesis[0], s.reference[1] - s.reference[0]) for s in chunks(layer.alignment)
    }
    assert {(round(box.height / CELL), round(box.width / CELL)) for box in outlines} == sizes


def test_two_systems_are_laid_on_each_other(found: Xray) -> None:
    both = layers(found, 1, ["north", "south"])
    picture = matrix(both, "ltr")
    discs = [shape for shape in picture.shapes if isinstance(shape, Disc) and shape.tip]
    south = both[1].alignment.matches
    assert len(discs) == sum(match.reference_length * match.hypothesis_length for match in south)
    assert all(disc.tip.startswith("south: ") for disc in discs)
    dashed = [shape for shape in picture.shapes if isinstance(shape, Box) and shape.dashed]
    assert len(dashed) == both[1].alignment.score.chunks


def test_the_second_system_gets_the_first_ones_reference(found: Xray) -> None:
    for k in range(len(found.segments)):
        one, two = layers(found, k, ["south", "north"])
        assert one.alignment.reference == two.alignment.reference
        assert one.alignment == found.alignment("south", k)


def test_ribbons_join_the_words_of_a_match() -> None:
    layer = one("a b x", "b a y")
    picture = ribbons(layer, "ltr")
    bands = [shape for shape in picture.shapes if isinstance(shape, Band)]
    boxes = {(s.x, s.y) for s in picture.shapes if isinstance(s, Box) and s.tip}
    assert len(bands) == 2
    for band in bands:
        assert {x for x, _ in boxes} >= {band.top[0], band.bottom[0]}
        assert band.top[2] < band.bottom[2]


def test_unmatched_words_are_faint() -> None:
    shown = {s.text: s.colour for s in matrix(one("a x", "a y"), "ltr").shapes if isinstance(s, Label)}
    assert (shown["a"], shown["x"], shown["y"]) == (INK, FAINT, FAINT)


def test_right_to_left_begins_at_the_right() -> None:
    layer = one("שלום עולם", "שלום רב עולם")
    forth, back = matrix(layer, "ltr"), matrix(layer, "rtl")

    def places(picture: Picture) -> list[float]:
        heads = [s.x for s in picture.shapes if isinstance(s, Label) and s.angle]
        assert len(heads) == 3
        return heads

    assert places(forth) == sorted(places(forth))
    assert places(back) == sorted(places(back), reverse=True)
    rows = ribbons(layer, "rtl")
    order = [s.x for s in rows.shapes if isinstance(s, Label) and s.anchor == "middle"][:2]
    assert order == sorted(order, reverse=True)
    assert label("שלום!") == "\u200fשלום!\u200f"


def test_chinese_is_written_downwards() -> None:
    heads = [
        s
        for s in matrix(one("昨天", "昨天 猫"), "ltr").shapes
        if isinstance(s, Label) and s.anchor == "middle"
    ]
    assert [s.text for s in heads][:3] == ["天", "昨", "猫"]
    assert heads[0].x == heads[1].x != heads[2].x
    assert heads[0].y > heads[1].y
    assert not any(s.angle for s in heads)


def test_everything_is_inside_of_the_picture(found: Xray) -> None:
    for k in range(len(found.segments)):
        for draw in STYLES.values():
            picture = draw(layers(found, k, ["north", "south"]), "ltr")
            for shape in picture.shapes:
                if isinstance(shape, Label) and not shape.angle and shape.anchor == "start":
                    assert shape.x + text_width(shape.text, shape.size) <= picture.width
                if isinstance(shape, Box):
                    assert 0 <= shape.x <= shape.x + shape.width <= picture.width
                    assert 0 <= shape.y <= shape.y + shape.height <= picture.height


def test_tips_and_description_tell_why(found: Xray) -> None:
    picture = alignment_figure(found, 0, ["north"]).decode()
    assert "stem, chunk 1: ferries = ferry (stem ferri)" in picture
    root = ElementTree.fromstring(picture)
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "alignment of north"
    assert "ferries = ferry" in (root.findtext(f"{SVG}desc") or "")


def test_very_long_words_are_cut() -> None:
    assert label("x" * 200) == "x" * LONGEST + "…"
    assert matrix(one("x" * 5000, "x" * 5000), "ltr").width < 800


# ---- formats -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("text", ["", *HOSTILE])
def test_hostile_text_is_text(style: str, text: str) -> None:
    xray = odd([text], ("<b>&", "\\bye"))
    picture = alignment_figure(xray, 0, [0, 1], style=style)
    root = ElementTree.fromstring(picture)  # it is XML
    names = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert names <= {"svg", "title", "desc", "rect", "circle", "path", "text"}
    assert {"<b>&", "\\bye"} <= set(words(picture))


@given(st.text(max_size=40), st.text(max_size=40))
@settings(max_examples=examples(60))
def test_any_text_gives_xml(text: str, name: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    layer = one(text, text, name)
    for draw in STYLES.values():
        ElementTree.fromstring(svg.write(draw(layer, "ltr")))


def test_png_and_pdf(found: Xray) -> None:
    png = alignment_figure(found, 0, format="png")
    assert png.startswith(b"\x89PNG\r\n")
    assert alignment_figure(found, 0, style="ribbons", format="pdf").startswith(b"%PDF")
    width, height = (int.from_bytes(png[k : k + 4], "big") for k in (16, 20))
    root = ElementTree.fromstring(alignment_figure(found, 0))
    for pixels, name in ((width, "width"), (height, "height")):
        assert pixels == pytest.approx(3 * float(root.get(name) or 0), abs=3)


@pytest.mark.parametrize(("letter", "other"), [("猫", "犬"), ("ش", "ق"), ("ש", "ת")])
def test_png_has_letters_of_other_scripts(letter: str, other: str) -> None:
    """Not boxes or empty space in place of letters that no font has."""
    shown, unlike, lacking = (one_letter(each) for each in (letter, other, "\U0010fffd"))
    if shown == lacking:
        pytest.skip(f"no font here has {letter}")
    assert shown != unlike


def one_letter(letter: str) -> bytes:
    picture = Picture(40, 40, (Label(10, 30, label(letter)),), "", "")
    return FORMATS["png"](picture)


SPECIAL = "\\{}$&#%_^~<>|\"'`-"


def test_tex_escapes() -> None:
    assert tikz.escape("50 % of {x}_1") == r"50 \% of \{x\}\_1"
    assert tikz.escape("\\") == r"\textbackslash{}"
    assert tikz.escape("--") == r"\string-{}\string-{}"
    for character in SPECIAL:
        assert tikz.escape(character) not in (
            character,
            f"\\{character}" if character in "\\^~" else character,
        )


def test_tex_braces_are_balanced() -> None:
    for text in HOSTILE:
        for line in alignment_figure(odd([text]), 0, format="tex").decode().splitlines():
            bare = line.replace(r"\{", "").replace(r"\}", "")
            assert bare.count("{") == bare.count("}")
            if not line.startswith("%"):
                assert "%" not in line.replace(r"\%", "").removesuffix("%")


def test_tex_tells_of_letters_that_need_another_engine(found: Xray) -> None:
    assert "xelatex" not in alignment_figure(found, 0, format="tex").decode()
    assert "(CJK, Hebrew): use xelatex" in alignment_figure(odd(["猫 שלום"]), 0, format="tex").decode()


def test_tex_compiles(found: Xray, tmp_path: Path) -> None:
    """As a separate document, and within a paper."""
    latex = shutil.which("pdflatex")
    if latex is None:
        pytest.skip("no pdflatex")
    files = {
        "one": alignment_figure(found, 0, format="tex"),
        "two": alignment_figure(found, 1, ["north", "south"], format="tex"),
        "ribbons": alignment_figure(found, 1, style="ribbons", format="tex"),
        "odd": alignment_figure(odd([f"{HOSTILE[1]} «é» ß"]), 0, format="tex"),
        "paper": (
            b"\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{tikz}\\begin{document}"
            b"\\input{one}\\input{two}\\input{odd}\\end{document}"
        ),
    }
    for name, text in files.items():
        (tmp_path / f"{name}.tex").write_bytes(text)
    for name in files:
        run = subprocess.run(
            [latex, "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"],
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]
        if name != "paper":
            assert b"(1 page" in run.stdout


# ---- errors ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"segment": 4}, "there is no segment 5: there are 4"),
        ({"segment": -1}, "there is no segment 0"),
        ({"segment": 0, "style": "matrx"}, "unknown style 'matrx'; did you mean 'matrix'?"),
        ({"segment": 0, "format": "gif"}, "unknown format 'gif'"),
        ({"segment": 0, "systems": ["east"]}, "unknown system 'east'"),
        ({"segment": 0, "systems": []}, "one system or two, not 0"),
        ({"segment": 0, "systems": [0, 1, 0]}, "one system or two, not 3"),
        ({"segment": 0, "systems": [0, "north"]}, "two systems of a figure must differ"),
    ],
)
def test_mistakes(found: Xray, arguments: dict[str, object], problem: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        alignment_figure(found, **arguments)  # type: ignore[arg-type]
    assert problem in str(caught.value)


def test_no_such_reference(found: Xray) -> None:
    with pytest.raises(InputError, match="no alignment with reference 3, only with 1, 2"):
        alignment_figure(found, 0, reference=2)


def test_formats_are_those_of_the_documents() -> None:
    assert list(FORMATS) == ["svg", "png", "pdf", "tex"]
    assert list(STYLES) == ["matrix", "ribbons"]
    assert len(SYSTEMS) == 2
