"""The terminal browser, driven by Textual's pilot: every key, every filter, hostile text."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widgets import Checkbox, Input, Label, Select

from bolide import Meteor
from bolide._support.extras import MissingExtraError
from bolide.comparison.compare import ComparisonOptions
from bolide.explanation import drawing
from bolide.xray import OtherScores, Xray, of_texts
from bolide.xray.filters import FILTERS, ORDERS, Selection, Shelf, select
from bolide.xray.terminal import TerminalError, browse
from bolide.xray.terminal.application import KEYS, Browser
from bolide.xray.terminal.contents import VIEWS, Contents
from bolide.xray.terminal.form import FilterForm, GoTo, Help
from bolide.xray.terminal.matrix import SQUARE, matrix
from tests.support.posix import needs_terminals
from tests.support.processes import PATIENCE
from tests.support.xray_texts import SYSTEMS, annotated, small

PLAIN = Meteor("linear", modules=["exact"], normalize="none")
Steps = Callable[[Browser, "Pilot[None]"], Awaitable[None]]


@pytest.fixture(scope="module")
def found(english: Meteor) -> Xray:
    return small(english)


@pytest.fixture(scope="module")
def scored(english: Meteor) -> Xray:
    return annotated(english)


@pytest.fixture(scope="module")
def three(english: Meteor) -> Xray:
    systems = {**SYSTEMS, "east": ["Nine.", "The old wall.", "A letter.", "Yes."]}
    references = [[text] for text in SYSTEMS["north"]]
    return of_texts(
        systems, references, english, ComparisonOptions(samples=2), layout="segments", title="Three"
    )


def drive(xray: Xray, steps: Steps, size: tuple[int, int] = (120, 40)) -> None:
    async def run() -> None:
        app = Browser(xray)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(app, pilot)

    asyncio.run(run())


def driven(xray: str = "found", size: tuple[int, int] = (120, 40)) -> Callable[[Steps], Callable[..., None]]:
    """Makes a test from its steps: in a browser of the X-ray that the fixture `xray` has made."""

    def test_of(steps: Steps) -> Callable[..., None]:
        return lambda request: drive(request.getfixturevalue(xray), steps, size)

    return test_of


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


async def press_and_type(pilot: Pilot[None], key: str, text: str) -> None:
    """Presses a key that opens an input, types the text when the input has the focus, and presses enter."""
    await pilot.press(key)
    for _ in range(6000):  # a minute, far more than a slow machine needs
        if isinstance(pilot.app.focused, Input):
            break
        await pilot.pause(0.01)
    await press(pilot, *text, "enter")


def contents(app: Browser, width: int = 120) -> str:
    """The view of the segment, as text."""
    shown: Any = Contents(app.xray, app.selection, app.list.segment or 0, app.reference, app.shown_view)
    return "\n".join(line.plain for line in shown.lines(width))


def screen(app: Browser) -> str:
    """The whole screen as text."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in lines)


# ---- keys --------------------------------------------------------------------------------------------


@driven()
async def test_it_opens_with_all_segments(app: Browser, pilot: Pilot[None]) -> None:
    shown = screen(app)
    assert "Ferries" in shown
    assert "2 systems, 4 segments" in shown
    assert "4 of 4 segments" in shown
    for system in app.xray.systems:
        assert system.name in shown
        for score in system.scores:
            assert f"{score:.4f}" in shown
    assert "the ferries leave at nine ." in shown
    assert "Die Fähre fährt um neun." in shown  # the source of the first


@driven()
async def test_moving(app: Browser, pilot: Pilot[None]) -> None:
    for keys, place in (
        (["down"], 1), (["j"], 2), (["k"], 1), (["up"], 0), (["up"], 0), (["end"], 3), (["j"], 3),
        (["home"], 0), (["pagedown"], 3), (["pageup"], 0), (["g", "3", "enter"], 2),
    ):  # fmt: skip
        await press(pilot, *keys)
        assert app.list.segment == place, keys
        assert f"segment {place + 1} " in screen(app)


@driven()
async def test_a_click_chooses(app: Browser, pilot: Pilot[None]) -> None:
    await pilot.click("#list", offset=(10, 3))  # the head is the first line
    await pilot.pause()
    assert app.list.segment == 2
    await pilot.click("#list", offset=(10, 0))
    await pilot.click("#list", offset=(10, 9))
    await pilot.pause()
    assert app.list.segment == 2


