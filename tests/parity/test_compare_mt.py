"""The words, n-grams and groups of an X-ray against compare-mt, where both define them in the same way.

`docs/guides/xray-compared.md` explains the differences. The tests at the end of this file show them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import Meteor
from bolide.analysis.classes import IN_FILE, IN_TEST_SET, bands
from bolide.comparison.compare import ComparisonOptions
from bolide.comparison.grouping import LENGTHS
from bolide.xray import Xray
from tests.support import generate
from tests.support.examples import examples

pytest.importorskip("compare_mt", reason="compare-mt is not installed; .ci/pinned.txt has it")

from compare_mt import bucketers, corpus_utils
from compare_mt.ngram_utils import compare_ngrams

from tests.support.compare_mt_words import (
    CASED,
    LOWERED,
    Systems,
    Texts,
    check_frequencies,
    check_ngrams,
    check_word_classes,
    word_report,
    xray,
)

WORDS = ["the", "The", "cat", "Cats", "NATO", "iPod", "12", ".", "on"]
TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8)


@st.composite
def systems(draw: st.DrawFn) -> Systems:
    count = draw(st.integers(1, 8))
    texts = st.lists(TEXT, min_size=count, max_size=count)
    return draw(texts), [draw(texts), draw(texts)]


def made_up() -> Systems:
    """A larger set: sentences of a generated language, and two worse copies of them."""
    pairs = generate.pairs("en", 300, 11)
    references = [pair.reference.split() or ["x"] for pair in pairs]
    one = [pair.hypothesis.split() or ["x"] for pair in pairs]
    two = [[word for k, word in enumerate(text) if k % 5 != 4] for text in references]
    return references, [one, two]


# ---- words ---------------------------------------------------------------------------------------------


@given(systems(), st.booleans())
@settings(max_examples=examples(150), deadline=None)
def test_words_by_frequency_in_the_test_set(given: Systems, lowered: bool) -> None:
    check_frequencies(given, LOWERED if lowered else CASED, lowered=lowered)


def test_words_by_frequency_in_a_larger_set() -> None:
    check_frequencies(made_up(), CASED, lowered=False)
    check_frequencies(made_up(), Meteor("linear", modules=["exact"], normalize="none"), lowered=False)


@given(systems())
@settings(max_examples=examples(50), deadline=None)
def test_words_by_frequency_in_a_file(tmp_path_factory: pytest.TempPathFactory, given: Systems) -> None:
    frequencies = {"the": 9, "cat": 10, "Cats": 99, "NATO": 100, "on": 10**6, ".": 12_345_678}
    path = tmp_path_factory.mktemp("counts") / "counts.tsv"
    path.write_text("".join(f"{word}\t{count}\n" for word, count in frequencies.items()), "utf-8")
    references, outs = given
    # bolide adds up spellings that differ in their case: "The" has the frequency of "the", too.
    cased = [word for word in WORDS if word != "The"]
    references, *outs = (
        [[w for w in text if w in cased] or ["on"] for text in t] for t in (references, *outs)
    )
    cutoffs = ":".join(map(str, IN_FILE))
    report = word_report(
        references, outs, bucket_type="freq", freq_count_file=str(path), bucket_cutoffs=cutoffs
    )
    analysis = xray(references, outs, CASED, frequencies=frequencies).words()
    for k, statistics in enumerate(report.statistics):
        check_word_classes(analysis.classes(k, "frequency"), bands(IN_FILE), statistics)


@given(systems())
@settings(max_examples=examples(100), deadline=None)
def test_words_by_case(given: Systems) -> None:
    references, outs = given
    report = word_report(references, outs, bucket_type="case")
    analysis = xray(references, outs, CASED).words()
    for k, statistics in enumerate(report.statistics):
        check_word_classes(analysis.classes(k, "case"), report.bucketer.bucket_strs, statistics)


def label_statistics(
    references: Texts, outs: Sequence[Texts], labels: Callable[[int, int, str], str], names: Sequence[str]
) -> tuple[Any, Xray]:
    """Both analyses by labels: `labels` of a text (0: the reference), a segment and a word."""
    labelled = [
        [[labels(t, k, word) for word in text] for k, text in enumerate(texts)]
        for t, texts in enumerate((references, *outs))
    ]
    bucketer = bucketers.LabelWordBucketer("+".join(names))
    statistics, *_ = bucketer.calc_statistics(
        references, list(outs), ref_labels=labelled[0], out_labels=labelled[1:]
    )
    own = {f"sys{k}": lines for k, lines in enumerate(labelled[1:])}
    return statistics, xray(references, outs, CASED, labels=[labelled[0]], system_labels=own)


NAMES = ["NOUN", "VERB", "DET"]


@given(systems(), st.lists(st.sampled_from(NAMES), min_size=len(WORDS), max_size=len(WORDS)))
@settings(max_examples=examples(100), deadline=None)
def test_words_by_label(given: Systems, chosen: list[str]) -> None:
    """Each word has one label: then it does not matter which of several equal words is matched."""
    of_word = dict(zip(WORDS, chosen, strict=True))
    statistics, found = label_statistics(*given, lambda _, __, word: of_word[word], NAMES)
    for k in range(2):
        check_word_classes(found.words().classes(k, "label 1"), [*NAMES, "other"], statistics[k])


@given(systems(), st.randoms(use_true_random=False))
@settings(max_examples=examples(100), deadline=None)
def test_words_by_label_of_the_place(given: Systems, random: Any) -> None:
    """Labels differ from place to place, but no word is repeated in a text."""
    references, *outs = ([list(dict.fromkeys(text)) for text in texts] for texts in (given[0], *given[1]))
    chosen: dict[tuple[int, int, str], str] = {}

    def label(*place: Any) -> str:
        return chosen.setdefault(place, random.choice(NAMES))

    statistics, found = label_statistics(references, outs, label, NAMES)
    for k in range(2):
        check_word_classes(found.words().classes(k, "label 1"), [*NAMES, "other"], statistics[k])


# ---- source words --------------------------------------------------------------------------------------


@given(systems(), st.data(), st.sampled_from(["freq", "case", "label"]))
@settings(max_examples=examples(60), deadline=None)
def test_source_words(given: Systems, data: Any, by: str) -> None:
    """No word is repeated in a text. bolide leaves out words that are aligned with nothing; compare-mt counts
    them as missed."""
    references, *outs = ([list(dict.fromkeys(text)) for text in texts] for texts in (given[0], *given[1]))
    sources = [data.draw(TEXT) for _ in references]
    links = [
        data.draw(st.lists(st.tuples(st.integers(0, len(s) - 1), st.integers(0, len(r) - 1))))
        for s, r in zip(sources, references, strict=True)
    ]
    labels = [[data.draw(st.sampled_from(NAMES)) for _ in text] for text in sources]
    found = xray(references, outs, CASED, sources=sources, alignments=[links], source_labels=labels)
    bucketer = bucketers.create_word_bucketer_from_profile(by, freq_data=sources, label_set="+".join(NAMES))
    statistics, *_ = bucketer.calc_statistics(
        references, outs, src=sources, src_labels=labels, ref_aligns=links
    )
    assert found.sources is not None
    kind = {"freq": "frequency", "label": "label 1"}.get(by, by)
    names = bands(IN_TEST_SET) if by == "freq" else bucketer.bucket_strs
    for k in range(len(outs)):
        rows = {row.name: row for row in found.source_words().classes(k, kind)}
        unaligned = found.sources.kinds[kind][~found.sources.aligned[k]]
        classes = found.sources.analysis.kinds[kind].classes
        left_out = dict(zip(classes, np.bincount(unaligned, minlength=len(classes)), strict=True))
        for name, (matched, total, *_) in zip(names, statistics[k], strict=True):
            row = rows.get(name)
            counts = (row.found["found"], row.reference + left_out[name]) if row else (0, 0)
            assert counts == (matched, total)
            if row and not left_out[name]:
                assert row.recall == pytest.approx(matched / total)


# ---- n-grams -------------------------------------------------------------------------------------------


@given(systems())
@settings(max_examples=examples(100), deadline=None)
def test_ngrams(given: Systems) -> None:
    check_ngrams(*given)


def test_ngrams_of_a_larger_set() -> None:
    check_ngrams(*made_up())


@given(systems(), st.randoms(use_true_random=False))
@settings(max_examples=examples(100), deadline=None)
def test_ngrams_of_labels(given: Systems, random: Any) -> None:
    references, outs = given
    labelled = [[[random.choice(NAMES) for _ in text] for text in texts] for texts in (references, *outs)]
    own = {f"sys{k}": lines for k, lines in enumerate(labelled[1:])}
    words = xray(references, outs, CASED, labels=[labelled[0]], system_labels=own).words()
    for what, which in (("ngrams", 1), ("extra", 2)):
        one, two = (
            compare_ngrams(references, out, labelled[0], labels, min_length=2, max_length=4)[which]
            for out, labels in zip(outs, labelled[1:], strict=True)
        )
        rows = words.label_differences(0, 1, "label 1", what, None)
        assert all(row.counts == (one[row.words], two[row.words]) for row in rows)
        listed = {row.words for row in rows}
        assert {each for each in {**one, **two} if one[each] != two[each]} <= listed


# ---- groups --------------------------------------------------------------------------------------------


def test_groups_by_length() -> None:
    """With bolide's bounds. Each group has the same segments, so that any score of it is the same."""
    references, outs = made_up()
    found = xray(references, outs, CASED)
    bucketer = bucketers.LengthSentenceBucketer(bucket_cutoffs=list(LENGTHS))
    grouping = found.groups(ComparisonOptions(test="none"))["length"]
    members = grouping.grouping.members[0]
    for k, out in enumerate(outs):
        buckets = bucketer.create_bucketed_corpus(out, ref=references)
        for (theirs, refs, _), own, group in zip(buckets, members, grouping.groups, strict=True):
            assert theirs == [out[segment] for segment in own]
            assert refs == [references[segment] for segment in own]
            if theirs:
                texts = [" ".join(text) for text in theirs], [" ".join(text) for text in refs]
                assert group.systems[k].score == pytest.approx(CASED.corpus_score(*texts).score)


