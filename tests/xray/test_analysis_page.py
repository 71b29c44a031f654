"""The views of words and groups in a real browser, with mouse and keyboard. See test_page.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bolide import Meteor
from bolide.analysis.classes import minor_words
from bolide.comparison.compare import ComparisonOptions
from bolide.xray import Annotations, OtherScores, Xray, of_texts, picks
from tests.support.xray_browser import Reader, write

Open = Callable[..., Reader]
SIZE = 14
PLACES = ("harbour", "castle", "market", "station")
# Text of users, wherever they can give it.
IMAGE = '"><img/src=x/onerror=alert(1)>'
SCRIPT = "</script><script>alert(2)</script>"


def texts() -> dict[str, list[str]]:
    """References, and two systems: north mostly says "tonight" for "today"; south gets places wrong."""
    found: dict[str, list[str]] = {"reference": [], "north": [], "south": []}
    for k in range(SIZE):
        text = f"The old guide shows the {PLACES[k % 4]} to {k + 3} visitors today."
        found["reference"].append(text)
        found["north"].append(text.replace("today", "tonight") if k % 7 else text)
        wrong = text.replace(PLACES[k % 4], "zoo") if k % 4 < 2 else text
        found["south"].append(wrong.replace("The ", "") if k % 3 else wrong)
    return found


def made(english: Meteor, **options: Any) -> Xray:
    given = texts()
    systems = {"north": given["north"], "south": given["south"]}
    line = "DET ADJ NOUN VERB DET NOUN PART NUM NOUN ADV PUNCT"
    labels = [[line.split()] * SIZE]
    about = Annotations({"day": ["odd" if k % 2 else "even" for k in range(SIZE)]}, labels)
    return of_texts(
        systems,
        given["reference"],
        english,
        ComparisonOptions(samples=50),
        **{"annotations": about, "title": "Guides", **options},
    )


@pytest.fixture(scope="module")
def guides(english: Meteor) -> Xray:
    return made(english)


@pytest.fixture(scope="module")
def report(guides: Xray, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(guides, tmp_path_factory.mktemp("analysis") / "guides.html")


@pytest.fixture
def read(chromium: Any, report: Path) -> Open:
    def opened(link: str = "", path: Path = report, **options: Any) -> Reader:
        return Reader(chromium, path, link, **options)

    return opened


def cells(reader: Reader, table: str) -> list[list[str]]:
    return [row.split("\t") for row in reader.texts(f"{table} tbody tr")]


def picked(xray: Xray, text: str, system: int = 0, against: int | None = 1) -> list[int]:
    """The segments that pass a filter of words, counted from 1."""
    return [int(k) + 1 for k in np.flatnonzero(picks.passes(xray.words(), system, against, text))]


# ---- words -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("only", ["content", "function", "all"])
@pytest.mark.parametrize("what", ["missed", "over", "ngrams"])
def test_what_a_and_b_do_differently(read: Open, guides: Xray, what: str, only: str) -> None:
    words = guides.words()
    minor = dict(
        zip(words.vocabulary, minor_words(words.vocabulary, guides.function_words).tolist(), strict=True)
    )
    expected: list[list[list[str]]] = [[], []]
    for row in words.differences("north", "south", what, None):
        less = all(minor[word] for word in row.words)
        if row.wins + row.losses > 1 and (only == "all" or less == (only == "function")):
            own = [" ".join(row.words), *map(str, row.counts), f"{row.wins} : {row.losses}"]
            if row.wins != row.losses:
                expected[row.wins < row.losses].append(own)
    with read("#words") as reader:
        reader.page.locator("#contrast").select_option(what)
        reader.page.locator("#contrast-only").select_option(only)
        if (more := reader.page.locator("#more-contrasts")).count():
            more.click()
        for side, rows in enumerate(expected):
            column = f"#words .apart > div:nth-child({side + 1})"
            assert [row[:4] for row in cells(reader, column)] == rows
    assert any(expected) or (only == "function" and what != "missed")


def test_the_strongest_differences_come_first(read: Open) -> None:
    """Without any choice, the first screen shows what a system gets wrong, by any measure."""
    with read("#words") as reader:
        sides = [cells(reader, f"#words .apart > div:nth-child({k})") for k in (1, 2)]
        shown = [{(row[0], row[1]) for row in rows} for rows in sides]
        assert {("zoo", "over-generated"), ("the", "missed")} <= shown[0]
        assert {("today", "missed"), ("tonight", "over-generated")} <= shown[1]
        for rows in sides:
            assert rows[0][-1].endswith("*")
            rates = [float(row[-1].strip("* \u2007").replace("< ", "")) for row in rows if row[-1][0] != "–"]
            assert rates == sorted(rates) and len(rates) > 1
        facts = reader.text("#words .apart ~ p")
        assert "words missed, or the" in facts and "n-grams found" in facts
        first = reader.page.locator("#words .contrasts tbody th").first
        box = first.bounding_box()
        assert box is not None and box["y"] + box["height"] < 900
        listed = [row[0] for row in cells(reader, "table.words")]
        assert listed[0] == "today" and not {"the", ".", "to"} & set(listed)
        reader.page.locator("#only").select_option("function")
        assert not {"today", "harbour"} & {row[0] for row in cells(reader, "table.words")}
        assert "only=function" in reader.hash


def test_a_row_opens_its_segments_with_the_word_marked(read: Open, guides: Xray) -> None:
    with read("#words&contrast=missed") as reader:
        row = reader.page.locator("#words .contrasts tr", has_text="harbour")
        row.get_by_role("button").click()
        assert sorted(reader.listed()) == picked(guides, "differ missed: harbour")
        assert reader.texts("#filters .filter-chip") == ["words missed: A and B differ in “harbour” ✕"]
        first = reader.page.locator(".row").first
        assert first.locator("mark").all_inner_texts() == ["harbour", "harbour"]  # reference and A, not B
        first.click()
        assert reader.texts("#segment .texts mark") == ["harbour", "harbour"]
        reader.page.locator("#chip-pick").click()
        assert (len(reader.listed()), reader.count("mark")) == (SIZE, 0)
        reader.page.go_back()
        reader.page.wait_for_function("!document.getElementById('words').hidden")


def test_words_are_marked_in_both_forms_and_beside_a_search(read: Open) -> None:
    link = "#segment=2&pick=differ%20ngrams%3A%20guide%20shows&text=visitors"
    with read(link) as reader:
        assert reader.texts("#segment .reference mark") == ["guide", "shows", "visitors"]
        reader.press("w")
        assert reader.texts("#segment .reference mark") == ["guide", "shows", "visitors"]
    with read("#segment=1&pick=over%20function%3A%20content%20words") as reader:
        assert reader.texts("#segment .reference mark") == []
    with read("#segment=2&pick=missed%20label%201%3A%20ADV") as reader:
        assert reader.texts("#segment .texts mark") == ["today"]


def test_kinds_of_words(read: Open, guides: Xray) -> None:
    with read("#words") as reader:
        reader.page.locator("#kind").select_option("label 1")
        rows = {row[0]: row for row in cells(reader, "table.kinds") if row[0] in ("NOUN", "ADV")}
        for name, row in rows.items():
            own = {each.name: each for each in guides.words().classes("north", "label 1")}[name]
            assert row[1] == str(own.reference)
            assert [row[-5], row[-3], row[-1]] == [str(own.missed), str(own.over), str(own.moved)]
        name = "ADV, A, missed: show the segments"
        reader.page.get_by_role("button", name=name).click()
        assert reader.listed() == picked(guides, "missed label 1: ADV")
        assert reader.texts(".row mark")[:1] == ["today"]


def test_words_of_b_keep_a_and_b(read: Open, guides: Xray) -> None:
    with read("#words&outcome=over&kind=label%201") as reader:
        for name, pick, chip in (
            ("zoo, B, over-generated", "over word: zoo", "B over-generated word: zoo ✕"),
            ("ADV, B, missed", "missed label 1: ADV", "B missed label 1: ADV ✕"),
            ("DET, B, missed", "missed label 1: DET", "B missed label 1: DET ✕"),
        ):
            button = reader.page.get_by_role("button", name=f"{name}: show the segments")
            if not button.count():
                continue
            button.click()
            assert reader.evaluate("[xray.state.system, xray.state.against]") == [0, 1]
            assert reader.listed() == picked(guides, pick, 1, 0) == picked(guides, f"B {pick}")
            assert reader.listed() and picked(guides, f"B {pick}", 0, None) == []
            assert reader.texts("#filters .filter-chip") == [chip]
            assert reader.count(".row mark") >= 1
            reader.page.locator(".row").first.click()
            assert reader.count("#segment .texts mark") >= 1
            reader.page.locator("#to-words").click()
            assert reader.evaluate("[xray.state.system, xray.state.against]") == [0, 1]


def test_words_by_keys(read: Open, guides: Xray) -> None:
    with read() as reader:
        reader.press("d")
        assert reader.evaluate("document.activeElement !== null && xray.state.view") == "words"
        reader.page.locator("#find-word").focus()
        reader.page.keyboard.type("HARB")
        assert [row[0] for row in cells(reader, "table.words")] == ["harbour"]
        assert reader.evaluate("document.activeElement.id") == "find-word"
        reader.page.locator("table.words button").first.focus()
        reader.press("Enter")
        found = picked(guides, "B missed word: harbour")
        assert reader.listed() in (picked(guides, "missed word: harbour"), found)
        reader.press("g")
        assert reader.evaluate("xray.state.view") == "groups"
        reader.page.locator("#groups .opener").first.focus()
        reader.press("Space")
        assert reader.evaluate("[xray.state.view, xray.state.group]") == ["segments", "day: even"]


# ---- groups ------------------------------------------------------------------------------------------


def test_groups(read: Open, guides: Xray) -> None:
    groups = guides.groups()
    with read("#groups") as reader:
        assert reader.page.locator("#grouping").input_value() == "day"
        for row, group in zip(cells(reader, "table.grouped"), groups["day"], strict=True):
            north, south = group["north"], group["south"]
            assert row[:2] == [group.name, str(north.segments)]
            assert row[2] == f"{north.score:.4f}" and f"{south.score:.4f}" in row
            pair = group.pair("north", "south")
            assert row[-1] == f"{pair.wins}/{pair.ties}/{pair.losses}"
        reader.page.get_by_role("button", name="odd: show the segments").click()
        assert reader.listed() == list(range(2, SIZE + 1, 2))
        reader.go("#groups&grouping=length%20ratio")
        row = next(row for row in cells(reader, "table.grouped") if row[0] == "0.95 – < 1.05")
        places = [group.name for group in groups["length ratio"]].index(row[0])
        counts = [system.segments for system in groups["length ratio"].groups[places].systems]
        assert [row[1], row[4]] == [str(count) for count in counts]
        reader.page.get_by_role("button", name=f"{row[0]}, B: show the segments").click()
        assert len(reader.listed()) == counts[1]
        assert reader.evaluate("[xray.state.system, xray.state.against]") == [0, 1]
        assert reader.texts("#filters .filter-chip") == [f"B length ratio: {row[0]} ✕"]


# ---- every window, light and dark, print ---------------------------------------------------------------

VIEWS = ("#words", "#words&kind=label%201&contrast=ngrams&only=all", "#groups",
         "#groups&grouping=length%20ratio", "#segments&pick=missed%20word%3A%20today",
         "#segment=2&pick=differ%20missed%3A%20castle&group=day%3A%20odd")  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(read: Open, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    with read(color_scheme=scheme) as reader:
        for link in VIEWS:
            reader.go(link)
            violations = axe.Axe().run(reader.page).response["violations"]
            assert [(v["id"], [node["target"] for node in v["nodes"]][:3]) for v in violations] == []


@pytest.mark.parametrize("width", [320, 390])
def test_phones(read: Open, width: int) -> None:
    with read(viewport={"width": width, "height": 844}, has_touch=True, is_mobile=True) as reader:
        for link in ("#overview", *VIEWS):
            reader.go(link)
            assert reader.evaluate("document.documentElement.scrollWidth") <= width
            tabs = [tab.bounding_box() for tab in reader.page.locator(".top nav a").all()]
            assert all(tab is not None and tab["height"] <= 48 for tab in tabs)
            if width >= 390:  # all are in view, each on one line
                assert tabs[-1] is not None and tabs[-1]["x"] + tabs[-1]["width"] < width
                lines = "[...document.querySelectorAll('.top nav a')].map((a) => a.getClientRects().length)"
                assert reader.evaluate(lines) == [1] * 4
        reader.go("#words")
        reader.page.locator("#words .opener").first.tap()
        assert reader.evaluate("xray.state.view") == "segments"
        assert reader.page.locator(".row").first.is_visible()


def test_printing(read: Open) -> None:
    with read(color_scheme="dark") as reader:
        for link in ("#words&contrast=ngrams&only=all", "#groups"):
            reader.go(link)
            assert reader.count("#more-contrasts") == 1 or link == "#groups"
            assert reader.page.pdf(format="A4").startswith(b"%PDF")
            reader.page.emulate_media(media="print", color_scheme="dark")
            assert reader.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
            assert reader.page.locator(f"{link.split('&')[0]} h1").is_visible()
            for hidden in ("header.top", "#find-word", "#more-contrasts"):
                assert not reader.page.locator(hidden).is_visible()
            reader.page.emulate_media(media="null", color_scheme="dark")


# ---- text is data --------------------------------------------------------------------------------------


def test_text_is_never_markup_in_any_new_place(read: Open, tmp_path: Path) -> None:
    """Names, tags and their titles, labels, frequencies, words and metrics, in every view that shows them."""
    plain = Meteor("linear", modules=["exact"], normalize="none")
    word = "<b>x</b>"
    count = 8
    references = [f"{word} {SCRIPT} a {IMAGE}"] * count
    systems = {IMAGE: references, SCRIPT: [f"a {word}"] * count, word: [IMAGE] * count}
    tags = {IMAGE: [SCRIPT, word] * (count // 2), SCRIPT: [f"{word}|{IMAGE}"] * count}
    labels = [[[word, SCRIPT, "X", IMAGE]] * count]
    about = Annotations(tags, labels, frequencies={word: 3, SCRIPT: 10**6})
    scores = [OtherScores(name, {system: [0.5] * count for system in systems}) for name in (IMAGE, SCRIPT)]
    found = of_texts(
        systems, references, plain, ComparisonOptions(samples=10), annotations=about, scores=scores
    )
    path = write(found, tmp_path / "hostile.html")
    assert "alert" not in path.read_text("utf-8").split("</title>")[1]
    with read("#words", path) as reader:
        assert SCRIPT in [row[0] for row in cells(reader, "#words .contrasts")]
        kinds = reader.evaluate("xray.report.analysis.kinds.map((kind) => kind.name)")
        names = reader.evaluate("xray.report.analysis.groups.map((grouping) => grouping.name)")
        assert {IMAGE, SCRIPT} <= set(names)
        for what in ("missed", "over", "ngrams"):
            reader.page.locator("#contrast").select_option(what)
        for kind in kinds:
            reader.page.locator("#kind").select_option(kind)
            assert SCRIPT in reader.text("table.kinds") or kind != "label 1"
        reader.go("#overview")
        reader.page.locator("#plot-differences svg").wait_for(state="attached")
        assert {IMAGE, SCRIPT} <= set(reader.text(".systems thead tr").split("\t"))
        reader.go("#segment=1")
        assert SCRIPT in reader.text("#segment")
        reader.go("#groups")
        for name in names:
            reader.page.locator("#grouping").select_option(name)
        reader.page.locator("#grouping").select_option(SCRIPT)
        assert [row[0] for row in cells(reader, "table.grouped")] == [word, IMAGE]
        reader.page.get_by_role("button", name=f"{IMAGE}: show the segments").click()
        assert reader.texts("#filters .filter-chip") == [f"{SCRIPT}: {IMAGE} ✕"]
        reader.page.locator(".row").first.click()
        reader.go("#words&contrast=missed")
        reader.page.locator("#words .contrasts tr", has_text=SCRIPT).first.get_by_role("button").click()
        assert f"“{SCRIPT}”" in reader.text("#filters .filter-chip")
        assert SCRIPT in reader.texts(".row mark")
        assert reader.evaluate("document.querySelectorAll('img, main script, main b b').length") == 0
        assert reader.evaluate("document.scripts.length") == 5  # the page's own, and Vega