@driven()
async def test_going_to_a_segment(app: Browser, pilot: Pilot[None]) -> None:
    await press_and_type(pilot, "slash", "sleeps")
    assert app.list.segments == [1]
    await press(pilot, "g", "9", "enter")
    assert isinstance(app.screen, GoTo)
    assert "there is no segment 9" in screen(app)
    await press(pilot, "escape")
    assert app.list.segment == 1
    await press(pilot, "g", "4", "enter")  # not in the list: filters are cleared
    assert app.list.segment == 3
    assert not app.selection.filters


@driven()
async def test_views(app: Browser, pilot: Pilot[None]) -> None:
    for key, view in zip(("a", "m", "equals_sign"), VIEWS, strict=True):
        await press(pilot, key)
        assert app.shown_view == view
    assert "fragmentation" in screen(app)
    await press(pilot, "m")
    assert SQUARE in screen(app)
    await press(pilot, "a")
    assert "stem  ferries = ferry  (stem ferri)" in screen(app)


@driven()
async def test_the_segment_alone(app: Browser, pilot: Pilot[None]) -> None:
    await press(pilot, "enter")
    assert "4 of 4 segments" not in screen(app)
    await press(pilot, "j")  # and still to the next
    assert app.list.segment == 1
    await press(pilot, "enter")
    assert "4 of 4 segments" in screen(app)
    await press(pilot, "enter", "escape")
    assert "4 of 4 segments" in screen(app)
    assert app.focused is app.list
    await press(pilot, "tab")
    assert app.focused is not app.list


@driven("three")
async def test_systems(app: Browser, pilot: Pilot[None]) -> None:
    seen = []
    for key in ("", "s", "s", "S", "b", "x", "c", "s", "c", "c"):
        await press(pilot, *([key] if key else []))
        seen.append((app.selection.system, app.selection.against))
    assert seen == [
        (0, 1), (2, 1), (0, 1), (2, 1), (2, 0), (0, 2), (0, None), (1, None), (1, 2), (1, None),
    ]  # fmt: skip
    assert "A − B" not in screen(app)
    await press(pilot, "b")
    assert app.selection.against == 2
    assert "A − B" in screen(app)


def test_one_system_alone(english: Meteor) -> None:
    xray = of_texts(
        {"one": ["a cat"]}, [["the cat"]], english, ComparisonOptions(samples=2), layout="segments"
    )

    async def steps(app: Browser, pilot: Pilot[None]) -> None:
        await press(pilot, "s", "S", "b", "c", "x", "w", "o", "n")
        assert (app.selection.system, app.selection.against) == (0, None)
        assert app.list.segments == [0]

    drive(xray, steps)


@driven()
async def test_references(app: Browser, pilot: Pilot[None]) -> None:
    best = app.xray.best(0, 0)
    assert f"reference {best + 1} of 2 (best of A)" in screen(app)
    before = contents(app)
    await press(pilot, "n")
    assert f"reference {2 - best} of 2  A" in screen(app)
    assert contents(app) != before
    await press(pilot, "n")
    assert contents(app) == before
    await press(pilot, "n", "j")  # another segment begins with its best
    assert app.reference is None


@driven()
async def test_orders(app: Browser, pilot: Pilot[None]) -> None:
    for order in [*list(ORDERS)[1:], "segment"]:
        await press(pilot, "o")
        expected = select(Shelf(app.xray), Selection(against=1, order=order))
        assert (app.selection.order, app.list.segments) == (order, expected)
        assert app.list.cursor == 0
        assert (f"by {order}" in screen(app)) == (order != "segment")
    await press(pilot, "O")
    assert app.list.segments == [3, 2, 1, 0]
    assert "reversed" in screen(app)


@driven(size=(120, 60))
async def test_help_lists_every_key(app: Browser, pilot: Pilot[None]) -> None:
    await press(pilot, "question_mark")
    assert isinstance(app.screen, Help)
    shown = screen(app)
    for _, key, _, what, _ in KEYS:
        assert key in shown
        assert what in shown
    for key in ("escape", "question_mark"):
        await press(pilot, key)
        assert isinstance(app.screen, Help) == (key != "escape")


@driven()
async def test_theme_and_quit(app: Browser, pilot: Pilot[None]) -> None:
    first = app.theme
    await press(pilot, "t")
    assert app.theme != first
    await press(pilot, "t")
    assert app.theme == first
    await pilot.press("q")
    assert not app.is_running or app._exit


