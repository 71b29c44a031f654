"""The plots of the page with a real mouse: values, clicks, drags, and the legend."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bolide import Meteor
from bolide.comparison.compare import ComparisonOptions
from bolide.xray import of_texts
from tests.support.xray_browser import Reader, write
from tests.support.xray_texts import small

PLAIN = Meteor("linear", modules=["exact"], normalize="lower")
SIZE = 60
Open = Callable[..., Reader]


def texts(system: int) -> list[str]:
    """Segments of 3 to 70 words, of which a system gets some wrong."""
    found = []
    for k in range(SIZE):
        words = [f"w{k}x{n}" for n in range(3 + (k * 7) % 68)]
        wrong = (k * (system + 3)) % 7 + (system == 1)
        found.append(" ".join("?" if n % 7 < wrong else word for n, word in enumerate(words)))
    return found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    references = [" ".join(f"w{k}x{n}" for n in range(3 + (k * 7) % 68)) for k in range(SIZE)]
    systems = {"one <b>": texts(0), "two": texts(1), "three": texts(2)}
    found = of_texts(systems, references, PLAIN, ComparisonOptions(samples=20), title="Plots")
    return write(found, tmp_path_factory.mktemp("plots") / "plots.html")


@pytest.fixture
def reader(chromium: Any, report: Path) -> Iterator[Reader]:
    with Reader(chromium, report) as found:
        yield found


def places(reader: Reader, name: str) -> dict[str, Any]:
    """Where the plot is on the screen; it is drawn and in view."""
    reader.page.locator(f"#plot-{name} svg").wait_for(state="attached")
    reader.page.locator(f"#plot-{name}").scroll_into_view_if_needed()
    return dict(
        reader.evaluate(
            """async (name) => {
                const plot = xray.overview.plots[name];
                await plot.drawn;
                const box = plot.canvas.querySelector("svg").getBoundingClientRect();
                const {origin, size, zoom} = plot.places;
                return {left: box.left + origin.x * zoom, top: box.top + origin.y * zoom,
                        width: size.x * zoom, height: size.y * zoom};
            }""",
            name,
        )
    )


def point(plot: dict[str, Any], x: float, y: float = 0.5) -> tuple[float, float]:
    """A place on the screen, given as shares of the width and height of the plot."""
    return plot["left"] + x * plot["width"], plot["top"] + (1 - y) * plot["height"]


def drag(reader: Reader, plot: dict[str, Any], start: tuple[float, float], end: tuple[float, float]) -> None:
    reader.page.mouse.move(*point(plot, *start))
    reader.page.mouse.down()
    reader.page.mouse.move(*point(plot, *[(a + b) / 2 for a, b in zip(start, end, strict=True)]))
    reader.page.mouse.move(*point(plot, *end))
    reader.page.mouse.up()


def scores(reader: Reader, system: int) -> list[float]:
    return list(reader.evaluate(f"[...xray.report.scores[{system}]]"))


def test_a_drag_filters_segments(reader: Reader) -> None:
    drag(reader, places(reader, "scores"), (0.21, 0.5), (0.44, 0.2))
    assert reader.hash == "#overview&low=0.2&high=0.45"
    expected = [k for k, score in enumerate(scores(reader, 0), 1) if 0.2 <= score <= 0.45]
    assert reader.text(".filtered .total") == f"{len(expected)} of {SIZE} segments"
    assert reader.count(".chosen-range:visible") == 3  # in both plots of scores, and in that of A and B
    reader.page.locator("#overview-show").click()
    assert reader.listed() == expected
    assert reader.texts("#filters .filter-chip") == ["score of A: 0.2 to 0.45 ✕"]
    reader.page.go_back()
    reader.page.get_by_role("button", name="Remove the filter: score of A").click()
    assert (reader.hash, reader.count(".chosen-range:visible"), reader.count(".filtered:visible")) == (
        "#overview",
        0,
        0,
    )


def test_the_chosen_range_is_where_it_was_dragged(reader: Reader) -> None:
    plot = places(reader, "cumulative")
    drag(reader, plot, (0.5, 0.5), (0.75, 0.5))
    box = reader.page.locator("#plot-cumulative .chosen-range").bounding_box()
    assert box["x"] == pytest.approx(plot["left"] + 0.5 * plot["width"], abs=1.5)
    assert box["width"] == pytest.approx(0.25 * plot["width"], abs=1.5)
    assert (box["y"], box["height"]) == (
        pytest.approx(plot["top"], abs=1.5),
        pytest.approx(plot["height"], abs=1.5),
    )


def test_a_click_chooses_one_bar(reader: Reader) -> None:
    plot = places(reader, "differences")
    reader.page.mouse.click(*point(plot, 0.5))
    assert reader.hash == "#overview&lead_low=-0.01&lead_high=0.01"
    reader.page.mouse.click(*point(plot, 0.999))
    assert reader.hash == "#overview&lead_low=0.29"
    plot = places(reader, "lengths")
    reader.page.mouse.click(*point(plot, 1.5 / 7))
    assert "shortest=11&longest=20" in reader.hash
    drag(reader, plot, (5.5 / 7, 0.5), (6.5 / 7, 0.5))
    assert "shortest=51" in reader.hash and "longest" not in reader.hash


def test_a_drag_that_is_given_up_changes_nothing(reader: Reader) -> None:
    plot = places(reader, "scores")
    reader.page.mouse.move(*point(plot, 0.2))
    reader.page.mouse.down()
    reader.page.mouse.move(*point(plot, 0.5))
    assert reader.page.locator("#plot-scores .chosen-range").is_visible()
    reader.press("Escape")
    reader.page.mouse.up()
    assert (reader.hash, reader.page.locator("#plot-scores .chosen-range").is_visible()) == ("", False)


def test_values_at_the_pointer(reader: Reader) -> None:
    plot = places(reader, "cumulative")
    reader.page.mouse.move(*point(plot, 0.5))
    note = reader.page.locator("#note")
    lines = note.inner_text().split("\n")
    assert lines[0] == "up to 0.500"
    for s, name in enumerate(("one <b>", "two", "three")):
        share = sum(score <= 0.5 for score in scores(reader, s)) / SIZE
        assert f"{name}\t{100 * share:.1f}%" in lines
    assert note.locator("b b").count() == 0  # names are text
    plot = places(reader, "scores")
    reader.page.mouse.move(*point(plot, 0.51))
    one = sum(0.5 <= score < 0.525 for score in scores(reader, 0))
    assert f"one <b>\t{one} segment" in note.inner_text()
    plot = places(reader, "differences")
    reader.page.mouse.move(*point(plot, 0.5))
    ties = sum(abs(a - b) < 0.01 for a, b in zip(scores(reader, 0), scores(reader, 1), strict=True))
    assert f"{ties} segment" in note.inner_text()
    reader.page.mouse.move(5, 5)
    assert note.is_hidden()
    reader.page.locator("#plot-ranking .mark-symbol path").first.hover()
    assert "system" in note.inner_text() and "score" in note.inner_text()


def test_systems_are_shown_and_hidden(reader: Reader) -> None:
    def lines() -> int:
        places(reader, "scores")
        return reader.count("#plot-scores .mark-line path[d]")

    assert lines() == 3
    reader.page.locator("#legend-1").click()
    assert reader.evaluate("document.activeElement.id") == "legend-1"
    assert (lines(), reader.page.locator("#legend-1").get_attribute("aria-pressed")) == (2, "false")
    plot = places(reader, "cumulative")
    reader.page.mouse.move(*point(plot, 0.5))
    assert "two" not in reader.text("#note")
    reader.page.locator("#legend-all").press("Enter")
    assert lines() == 3
    reader.page.locator("#legend-pair").click()
    assert (lines(), reader.page.locator("#legend-2").get_attribute("aria-pressed")) == (2, "false")
    reader.page.locator(".chooser-against").first.select_option("2")  # B is always visible at first
    assert reader.page.locator("#legend-2").get_attribute("aria-pressed") == "true"


def test_a_saved_picture_has_its_legend(chromium: Any, report: Path, tmp_path: Path) -> None:
    with Reader(chromium, report, accept_downloads=True) as reader:
        places(reader, "scores")
        assert reader.count("#plot-scores .role-legend") == 0
        reader.page.locator("#legend-1").click()
        with reader.page.expect_download() as download:
            reader.page.get_by_role("button", name="Save the plot “Distribution of scores” as SVG").click()
        download.value.save_as(tmp_path / "plot.svg")
        text = (tmp_path / "plot.svg").read_text("utf-8")
        assert "one &lt;b&gt;" in text and ">three<" in text and ">two<" not in text


def test_the_plot_of_both_systems(reader: Reader) -> None:
    a, b = scores(reader, 0), scores(reader, 1)
    plot = places(reader, "scatter")
    assert reader.count("#plot-scatter .mark-symbol path") == SIZE
    drag(reader, plot, (0.105, 0.595), (0.495, 0.205))
    state = reader.evaluate("xray.state")
    assert [state[name] for name in ("low", "high", "low_b", "high_b")] == [0.1, 0.5, 0.2, 0.6]
    expected = [k for k in range(SIZE) if 0.1 <= a[k] <= 0.5 and 0.2 <= b[k] <= 0.6]
    assert reader.text(".filtered .total") == f"{len(expected)} of {SIZE} segments"
    far = [min(abs(a[k] - a[j]) + abs(b[k] - b[j]) for j in range(SIZE) if j != k) for k in range(SIZE)]
    alone = far.index(max(far))
    reader.page.mouse.move(*point(plot, a[alone], b[alone]))
    assert reader.text("#note").startswith(f"segment {alone + 1}\n")
    reader.page.mouse.click(*point(plot, a[alone], b[alone]))
    assert reader.text("#segment-title") == f"Segment {alone + 1}"


def test_a_system_is_chosen_in_a_plot(reader: Reader) -> None:
    places(reader, "ranking")
    worst = min(range(3), key=lambda s: reader.evaluate(f"xray.report.systems[{s}].score"))
    reader.page.locator("#plot-ranking .mark-symbol path").nth(worst).click()
    assert reader.evaluate("xray.state.system") == worst
    places(reader, "matches")
    reader.page.locator("#plot-matches .mark-rect path").first.click()
    assert reader.evaluate("xray.state.module") == "exact"


def test_many_systems_are_not_all_shown_at_first(chromium: Any, tmp_path: Path) -> None:
    systems = {f"system-{k}": ["a b " + "x " * k, "c d"] for k in range(24)}
    found = of_texts(systems, ["a b", "c d"], PLAIN, ComparisonOptions(test="none"))
    with Reader(chromium, write(found, tmp_path / "many.html"), "#overview&system=system-20") as reader:
        shown = reader.texts(".legend-system[aria-pressed=true]")
        assert {"system-20", "system-1", "system-0"} <= {name.strip() for name in shown}
        assert len(shown) < 8
        places(reader, "ranking")
        assert reader.count("#plot-ranking .mark-symbol path") == 24  # this plot always has all systems
        places(reader, "scores")
        assert reader.count("#plot-scores .mark-line path[d]") == len(shown)
        looks = reader.evaluate(
            """[...document.querySelectorAll('.systems .dot')].map((dot) => {
                const {backgroundColor, clipPath, borderRadius} = getComputedStyle(dot);
                return [backgroundColor, clipPath, borderRadius].join();
            })"""
        )
        assert len(set(looks)) == 24


def test_no_plot_shrinks_on_a_phone(chromium: Any, english: Meteor, tmp_path: Path) -> None:
    """Letters have their usual size, also in a legend of all modules."""
    path = write(small(english), tmp_path / "modules.html")
    with Reader(chromium, path, viewport={"width": 390, "height": 844}) as phone:
        for name in ("scores", "cumulative", "lengths", "ranking", "matches", "differences", "scatter"):
            places(phone, name)
            shown, natural, height = phone.evaluate(
                """(name) => {
                    const picture = document.querySelector(`#plot-${name} svg`);
                    const box = picture.getBoundingClientRect();
                    return [box.width, Number(picture.getAttribute("width")), box.height];
                }""",
                name,
            )
            assert shown >= 0.97 * natural, name
            assert height >= 80
        parts = phone.page.locator("#plot-matches text").all_text_contents()
        assert {"hypothesis, content words", "reference, function words"} <= set(parts)
