"""What readers do in the views of words and groups, with mouse and keyboard: see test_analysis_page.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bolide import Meteor
from bolide.xray import Xray
from tests.support.xray_browser import Reader, write
from tests.xray.test_analysis_page import SIZE, Open, cells, made, picked

SMALL = {"width": 1400, "height": 600}


@pytest.fixture(scope="module")
def guides(english: Meteor) -> Xray:
    return made(english)


@pytest.fixture(scope="module")
def report(guides: Xray, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(guides, tmp_path_factory.mktemp("words") / "guides.html")


@pytest.fixture
def read(chromium: Any, report: Path) -> Open:
    def opened(link: str = "", path: Path = report, **options: Any) -> Reader:
        return Reader(chromium, path, link, **options)

    return opened


def top(reader: Reader) -> int:
    return int(reader.evaluate("Math.round(scrollY)"))


def until(reader: Reader, script: str) -> None:
    """Waits until this holds. The page forbids what `wait_for_function` does to wait."""
    for _ in range(200):
        if reader.evaluate(script):
            return
        reader.page.wait_for_timeout(50)
    raise AssertionError(f"it never held: {script}")


def to(reader: Reader, selector: str) -> int:
    """Turns the wheel until this is in the middle of the window."""
    box = reader.page.locator(selector).bounding_box()
    assert box is not None
    reader.page.mouse.move(700, 300)
    reader.page.mouse.wheel(0, box["y"] - 250)
    until(reader, "scrollY > 100")
    reader.page.wait_for_timeout(200)
    return top(reader)


def press(reader: Reader, selector: str) -> None:
    """A click at a place in view. Those of Playwright may scroll."""
    box = reader.page.locator(selector).first.bounding_box()
    assert box is not None and 0 <= box["y"] < SMALL["height"]
    reader.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


# ---- where the page stays ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kind", "outcome", "only", "contrast", "contrast-only"])
def test_menus_keep_the_place_and_the_focus(read: Open, name: str) -> None:
    """Also when the choice becomes the default again, which is not part of the link."""
    with read("#words", viewport=SMALL) as reader:
        before = to(reader, f"#{name}") if not name.startswith("contrast") else 0
        if not before:
            reader.page.mouse.move(700, 300)
            reader.page.mouse.wheel(0, 60)
            until(reader, "scrollY === 60")
            before = 60
        reader.page.locator(f"#{name}").focus()
        for key in ("ArrowDown", "ArrowUp", "ArrowDown"):
            reader.press(key)
            reader.evaluate("() => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); })")
            before = min(before, reader.evaluate("document.body.scrollHeight - innerHeight"))
            assert (top(reader), reader.evaluate("document.activeElement.id")) == (before, name)


def test_each_view_begins_at_its_top_and_back_restores_the_place(read: Open) -> None:
    with read("#overview", viewport=SMALL) as reader:
        first = to(reader, "#plot-differences")
        press(reader, "#to-words")
        assert (reader.evaluate("xray.state.view"), top(reader)) == ("words", 0)
        second = to(reader, "#outcome")
        press(reader, "table.words .opener")
        assert (reader.evaluate("xray.state.view"), top(reader)) == ("segments", 0)
        reader.press("g")
        assert (reader.evaluate("xray.state.view"), top(reader)) == ("groups", 0)
        for view, place in (("segments", 0), ("words", second), ("overview", first)):
            reader.page.go_back()
            until(reader, f"xray.state.view === '{view}'")
            until(reader, f"Math.round(scrollY) === {place}")
        reader.page.go_forward()
        until(reader, "xray.state.view === 'words'")
        assert top(reader) == second
        reader.page.reload()
        reader.page.wait_for_selector("body[data-ready=yes]", state="attached")
        assert (reader.evaluate("xray.state.view"), top(reader)) == ("words", second)


# ---- what the tables say -------------------------------------------------------------------------------


def test_tests_of_classes_name_the_better_system(read: Open, guides: Xray) -> None:
    """Of missed and of over-generated words; also if A and B are swapped."""
    (_, _, tests) = next(iter(guides.words().class_tests("frequency")))
    names = [row.name for row in guides.words().classes("north", "frequency")]
    for link, order in (
        ("#words&kind=frequency", "AB"),
        ("#words&kind=frequency&system=south&against=north", "BA"),
    ):
        with read(link) as reader:
            rows = {row[0]: row for row in cells(reader, "table.kinds") if row[0] in names}
            signs = 0
            for c, name in enumerate(names):
                for row, place in ((0, -4), (1, -2)):
                    cell, q = rows[name][place], tests.q_values[row, c]
                    ahead = int(tests.wins[row, c]) - int(tests.losses[row, c])
                    assert cell.startswith("–") == bool(q != q)
                    if q == q and ahead:
                        signs += 1
                        assert cell.startswith(order[ahead < 0]) and ("*" in cell) == (q <= 0.05)
            assert signs > 1


def test_words_in_no_reference(read: Open) -> None:
    with read("#words&kind=frequency") as reader:
        row = next(row for row in cells(reader, "table.kinds") if row[0] == "in no reference")
        assert row[1] == "–" and [cell.strip() for cell in row[4:7]] == ["–"] * 3
        assert row[-2].startswith("B 0.")
        name = "in no reference, B, over-generated: show the segments"
        reader.page.get_by_role("button", name=name).click()
        assert reader.texts(".filter-chip") == ["B over-generated frequency: in no reference ✕"]


def test_segments_begin_with_the_lead_of_the_better_system(read: Open, guides: Xray) -> None:
    scores = [system.scores for system in guides.systems]
    for word, sign in (("zoo", -1), ("tonight", 1)):
        with read("#words&contrast=over") as reader:
            reader.page.locator("#words .contrasts tr", has_text=word).get_by_role("button").click()
            listed = reader.listed()
            assert sorted(listed) == picked(guides, f"differ over: {word}")
            leads = [sign * (scores[0][k - 1] - scores[1][k - 1]) for k in listed]
            assert leads == sorted(leads) and len(set(leads)) > 1
            press(reader, "#to-words")
            reader.page.locator("table.words .opener").first.click()
            assert reader.listed() == sorted(reader.listed()) and len(reader.listed()) < SIZE


@pytest.mark.parametrize("width", [390, 1150, 1400])
def test_marked_words_are_in_sight(read: Open, width: int) -> None:
    with read("#segments&pick=missed%20word%3A%20today", viewport={"width": width, "height": 800}) as reader:
        inside = """[...document.querySelectorAll(".row .line")].filter((line) => line.querySelector("mark"))
            .map((line) => [line, line.querySelector("mark")].map((node) => node.getBoundingClientRect()))
            .map(([line, mark]) => mark.left >= line.left - 2 && mark.right <= line.right + 1)"""
        found = reader.evaluate(inside)
        assert found and all(found)


def test_each_show_is_of_its_own_table(read: Open) -> None:
    with read("#words") as reader:
        reader.page.locator("#contrast-only").select_option("function")
        assert reader.page.locator("#only").input_value() == "content"
        reader.page.locator("#only").select_option("all")
        assert reader.page.locator("#contrast-only").input_value() == "function"
        reader.page.reload()
        reader.page.wait_for_selector("body[data-ready=yes]", state="attached")
        chosen = [reader.page.locator(f"#{name}").input_value() for name in ("contrast-only", "only")]
        assert chosen == ["function", "all"]


def test_shares_say_of_what(read: Open) -> None:
    with read("#words&outcome=over") as reader:
        head = reader.texts("table.words thead th")
        assert head.count("of its uses") == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_have_no_colour_of_a_module(read: Open, scheme: str) -> None:
    with read("#segment=2&pick=missed%20word%3A%20today", color_scheme=scheme) as reader:
        style = "(name) => getComputedStyle(document.querySelector('#segment mark'))[name]"
        assert reader.evaluate(style, "backgroundColor") == "rgba(0, 0, 0, 0)"
        assert "inset" in reader.evaluate(style, "boxShadow")
