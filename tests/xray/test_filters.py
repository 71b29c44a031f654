"""Filters and orders, against a slow oracle and against the page's own script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bolide
from bolide import ConfigurationError, Meteor
from bolide.analysis.classes import CASES, SHAPES, case_class, shape_classes
from bolide.comparison.compare import ComparisonOptions
from bolide.xray import OtherScores, Xray, of_texts
from bolide.xray.filters import FILTERS, ORDERS, WORDS, YES_OR_NO, Selection, Shelf, described, parse, select
from bolide.xray.scores import pairs_of_metrics
from tests.support.examples import examples
from tests.support.oracle import words as oracle
from tests.support.xray_texts import small

# As in Java's search, a single stem has no value, and may be left out.
SEARCH = {"aligner": "beam", "search_weights": "java"}
PLAIN = Meteor("linear", modules=["exact", "stem"], normalize="lower", **SEARCH)  # type: ignore[arg-type]
PAGE = Path(bolide.__file__).parent / "xray" / "page"
WORD = st.sampled_from(["a", "b", "Cats", "cat", "<b>", "é"])
TEXT = st.lists(WORD, max_size=6).map(" ".join)


@st.composite
def xrays(draw: st.DrawFn) -> Xray:
    count = draw(st.integers(1, 5))
    names = ["x", "y", "z"][: draw(st.integers(1, 3))]
    systems = {name: draw(st.lists(TEXT, min_size=count, max_size=count)) for name in names}
    references = draw(st.lists(st.lists(TEXT, min_size=1, max_size=2), min_size=count, max_size=count))
    sources = draw(st.none() | st.lists(TEXT, min_size=count, max_size=count))
    values = st.lists(st.none() | st.sampled_from([0.0, 0.25, 1.0, 27.5]), min_size=count, max_size=count)
    scores = [
        OtherScores(metric, {name: draw(values) for name in names}, higher)
        for metric, higher in (("first", True), ("TER", False))[: draw(st.integers(0, 2))]
    ]
    options = ComparisonOptions(samples=2)
    return of_texts(systems, references, PLAIN, options, sources=sources, layout="segments", scores=scores)


PICKS = st.sampled_from(
    [
        *("missed word: a", "over word: cat", "moved word: b", "stem word: cats", "missed word: zzz"),
        *(
            "missed shape: words",
            "over frequency: 1",
            "moved frequency: 2",
            "stem case: title",
            "over case: lower",
        ),
        *("differ missed: a", "differ over: cat", "differ ngrams: a b", "differ ngrams: a a b", "nothing"),
        *("B missed word: a", "B over frequency: 1", "B over case: lower", "B differ missed: a"),
    ]
)


def picked(xray: Xray, s: Selection, k: int) -> bool:
    """Whether a segment passes a filter of words."""
    if str(s.pick).startswith("B "):
        if s.against is None or "differ" in str(s.pick):
            return False
        s = replace(s, pick=str(s.pick).removeprefix("B "), system=s.against)
    head, _, value = str(s.pick).partition(": ")
    outcome, _, kind = head.partition(" ")
    if outcome == "differ":
        if s.against is None:
            return False
        counts = [
            oracle.segment_counts(xray, system, k, kind)[tuple(value.split(" "))]
            for system in (s.system, s.against)
        ]
        return counts[0] != counts[1]
    alignment = xray.alignment(s.system, k)
    if outcome == "over":
        events = list(oracle.hypothesis_words(alignment))
    else:
        events = list(oracle.reference_words(alignment))
    raw = xray.systems[s.system].texts if outcome == "over" else None
    text = raw[k] if raw else (xray.segments[k].texts or ())[xray.best(s.system, k)]
    moved = oracle.moved_words(alignment)
    references = Counter(w for segment in xray.segments for each in segment.references for w in each)
    of_word: dict[str, Callable[[str, str], str]] = {
        "word": lambda word, spelling: word,
        "shape": lambda word, spelling: SHAPES[shape_classes([word])[0]],
        "frequency": lambda word, spelling: str(references[word]),
        "case": lambda word, spelling: CASES[case_class(spelling)],
    }
    return any(
        (place in moved if outcome == "moved" else event == outcome)
        and of_word[kind](word, spelling) == value
        for place, ((word, event), spelling) in enumerate(zip(events, text.split(), strict=True))
    )


def grouped(xray: Xray, s: Selection, k: int) -> bool:
    of_b = str(s.group).startswith("B ")
    if of_b and s.against is None:
        return False
    alignment = xray.alignment(s.against or 0 if of_b else s.system, k)
    ours, theirs = len(alignment.hypothesis), len(alignment.reference)
    return {
        "length: ≤ 10": True,
        "length ratio: < 0.7": theirs > 0 and ours / theirs < 0.7,
        "length: 7": False,
    }[str(s.group).removeprefix("B ")]


@st.composite
def selections(draw: st.DrawFn, xray: Xray) -> Selection:
    places = st.integers(0, len(xray.systems) - 1)
    score = st.none() | st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.0])
    length = st.none() | st.integers(0, 6)
    return Selection(
        system=draw(places),
        against=draw(st.none() | places),
        low=draw(score),
        high=draw(score),
        module=draw(st.none() | st.sampled_from(["exact", "stem"])),
        shortest=draw(length),
        longest=draw(length),
        low_b=draw(score),
        high_b=draw(score),
        behind=draw(score),
        lead_low=draw(score | st.just(-0.2)),
        lead_high=draw(score | st.just(-0.2)),
        unmatched=draw(st.sampled_from(["", "", "", "cat", "CATS", "a", "é"])),
        left_out=draw(st.sampled_from([None, None, *YES_OR_NO])),
        metric=draw(st.sampled_from([None, *(scores.name for scores in xray.scores)])),
        metric_low=draw(st.none() | st.sampled_from([-1.0, 0.25, 20.0])),
        metric_high=draw(st.none() | st.sampled_from([0.25, 1.0, 99.0])),
        disagree=draw(st.sampled_from([None, *pairs_of_metrics([scores.name for scores in xray.scores])])),
        equal=draw(st.sampled_from([None, None, *YES_OR_NO])),
        text=draw(st.sampled_from(["", "cat", "CATS", "a b", "<b>", "É"])),
        margin=draw(score),
        pick=draw(st.none() | PICKS),
        group=draw(
            st.none()
            | st.sampled_from(["length: ≤ 10", "length ratio: < 0.7", "B length ratio: < 0.7", "length: 7"])
        ),
        order=draw(st.sampled_from(list(ORDERS))),
        reverse=draw(st.booleans()),
    )


def slow(xray: Xray, s: Selection) -> list[int]:
    """The same, one segment at a time, as the documentation of `Selection` defines it."""

    def score(system: int, k: int) -> float:
        return xray.alignment(system, k).score.score

    def texts(k: int) -> list[str]:
        segment = xray.segments[k]
        words = [*segment.references, *(system.hypotheses[k] for system in xray.systems)]
        raw = [*(segment.texts or ()), *(system.texts[k] for system in xray.systems if system.texts)]
        return [segment.source or "", *raw, *(" ".join(text) for text in words)]

    def lead(k: int) -> float:
        others = [j for j in range(len(xray.systems)) if j != s.system]
        if s.against is not None:
            return score(s.system, k) - score(s.against, k)
        return score(s.system, k) - float(np.mean([score(j, k) for j in others])) if others else 0.0

    def unmatched(k: int) -> list[str]:
        """The words that A's alignment leaves out, as the metric sees them and as they were written."""
        alignment = xray.alignment(s.system, k)
        found = alignment.matches
        ours = {m.hypothesis_start + n for m in found for n in range(m.hypothesis_length)}
        theirs = {m.reference_start + n for m in found for n in range(m.reference_length)}
        system, segment = xray.systems[s.system], xray.segments[k]
        assert system.texts is not None and segment.texts is not None
        sides = [(alignment.hypothesis, system.texts[k], ours)]
        sides.append((alignment.reference, segment.texts[xray.best(s.system, k)], theirs))
        return [
            form.lower()
            for words, text, matched in sides
            for place, forms in enumerate(zip(words, text.split(), strict=True))
            if place not in matched
            for form in forms
        ]

    def left_out(k: int) -> bool:
        alignment = xray.alignment(s.system, k)
        return bool(PLAIN.explain(alignment.hypothesis, alignment.reference).left_out)

    def other(system: int | None, name: str | None, k: int) -> float | None:
        """The score by a metric, by default the first one, turned so that higher is better."""
        found = [scores for scores in xray.scores if name in (None, scores.name)]
        if not found or system is None:
            return None
        value = found[0].segments[xray.systems[system].name][k]
        return None if value is None else value if found[0].higher else -value

    def given(k: int) -> float | None:
        value = other(s.system, s.metric, k)
        falls = s.metric == "TER" or (s.metric is None and [x.name for x in xray.scores[:1]] == ["TER"])
        return -value if value is not None and falls else value

    def other_lead(k: int, name: str | None) -> float | None:
        one, two = other(s.system, name, k), other(s.against, name, k)
        return None if one is None or two is None else one - two

    def disagree(k: int) -> bool:
        found = [lead(k) if n == "METEOR" else other_lead(k, n) for n in str(s.disagree).split(" and ")]
        return None not in found and sorted(np.sign([v or 0 for v in found]).tolist()) == [-1, 1]

    def stays(k: int) -> bool:
        value = given(k)
        a, alignment = score(s.system, k), xray.alignment(s.system, k)
        b = None if s.against is None else score(s.against, k)
        length = len(alignment.reference)
        return all(
            (
                s.low is None or a >= s.low,
                s.high is None or a <= s.high,
                s.module is None or any(m.module == s.module for m in alignment.matches),
                s.shortest is None or length >= s.shortest,
                s.longest is None or length <= s.longest,
                not s.text or any(s.text.lower() in text.lower() for text in texts(k)),
                s.pick is None or picked(xray, s, k),
                s.group is None or grouped(xray, s, k),
                not s.unmatched or s.unmatched.lower() in unmatched(k),
                s.left_out is None or left_out(k) == (s.left_out == "yes"),
                s.metric is None or value is not None,
                s.metric_low is None or (value is not None and value >= s.metric_low),
                s.metric_high is None or (value is not None and value <= s.metric_high),
            )
        ) and (
            b is None
            or s.against is None
            or all(
                (
                    s.margin is None or (lead(k) > 0 and lead(k) >= s.margin),
                    s.behind is None or (lead(k) < 0 and -lead(k) >= s.behind),
                    s.lead_low is None or lead(k) >= s.lead_low,
                    s.lead_high is None or lead(k) <= s.lead_high,
                    s.low_b is None or b >= s.low_b,
                    s.high_b is None or b <= s.high_b,
                    s.equal is None
                    or (xray.systems[s.system].hypotheses[k] == xray.systems[s.against].hypotheses[k])
                    == (s.equal == "yes"),
                    s.disagree is None or disagree(k),
                )
            )
        )

    def contribution(k: int) -> float:
        """The corpora with the translation of this segment exchanged, scored from their texts."""
        if s.against is None:
            words = sum(len(xray.alignment(s.system, j).reference) for j in range(len(xray.segments)))
            return round(lead(k) * len(xray.alignment(s.system, k).reference) / max(1, words), 12)
        one, two = list(xray.systems[s.system].texts or ()), list(xray.systems[s.against].texts or ())
        references = [segment.texts for segment in xray.segments]

        def corpus(texts: list[str]) -> float:
            return PLAIN.corpus_score(texts, references, layout="segments").score

        given = corpus(one), corpus(two)
        one[k], two[k] = two[k], one[k]
        return round((given[0] - corpus(one) + corpus(two) - given[1]) / 2, 12)

    def last(value: float | None, sign: int) -> float:
        return 1e300 if value is None else sign * value

    def key(k: int) -> float:
        all_scores = [score(j, k) for j in range(len(xray.systems))]
        return {
            "segment": float(k),
            "score": all_scores[s.system],
            "difference": -lead(k),
            "contribution": -contribution(k) if s.order == "contribution" else 0.0,
            "spread": -(max(all_scores) - min(all_scores)),
            "length": -float(len(xray.alignment(s.system, k).reference)),
            "metric": last(other(s.system, s.metric, k), 1),
            "metric_difference": last(other_lead(k, s.metric), -1),
        }[s.order]

    kept = [k for k in range(len(xray.segments)) if stays(k)]
    return sorted(kept, key=lambda k: -key(k) if s.reverse else key(k))