@pytest.mark.parametrize("numbers", [False, True])
def test_groups_by_tag(numbers: bool) -> None:
    references, outs = made_up()
    values = [k * k % 7 for k in range(len(references))]
    tags: dict[str, Any] = {"tag": values if numbers else [f"t{value}" for value in values]}
    names = [str(value) for value in tags["tag"]]
    distinct = sorted(set(names))
    bucketer = bucketers.LabelSentenceBucketer("+".join(distinct))
    buckets = bucketer.create_bucketed_corpus(outs[0], ref=references, ref_labels=[[n] for n in names])
    groups = xray(references, outs, CASED, tags=tags).groups(ComparisonOptions(test="none"))["tag"]
    counts = {group.name: group.systems[0].segments for group in groups}
    assert counts == {name: len(bucket[0]) for name, bucket in zip(distinct, buckets, strict=False)}


# ---- differences ---------------------------------------------------------------------------------------


def test_compare_mt_swaps_precision_and_recall_in_its_report() -> None:
    """The statistics are right, but the report takes `prec` from the recall."""
    report = word_report([["a", "b"]], [[["a"]]], bucket_type="freq")
    matched, reference, output, third, fourth, _ = report.statistics[0][1]
    assert (third, fourth) == (matched / reference, matched / output)
    assert (report.acc_type_map["prec"], report.acc_type_map["rec"]) == (3, 4)


