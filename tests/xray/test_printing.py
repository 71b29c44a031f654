"""Reports on paper: nothing is cut off, and no page is empty."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bolide import Meteor
from bolide.comparison.compare import ComparisonOptions
from bolide.xray import Annotations, of_texts
from tests.support.xray_browser import Reader, write

PLAIN = Meteor("linear", modules=["exact"], normalize="lower")
SYSTEMS, SEGMENTS = 23, 100
LONG = "a-domain-" + "d" * 191
UPRIGHT, ACROSS = "upright", "across"
Open = Callable[..., Reader]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many systems with long names, 50 documents, and a tag of 200 characters."""
    references = [" ".join(f"w{k}x{n}" for n in range(20)) for k in range(SEGMENTS)]
    systems = {
        f"system-{s:02d}-of-the-university-of-example": [
            " ".join("?" if (k + n) % 29 < s else word for n, word in enumerate(text.split()))
            for k, text in enumerate(references)
        ]
        for s in range(SYSTEMS)
    }
    found = of_texts(
        systems,
        references,
        PLAIN,
        ComparisonOptions(samples=20),
        documents=[f"document-{k // 2}" for k in range(SEGMENTS)],
        annotations=Annotations({"domain": [LONG, "web"] * (SEGMENTS // 2)}),
        title="On paper",
    )
    return write(found, tmp_path_factory.mktemp("paper") / "paper.html")


@pytest.fixture
def reader(chromium: Any, report: Path) -> Iterator[Reader]:
    with Reader(chromium, report) as found:
        yield found


def papers(reader: Reader) -> list[str]:
    """How each page is printed."""
    pdf = reader.page.pdf(format="A4", prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox\s*\[0 0 ([0-9.]+) ([0-9.]+)\]", pdf)
    return [UPRIGHT if float(width) < float(height) else ACROSS for width, height in boxes]


def on_paper(reader: Reader, width: int) -> None:
    """Shows the page as on paper of so many pixels."""
    reader.page.set_viewport_size({"width": width, "height": 1000})
    reader.page.emulate_media(media="print")


# A4 without margins, in pixels.
WIDTH, LENGTH = 688, 1016


def test_the_table_of_all_pairs_fits_on_paper_across(reader: Reader) -> None:
    assert papers(reader)[-1] == ACROSS  # no empty page after it
    on_paper(reader, LENGTH)
    table = reader.page.locator("table.pairs").bounding_box()
    assert table is not None and table["x"] + table["width"] <= LENGTH
    assert reader.count("table.pairs thead th") == SYSTEMS + 1
    sizes = reader.evaluate(
        "[...document.querySelectorAll('.pairs td')].map((td) => parseFloat(getComputedStyle(td).fontSize))"
    )
    assert min(sizes) >= 6  # pixels; 4.5 points


def test_long_tables_of_groups_begin_on_the_first_page(reader: Reader) -> None:
    reader.go("#groups&grouping=document")
    assert papers(reader) == [UPRIGHT, UPRIGHT, ACROSS]
    on_paper(reader, LENGTH)
    table = reader.page.locator(".matrix-of-groups").bounding_box()
    assert table is not None and table["x"] + table["width"] <= LENGTH


def test_names_of_groups_are_complete(reader: Reader) -> None:
    reader.go("#groups&grouping=domain")
    on_paper(reader, WIDTH)
    assert reader.evaluate("document.documentElement.scrollWidth <= innerWidth")
    cut = """[...document.querySelectorAll('.grouped :is(th, td), .matrix-of-groups :is(th, td)')]
        .filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)"""
    assert reader.evaluate(cut) == []
    assert LONG in reader.texts(".grouped tbody th")


@pytest.mark.parametrize("view", ["words", "groups"])
def test_every_view_has_the_title_of_the_report(reader: Reader, view: str) -> None:
    reader.go(f"#{view}")
    reader.page.emulate_media(media="print")
    shown = f"getComputedStyle(document.querySelector('#{view} .view-head'), '::before').content"
    assert reader.evaluate(shown) == '"On paper"'


def test_segments_that_differ_most_have_their_whole_text(reader: Reader) -> None:
    on_paper(reader, WIDTH)
    cut = (
        "[...document.querySelectorAll('.apart .line')].filter((line) => line.scrollWidth > line.clientWidth)"
    )
    assert reader.count(".apart .line") > 0
    assert reader.evaluate(f"{cut}.length") == 0
