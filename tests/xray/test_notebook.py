"""What notebooks show: HTML of comparisons, corpus scores and X-rays. All text is escaped."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

import bolide
from bolide import Meteor
from bolide._support import palette
from bolide.xray import Xray, of_java, of_texts, report
from tests.support.xray_texts import REFERENCES, SYSTEMS, annotated
from tests.xray.test_cli import JAVA

PLAIN = Meteor("linear", modules=["exact"], normalize="lower")
EVIL = "<script>alert('&')</script>\u202e\x1b[1m"


def shown(html: str) -> ElementTree.Element:
    """The HTML, in which every tag is closed, without scripts and requests."""
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", html)
    assert "<script" not in html and "http" not in html.replace("http://www.w3.org", "")
    return ElementTree.fromstring(html)


def words(html: str) -> str:
    return " ".join(" ".join(shown(html).itertext()).split())


def evil() -> Xray:
    texts = {EVIL: [f"{EVIL} a b", "c"], "<b>two</b>": ["a", "c <i>d</i>"]}
    return of_texts(texts, [f"{EVIL} a", "c"], PLAIN, title=EVIL)


def test_comparison() -> None:
    texts = {f"s{k}": ["a b c"] * 3 + ["x y"] * k for k in range(4)}
    found = bolide.compare(
        {name: (lines + ["a b"] * 6)[:6] for name, lines in texts.items()}, ["a b c"] * 6, meteor=PLAIN
    )
    table = shown(found._repr_html_())
    assert [len(row) for row in table.iter("tr")] == [10] * 5
    for k, system in enumerate(found.systems):
        text = words(found._repr_html_())
        assert f"{system.score.score:.4f}" in text
        assert palette.system_colour(k) in found._repr_html_()
    assert "p < 0.05 against s0" in text and found.systems[0].score.signature in text
    assert found._repr_html_().count("<svg") == 2 * 4  # marks and intervals
    names = {f"a-long-name-{k}": ["a"] for k in range(30)}
    many = bolide.compare(names, ["a"], meteor=PLAIN, test="none")
    assert len(repr(many)) < 250 and "and 25 more" in repr(many)
    assert "<td" in bolide.compare({EVIL: ["a"]}, ["a"], meteor=PLAIN)._repr_html_()


def test_corpus_score() -> None:
    found = PLAIN.corpus_score(["a b", "c"], ["a", "c"], documents=["x", "y"])
    text = words(found._repr_html_())
    assert f"{found.score:.4f}" in text and found.signature in text
    assert "2 segments, 2 documents" in text
    assert "2 bounded; 1 unproven" in words(replace(found, bounded=2, unproven=1)._repr_html_())


def test_xray(english: Meteor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    monkeypatch.chdir(tmp_path)
    path = "reports #1/r & <x>.html"
    Path("reports #1").mkdir()
    found = report(SYSTEMS, REFERENCES, output=path, meteor=english, layout="segments", title="Ferries")
    html = found._repr_html_()
    links = [link.attrib["href"] for link in shown(html).iter("a")]
    assert [unquote(link.split("#")[0]) for link in links] == [path] * len(links)
    assert Path(unquote(links[0])).is_file()
    assert links[1].split("#")[1].startswith("segment=")
    text = words(html)
    assert text.startswith("Ferries 4 segments, 2 systems Open the report")
    leads = found.systems[0].scores - found.systems[1].scores
    for ahead, sign in (("north", 1), ("south", -1)):
        listed = re.search(rf"{ahead} is most ahead of \w+ in(.*?)(is most ahead|$)", text)
        segments = [int(k) for k in re.findall(r"segment (\d+) \+", listed[1])] if listed else []
        assert len(segments) == min(3, int((sign * leads > 0).sum()))
        assert all(sign * leads[k - 1] > 0 for k in segments)
    assert repr(found).endswith(f"4 segments; report {path}>") and len(repr(found)) < 200
    outside = replace(found, written=str(tmp_path.parent / "x.html"))
    assert "file:///" in outside._repr_html_()


def test_xray_escapes_all_text() -> None:
    found = evil()
    for html in (found._repr_html_(), found.systems[0].result.score._repr_html_()):  # type: ignore[union-attr]
        shown(html)
    text = words(found._repr_html_())
    assert "alert('&')" in text and "<b>two</b>" in text and r"\x1b[1m" in text


def test_long_names_are_short_in_tables_and_lines() -> None:
    long = "first-" + "n" * 200 + "\u202e-last"
    found = of_texts({long: ["a b", "c"], "two": ["a", "c d"]}, ["a b", "c"], PLAIN)
    compared = bolide.compare({long: ["a b"], "two": ["a"]}, ["a b"], meteor=PLAIN)
    for shown_one in (found, compared):
        [name] = [cell for cell in shown(shown_one._repr_html_()).iter("bdi") if "title" in cell.attrib][:1]
        assert name.attrib["title"] == long.replace("\u202e", r"\u202e")
        assert name.text is not None and re.fullmatch(r"first-n+…n+\\u202e-last", name.text)
        assert len(name.text) <= 40
        assert len(repr(shown_one)) < 150 and "\u202e" not in repr(shown_one) and "-last=" in repr(shown_one)
        assert "overflow-wrap:anywhere" in shown_one._repr_html_()


def test_xrays_of_other_kinds(english: Meteor) -> None:
    alone = of_texts({"one": ["a"]}, ["a"], PLAIN)
    assert "one" in words(alone._repr_html_()) and "ahead" not in alone._repr_html_()
    java = of_java([JAVA])
    assert "means of the scores of segments" in words(java._repr_html_())
    assert "mine-align.out" in repr(java)


def test_nothing_prints_much(english: Meteor) -> None:
    found = annotated(english)
    explanation = english.explain("the cats", "the cat")
    everything = (found, found.systems[0], found.words(), found.groups(), found.spelled, explanation)
    for each in everything:
        assert len(repr(each)) < 400, type(each)
    assert repr(explanation).startswith("<Explanation: score 0.")
