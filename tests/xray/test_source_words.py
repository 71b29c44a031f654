"""Words of the sources, n-grams of labels, and names: their counts, their filters, and the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bolide import BolideError, InputError, Meteor
from bolide.inputs.annotations import read_alignment, word_links
from bolide.xray import Annotations, Xray, of_texts, picks
from bolide.xray.annotations import word_places
from bolide.xray.payload import payload
from tests.support.xray_browser import Reader, write
from tests.support.xray_texts import LABELS, REFERENCES, small, validate
from tests.xray.test_cli import PLAIN, folder, xray

__all__ = ["folder"]  # a fixture
SCRIPT = "</script><script>alert(1)</script>"
SOURCES = [
    "Die Fähre fährt um neun.",
    "Die Katze schläft auf der Mauer.",
    f"Niemand las {SCRIPT} .",
    "Er muß",
]
# One list for each reference. Words between spaces: "nine." is one of them.
LINKS = [
    ["0-0 1-1 2-2 3-3 4-4", "0-0 1-1 2-2 3-3 4-4 5-6", "0-0 1-1 1-2 2-4 3-4", "0-0 1-1 1-2"],
    ["0-2 1-3 2-4 3-0 4-1", "0-4 1-5 2-7 3-0 4-1 5-3", "", "0-5 1-6"],
]
SOURCE_LABELS = ["DET NOUN VERB ADP NUM", "DET NOUN VERB ADP DET NOUN", "PRON VERB X PUNCT", "PRON AUX"]


@pytest.fixture(scope="module")
def ferries(english: Meteor) -> Xray:
    labels = [[line.split() for line in lines] for lines in LABELS]
    about = Annotations({}, labels, alignments=LINKS, source_labels=[line.split() for line in SOURCE_LABELS])
    return small(english, about, sources=SOURCES)


@pytest.fixture(scope="module")
def report(ferries: Xray, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(ferries, tmp_path_factory.mktemp("source") / "ferries.html")


def missed(xray: Xray, system: int) -> list[tuple[int, str, bool]]:
    """A slow version: segment, word, and whether it is missed, for each aligned word of the sources."""
    found = []
    for k, source in enumerate(SOURCES):
        best = xray.best(system, k)
        alignment = xray.alignment(system, k)
        spans = [(match.reference_start, match.reference_length) for match in alignment.matches]
        matched = {place for start, length in spans for place in range(start, start + length)}
        text = REFERENCES[k][best]
        places = word_places(text, alignment.reference)
        links = word_links(LINKS[best]).lines[k]
        for i, word in enumerate(source.split()):
            own = [at for a, j in links if a == i for at in places[j]]
            if own:
                found.append((k, word, not matched.issuperset(own)))
    return found


def segments(xray: Xray, text: str, system: int = 0, against: int | None = 1) -> list[int]:
    """The segments that pass a filter of words, counted from 1."""
    assert xray.sources is not None
    passed = picks.passes(xray.words(), system, against, text, xray.sources.analysis)
    return [int(k) + 1 for k in np.flatnonzero(passed)]


def test_source_words(ferries: Xray) -> None:
    words = ferries.source_words()
    for system in range(2):
        expected = missed(ferries, system)
        rows = {row.word: row for row in words.rows(system, "reference", None)}
        assert set(rows) == {word for _, word, _ in expected}
        for word, row in rows.items():
            own = [lost for _, each, lost in expected if each == word]
            assert (row.reference, row.missed, row.found["found"]) == (
                len(own),
                sum(own),
                len(own) - sum(own),
            )
        by_label = {row.name: row.reference for row in words.classes(system, "label 1")}
        assert sum(by_label.values()) == len(expected) and by_label["DET"] == 3
        for word in rows:
            there = sorted({k + 1 for k, each, lost in expected if each == word and lost})
            assert segments(ferries, f"missed source: {word}", system) == there


def test_labels_of_ngrams_as_filters(ferries: Xray) -> None:
    words = ferries.words()
    rows = words.label_differences(0, 1, "label 1", "ngrams", None)
    assert len(rows) > 5
    for row in rows:
        found = segments(ferries, f"differ label 1: {' · '.join(row.words)}")
        assert len(found) == row.wins + row.losses
    assert segments(ferries, "differ label 1: NO · LABEL") == []


def test_names_do_not_begin_a_sentence() -> None:
    plain = Meteor("linear", modules=["exact"], normalize="none", language="en")
    text = "Anna saw NATO . Then I met Bob 3 times"
    found = of_texts({"one": ["Anna saw . Then"]}, [text], plain).words()
    rows = {row.name: row.reference for row in found.classes("one", "name")}
    assert rows == {"names": 2, "numbers": 1, "other words": 7}
    assert "name" not in of_texts({"one": ["a b"]}, ["a b"], plain).words().kinds
    german = Meteor("linear", modules=["exact"], normalize="none", language="de")
    assert "name" not in of_texts({"one": [text]}, [text], german).words().kinds


def test_links_are_of_the_words_between_spaces_or_of_the_metric(english: Meteor) -> None:
    """The metric sees three words, with the dot: it is part of the second word between spaces."""
    for link, lost in (("0-0", True), ("0-1", True), ("0-2", False)):
        about = Annotations(alignments=[[link]])
        found = of_texts({"one": ["table ."]}, ["must go."], english, sources=["muß"], annotations=about)
        assert [(row.word, row.missed) for row in found.source_words().rows(0, "reference")] == [
            ("muß", lost)
        ]


@pytest.mark.parametrize(
    ("about", "sources", "message"),
    [
        ({"alignments": [["0-0", "0-0"]]}, ["a"], "alignments of 2 segments for 1 segments"),
        (
            {"alignments": [["1-0"]]},
            ["a"],
            "segment 1 links word 1 of the source in 1-0, but it has 1",
        ),
        ({"alignments": [["0-9"]]}, ["a"], r"links word 9 of the reference in 0-9, but it has 2 words"),
        ({"alignments": [["0_0"]]}, ["a"], "segment 1: '0_0' is not a link; write i-j"),
        ({"alignments": [["0-0"]]}, None, "an alignment of source words needs the source texts"),
        ({"alignments": [["0-0"]] * 2}, ["a"], "of 2 references are given, but a segment has 1"),
        ({"source_labels": [["X"]]}, ["a"], "labels of source words need an alignment"),
        (
            {"alignments": [["0-0"]], "source_labels": [["X", "Y"]]},
            ["a"],
            "segment 1 has 2 labels, but the source",
        ),
    ],
)
def test_mistakes(about: dict[str, Any], sources: Sequence[str] | None, message: str) -> None:
    plain = Meteor("linear", modules=["exact"], normalize="none")
    with pytest.raises(BolideError, match=message):
        of_texts({"one": ["x"]}, ["x y"], plain, sources=sources, annotations=Annotations(**about))
    with pytest.raises(InputError, match="source words need an alignment"):
        of_texts({"one": ["x"]}, ["x y"], plain).source_words()


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "links"
    path.write_text("0-0 1-2\n\n", "utf-8")
    assert read_alignment(str(path), 2).lines == (((0, 0), (1, 2)), ())
    with pytest.raises(InputError, match="links has 2 lines for 3 segments"):
        read_alignment(str(path), 3)
    path.write_text("0-0\n1-x\n", "utf-8")
    with pytest.raises(InputError, match="links, line 2: '1-x' is not a link"):
        read_alignment(str(path), 2)


def test_the_command(folder: Path) -> None:
    (folder / "source.txt").write_text("".join(f"{text}\n" for text in SOURCES), encoding="utf-8")
    for k, lines in enumerate(LINKS):
        (folder / f"links{k}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    systems = ("north.txt", "south.txt", "-r", "ref0", "-r", "ref1", *PLAIN, "-o", "x.html")
    links = ("--alignment", "links0", "--alignment", "links1")
    done = xray(folder, *systems, "-s", "source.txt", *links)
    assert (done.returncode, (folder / "x.html").exists()) == (0, True), done.stderr
    for more, message in (
        (links, "--alignment needs --source"),
        (("-s", "source.txt", "--source-labels", "links0"), "--source-labels needs --alignment"),
        (("-s", "source.txt", "--alignment", "none"), "cannot read none"),
        (("-s", "source.txt", *links[:2]), "alignments of 1 references are given, but a segment has 2"),
    ):
        done = xray(folder, *systems, *more)
        assert done.returncode > 0 and message in done.stderr, done.stderr


# ---- the page ----------------------------------------------------------------------------------------


def test_the_payload(ferries: Xray) -> None:
    validate(payload(ferries))


def test_the_page_has_them(chromium: Any, ferries: Xray, report: Path) -> None:
    with Reader(chromium, report, "#words") as reader:
        words = ferries.source_words()
        shown = [row.split("\t") for row in reader.texts("table.source-words tbody tr")]
        both = {row.word: row.missed for row in words.rows(0, "missed", None)}
        for word, count, missed_by_a, *_ in shown:
            assert (int(missed_by_a), int(count) > 0) == (both.get(word, 0), True)
        assert SCRIPT in [row[0] for row in shown]
        reader.page.locator("#source-kind").select_option("label 1")
        row = next(row for row in reader.texts("table.source-kinds tbody tr") if row.startswith("VERB"))
        verbs = next(each for each in words.classes(1, "label 1") if each.name == "VERB")
        assert verbs.missed and row.split("\t")[4] == str(verbs.missed)
        reader.page.get_by_role("button", name="VERB, B, missed in the source: show the segments").click()
        assert reader.listed() == segments(ferries, "missed source label 1: VERB", 1, 0)
        assert reader.texts(".filter-chip") == ["B missed source label 1: VERB ✕"]
        first = reader.listed()[0]
        reader.page.locator(".row").first.click()
        assert reader.text("#segment .texts mark") in SOURCES[first - 1]


def test_filters_of_the_page(chromium: Any, ferries: Xray, report: Path) -> None:
    labels = [" · ".join(row.words) for row in ferries.words().label_differences(0, 1, "label 1", limit=None)]
    texts = [f"differ label 1: {label}" for label in labels]
    texts += [f"missed source: {word}" for word in ("Die", "Fähre", SCRIPT, "nothing")]
    texts += [f"differ source: {word}" for word in ("Die", "fährt", "muß")]
    texts += [f"missed name: {name}" for name in ("names", "numbers", "other words")]
    texts += ["over name: names", "missed source case: title", "missed source nothing: X"]
    with Reader(chromium, report, "#segments") as reader:
        for text in texts:
            reader.evaluate("(pick) => xray.change({pick})", text)
            assert reader.listed() == segments(ferries, text), text


def test_ngrams_of_labels_on_the_page(chromium: Any, ferries: Xray, report: Path) -> None:
    with Reader(chromium, report, "#words&contrast=label%201") as reader:
        assert reader.page.locator("#contrast").input_value() == "label 1"
        assert reader.count("#contrast-only") == 0
        rows = [row.split("\t")[0] for row in reader.texts("#words .contrasts tbody tr")]
        found = ferries.words().label_differences(0, 1, "label 1", limit=None)
        expected = [" · ".join(r.words) for r in found if r.wins + r.losses > 1 and r.wins != r.losses]
        assert sorted(rows) == sorted(expected)


def test_intervals_on_the_page(chromium: Any, ferries: Xray, report: Path) -> None:
    with Reader(chromium, report, "#words&kind=shape") as reader:
        shown = reader.texts("table.kinds .within")
        first = ferries.words().class_intervals(0, "shape")[0]
        expected = [f"{100 * a:.1f} – {100 * b:.1f}" for a, b in (first.recall, first.precision, first.f1)]
        assert shown[:3] == expected


def test_axe_finds_nothing(chromium: Any, report: Path) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    for scheme in ("light", "dark"):
        with Reader(chromium, report, "#words&contrast=source", color_scheme=scheme) as reader:
            violations = axe.Axe().run(reader.page).response["violations"]
            assert [(v["id"], [node["target"] for node in v["nodes"]][:3]) for v in violations] == []
    with Reader(chromium, report, "#words", viewport={"width": 390, "height": 844}) as reader:
        assert reader.evaluate("document.documentElement.scrollWidth") <= 390