def test_every_key_is_tested() -> None:
    """A new key needs a test."""
    tested = {
        "question_mark", "q", "j", "k", "g", "enter", "escape", "a", "m", "equals_sign", "s", "S", "b", "c",
        "x", "n", "slash", "f", "w", "u", "o", "O", "t",
    }  # fmt: skip
    assert {key for key, *_ in KEYS} == tested
    assert len(KEYS) == len(tested)


# ---- filters -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "typed", "expected"),
    [
        ("text", "FERRY", {"text": "FERRY"}),
        ("low", "0.6", {"low": 0.6}),
        ("high", "0.6", {"high": 0.6}),
        ("shortest", "7", {"shortest": 7}),
        ("longest", "6", {"longest": 6}),
        ("margin", "0.1", {"margin": 0.1}),
    ],
)
def test_a_filter_that_is_typed(found: Xray, field: str, typed: str, expected: dict[str, Any]) -> None:
    async def steps(app: Browser, pilot: Pilot[None]) -> None:
        await press(pilot, "f")
        app.screen.query_one(f"#{field}", Input).focus()
        await press(pilot, *typed, "enter")
        wanted = Selection(against=1, **expected)
        assert app.selection == wanted
        assert app.list.segments == select(Shelf(found), wanted)
        assert 0 < len(app.list.segments) < 4
        assert f"{len(app.list.segments)} of 4 segments" in screen(app)
        await press(pilot, "u")
        assert app.selection == Selection(against=1)
        assert len(app.list.segments) == 4

    drive(found, steps)


@driven()
async def test_filters_that_are_chosen(app: Browser, pilot: Pilot[None]) -> None:
    await press(pilot, "f")
    for name, value in (
        ("module", "synonym"), ("system", "south"), ("against", "north"), ("order", "length"),
    ):  # fmt: skip
        app.screen.query_one(f"#{name}", Select).value = value
    app.screen.query_one("#reverse", Checkbox).value = True
    await pilot.pause()
    await pilot.click("#apply")
    await pilot.pause()
    wanted = Selection(system=1, against=0, module="synonym", order="length", reverse=True)
    assert app.selection == wanted
    assert app.list.segments == select(Shelf(app.xray), wanted)
    await press(pilot, "f")  # the choice is shown again
    assert app.screen.query_one("#module", Select).value == "synonym"
    await pilot.click("#clear")
    await pilot.pause()
    await pilot.click("#apply")
    await pilot.pause()
    assert app.selection == Selection(system=1, against=0, order="length", reverse=True)


def fields(app: Browser) -> set[str | None]:
    return {field.id for kind in (Input, Select, Checkbox) for field in app.screen.query(kind)}


@driven("scored")
async def test_filters_of_other_metrics(app: Browser, pilot: Pilot[None]) -> None:
    await press(pilot, "f")
    assert fields(app) == {*FILTERS, "system", "against", "order", "reverse"}
    app.screen.query_one("#metric", Select).value = "edit rate"
    app.screen.query_one("#metric_high", Input).value = "40"
    await pilot.pause()
    await pilot.click("#apply")
    await pilot.pause()
    assert app.selection == Selection(against=1, metric="edit rate", metric_high=40.0)
    assert app.list.segments == [0, 1, 2]


@driven()
async def test_the_form_has_every_filter(app: Browser, pilot: Pilot[None]) -> None:
    await press(pilot, "f")
    assert fields(app) == {*FILTERS, "system", "against", "order", "reverse"} - {"metric", "disagree"}
    assert app.focused is app.screen.query_one("#low")
    await press(pilot, "escape", "slash")
    assert app.focused is app.screen.query_one("#text")


@driven()
async def test_a_mistake_is_told_and_nothing_changes(app: Browser, pilot: Pilot[None]) -> None:
    await press_and_type(pilot, "f", "[red]")
    assert isinstance(app.screen, FilterForm)
    problem = app.screen.query_one("#problem", Label)
    assert "low must be a number from 0 to 1, such as 0.25, not '[red]'" in str(problem.render())
    await press(pilot, "escape")
    assert app.selection == Selection(against=1)


