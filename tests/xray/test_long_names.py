"""Long names, and names with characters that turn text around: the page stays readable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bolide import Meteor
from bolide.comparison.compare import ComparisonOptions
from bolide.xray import Annotations, of_texts
from tests.support.xray_browser import Reader, write

PLAIN = Meteor("linear", modules=["exact"], normalize="lower")
LONG, TURNED = "L" * 200, "a \u202eb"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The default title has the names of all three systems."""
    systems = {LONG: ["a b", "c"], TURNED: ["a", "c d"], "three": ["a", "c"]}
    about = Annotations({"domain": [LONG, TURNED]})
    found = of_texts(systems, ["a b", "c"], PLAIN, ComparisonOptions(samples=10), annotations=about)
    return write(found, tmp_path_factory.mktemp("names") / "names.html")


def test_the_title_turns_no_text_and_fits(chromium: Any, report: Path) -> None:
    with Reader(chromium, report) as reader:
        assert reader.text("#overview h1").endswith(r"L, a \u202eb, three")
        assert "\u202e" not in reader.page.title()
        assert reader.evaluate("document.documentElement.scrollWidth <= innerWidth")
        box = reader.page.locator("#overview h1").bounding_box()
        wide = "((h) => h.scrollWidth > h.clientWidth)(document.querySelector('#overview h1'))"
        assert box is not None and not reader.evaluate(wide)


def test_names_of_files_are_not_too_long(chromium: Any, report: Path) -> None:
    with Reader(chromium, report, "#segments", accept_downloads=True) as reader:
        with reader.page.expect_download() as download:
            reader.page.get_by_role("button", name="TSV").click()
        assert download.value.suggested_filename == f"{'L' * 60}-segments.tsv"


def test_long_groups_leave_room_and_have_tooltips(chromium: Any, report: Path) -> None:
    with Reader(chromium, report, "#groups&grouping=domain") as reader:
        for where in (".grouped tbody th", ".matrix-of-groups thead th bdi"):
            name = reader.page.locator(where, has_text="LLLL").first
            assert name.get_attribute("title") == LONG
        for table in (".grouped", ".matrix-of-groups"):
            box = reader.page.locator(table).bounding_box()
            assert box is not None and box["width"] < 1400
