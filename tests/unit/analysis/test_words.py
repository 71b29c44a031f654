"""Counts of words and n-grams, against a count of one word at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import ConfigurationError, Meteor
from bolide.analysis.classes import bands, case_class, shape_classes
from bolide.analysis.intervals import draws
from bolide.analysis.order import out_of_order, staying
from bolide.analysis.words import WHATS, WordAnalysis
from bolide.comparison.compare import ComparisonOptions
from bolide.comparison.discoveries import FEWEST, false_discovery_rates, sign_test
from bolide.xray import Xray, of_texts
from tests.support.examples import examples
from tests.support.oracle import words as oracle
from tests.support.xray_texts import LABELS, annotated

PLAIN = Meteor("linear", modules=["exact", "stem"], normalize="lower")
TEXT = st.lists(st.sampled_from(["a", "b", "Cats", "cat", "12", "<b>", "."]), max_size=7).map(" ".join)


@st.composite
def xrays(draw: st.DrawFn, references: int = 2) -> Xray:
    count = draw(st.integers(1, 8))
    same: dict[str, Any] = {"min_size": count, "max_size": count}
    systems = {name: draw(st.lists(TEXT, **same)) for name in ("x", "y", "z")[: draw(st.integers(1, 3))]}
    given = draw(st.lists(st.lists(TEXT, min_size=1, max_size=references), **same))
    return of_texts(systems, given, PLAIN, ComparisonOptions(test="none"), layout="segments")


def totals(xray: Xray, system: int) -> dict[str, Counter[str]]:
    """The counts of each word, by the oracle."""
    found: dict[str, Counter[str]] = {
        name: Counter() for name in ("reference", "hypothesis", "over", "moved")
    }
    for k in range(len(xray.segments)):
        alignment = xray.alignment(system, k)
        found["reference"].update(alignment.reference)
        found["hypothesis"].update(alignment.hypothesis)
        for word, event in oracle.reference_words(alignment):
            found.setdefault(event, Counter())[word] += 1
        found["over"].update(word for word, event in oracle.hypothesis_words(alignment) if event == "over")
        found["moved"].update(alignment.reference[place] for place in oracle.moved_words(alignment))
    return found


@given(xrays())
@settings(max_examples=examples(150))
def test_the_counts_of_words(xray: Xray) -> None:
    analysis = xray.words()
    for system in range(len(xray.systems)):
        expected = totals(xray, system)
        for order in ("missed", "over", "moved", "stem"):
            counts = expected.get(order, Counter())
            rows = analysis.rows(system, order, None)
            values = [row.found["stem"] if order == "stem" else getattr(row, order) for row in rows]
            assert {row.word: value for row, value in zip(rows, values, strict=True)} == dict(counts)
            assert values == sorted(values, reverse=True)
        for row in analysis.rows(system, "reference", None):
            assert (row.reference, row.hypothesis) == (
                expected["reference"][row.word],
                expected["hypothesis"][row.word],
            )


@given(xrays())
@settings(max_examples=examples(100))
def test_classes_add_up(xray: Xray) -> None:
    """Every class has the sum of its words; a matched word of a hypothesis is in the class of its partner."""
    analysis = xray.words()
    references = Counter(w for segment in xray.segments for text in segment.references for w in text)
    classes: dict[str, Callable[[str], str]] = {
        "shape": lambda word: ("words", "with digits", "punctuation and symbols")[shape_classes([word])[0]],
        "frequency": lambda word: ["in no reference", *bands((1, 2, 3, 4, 5, 10, 100, 1000))[1:]][
            sum(references[word] >= low for low in (1, 2, 3, 4, 5, 10, 100, 1000))
        ],
    }
    for system in range(len(xray.systems)):
        expected = totals(xray, system)
        for kind, of_word in classes.items():
            rows = {row.name: row for row in analysis.classes(system, kind)}
            for what in ("reference", "missed", "over", "moved"):
                found = {name: getattr(row, what) for name, row in rows.items() if getattr(row, what)}
                counted: Counter[str] = Counter()
                for word, count in expected.get(what, Counter()).items():
                    counted[of_word(word)] += count
                assert found == dict(counted)
            assert sum(row.hypothesis for row in rows.values()) == sum(expected["hypothesis"].values())
            for row in rows.values():
                assert row.hypothesis - row.over >= 0
                if row.reference:
                    assert row.recall == (row.reference - row.missed) / row.reference
                if row.reference and row.hypothesis and row.precision + row.recall:
                    mean = 2 * row.precision * row.recall / (row.precision + row.recall)
                    assert row.f1 == pytest.approx(mean)


@given(xrays())
@settings(max_examples=examples(100))
def test_differences_between_two_systems(xray: Xray) -> None:
    analysis = xray.words()
    last = len(xray.systems) - 1
    for what in WHATS:
        better = 1 if what == "ngrams" else -1
        sums = [Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()]
        wins, losses = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
        for k in range(len(xray.segments)):
            one, two = (oracle.segment_counts(xray, system, k, what) for system in (0, last))
            sums[0] += one
            sums[1] += two
            for thing in one | two:
                difference = better * (one[thing] - two[thing])
                (wins if difference > 0 else losses)[thing] += difference != 0
        expected = {thing for thing in wins | losses if wins[thing] + losses[thing]}
        rows = analysis.differences(0, last, what, None)
        assert {row.words for row in rows} == expected
        for row in rows:
            assert row.counts == (sums[0][row.words], sums[1][row.words])
            assert (row.wins, row.losses) == (wins[row.words], losses[row.words])
            assert (row.q_value is None) == (row.wins + row.losses < FEWEST)
        assert [row.p_value for row in rows] == sorted(row.p_value for row in rows)
        turned = analysis.differences(last, 0, what, None)
        assert [(row.words, row.wins) for row in turned] == [(row.words, row.losses) for row in rows]


@given(xrays())
@settings(max_examples=examples(100))
def test_sign_tests_of_classes(xray: Xray) -> None:
    """They are those of a count of one segment and one word at a time."""
    names = ("words", "with digits", "punctuation and symbols")
    analysis = xray.words()
    used = [each.name for each in analysis.classes(0, "shape")]

    def counts(system: int, k: int) -> Counter[tuple[str, str]]:
        alignment = xray.alignment(system, k)
        words = [*oracle.reference_words(alignment), *oracle.hypothesis_words(alignment)]
        return Counter((event, names[shape_classes([word])[0]]) for word, event in words)

    for a, b, tests in analysis.class_tests("shape"):
        wins, losses = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        for k in range(len(xray.segments)):
            one, two = counts(a, k), counts(b, k)
            for key in one | two:
                wins[key] += one[key] < two[key]
                losses[key] += one[key] > two[key]
        keys = [(event, name) for event in ("missed", "over") for name in used]
        assert tests.wins.ravel().tolist() == [wins[key] for key in keys]
        assert tests.losses.ravel().tolist() == [losses[key] for key in keys]
        tested = [key for key in keys if wins[key] + losses[key] >= FEWEST]
        p_values = [float(sign_test(wins[key], losses[key])) for key in tested]
        expected = dict(zip(tested, false_discovery_rates(p_values).tolist(), strict=True))
        found = tests.q_values.ravel().tolist()
        assert found == pytest.approx([expected.get(key, np.nan) for key in keys], nan_ok=True)


def test_over_generated_words_of_classes_are_tested() -> None:
    """Words that no reference has cannot be missed; their tests are in the family of the others."""
    systems = {"one": ["a b"] * 8, "two": ["a b zoo"] * 8}
    found = of_texts(systems, ["a b"] * 7 + ["a c"], PLAIN, ComparisonOptions(test="none")).words()
    (_, _, tests) = next(iter(found.class_tests("frequency")))
    unknown = [row.name for row in found.classes(0, "frequency")].index("in no reference")
    assert (tests.wins[:, unknown].tolist(), tests.losses[:, unknown].tolist()) == ([0, 8], [0, 0])
    assert np.isnan(tests.q_values[0, unknown]) and tests.q_values[1, unknown] == pytest.approx(2 / 2**8)


@given(xrays(), st.integers(0, 5))
@settings(max_examples=examples(40), deadline=None)
def test_intervals_of_classes(xray: Xray, seed: int) -> None:
    """They are those of X-rays of the drawn segments."""
    size, samples = len(xray.segments), 8
    found = xray.words().class_intervals(0, "shape", samples, seed)
    values: dict[str, list[list[float]]] = {row.name: [] for row in found}
    whole = {row.name: row for row in xray.words().classes(0, "shape")}
    assert list(values) == list(whole)
    texts = {"x": list(xray.systems[0].texts or ())}
    for drawn in draws(size, samples, seed):
        chosen = np.repeat(np.arange(size), drawn.astype(int)).tolist()
        references = [list(xray.segments[k].texts or ()) for k in chosen]
        again = of_texts(
            {"x": [texts["x"][k] for k in chosen]}, references, PLAIN, ComparisonOptions(test="none"),
            layout="segments",
        )  # fmt: skip
        rows = {row.name: row for row in again.words().classes("x", "shape")}
        for name, own in values.items():
            row = rows.get(name)
            own.append([np.nan] * 3 if row is None else [row.precision, row.recall, row.f1])
    for each in found:
        expected = np.percentile(np.array(values[each.name]), (2.5, 97.5), axis=0).T
        assert np.array([each.precision, each.recall, each.f1]) == pytest.approx(expected, nan_ok=True)


@given(xrays())
@settings(max_examples=examples(60), deadline=None)
def test_ngrams_of_classes(xray: Xray) -> None:
    analysis = xray.words()
    last = len(xray.systems) - 1
    names = ("words", "with digits", "punctuation and symbols")
    for what in ("ngrams", "extra"):
        sums = [Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()]
        for k in range(len(xray.segments)):
            for total, system in zip(sums, (0, last), strict=True):
                alignment = xray.alignment(system, k)
                classes = [names[number] for number in shape_classes(alignment.hypothesis)]
                total += oracle.label_counts(alignment, classes, what)
        rows = analysis.label_differences(0, last, "shape", what, None)
        for row in rows:
            assert row.counts == (sums[0][row.words], sums[1][row.words])
        listed = {row.words for row in rows}
        assert {each for each in sums[0] | sums[1] if sums[0][each] != sums[1][each]} <= listed


@given(st.permutations(range(7)), st.lists(st.integers(1, 3), min_size=7, max_size=7), st.integers(0, 7))
@settings(max_examples=examples(300))
def test_what_stays_in_order(places: list[int], weights: list[int], size: int) -> None:
    assert staying(places[:size], weights[:size]) == oracle.staying(places[:size], weights[:size])


def test_the_phrase_that_moved() -> None:
    scorer = Meteor("linear", modules=["exact"], normalize="lower")
    found = of_texts({"one": ["he left the town on friday"]}, ["on friday he left the town"], scorer)
    rows = found.words().rows("one", "moved", None)
    assert {row.word for row in rows} == {"on", "friday"}
    assert not out_of_order(np.zeros((0, 6), dtype=np.int64), np.zeros(0, dtype=np.int64)).size


def test_many_chunks_are_quick() -> None:
    """The search is not quadratic: 20,000 chunks in reverse."""
    places = list(range(20_000))[::-1]
    assert staying(places, [1] * len(places)) == [len(places) - 1]


@given(st.integers(0, 300), st.integers(0, 300))
@settings(max_examples=examples(200))
def test_the_sign_test_is_binomial(wins: int, losses: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert sign_test(wins, losses) == pytest.approx(expected, rel=1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_false_discovery_rates_are_those_of_benjamini_and_hochberg(p_values: list[float]) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert false_discovery_rates(p_values) == pytest.approx(stats.false_discovery_control(p_values))


def test_no_p_values_have_no_rates() -> None:
    assert false_discovery_rates([]).tolist() == []


def test_classes_by_case_and_labels(english: Meteor) -> None:
    xray = annotated(english)
    analysis = xray.words()
    assert set(analysis.kinds) == {"function", "shape", "frequency", "case", "label 1", "label 2"}
    cases: Counter[int] = Counter()
    for segment, best in zip(xray.segments, (xray.best("north", k) for k in range(4)), strict=True):
        assert segment.texts is not None
        text = segment.texts[best].replace(".", " .")
        cases.update(case_class(word) for word in text.split())
    rows = {row.name: row.reference for row in analysis.classes("north", "case")}
    assert rows == {"lower": cases[0], "upper": cases[1], "title": cases[2], "other": cases[3]}
    nouns = {row.name: row for row in analysis.classes("south", "label 1")}["NOUN"]
    assert nouns.reference == sum(
        label.split("|")[0] == "NOUN" for k in range(4) for label in LABELS[xray.best("south", k)][k].split()
    )


def test_names_that_do_not_exist() -> None:
    analysis: WordAnalysis = of_texts({"one": ["a b"]}, ["a c"], PLAIN).words()
    calls: list[tuple[Any, str]] = [
        (lambda: analysis.rows("two"), "unknown system 'two'"),
        (lambda: analysis.rows("one", "mised"), "did you mean 'missed'"),
        (lambda: analysis.classes("one", "frequncy"), "did you mean 'frequency'"),
        (lambda: analysis.differences("one", "one", "ngram"), "did you mean 'ngrams'"),
    ]
    for call, problem in calls:
        with pytest.raises(ConfigurationError, match=problem):
            call()


def test_texts_without_words() -> None:
    found = of_texts({"one": ["", "a"], "two": ["", ""]}, ["", "b"], PLAIN).words()
    assert [row.word for row in found.rows("one", "over")] == ["a"]
    assert found.differences("one", "two", "ngrams") == []
    assert [row.missed for row in found.classes("two", "shape")] == [1]