@driven()
async def test_only_where_a_beats_b(app: Browser, pilot: Pilot[None]) -> None:
    await press(pilot, "w")
    assert app.selection.margin == 0.0
    scores = Shelf(app.xray).scores
    assert app.list.segments == [k for k in range(4) if scores[0, k] > scores[1, k]]
    assert "only A beats B" in screen(app)
    await press(pilot, "x")  # the others
    assert app.list.segments == [k for k in range(4) if scores[1, k] > scores[0, k]]
    await press(pilot, "w")
    assert len(app.list.segments) == 4


@driven()
async def test_nothing_is_left(app: Browser, pilot: Pilot[None]) -> None:
    await press_and_type(pilot, "slash", "zzz")
    assert app.list.segments == []
    assert "no segment passes the filters" in screen(app)
    await press(pilot, "j", "k", "end", "home", "pagedown", "n", "m", "equals_sign", "o", "enter", "escape")
    assert "0 of 4 segments" in screen(app)
    await press(pilot, "u")
    assert len(app.list.segments) == 4


@driven()
async def test_the_chosen_segment_stays_chosen(app: Browser, pilot: Pilot[None]) -> None:
    await press(pilot, "j")
    await press_and_type(pilot, "slash", "wall")
    assert app.list.segments == [1]
    await press(pilot, "u")
    assert app.list.segment == 1


# ---- what is shown -----------------------------------------------------------------------------------


def test_arithmetic_is_that_of_explanations(found: Xray, english: Meteor) -> None:
    for k in range(4):
        shown = Contents(found, Selection(), k, view="arithmetic")
        text = "\n".join(line.plain for line in shown.lines(200))
        explained = english.explain(SYSTEMS["north"][k], [" ".join(r) for r in found.segments[k].references])
        for line in explained.lines:
            assert str(line) in text
        assert found.signature is not None
        assert found.signature in text


def test_the_picture_is_that_of_explanations(found: Xray, english: Meteor) -> None:
    for k in range(4):
        shown = [line.plain.rstrip() for line in Contents(found, Selection(), k).lines(70)]
        for line in drawing.lines(found.alignment(0, k), 70):
            assert "".join(piece for piece, _ in line).rstrip() in shown


def columns(text: str) -> dict[int, str]:
    """The characters of a line, by the terminal column in which they begin."""
    found, place = {}, 0
    for character in text:
        if cell_len(character):
            found[place] = character
        place += cell_len(character)
    return found


@pytest.mark.parametrize("words", ["a bb ccc", "昨天 猫 冷", "שלום רב עולם", "e\u0301a x ö"])
def test_matrix_has_its_cells_below_their_words(words: str) -> None:
    alignment = PLAIN.align(words, words)
    lines = [line.plain for line in matrix([alignment])]
    margin = max(cell_len(word) for word in alignment.hypothesis) + 2
    height = lines.index("") - len(alignment.hypothesis)
    for k, word in enumerate(alignment.reference):
        letters = [columns(line).get(margin + 3 * k, " ") for line in lines[:height]]
        spaced = [c for c in word if cell_len(c)]
        assert [letter for letter in letters if letter != " "] == spaced
        row = columns(lines[height + k])
        assert row[margin + 3 * k] + row[margin + 3 * k + 1] == "ex"


def test_matrix_of_two(found: Xray) -> None:
    one, two = (found.alignment(system, 1, 0) for system in (0, 1))
    text = "\n".join(line.plain for line in matrix([one, two]))
    cells = sum(m.hypothesis_length * m.reference_length for m in two.matches)
    assert text.count(SQUARE) == cells + 1  # and the legend's
    for word in two.hypothesis:
        assert word in text


HOSTILE = "[bold]a[/bold] [red] <script>x</script> \x1b[31m \u202e [/] $x " + "w" * 300


def test_hostile_text_is_text() -> None:
    systems = {"[b]one": [HOSTILE, ""], "[/]": ["x", HOSTILE]}
    references = [[HOSTILE], [""]]
    xray = of_texts(
        systems,
        references,
        PLAIN,
        ComparisonOptions(samples=2),
        layout="segments",
        sources=[HOSTILE, ""],
        title="[i]t",
    )

    async def steps(app: Browser, pilot: Pilot[None]) -> None:
        shown = screen(app)
        for text in ("[i]t", "[b]one", "[/]", "[bold]a[/bold]", "\\x1b[31m", "\\u202e"):
            assert text in shown
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        for keys in ("m", "=", "a", "jm", "=", "a", "w", "u", "x"):
            await press(pilot, *("equals_sign" if key == "=" else key for key in keys))
        await press_and_type(pilot, "slash", "[red]")
        assert "“[red]”" in screen(app)
        await press(pilot, "f")
        assert "[b]one" in screen(app)

    drive(xray, steps)


