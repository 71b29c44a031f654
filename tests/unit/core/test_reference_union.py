"""Several references as one, against the slow oracle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import Meteor, _core
from bolide.errors import ConfigurationError
from tests.support.examples import examples
from tests.support.oracle import statistics, union
from tests.support.oracle.matchers import Match
from tests.unit.core.test_beam import Case, add_words, cases


def counts_whole_words(case: Case) -> bool:
    """Profiles with parts of words cannot have the rule "union"."""
    return not (case.characters and case.letters())


def run(case: Case, references: list[int]) -> dict[str, Any]:
    """The case's first hypothesis, with these numbers of references per segment, as the core sees them."""
    kinds = [world.core_kind for world in case.worlds]
    resources = [world.resource() for world in case.worlds]
    weights = [1.0 if kind == "exact" else 0.5 for kind in kinds]
    engine = _core.Engine(kinds, "beam", weights, case.width, case.characters, None, resources, True)
    vocabulary = _core.Vocabulary(kinds)

    def analyse(words: list[str]) -> None:
        add_words(case, resources, vocabulary, words)

    hypotheses, texts = texts_of(case, references)
    counts = np.array(references, dtype=np.int32)
    rows, _, matches, offsets = engine.run(hypotheses, texts, counts, vocabulary, analyse, 1, False, True)
    words = [engine.count_words(side, vocabulary, analyse, 1, False) for side in (hypotheses, texts)]
    return {
        "statistics": rows,
        "counts": counts,
        "matches": matches,
        "offsets": offsets,
        "hypothesis_words": words[0],
        "reference_words": words[1],
    }


def texts_of(case: Case, references: list[int]) -> tuple[list[str], list[str]]:
    hypotheses = [" ".join(case.pairs[k % len(case.pairs)][0]) for k in range(len(references))]
    texts = [" ".join(case.pairs[k % len(case.pairs)][1]) for k in range(sum(references))]
    return hypotheses, texts


@given(cases().filter(counts_whole_words), st.lists(st.integers(1, 4), min_size=1, max_size=3), st.randoms())
@settings(max_examples=examples(400))
def test_the_union_equals_the_oracle(case: Case, references: list[int], random: Any) -> None:
    found = run(case, references)
    starts = np.cumsum([0, *references]).tolist()
    best = [start + random.randrange(count) for start, count in zip(starts, references, strict=False)]
    united = _core.unite(best=np.array(best, dtype=np.int64), **found).tolist()
    hypotheses, texts = texts_of(case, references)
    offsets = found["offsets"].tolist()
    for segment, start in enumerate(starts[:-1]):
        alignments = [
            [Match(*row[:5]) for row in found["matches"][offsets[k] : offsets[k + 1]].tolist()]
            for k in range(start, starts[segment + 1])
        ]
        expected = union.unite(
            hypotheses[segment].split(),
            texts[best[segment]].split(),
            alignments,
            best[segment] - start,
            case.functions,
            stages=len(case.worlds),
            size=statistics.characters if case.characters else statistics.one,
        )
        assert united[segment] == expected


def pooled(found: dict[str, Any]) -> list[list[int]]:
    starts = np.cumsum(found["counts"]) - found["counts"]
    summed = np.add.reduceat(found["statistics"], starts, dtype=np.int64)
    names = ("counts", "matches", "offsets", "hypothesis_words")
    rows: list[list[int]] = _core.pool(summed, **{name: found[name] for name in names}).tolist()
    return rows


@given(cases().filter(counts_whole_words), st.lists(st.integers(1, 4), min_size=1, max_size=3))
@settings(max_examples=examples(400))
def test_the_pool_equals_the_oracle(case: Case, references: list[int]) -> None:
    found = run(case, references)
    starts = np.cumsum([0, *references]).tolist()
    hypotheses, texts = texts_of(case, references)
    offsets, rows = found["offsets"].tolist(), pooled(found)
    for segment, start in enumerate(starts[:-1]):
        end = starts[segment + 1]
        alignments = [
            [Match(*row[:5]) for row in found["matches"][offsets[k] : offsets[k + 1]].tolist()]
            for k in range(start, end)
        ]
        assert rows[segment] == union.pool(
            hypotheses[segment].split(),
            [text.split() for text in texts[start:end]],
            alignments,
            case.functions,
            stages=len(case.worlds),
            size=statistics.characters if case.characters else statistics.one,
        )


@given(cases().filter(counts_whole_words))
@settings(max_examples=examples(100))
def test_the_pool_of_one_reference_is_that_reference(case: Case) -> None:
    found = run(case, [1, 1])
    assert pooled(found) == found["statistics"].tolist()


