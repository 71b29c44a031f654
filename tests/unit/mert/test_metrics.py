"""BLEU and TER equal sacrebleu's, METEOR equals the scorer's: counts, scores of sums, tokenised words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bolide import ConfigurationError, InputError, Meteor, _core
from bolide.mert import make_objective
from bolide.mert.metrics import BleuMetric, MeteorMetric, TerMetric
from tests.support.examples import examples

metrics = pytest.importorskip("sacrebleu.metrics")

WORDS = st.lists(st.sampled_from("abcde"), max_size=30)
TEXT = WORDS.map(" ".join)
CORPUS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=5)
# Characters that a tokeniser may treat specially.
HARD = st.text(alphabet=".,-'\"&;:0123aZ äΣσ€\u00a0\u2028<>!?()/$%", max_size=25)


def rows_of(metric: Any, hypotheses: Sequence[str]) -> Any:
    return metric.count(list(hypotheses), np.arange(len(hypotheses) + 1, dtype=np.int64))


def streams(references: Sequence[Sequence[str]]) -> list[list[str | None]]:
    most = max(map(len, references))
    return [[each[k] if k < len(each) else None for each in references] for k in range(most)]


@given(CORPUS)
def test_bleu_is_sacrebleus(corpus: Any) -> None:
    hypotheses, references = zip(*corpus, strict=True)
    theirs = metrics.BLEU(force=True)
    rows = rows_of(BleuMetric(references), hypotheses)
    assert rows.tolist() == theirs._extract_corpus_statistics(hypotheses, streams(references))
    score = BleuMetric(references).score(rows.sum(axis=0)[None].astype(float))[0]
    assert score == pytest.approx(theirs.corpus_score(hypotheses, streams(references)).score, abs=1e-9)


@settings(max_examples=examples(30))
@given(CORPUS)
@example([("a b c d e " * 8, ["e d c b a " * 7])])  # so many shifts that sacrebleu gives up
@example([("a " * 60, ["a b " * 3])])  # lengths so different that the band is wider
@example([("a b", ["c d e f g " * 40])])
def test_ter_is_sacrebleus(corpus: Any) -> None:
    hypotheses, references = zip(*corpus, strict=True)
    theirs = metrics.TER()
    ours = TerMetric(references)
    rows = rows_of(ours, hypotheses)
    expected = theirs._extract_corpus_statistics(hypotheses, streams(references))
    assert rows[:, 0].tolist() == [edits for edits, _ in expected]
    score = ours.score(rows.sum(axis=0)[None].astype(float))[0]
    assert score == pytest.approx(theirs.corpus_score(hypotheses, streams(references)).score, abs=1e-9)


@given(WORDS, st.lists(st.tuples(st.integers(0, 40), st.integers(1, 6), st.integers(0, 40)), max_size=4))
def test_ter_of_shifted_words(words: list[str], shifts: Any) -> None:
    """Texts that differ by shifts, which is rare in random texts."""
    from sacrebleu.metrics.lib_ter import translation_edit_rate

    moved = list(words)
    for start, length, target in shifts:
        phrase = moved[start : start + length]
        del moved[start : start + length]
        moved[target:target] = phrase
    one = np.array([0, 1], dtype=np.int64)
    found = _core.count_edits([" ".join(moved)], one, [" ".join(words)], one, 1)
    assert tuple(found[0].tolist()) == translation_edit_rate(moved, words)


@given(HARD)
@example("a.5 ,5 5. .5 5, 5,6 .,. 5-6 a-b")
@example("&quot;x&quot; <skipped> <skipped>y")
@example("ΑΣ ΑΣ.")
def test_words_are_tokenised_as_in_their_sentence(text: str) -> None:
    for ours, theirs in (
        (BleuMetric([["a"]]), metrics.BLEU(force=True)),
        (TerMetric([["a"]]), metrics.TER()),
    ):
        assert ours._native.tokens(text).split() == theirs._preprocess_segment(text).split()


def test_lists_of_a_sentence_share_its_references() -> None:
    references = [["a b c", "a c"], ["d"]]
    objective = make_objective("bleu=1 ter=1", references)
    texts, sentences = ["d", "a b", "x d", "a c"], [1, 0, 1, 0]
    rows = objective.statistics(texts, sentences, 2)
    for text, sentence, row in zip(texts, sentences, rows, strict=True):
        one = make_objective("bleu=1 ter=1", [references[sentence]] if sentence == 0 else [["d"], ["d", "d"]])
        alone = one.statistics([text], [0], len(one.terms[0][1]._counts))  # type: ignore[attr-defined]
        assert row.tolist() == alone[0].tolist()


@pytest.mark.parametrize("profile", ["1.5", "2005", "nltk"])
def test_meteor_is_the_scorers(profile: str, meteor: Callable[..., Meteor]) -> None:
    scorer = meteor(profile=profile)
    hypotheses = ["the cats sat on a mat", "heavy rain", "", "the same words"]
    references = [["the cat sat on the mat", "a cat sat"], ["strong rain"], ["x"], ["the same words"]]
    metric = MeteorMetric(scorer, references)
    rows = rows_of(metric, hypotheses)
    score = metric.score(rows.sum(axis=0)[None].astype(float))[0]
    expected = scorer.corpus_score(hypotheses, references, layout="segments").score
    assert score == pytest.approx(100 * expected, abs=1e-9)
    each = [100 * scorer.sentence_score(h, r).score for h, r in zip(hypotheses, references, strict=True)]
    assert metric.sentence_score(rows.astype(float)) == pytest.approx(each, abs=1e-9)
    assert metric.signature() == scorer.get_signature((1, 2))


def test_meteor_of_many_hypotheses(meteor: Callable[..., Meteor]) -> None:
    """More than one batch, with sentences of every size."""
    scorer = meteor(modules=["exact"], normalize="lower")
    random = np.random.default_rng(1)
    sizes = [3000, 0, 1, 700, 0, 0, 2500, 5]
    references = [[" ".join(random.choice(list("abcdef"), 5))] for _ in sizes]
    texts = [" ".join(random.choice(list("abcdef"), 4)) for _ in range(sum(sizes))]
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    rows = MeteorMetric(scorer, references).count(texts, offsets)
    sentences = np.repeat(np.arange(len(sizes)), sizes)
    expected = scorer.statistics(texts, [references[s][0] for s in sentences])
    assert (rows[:, 0] == expected[:, 0]).all()
    assert (rows[:, 4:8] == expected[:, 4:8]).all()


def test_sums_of_metrics() -> None:
    references = [["the cat sat on the mat"]]
    whole = make_objective("(TER-BLEU)/2", references)
    assert whole.formula() == "0.5·BLEU − 0.5·TER"
    rows = whole.statistics(["the cat sat on a mat"], [0], 1)
    parts = whole.scores(rows)
    assert whole(rows)[0] == pytest.approx((parts["BLEU"] - parts["TER"]) / 2)
    assert parts["TER"] == pytest.approx(100 / 6)
    assert make_objective("ter", references)(rows[:, -2:])[0] == -parts["TER"]
    assert "BLEU|" in whole.terms[0][1].signature()


def test_meteors_by_name(meteor: Callable[..., Meteor]) -> None:
    meteor()
    made = []

    def make(profile: str | None, task: str | None) -> Meteor:
        made.append((profile, task))
        return Meteor(profile or "1.5", task=task)

    objective = make_objective("meteor meteor:adq meteor@1.3:tune meteor@2005", [["a"]], make=make)
    assert made == [(None, None), (None, "adq"), ("1.3", "tune"), ("2005", None)]
    assert objective.formula() == "METEOR + METEOR:adq + METEOR@1.3:tune + METEOR@2005"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("blue", "unknown metric 'blue'; choose meteor, meteor:TASK"),
        ("bleu=x", "the weight of 'bleu' must be a number above 0, not 'x'"),
        ("bleu=-1", "the weight of 'bleu' must be a number above 0, not '-1'"),
        ("bleu BLEU", "'bleu' occurs twice"),
        ("", "the objective has no metric"),
        ("meteor:nonsense", "unknown task 'nonsense'"),
    ],
)
def test_objectives_that_are_none(name: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        make_objective(name, [["a"]])


def test_texts_that_cannot_be_scored(meteor: Callable[..., Meteor]) -> None:
    meteor()
    long = "a " * 100_001
    with pytest.raises(InputError, match=r"sentence 1 \(hypothesis\): 100001 words"):
        make_objective("meteor", [["a"], ["b"]]).statistics(["x", long], [0, 1], 2)
    for name in ("bleu", "ter"):
        with pytest.raises(InputError, match="lone surrogate"):
            make_objective(name, [["a"]]).statistics(["\ud800"], [0], 1)