@pytest.mark.parametrize("size", [(20, 8), (40, 12), (300, 80)])
def test_any_size(three: Xray, size: tuple[int, int]) -> None:
    async def steps(app: Browser, pilot: Pilot[None]) -> None:
        await press(pilot, "m", "j", "equals_sign", "a", "f", "escape", "question_mark", "escape")
        await pilot.resize_terminal(80, 24)
        await press(pilot, "j")
        assert "segment 3" in screen(app)

    drive(three, steps, size=size)


def test_javas_values_without_parameters(found: Xray) -> None:
    unknown = replace(found, parameters=None, origin="java", signature=None, notes=("a note",))
    shown = Contents(unknown, Selection(), 0, view="arithmetic")
    text = "\n".join(line.plain for line in shown.lines(100))
    assert f"score         = {found.alignment(0, 0).score.score:.6f}" in text
    assert "are not known" in text
    assert "a note" in text


def test_a_reference_that_b_has_no_alignment_with(found: Xray) -> None:
    there = np.ones(8, dtype=bool)
    there[found.best(0, 0)] = False
    xray = replace(found, systems=(found.systems[0], replace(found.systems[1], there=there)))
    shown = Contents(xray, Selection(against=1), 0)
    assert "no alignment with this reference" in "\n".join(line.plain for line in shown.lines(100))
    assert "south —" in shown.text.plain
    for view in VIEWS[1:]:
        assert list(Contents(xray, Selection(against=1), 0, view=view).lines(100))


# ---- without a terminal ------------------------------------------------------------------------------


def test_no_terminal(found: Xray) -> None:
    with pytest.raises(TerminalError, match=r"needs a terminal.*-o report\.html"):
        browse(found)


class _Terminal:
    def isatty(self) -> bool:
        return True


def test_no_textual(found: Xray, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout"):
        monkeypatch.setattr(sys, name, _Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setitem(sys.modules, "textual", None)
    with pytest.raises(
        MissingExtraError, match=r"textual is not installed; run: pip install 'bolide\[terminal\]'"
    ):
        browse(found)


def test_a_dumb_terminal(found: Xray, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout"):
        monkeypatch.setattr(sys, name, _Terminal())
    monkeypatch.setenv("TERM", "dumb")
    with pytest.raises(TerminalError):
        browse(found)


@needs_terminals
def test_a_real_terminal() -> None:
    """In a pseudo-terminal: it opens, and `q` closes it."""
    program = (
        "from bolide import Meteor\nfrom bolide.xray import of_texts\n"
        "from bolide.xray.terminal import browse\n"
        "m = Meteor('linear', modules=['exact'], normalize='lower')\n"
        "browse(of_texts({'one': ['a strange cat']}, [['a cat']], m, layout='segments'))\n"
    )
    main, terminal = os.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "30"}
    run = subprocess.Popen(
        [sys.executable, "-c", program], stdin=terminal, stdout=terminal, stderr=terminal, env=environment
    )
    os.close(terminal)
    seen = b""
    try:
        while b"strange" not in seen:
            seen += os.read(main, 65536)
        os.write(main, b"q")
        while True:
            seen += os.read(main, 65536)
    except OSError:  # the other side is closed
        pass
    finally:
        os.close(main)
        code = run.wait(timeout=PATIENCE)
    assert code == 0
    assert b"strange" in seen


def test_what_the_search_left_out_and_other_metrics(english: Meteor) -> None:
    scores = [OtherScores("TER", {"one": [25.0, None]}), OtherScores("\x1bC", {"one": [0.5, 0.25]})]
    found = of_texts({"one": ["cats", "a"]}, ["cat", "a"], english, scores=scores)
    first, second = (
        "\n".join(line.plain.strip() for line in Contents(found, Selection(), k).lines(80)) for k in (0, 1)
    )
    assert (
        "left out by the search; --aligner exact counts these words:\nstem  cats = cat  (stem cat)" in first
    )
    assert "TER ↓ 25  \\x1bC 0.5" in first
    assert "left out" not in second and "TER ↓ —  \\x1bC 0.25" in second