@given(cases())
@settings(max_examples=examples(100))
def test_with_one_reference_nothing_changes(case: Case) -> None:
    found = run(case, [1, 1])
    united = _core.unite(best=np.arange(2, dtype=np.int64), **found)
    assert united.tolist() == found["statistics"].tolist()


@given(cases(), st.integers(2, 4))
@settings(max_examples=examples(100))
def test_counts_stay_within_the_sentences(case: Case, references: int) -> None:
    found = run(case, [references])
    for best in range(references):
        row = _core.unite(best=np.array([best], dtype=np.int64), **found)[0].tolist()
        base = found["statistics"][best].tolist()
        hypothesis, reference = statistics.matched(row)
        assert row[:4] == base[:4] and hypothesis <= row[0] and reference <= row[1]
        assert all(
            more >= less for more, less in zip(row[4:-3] + row[-2:], base[4:-3] + base[-2:], strict=True)
        )
        assert row[-3] <= row[-2]


def test_arrays_that_do_not_fit_are_refused() -> None:
    none = (np.zeros(0, np.int32), np.zeros(0, np.uint8), np.zeros(2, np.int64))
    good: dict[str, Any] = {
        "statistics": np.zeros((1, 11), np.int32),
        "counts": np.ones(1, np.int32),
        "best": np.zeros(1, np.int64),
        "matches": np.zeros((0, 6), np.int32),
        "offsets": np.zeros(2, np.int64),
        "hypothesis_words": none,
        "reference_words": none,
    }
    assert _core.unite(**good).tolist() == [[0] * 11]
    outside = np.array([[0, 1, 0, 1, 0, 0]], np.int32)
    for name, wrong in {
        "statistics": np.zeros((1, 12), np.int32),
        "counts": np.full(1, 2, np.int32),
        "best": np.ones(1, np.int64),
        "matches": np.zeros((1, 6), np.int32),
        "offsets": np.zeros(3, np.int64),
        "hypothesis_words": (*none[:2], np.zeros(3, np.int64)),
    }.items():
        with pytest.raises(ValueError, match="fit"):
            _core.unite(**{**good, name: wrong})
    with pytest.raises(ValueError, match="outside"):
        _core.unite(**{**good, "matches": outside, "offsets": np.array([0, 1])})


def test_a_scorer_that_unites_references(meteor: Callable[..., Meteor]) -> None:
    best, union = meteor(modules=["exact"]), meteor(modules=["exact"], references="union")
    hypothesis = "the old man saw a dog"
    references = ["the old man noticed a cat", "an aged man saw a dog", "rain"]
    separate, united = (
        best.sentence_score(hypothesis, references),
        union.sentence_score(hypothesis, references),
    )
    # "the old man" matches in the first, "man saw a dog" in the second: all six words, in one chunk.
    assert (separate.hypothesis_matches, united.hypothesis_matches) == (4, 6)
    assert united.reference_matches == 6 and united.chunks == 1
    assert united.score > separate.score
    assert union.align(hypothesis, references).score == united
    assert union.corpus_score([hypothesis], [references]).score == pytest.approx(united.score)
    assert "|refs:3union|" in union.get_signature(3)
    assert "|refs:3|" in best.get_signature(3)


def test_a_union_of_one_is_the_ordinary_score(meteor: Callable[..., Meteor]) -> None:
    best, union = meteor(), meteor(references="union")
    for text in [("the cats sat", "a cat was sitting"), ("", "x"), ("x", "")]:
        assert union.sentence_score(*text) == best.sentence_score(*text)
        assert union.sentence_score(text[0], [text[1]] * 2).score == best.sentence_score(*text).score
    assert union.statistics([], []).shape == (0, 23)


def test_other_uses_of_references_are_refused(meteor: Callable[..., Meteor]) -> None:
    with pytest.raises(
        ConfigurationError, match="unknown references 'each'; choose one of: best, union, all"
    ):
        meteor(references="each")


def test_what_a_profile_deletes_is_no_word_of_the_union_either(meteor: Callable[..., Meteor]) -> None:
    scorer = meteor(profile="coco", references="union")
    deleted = scorer.settings.profile.deleted[0]
    references = ["a man rides a horse", "someone is on a brown horse"]
    with_it = scorer.align(f"a man {deleted} on a horse", references)
    without = scorer.align("a man  on a horse", references)
    assert with_it == without and deleted not in with_it.hypothesis