def test_repeated_words_may_be_matched_differently() -> None:
    """compare-mt matches the first "the" with the first one, bolide so that there are few chunks."""
    labels = {(0, 0): "DET", (0, 3): "X"}
    references, out = [["the", "cat", "on", "the", "mat"]], [["the", "mat"]]
    bucketer = bucketers.LabelWordBucketer("DET+X+W")
    lines = [[labels.get((0, k), "W") for k in range(5)]]
    statistics, *_ = bucketer.calc_statistics(
        references, [out], ref_labels=lines, out_labels=[[["DET", "W"]]]
    )
    matched = {name: row[0] for name, row in zip(bucketer.bucket_strs, statistics[0], strict=True)}
    assert matched == {"DET": 1, "X": 0, "W": 1, "other": 0}
    rows = xray(references, [out], CASED, labels=[lines]).words().classes(0, "label 1")
    assert {row.name: row.reference - row.missed for row in rows} == {"DET": 0, "X": 1, "W": 1}


def test_an_empty_line_is_a_word_of_compare_mt(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.write_text("\na\n", "utf-8")
    assert corpus_utils.load_tokens(path) == [[""], ["a"]]
    found = xray([[], ["a"]], [[[], ["a"]]], CASED).words()
    assert [row.word for row in found.rows(0, "reference")] == ["a"]
