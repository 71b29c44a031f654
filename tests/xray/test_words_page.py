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