@given(st.data())
@settings(max_examples=examples(150))
def test_against_the_oracle(data: st.DataObject) -> None:
    xray = data.draw(xrays())
    shelf = Shelf(xray)
    for _ in range(3):
        selection = data.draw(selections(xray))
        assert select(shelf, selection) == slow(xray, selection)


def test_what_people_type(english: Meteor) -> None:
    xray = small(english)
    typed = {
        "low": "0.2",
        "high": " 1 ",
        "shortest": "3",
        "module": "stem",
        "text": " a b ",
        "against": "south",
        "pick": "over case: lower",
        "group": "length: ≤ 10",
    }
    found = parse(xray, typed)
    expected = Selection(
        low=0.2, high=1.0, shortest=3, module="stem", text="a b", against=1,
        pick="over case: lower", group="length: ≤ 10",
    )  # fmt: skip
    assert found == expected
    assert parse(xray, {"low": "", "against": "", "order": "score"}, found) == replace(
        expected, low=None, against=None, order="score"
    )
    assert parse(xray, {"system": "south"}).system == 1
    assert found.cleared() == Selection(against=1)


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ({"low": "x"}, "low must be a number from 0 to 1, such as 0.25, not 'x'"),
        ({"low": "nan"}, "low must be a number from 0 to 1"),
        ({"high": "1.5"}, "high must be a number from 0 to 1"),
        ({"margin": "-1"}, "margin must be a number from 0 to 1"),
        ({"shortest": "2.5"}, "shortest must be a number of words, such as 20, not '2.5'"),
        ({"longest": "²"}, "longest must be a number of words"),
        ({"module": "stm"}, "unknown module 'stm'; did you mean 'stem'?"),
        ({"order": "best"}, "unknown order 'best'"),
        ({"against": "east"}, "unknown system 'east'"),
        ({"lead_low": "-2"}, "lead_low must be a number from -1 to 1"),
        ({"pick": "missed house"}, "pick must be such as 'missed word: house', not 'missed house'"),
        ({"group": "length: 11-20"}, "unknown group 'length: 11-20'; did you mean 'length: 11–20'?"),
        ({"equal": "maybe"}, "unknown equal 'maybe'"),
        ({"colour": "red"}, "unknown filter 'colour'"),
        ({"low": "0.5", "high": "0.2"}, "low (0.5) is above high (0.2)"),
        ({"shortest": "9", "longest": "3"}, "shortest (9) is above longest (3)"),
    ],
)
def test_what_cannot_be_meant(english: Meteor, typed: dict[str, str], problem: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse(small(english), typed)
    assert problem in str(caught.value)


def test_filters_in_words() -> None:
    every = Selection(
        against=1, low=0.2, high=0.5, module="stem", shortest=1, longest=9, text="x{}", margin=0.05,
        behind=0.0, low_b=0.1, high_b=0.9, lead_low=-0.5, lead_high=0.5, unmatched="the", equal="no",
        left_out="yes", metric="TER", metric_low=1, metric_high=2, disagree="METEOR and TER",
        pick="missed word: {}", group="domain: {}",
    )  # fmt: skip
    assert "missed word: {}, domain: {}" in described(every)
    assert set(every.filters) == set(FILTERS) == set(WORDS)
    assert "A beats B by at least 0.05" in described(every)
    assert "B beats A, A − B ≥ -0.5, A − B ≤ 0.5, a match left out: yes, A and B equal: no" in described(
        every
    )
    assert "“x{}”" in described(every)
    assert "a score by TER, that score ≥ 1, that score ≤ 2, METEOR and TER disagree" in described(every)
    assert described(Selection(against=1, margin=0.0)) == "A beats B"
    assert described(Selection(margin=0.1)) == ""


def test_page_and_terminal_have_the_same_names() -> None:
    script = (PAGE / "filters.js").read_text("utf-8")
    for name in FILTERS:
        assert f"\n  {name}: {{" in script, name
    for name in ORDERS:
        assert f"\n  {name}: (" in script, name
