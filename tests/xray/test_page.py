"""The X-ray page as readers use it, in a real browser.

Every test ends with a check (`xray_browser.Reader`): the page must not complain (console, errors, dialogs),
and must not request anything outside its file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from bolide import Meteor
from bolide.comparison.reports.style import from_table
from bolide.xray import Xray, of_java, of_texts
from bolide.xray.plots import PLOTS
from tests.support.paths import GOLDEN
from tests.support.xray_browser import Reader, write
from tests.support.xray_texts import SCORES, SYSTEMS, small

JAVA = GOLDEN / "java"
PLAIN = Meteor("linear", modules=["exact"], normalize="lower")
Open = Callable[..., Reader]


@pytest.fixture(scope="module")
def ferries(english: Meteor) -> Xray:
    return small(english)


@pytest.fixture(scope="module")
def report(ferries: Xray, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(ferries, tmp_path_factory.mktemp("report") / "ferries.html")


@pytest.fixture
def read(chromium: Any, report: Path) -> Open:
    """Opens this report, or another, at a link."""

    def opened(link: str = "", path: Path = report, **options: Any) -> Reader:
        return Reader(chromium, path, link, **options)

    return opened


def written(tmp_path: Path, systems: dict[str, list[str]], references: list[str], **options: Any) -> Path:
    found = of_texts(systems, [[text] for text in references], PLAIN, layout="segments", **options)
    return write(found, tmp_path / "report.html")


# ---- overview ----------------------------------------------------------------------------------------


def test_overview_shows_every_system_with_its_figures(read: Open, ferries: Xray) -> None:
    with read() as reader:
        rows = [row.split("\t") for row in reader.texts(".systems tbody tr")]
        results = [system.result for system in ferries.systems if system.result is not None]
        ranked = sorted(results, key=lambda result: -result.score.score)
        for row, system in zip(rows, ranked, strict=True):
            assert system.interval is not None
            score, (low, high) = system.score, system.interval
            figures = [score.precision, score.recall, score.fmean, score.penalty]
            assert [cell for cell in row if cell][1:] == [
                system.name, f"{score.score:.4f}", f"{low:.4f} – {high:.4f}", *(f"{f:.4f}" for f in figures),
                str(score.chunks), f"{100 * score.hypothesis_length / score.reference_length:.1f}%",
            ]  # fmt: skip
        assert str(ferries.signature) in reader.text(".lede")


def test_overview_draws_all_plots(read: Open) -> None:
    with read() as reader:
        for name in PLOTS:
            picture = reader.page.locator(f"#plot-{name} svg")
            picture.wait_for(state="attached")
            assert picture.locator("path[d], text").count() > 5
        assert (
            reader.evaluate("document.querySelectorAll('.plot svg [fill*=NaN], .plot svg [d*=NaN]').length")
            == 0
        )


def test_matches_by_module_and_class_are_the_corpus_totals(read: Open, ferries: Xray) -> None:
    with read() as reader:
        reader.page.locator("details > summary", has_text="Show numbers").click()
        rows = [row.split("\t") for row in reader.texts("#overview details tbody tr")]
        assert len(rows) == 2 * 2 * 2  # systems, sides, classes
        found = ferries.totals("north")
        assert found is not None
        totals = found.tolist()
        content = [int(cell) for cell in rows[0][3:]]
        assert content[:-1] == totals[4:-3:4]
        assert sum(content) == totals[0] - totals[2]


def test_verdict_on_two_systems(read: Open, ferries: Xray) -> None:
    (pair,) = ferries.pairs
    with read() as reader:
        assert reader.texts(".outcome-key b") == [str(pair.wins), str(pair.ties), str(pair.losses)]
        assert f"{pair.difference:+.4f}" in reader.text(".verdict-line")
        reader.page.get_by_role("button", name="Swap A and B").click()
        assert reader.texts(".outcome-key b") == [str(pair.losses), str(pair.ties), str(pair.wins)]
        furthest = reader.page.locator(".apart-list a").first
        number = furthest.locator(".number").first.inner_text()
        furthest.click()
        assert reader.text("#segment-title") == f"Segment {number}"


def test_names_are_short_and_complete_as_tooltips(read: Open, ferries: Xray, tmp_path: Path) -> None:
    long = "a-system-<b>-with-a-name-that-is-far-too-long-for-a-table"
    first = replace(ferries.systems[0], name=long, file=f"out/{long}.txt")
    second = replace(ferries.systems[1], file="out/south.txt")
    path = write(replace(ferries, systems=(first, second)), tmp_path / "named.html")
    with read("", path) as reader:
        name = reader.page.locator(".systems .name", has_text="…")
        assert name.inner_text() == "a-system-<b>-w…g-for-a-table"
        assert name.get_attribute("title") == f"{long} ({long}.txt)"
        reader.page.locator("#plot-ranking svg").wait_for(state="attached")
        assert name.inner_text() in reader.page.locator("#plot-ranking text").all_text_contents()
        dots = reader.evaluate(
            "[...document.querySelectorAll('.systems .dot')].map((d) => getComputedStyle(d).backgroundColor)"
        )
        reader.go("#segment=1")
        boxes = reader.evaluate(
            "['A', 'B'].map((s) => getComputedStyle(document.querySelector(`.side-${s}`)).borderColor)"
        )
        assert set(boxes) == set(dots) and len(set(dots)) == 2  # one colour for each, everywhere


# ---- list --------------------------------------------------------------------------------------------


def test_filters(read: Open) -> None:
    with read("#segments") as reader:
        assert reader.listed() == [1, 2, 3, 4]
        reader.choose({"text": "KATZE"})
        assert (reader.listed(), reader.text(".total")) == ([2], "1 of 4 segments")
        reader.choose({"text": "", "module": "stem"})
        assert 1 in reader.listed() and 4 not in reader.listed()
        reader.choose({"module": "", "shortest": "7", "longest": "8"})
        assert reader.listed() == [2]
        reader.page.get_by_role("button", name="Clear filters").click()
        assert reader.listed() == [1, 2, 3, 4]
        scores = reader.evaluate("[...xray.report.scores[0]]")
        reader.choose({"low": "0.4", "high": "0.9"})
        assert reader.listed() == [k for k, score in enumerate(scores, 1) if 0.4 <= score <= 0.9]


def test_only_where_a_beats_b(read: Open) -> None:
    with read("#segments") as reader:
        differences = reader.evaluate("[0, 1, 2, 3].map((k) => xray.report.difference(0, 1, k))")
        reader.choose({"margin": "0.1"})
        assert reader.listed() == [k for k, d in enumerate(differences, 1) if d >= 0.1]
        assert "margin=0.1" in reader.hash
        reader.press("x")
    with read("#segments&margin=0&system=south&against=north") as reader:
        assert reader.listed() == [k for k, d in enumerate(differences, 1) if d < 0]


def test_nothing_found(read: Open) -> None:
    with read("#segments&text=zzz") as reader:
        assert (reader.listed(), reader.count(".row"), reader.text(".total")) == ([], 0, "0 of 4 segments")
        assert "No segment passes all filters" in reader.text("#list")
        reader.page.locator("#nothing-clear").click()
        assert (reader.listed(), reader.count("#nothing-clear")) == ([1, 2, 3, 4], 0)


def test_active_filters_are_chips_that_can_be_removed(read: Open) -> None:
    with read("#segments&text=<b>&low=0.1&high=0.9&behind=0&shortest=2") as reader:
        chips = [chip.removesuffix(" ✕") for chip in reader.texts("#filters .filter-chip")]
        assert chips == ["“<b>”", "score of A: 0.1 to 0.9", "words ≥ 2", "B beats A"]
        assert reader.count(".filter-chip b") == 0
        reader.page.get_by_role("button", name="Remove the filter: score of A: 0.1 to 0.9").click()
        assert reader.hash == "#segments&text=%3Cb%3E&shortest=2&behind=0"
        reader.press("Tab", "Tab")
        reader.page.locator("#chip-text").press("Enter")
        assert reader.evaluate("document.activeElement.id") == "filter-text"
        differences = reader.evaluate("[0, 1, 2, 3].map((k) => xray.report.difference(0, 1, k))")
        assert reader.listed() == [k for k, d in enumerate(differences, 1) if d < 0]
        reader.page.locator("#list").focus()
        reader.press("c")  # without B, its filters do nothing
        assert reader.texts("#filters .filter-chip") == ["words ≥ 2 ✕"]


def test_filters_of_pairs_and_words(read: Open, tmp_path: Path) -> None:
    systems = {"one": ["a b c", "a x", "same same", "b"], "two": ["a b", "a b", "same same", "a b"]}
    path = written(tmp_path, systems, ["a b c", "a b", "same x", "a b"])
    with read("#segments", path) as reader:
        reader.choose({"equal": "yes"})
        assert reader.listed() == [3]
        reader.choose({"equal": "no", "unmatched": "X"})
        assert reader.listed() == [2]
        reader.choose({"equal": "", "unmatched": "x"})
        assert reader.listed() == [2, 3]
        reader.choose({"unmatched": "", "behind": "0.01"})
        assert reader.listed() == [2, 4]
        reader.choose({"behind": "", "lead_low": "0", "lead_high": "0"})
        assert reader.listed() == [3]
        reader.choose({"lead_low": "", "lead_high": "", "low_b": "0.9", "order": "contribution"})
        scores = reader.evaluate("[...xray.report.scores[1]]")
        assert set(reader.listed()) == {k + 1 for k in range(4) if scores[k] >= 0.9}
        reader.page.locator("#filters .chooser-against").select_option("")
        assert reader.page.locator("#filter-low_b").is_disabled()
        assert len(reader.listed()) == 4


def test_matches_that_the_search_left_out(read: Open, tmp_path: Path, english: Meteor) -> None:
    systems = {"<b>one</b>": ["Cats", "the cat", "dogs <i>run</i>"], "two": ["cat", "the cats", "cats"]}
    found = of_texts(systems, [["cat"], ["the cat"], ["dog\u202e"]], english, layout="segments")
    path = write(found, tmp_path / "report.html")
    with read("#segment=1", path) as reader:
        [item] = reader.texts(".left-out li")
        assert item.split() == ["A", "st", "Cats", "=", "cat", "(stem", "cat)"]
        assert "--aligner exact" in reader.text(".left-out p")
        reader.press("x")
        assert reader.texts(".left-out li")[0].startswith("B")
        reader.go("#segment=2")
        assert reader.count(".left-out") == 0
        reader.go("#segments")
        reader.choose({"left_out": "yes"})
        assert reader.listed() == [1, 3]
        assert reader.texts("#filters .filter-chip") == ["A: a match is left out ✕"]
        reader.choose({"left_out": "no"})
        assert (reader.listed(), "left_out=no" in reader.hash) == ([2], True)
    exact = of_texts(systems, [["cat"], ["the cat"], ["dog"]], Meteor(aligner="exact"), layout="segments")
    with read("#segment=1", write(exact, tmp_path / "exact.html")) as reader:
        assert (reader.count(".left-out"), reader.count("#filter-left_out")) == (0, 0)


def test_other_metrics(read: Open, tmp_path: Path, english: Meteor, ferries: Xray) -> None:
    path = write(small(english, scores=SCORES), tmp_path / "report.html")
    with read("", path) as reader:
        assert reader.texts(".systems thead th")[-2:] == ["<i>fluency</i>", "edit rate ↓"]
        assert reader.count(".systems i") == 0
        rows = {row.split("\t")[1].strip(): row.split("\t")[-2:] for row in reader.texts(".systems tbody tr")}
        assert rows["north"][0] == "0.7167"
        for expected in ("north", "south"):
            reader.page.locator("#sort-metric-1").click()  # the lowest edit rate is the best
            assert reader.texts(".systems tbody th .name")[0] == expected
        reader.page.locator("table.metrics a").last.click()
        leads = [one - two for one, two in zip(*(s.scores for s in ferries.systems), strict=True)]
        edits = zip(SCORES[1].segments["south"], SCORES[1].segments["north"], strict=True)
        disagreeing = [
            k for k, (lead, (one, two)) in enumerate(zip(leads, edits, strict=True), 1)
            if lead * (float(one or 0) - float(two or 0)) < 0
        ]  # fmt: skip
        chips = reader.texts("#filters .filter-chip")
        assert (reader.listed(), chips) == (disagreeing, ["METEOR and edit rate disagree ✕"])
        assert 0 < len(disagreeing) < 4
        reader.page.get_by_role("button", name="Clear filters").click()
        reader.choose({"metric": "<i>fluency</i>"})
        assert reader.listed() == [1, 2, 3]
        reader.choose({"metric_low": "0.6", "order": "metric"})
        assert reader.listed() == [3, 1]
        chip = "<i>fluency</i> of A ≥ 0.6 ✕"
        assert reader.texts("#filters .filter-chip") == [chip]
        reader.choose({"metric_low": "", "metric": "edit rate", "order": "metric_difference"})
        assert reader.listed() == [1, 4, 2, 3]
        assert reader.texts(".row-scores .number")[:2] == ["20.00", "80.00"]
    with read("#segment=4", path) as reader:
        cells = [row.split("\t") for row in reader.texts("#segment table.metrics tbody tr")]
        assert [row[0] for row in cells] == ["METEOR", "<i>fluency</i>", "edit rate ↓"]
        assert cells[1][1:] == ["–", "0.1000", "–"]
        assert cells[2][1:3] == ["60.50", "100.00"] and "A" in cells[2][3] and "39.50" in cells[2][3]
    with read("#segments", path, accept_downloads=True) as reader:
        with reader.page.expect_download() as download:
            reader.page.locator("#export-tsv").click()
        download.value.save_as(tmp_path / "tsv")
        head, *table = [line.split("\t") for line in (tmp_path / "tsv").read_text("utf-8").splitlines()]
        assert head[-2:] == ["<i>fluency</i> of south", "edit rate of south"]
        north = [head.index(f"{metric} of north") for metric in ("<i>fluency</i>", "edit rate")]
        assert [table[3][k] for k in north] == ["", "60.5"]


def test_short_segments_do_not_lead_by_contribution(read: Open, tmp_path: Path) -> None:
    words = " ".join(f"w{k}" for k in range(20))
    systems = {"one": ["a", words, "c c"], "two": ["b", words.replace("w1 ", "x "), "c c"]}
    path = written(tmp_path, systems, ["a", words, "c c"])
    with read("#segments&order=difference", path) as reader:
        assert reader.listed() == [1, 2, 3]
        reader.choose({"order": "contribution"})
        assert reader.listed() == [2, 1, 3]
        reader.go("#overview")
        assert reader.texts(".apart-list li:first-child .number")[0] == "2"


def test_listed_segments_can_be_saved(read: Open, tmp_path: Path) -> None:
    systems = {"=one": ["=SUM(A1)", "tab\there", "x"], "two": ["@a", "b\u202e", "x"]}
    path = written(tmp_path, systems, ["-a", "+", "x"], sources=["\\x3da", "<b>", "x"], title="T")
    with read("#segments&longest=1&order=length&reverse", path, accept_downloads=True) as reader:
        assert reader.listed() == [1, 2, 3]
        reader.choose({"text": "a"})
        for ending in ("tsv", "jsonl"):
            with reader.page.expect_download() as download:
                reader.page.locator(f"#export-{ending}").click()
            assert download.value.suggested_filename == f"T-segments.{ending}"
            download.value.save_as(tmp_path / ending)
        scores = reader.evaluate("[0, 1].map((s) => xray.report.scores[s][0].toFixed(6))")
        table = [line.split("\t") for line in (tmp_path / "tsv").read_text("utf-8").splitlines()]
        head = ["segment", "source", "reference", r"\x3done", r"score of =one", "two", "score of two"]
        assert table[0] == head
        row = ["1", r"\x5cx3da", r"\x2da", r"\x3dSUM(A1)", scores[0], r"\x40a", scores[1]]
        assert (table[1], len(table)) == (row, 3)
        assert table[2][3] == r"tab\x09here"
        assert from_table(table[1][1]) == r"\x3da"
        lines = [json.loads(line) for line in (tmp_path / "jsonl").read_text("utf-8").splitlines()]
        assert [line["segment"] for line in lines] == reader.listed()
        assert lines[0]["references"] == ["-a"]
        assert [system["text"] for system in lines[1]["systems"]] == ["tab\there", "b\u202e"]


def test_systems_can_be_sorted(read: Open, ferries: Xray) -> None:
    with read() as reader:
        names = [system.name for system in ferries.systems]

        def order() -> list[str]:
            return reader.texts(".systems tbody th .name")

        for column, figure in (("chunks", "chunks"), ("recall", "recall")):
            rising = column == "chunks"
            found = {s.name: getattr(s.result.score, figure) for s in ferries.systems if s.result}
            best = sorted(names, key=lambda name: found[name] * (1 if rising else -1))
            button = reader.page.locator(f"#sort-{column}")
            button.click()
            assert order() == best
            head = reader.page.locator("th[aria-sort]")
            assert head.get_attribute("aria-sort") == ("ascending" if rising else "descending")
            assert reader.evaluate("document.activeElement.id") == f"sort-{column}"
            button.press("Enter")
            assert order() == best[::-1]
        reader.page.locator("#sort-name").click()
        assert order() == sorted(names)
        assert "share of the reference" in reader.page.locator("#sort-recall").get_attribute("title")
        reader.page.locator(".definitions summary").click()
        assert "share of the reference" in reader.text(".definitions dl")


def test_orders(read: Open) -> None:
    with read("#segments") as reader:
        scores = reader.evaluate("[...xray.report.scores[0]]")
        lowest_first = sorted(range(1, 5), key=lambda k: scores[k - 1])
        reader.choose({"order": "score"})
        assert reader.listed() == lowest_first
        reader.page.locator("#filter-reverse").click()
        assert reader.listed() == lowest_first[::-1]
        assert reader.texts(".row .row-number") == [str(k) for k in lowest_first[::-1]]
        assert reader.hash == "#segments&order=score&reverse"


def test_a_long_list_has_few_rows_in_the_page(read: Open, tmp_path: Path) -> None:
    size = 3000
    systems = {name: [f"w{k} {name} b" for k in range(size)] for name in ("one", "two")}
    path = written(tmp_path, systems, [f"w{k} a b" for k in range(size)])
    with read("#segments", path) as reader:
        assert 5 < reader.count(".row") < 60
        reader.page.locator("#list").focus()
        reader.press("End")
        assert reader.text(".row[aria-selected=true] .row-number") == "3000"
        assert reader.text("#segment-title") == "Segment 3,000"
        assert reader.count(".row") < 60
        reader.choose({"text": "w2999"})
        assert reader.listed() == [3000]


# ---- a segment ---------------------------------------------------------------------------------------


def test_segment_shows_texts_matches_and_arithmetic(read: Open, ferries: Xray, english: Meteor) -> None:
    with read("#segments") as reader:
        reader.page.locator(".row").nth(1).click()
        assert reader.hash == "#segment=2"
        assert reader.text(".texts .words") == ferries.segments[1].source
        for side, system in enumerate(("north", "south")):
            matches = ferries.alignment(system, 1, ferries.best(0, 1)).matches
            assert reader.count(f"svg.drawing .match.side-{'AB'[side]}") == len(matches)
            chunks = len({match.chunk for match in matches})
            dashed = "[stroke-dasharray]" if side else ":not([stroke-dasharray])"
            assert reader.count(f"svg.drawing .chunk{dashed}") == chunks
        explained = english.explain(SYSTEMS["north"][1], list(map(" ".join, ferries.segments[1].references)))
        lines = [line.replace("\n", " ") for line in reader.texts(".sum:first-child dd")]
        wanted = ["= " + " = ".join(line.expressions) for line in explained.lines]
        assert [re.sub(r"\s*\(words, .*\)$", "", line).replace("  ", " ") for line in lines] == wanted


def test_pointing_at_a_match_tells_why(read: Open) -> None:
    with read("#segment=1&against=") as reader:
        note = reader.page.locator("#note")
        assert note.is_hidden()
        match = reader.page.locator("svg.drawing .match.stage-1").first
        match.hover()
        assert "stem" in note.inner_text() and "ferries = ferry" in note.inner_text()
        assert "chunk" in note.inner_text() and "weight 0.6" in note.inner_text()
        assert reader.count(".words .pointed") == 2  # in both texts
        reader.page.mouse.move(5, 5)
        assert note.is_hidden()
        match.focus()
        assert "ferries = ferry" in note.inner_text()
        assert match.get_attribute("aria-label").startswith("stem: ferries = ferry; stem ferri")


def test_the_text_is_as_the_user_wrote_it_or_as_the_metric_sees_it(read: Open, tmp_path: Path) -> None:
    systems = {"one": ["The Re-election, now!"], "two": ["A re-election of Mr. Smith"]}
    path = written(tmp_path, systems, ["Now: the RE-election of Smith"])
    with read("#segment=1", path) as reader:
        shown = ["Now: the RE-election of Smith", "The Re-election, now!", "A re-election of Mr. Smith"]
        assert reader.texts(".texts .words") == reader.texts(".row .line") == shown
        assert "RE-election" in reader.page.locator("svg.drawing text").all_text_contents()
        reader.press("r")
        assert "RE-election" in reader.page.locator("svg.drawing text").all_text_contents()
        reader.page.locator("#segment-form").click()
        assert reader.hash == "#segment=1&drawing=ribbons&form=metric"
        assert reader.texts(".texts .words") == reader.texts(".row .line") == [s.lower() for s in shown]
        assert "re-election" in reader.page.locator("svg.drawing text").all_text_contents()
        reader.page.locator("#filter-form").click()
        assert reader.texts(".row .line") == shown


def test_both_forms_are_searched_and_hits_highlighted(read: Open, english: Meteor, tmp_path: Path) -> None:
    texts = ["The re-election of the U.S. president", "Nobody came."]
    long = "Many words stand before the one word that is looked for, which is: " + texts[0]
    found = of_texts({"one": texts, "two": [long, "no"]}, [texts[0], "Somebody came"], english)
    with read("#segments", write(found, tmp_path / "report.html")) as reader:
        for text, marks in (
            ("RE-Election", ["re-election"]),
            ("re election", ["re", "election"]),
            ("us president", ["U.S.", "president"]),
        ):
            reader.choose({"text": text})
            assert reader.listed() == [1]
            assert reader.texts(".row mark") == 3 * marks
            reader.go(f"#segment=1&text={text}")
            assert "".join(reader.texts(".texts mark")) == 3 * "".join(marks)
        reader.choose({"text": "U.S."})
        room = reader.evaluate("document.querySelector('.row .line').getBoundingClientRect().right")
        ends = "[...document.querySelectorAll('.row mark')].map((m) => m.getBoundingClientRect().right)"
        assert max(reader.evaluate(ends)) < room  # the beginning of the long line is cut
        reader.go("#segment=2&text=body came&form=metric")
        assert reader.texts(".texts mark") == ["body", " ", "came"] * 2


def test_both_systems_are_in_the_list_with_their_names(read: Open) -> None:
    with read("#segments") as reader:
        assert reader.texts(".row:first-child .line-label") == ["reference", "north", "south"]
        assert reader.texts(".row:first-child .line")[1:] == [SYSTEMS["north"][0], SYSTEMS["south"][0]]
        reader.press("c")
        assert reader.texts(".row:first-child .line-label") == ["reference", "north"]


def test_ribbons(read: Open, ferries: Xray) -> None:
    with read("#segment=2&against=") as reader:
        reader.page.locator("#drawing-ribbons").click()
        assert reader.count("svg.drawing .ribbon") == len(ferries.alignment("north", 1).matches)
        assert reader.hash == "#segment=2&against=&drawing=ribbons"


def test_references_can_be_switched(read: Open, ferries: Xray) -> None:
    with read("#segment=2&against=") as reader:
        best = ferries.best(0, 1)
        assert reader.page.locator(f"#reference-{best}").is_checked()
        reader.page.locator(f"#reference-{1 - best}").check()
        assert reader.hash == f"#segment=2&against=&reference={2 - best}"
        assert reader.count("svg.drawing .match") == len(ferries.alignment("north", 1, 1 - best).matches)
        score = ferries.alignment("north", 1, 1 - best).score.score
        assert reader.text(".sum h4 .number") == f"{score:.4f}"


def test_systems_compared_or_not(read: Open) -> None:
    with read("#segment=2") as reader:
        assert reader.count(".sum") == 2
        reader.page.locator("#choose-B-1").click()  # B's own letter: clears B
        assert (reader.count(".sum"), reader.count("svg.drawing .side-B")) == (1, 0)
        reader.page.locator("#choose-A-1").click()
        assert reader.texts(".sum h4 bdi") == ["south"]
        reader.page.locator("#choose-B-0").click()
        assert reader.texts(".sum h4 bdi") == ["south", "north"]


def test_permanent_links_and_the_way_back(read: Open) -> None:
    link = "#segment=3&system=south&against=north&reference=1&low=0.1&order=length&drawing=ribbons&reverse"
    with read(link) as reader:
        assert reader.text("#segment-title") == "Segment 3"
        assert reader.texts(".sum h4 bdi") == ["south", "north"]
        assert reader.page.locator("#filter-low").input_value() == "0.1"
        assert reader.count("svg.drawing .ribbon") > 0
        assert reader.hash == link
        reader.page.locator("#to-overview").click()
        assert reader.page.locator(".lede h1").is_visible()
        reader.page.go_back()
        assert reader.text("#segment-title") == "Segment 3"
        assert reader.hash == link


def test_wrong_links_show_something(read: Open) -> None:
    with read("#segment=99") as reader:
        for link in ("#nonsense", "#segment=2&system=nobody&low=x", "#%E0%A4%A", "#segment=-1", "#"):
            reader.go(link)
            assert reader.count("#overview h1:visible, #segment-title:visible") == 1


# ---- saving and printing -----------------------------------------------------------------------------


@pytest.mark.parametrize("dark", [False, True])
def test_pictures_can_be_saved(read: Open, tmp_path: Path, dark: bool) -> None:
    with read("#segment=1", color_scheme="dark" if dark else "light", accept_downloads=True) as reader:
        for kind, button in (("svg", "Save the alignment as SVG"), ("png", "Save the alignment as PNG")):
            with reader.page.expect_download() as download:
                reader.page.get_by_role("button", name=button).click()
            assert download.value.suggested_filename == f"Ferries-segment-1-matrix.{kind}"
            download.value.save_as(tmp_path / f"picture.{kind}")
        text = (tmp_path / "picture.svg").read_text("utf-8")
        assert ElementTree.fromstring(text).tag.endswith("svg")
        assert "var(" not in text and "#009e73" in text  # the light theme's colours
        assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
        reader.press("o")
        reader.page.locator("#plot-scores svg").wait_for(state="attached")
        with reader.page.expect_download() as download:
            reader.page.get_by_role("button", name="Save the plot “Distribution of scores” as SVG").click()
        download.value.save_as(tmp_path / "plot.svg")
        assert "var(" not in (tmp_path / "plot.svg").read_text("utf-8")
        ElementTree.parse(tmp_path / "plot.svg")


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_printing(read: Open) -> None:
    with read(color_scheme="dark") as reader:
        reader.page.locator("#plot-differences svg").wait_for(state="attached")
        for link, most in zip(VIEWS, (3, 1, 1, 1), strict=True):
            reader.go(link)
            pdf = reader.page.pdf(format="A4", prefer_css_page_size=True)
            assert pdf.startswith(b"%PDF") and 1 <= pages(pdf) <= most
            reader.page.emulate_media(media="print", color_scheme="dark")
            assert reader.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
            assert not reader.page.locator("header.top").is_visible()
            assert not reader.page.locator("#list").is_visible()
            assert reader.evaluate("document.documentElement.scrollWidth <= innerWidth")
            reader.page.emulate_media(media="null", color_scheme="dark")  # no longer as on paper


def test_long_names_leave_room_for_texts_on_paper(read: Open, tmp_path: Path) -> None:
    names = [f"{letter}-system-with-quite-a-long-name-from-2012" for letter in "ab"]
    text = "these words would like to stand on one line of the paper if they can"
    path = written(tmp_path, {name: [text] for name in names}, [text])
    with read("#segments", path, viewport={"width": 720, "height": 1000}) as reader:
        reader.evaluate("dispatchEvent(new Event('beforeprint'))")
        reader.page.emulate_media(media="print")
        widths = reader.evaluate(
            "[...document.querySelectorAll('#printed tbody td')].map((cell) => cell.offsetWidth)"
        )
        assert widths[0] > 0.5 * sum(widths)


def test_the_list_is_printed_as_a_table(read: Open) -> None:
    with read("#segments&order=score") as reader:
        reader.evaluate("dispatchEvent(new Event('beforeprint'))")
        reader.page.emulate_media(media="print")
        assert [row.split("\t")[0] for row in reader.texts("#printed tbody tr")] == list(
            map(str, reader.listed())
        )
        reader.evaluate("dispatchEvent(new Event('afterprint'))")
        assert reader.count("#printed *") == 0


# ---- themes, keys, access ----------------------------------------------------------------------------


def test_light_and_dark(read: Open) -> None:
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    with read(color_scheme="dark") as reader:
        assert reader.evaluate(ground) == "rgb(20, 23, 28)"
        reader.page.locator("#theme").click()
        assert (reader.evaluate(ground), reader.text("#theme")) == ("rgb(255, 255, 255)", "Theme: light")
        reader.press("t")
        assert (reader.evaluate(ground), reader.text("#theme")) == ("rgb(20, 23, 28)", "Theme: dark")
    with read(color_scheme="light") as reader:
        assert reader.evaluate(ground) == "rgb(255, 255, 255)"


def test_everything_by_keys(read: Open) -> None:
    with read() as reader:
        focused = "document.activeElement.id || document.activeElement.className.baseVal || ''"
        reader.press("Tab", "Enter")  # "Skip to the content"
        assert reader.evaluate("document.activeElement.localName") == "h1"
        reader.press("?")
        assert reader.page.locator("#help").is_visible()
        reader.press("s")  # the page behind it does not react
        reader.press("Escape")
        assert (reader.page.locator("#help").is_visible(), reader.hash) == (False, "")
        reader.press("s")
        assert (reader.hash, reader.evaluate(focused)) == ("#segments", "list")
        reader.press("ArrowDown")
        assert reader.hash == "#segment=1"
        reader.press("ArrowDown", "ArrowDown")
        assert reader.hash == "#segment=3"
        reader.press("Home")
        assert reader.hash == "#segment=1"
        reader.press("Enter")
        assert reader.evaluate(focused) == "segment-title"
        reader.press("j")
        assert reader.hash == "#segment=2"
        reader.press("r")
        assert reader.hash == "#segment=2&drawing=ribbons"
        reader.press("m", "n")
        assert re.fullmatch(r"#segment=2&reference=\d", reader.hash)
        reader.press("c", "x", "c", "x")
        assert "system=south" in reader.hash
        reader.press("w")
        assert "form=metric" in reader.hash
        reader.press("/")
        assert reader.evaluate(focused) == "filter-text"
        reader.page.keyboard.type("jk?")  # keys type letters here
        assert reader.page.locator("#filter-text").input_value() == "jk?"
        reader.press("Escape")
        assert reader.evaluate(focused) == "list"
        reader.press("o")
        assert reader.page.locator(".lede h1").is_visible()


def test_matches_by_keys(read: Open) -> None:
    with read("#segment=1&against=") as reader:
        key = "document.activeElement.dataset.match ?? ''"
        reader.page.locator(".picture").focus()
        reader.press("Tab")
        assert reader.evaluate(key) == "A0"
        reader.press("ArrowRight")
        assert reader.evaluate(key) == "A1"
        assert reader.page.locator("#note").is_visible()
        reader.press("End")
        last = reader.count("svg.drawing .match") - 1
        assert reader.evaluate(key) == f"A{last}"
        reader.press("ArrowRight", "ArrowLeft")
        assert reader.evaluate(key) == f"A{last - 1}"
        reader.press("Tab")
        assert (reader.evaluate(key), reader.page.locator("#note").is_hidden()) == ("", True)


def test_next_from_any_view_opens_the_first_segment(read: Open) -> None:
    for view in ("#overview", "#words", "#groups"):
        with read(view) as reader:
            reader.press("j")
            assert reader.evaluate("[xray.state.view, xray.state.segment]") == ["segments", 0]


def test_fast_typing_in_two_fields(read: Open) -> None:
    with read("#segments") as reader:
        reader.page.locator("#more-filters").evaluate("(node) => { node.open = true; }")
        reader.evaluate(
            """() => {
                for (const [name, value] of [["low", "0.2"], ["shortest", "3"]]) {
                    const input = document.getElementById(`filter-${name}`);
                    input.value = value;
                    input.dispatchEvent(new Event("input"));
                }
            }"""
        )
        reader.page.wait_for_selector("#chip-shortest")
        assert reader.evaluate("[xray.state.low, xray.state.shortest]") == [0.2, 3]


def test_single_keys_can_be_turned_off(read: Open) -> None:
    with read() as reader:
        reader.press("?")
        reader.page.locator("#help-single").uncheck()
        reader.press("Escape", "s")
        assert reader.hash == ""


VIEWS = ("#overview", "#segments", "#segment=2", "#segment=2&drawing=ribbons")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(read: Open, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")

    def found() -> list[tuple[Any, ...]]:
        violations = axe.Axe().run(reader.page).response["violations"]
        return [(v["id"], v["impact"], [node["target"] for node in v["nodes"]][:3]) for v in violations]

    with read(color_scheme=scheme) as reader:
        reader.page.locator("#plot-differences svg").wait_for(state="attached")
        for link in VIEWS:
            reader.go(link)
            assert found() == []
        reader.press("?")
        assert found() == []


WIDER = """(em) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { letter-spacing: ${em}em !important; word-spacing: ${em}em !important; }`);
    document.adoptedStyleSheets = [sheet];
}"""


@pytest.mark.parametrize("width", [320, 360])
@pytest.mark.parametrize("wider", [0, 0.12])
def test_no_view_is_wider_than_its_window(read: Open, width: int, wider: float) -> None:
    """With any font: readers may use wide letters, or larger letter spacing."""
    with read(viewport={"width": width, "height": 700}) as reader:
        reader.page.locator("#plot-differences svg").wait_for(state="attached")
        if wider:
            reader.evaluate(WIDER, wider)
        for link in VIEWS:
            reader.go(link)
            assert reader.evaluate("document.documentElement.scrollWidth") <= width


def test_narrow_windows(read: Open) -> None:
    small_window = {"width": 360, "height": 700}
    with read(viewport=small_window) as reader:
        reader.page.locator("#plot-differences svg").wait_for(state="attached")
        for link in VIEWS:
            reader.go(link)
            assert reader.evaluate("document.documentElement.scrollWidth") <= 360
        reader.go("#segments")
        reader.page.locator(".row").nth(2).click()
        assert not reader.page.locator("#list").is_visible()
        reader.page.locator("#segment-back").click()
        assert reader.page.locator("#list").is_visible()
        assert reader.hash == "#segments"


# ---- text is data ------------------------------------------------------------------------------------

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    '"><img src=x onerror=alert(3)>',
    "<!--<script>",
    "${alert(4)} {{x}} ]]>",
    "\u202eturned \u2066around\u0000",
    "javascript:alert(5)",
]


def test_text_is_never_markup(read: Open, tmp_path: Path) -> None:
    name = "</title><img src=x onerror=alert(6)>"
    path = written(
        tmp_path, {name: HOSTILE, "<b>two</b>": HOSTILE[::-1]}, HOSTILE, sources=HOSTILE, title=name
    )
    assert "alert" not in re.sub(r"<title>.*</title>", "", path.read_text("utf-8"))
    with read("#overview", path) as reader:
        assert reader.text(".lede h1") == name
        reader.page.locator("#plot-differences svg").wait_for(state="attached")
        for k, text in enumerate(HOSTILE):
            for drawing in ("matrix", "ribbons"):
                reader.go(f"#segment={k + 1}&drawing={drawing}")
                shown = reader.text(".text-row .words")
                assert shown.split() == re.sub("[\u202e\u2066\0]", lambda c: escaped(c[0]), text).split()
        assert reader.evaluate("document.querySelectorAll('img, main script, main b b').length") == 0
        assert reader.evaluate("document.scripts.length") == 5  # the page's own, and Vega


def escaped(letter: str) -> str:
    return repr(letter)[1:-1]


def test_the_policy_lets_nothing_else_run(read: Open) -> None:
    with read() as reader:
        ran = reader.evaluate(
            """() => {
                const script = document.createElement("script");
                script.textContent = "globalThis.intruder = 1";
                document.body.append(script);
                document.body.insertAdjacentHTML("beforeend", "<p onclick='globalThis.intruder = 2'></p>");
                document.body.lastChild.click();
                return globalThis.intruder ?? null;
            }"""
        )
        assert ran is None
        assert len(reader.complaints) == 2 and all("Content Security Policy" in c for c in reader.complaints)
        reader.complaints.clear()


def test_right_to_left(read: Open, tmp_path: Path) -> None:
    reference = "פתח ראש העיר את הגשר החדש ביום שני"
    systems = {"one": ["ראש העיר פתח את הגשר החדש"], "two": ["ביום שני פתח ראש העיר"]}
    path = written(tmp_path, systems, [reference])

    def right_ends(selector: str) -> Any:
        find = f"[...document.querySelectorAll('svg.drawing {selector}')]"
        return reader.evaluate(f"{find}.map((text) => text.getBoundingClientRect().right)")

    with read("#segment=1", path) as reader:
        assert reader.evaluate("xray.report.direction") == "rtl"
        heads = right_ends("text[transform]")
        assert heads == sorted(heads, reverse=True)
        assert min(right_ends("text[text-anchor=end]")) > max(heads)  # A's words at the right
        assert set(reader.evaluate("[...document.querySelectorAll('.words')].map((p) => p.dir)")) == {"rtl"}
        reader.press("r")
        words = reader.page.locator("svg.drawing [data-words] text")
        boxes = [words.nth(k).bounding_box()["x"] for k in range(3)]
        assert boxes == sorted(boxes, reverse=True)


def test_chinese_and_japanese(read: Open, tmp_path: Path) -> None:
    path = written(tmp_path, {"one": ["市长 星期一 为 新 桥 揭幕 。"]}, ["市长 星期一 早上 为 新 桥 揭幕 。"])
    with read("#segment=1", path) as reader:
        heads = reader.page.locator("svg.drawing text:has(tspan)")
        assert heads.count() == 8
        first, second = (heads.first.locator("tspan").nth(k).bounding_box() for k in range(2))
        assert second["y"] > first["y"] and abs(second["x"] - first["x"]) < 3  # letter below letter
        assert heads.nth(1).text_content() == "星期一"


# ---- reports of other kinds --------------------------------------------------------------------------


def test_one_system_alone(read: Open, tmp_path: Path) -> None:
    path = written(tmp_path, {"only": ["a b", ""]}, ["a b c", "x"])
    with read("", path) as reader:
        assert "Systems compared" not in reader.texts("#overview h2")
        reader.press("s", "ArrowDown", "ArrowDown", "x", "c", "n")
        assert reader.text("#segment-title") == "Segment 2"
        assert reader.count(".sum") == 1
        assert "(empty)" in reader.texts(".words")
        assert reader.count("#filter-margin") == 0


def test_one_segment_only(read: Open, tmp_path: Path) -> None:
    """It has no interval and no standard error. Its plots are complete, and Vega does not complain."""
    path = written(tmp_path, {"one": ["a b x"], "two": ["a c"]}, ["a b c"])
    with read("", path) as reader:
        for name in PLOTS:
            reader.page.locator(f"#plot-{name} svg").wait_for(state="attached")
        lines = "[...document.querySelectorAll('#plot-cumulative .mark-line path')].map((l) => l.getBBox())"
        widths = [box["width"] for box in reader.evaluate(f"{lines}.map(({{width}}) => ({{width}}))")]
        assert len(widths) == 2 and min(widths) > 100  # from 0 to 1
        labels = "[...document.querySelectorAll('#plot-scores .role-axis-label text')]"
        counts = reader.evaluate(f"{labels}.map((text) => text.textContent)")
        assert counts.count("1") == 1  # of segments; those of scores are 0.0 to 1.0


@pytest.mark.parametrize("settled", [True, False])
def test_alignments_that_java_wrote(read: Open, english: Meteor, tmp_path: Path, settled: bool) -> None:
    file = JAVA / "two-references" / "expected" / "meteor-align.out"
    found = of_java([file], english if settled else None)
    with read("", write(found, tmp_path / "java.html")) as reader:
        assert reader.text(".systems tbody th") == found.systems[0].name
        reader.go("#segment=1")
        assert reader.count("svg.drawing .match") == len(found.alignment(0, 0).matches)
        reader.press("r", "j", "n")


def test_what_cannot_be_read_says_so(chromium: Any, report: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.html"
    text = report.read_text("utf-8")
    broken.write_text(re.sub(r'(id="payload">).{40}', r"\1", text), encoding="utf-8")
    page = chromium.new_page()
    page.goto(broken.as_uri())
    page.locator("#message", has_text="The report cannot be shown").wait_for()
    page.close()
