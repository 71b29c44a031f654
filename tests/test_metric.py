"""The scorer as its users call it. Equality with the Java release is tested elsewhere (live and shared parity)."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bolide
from bolide.errors import ConfigurationError, InputError
from bolide.score import aggregate, columns

Make = Callable[..., bolide.Meteor]
HYPOTHESES = ["The cat sat on the mat.", "A dog barks loudly!", "nothing in common here"]
REFERENCES = ["On the mat sat the cat.", "The dogs are barking loud.", "wholly other words"]


def test_sentence_score_is_that_of_its_statistics(english: bolide.Meteor) -> None:
    score = english.sentence_score(HYPOTHESES[0], REFERENCES[0])
    row = english.statistics(HYPOTHESES[:1], REFERENCES[:1])
    assert float(score) == english.score(row)[0]
    assert (score.chunks, score.matches, score.hypothesis_length) == (4, 7.0, 7)


def test_worked_by_hand(english: bolide.Meteor) -> None:
    """Six words, the two `the` function words, `on` too; all matched in three chunks: P = R = 1."""
    score = english.sentence_score("the cat sat on the mat", "on the mat sat the cat")
    assert (score.precision, score.recall, score.chunks) == (1.0, 1.0, 3)
    assert score.penalty == pytest.approx(0.6 * (3 / 6) ** 0.2, abs=1e-15)
    assert score.score == 1 - score.penalty


def test_corpus_score_sums_statistics(english: bolide.Meteor) -> None:
    corpus = english.corpus_score(HYPOTHESES, REFERENCES)
    statistics = english.statistics(HYPOTHESES, REFERENCES)
    assert corpus.score == english.score(aggregate(statistics)[None])[0]
    assert corpus.segments is not None and corpus.statistics is not None
    assert corpus.segments.tolist() == [float(english.sentence_score(*pair)) for pair in zip(HYPOTHESES, REFERENCES, strict=True)]
    assert (corpus.statistics == statistics).all()
    assert "refs:1|" in corpus.signature and corpus.segment_count == 3


def test_identical_segments_add_no_chunk(english: bolide.Meteor) -> None:
    corpus = english.corpus_score(["one two three", "one two"], ["one two three", "two one"])
    assert corpus.chunks == 2
    assert english.corpus_score(["one two three"], ["one two three"]).score == 1.0


def test_best_reference_wins(english: bolide.Meteor) -> None:
    worse, better = "a mat", "on the mat sat the cat"
    alone = english.sentence_score(HYPOTHESES[0], better)
    assert english.sentence_score(HYPOTHESES[0], [worse, better]) == alone
    assert english.align(HYPOTHESES[0], [worse, better]).reference == tuple(better.split())
    corpus = english.corpus_score(HYPOTHESES[:2], [[worse, better], [REFERENCES[1]]])
    assert corpus.segments is not None and corpus.segments[0] == alone.score
    assert "refs:1-2|" in corpus.signature


def test_first_of_equally_good_references_wins(make_exact: bolide.Meteor) -> None:
    assert make_exact.align("x y z", ["q y z", "x y q"]).reference == ("q", "y", "z")


@pytest.fixture(scope="session")
def make_exact(meteor: Make) -> bolide.Meteor:
    return meteor(modules=["exact"])


def test_alignment(english: bolide.Meteor) -> None:
    alignment = english.align("Cats sat here", "the cat was sitting here")
    assert alignment.hypothesis == ("cats", "sat", "here")
    found = {(m.module, alignment.hypothesis[m.hypothesis_start]) for m in alignment.matches}
    assert {("stem", "cats"), ("exact", "here")} <= found
    assert [m.chunk for m in alignment.matches] == sorted(m.chunk for m in alignment.matches)


def test_tokens_are_not_normalised(english: bolide.Meteor) -> None:
    assert english.align(["Don't", "stop."], ["don't", "stop."]).hypothesis == ("don't", "stop.")
    assert english.align("Don't stop.", "don't stop.").hypothesis == ("don", "'t", "stop", ".")


@pytest.mark.parametrize(
    ("normalize", "words"),
    [
        ("keep-punctuation", ("mr.", "x", "'s", "u", "-", "turn", ",", "ok", "?")),
        ("no-punctuation", ("mr", "x", "s", "u", "turn", "ok")),
        ("lower", ("mr.", "x's", "u", "-", "turn,", "ok?")),
        ("none", ("Mr.", "X's", "U", "-", "turn,", "OK?")),
    ],
)
def test_normalisation(meteor: Make, normalize: str, words: tuple[str, ...]) -> None:
    scorer = meteor(modules=["exact"], normalize=normalize)
    assert scorer.align("Mr. X's U - turn, OK?", "x").hypothesis == words


def test_characters(meteor: Make) -> None:
    row = meteor(modules=["exact"], characters=True).statistics(["the naïve 😀"], ["the naïve cat"])[0]
    assert row.tolist() == [3 + 5 + 2, 3 + 5 + 3, 3, 3, 5, 5, 3, 3, 1, 2, 2]


def test_columns_name_the_statistics(english: bolide.Meteor) -> None:
    assert len(columns(english.modules)) == 23 == english.statistics(["a"], ["a"]).shape[1]


def test_modules_and_weights(meteor: Make) -> None:
    scorer = meteor(modules=["paraphrase", "exact"])
    assert scorer.parameters.weights == (0.6, 1.0)
    assert meteor(modules=["exact", "stem"], weights=[1, 0.5], alpha=0.9).parameters.weights == (1.0, 0.5)
    assert scorer.statistics(["a"], ["a"]).shape == (1, 15)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"profile": "1.6"}, "unknown profile '1.6'; did you mean '1.5'"),
        ({"language": "klingon"}, "unknown language 'klingon'"),
        ({"task": "ranking"}, "unknown task 'ranking'; did you mean 'rank'"),
        ({"language": "de", "task": "hter", "modules": ["exact"]}, "no parameters for task 'hter' in language 'de'"),
        ({"language": "de"}, "needs a paraphrase table"),
        ({"language": "cs", "modules": ["exact", "stem"]}, "has no stemmer in language 'cs'"),
        ({"modules": ["exact", "stemm"]}, "unknown module 'stemm'; did you mean 'stem'"),
        ({"modules": "exact"}, "modules is a list"),
        ({"modules": []}, "at least one"),
        ({"modules": ["exact", "exact"]}, "must be different"),
        ({"weights": [1, 2]}, "4 numbers, one for each module"),
        ({"weights": [1, 2, 3, float("nan")]}, "a weight must be a number"),
        ({"alpha": "x"}, "alpha must be a number"),
        ({"beam": 0}, "beam must be a whole number of at least 1"),
        ({"threads": -1}, "threads must be a whole number"),
        ({"normalize": "yes"}, "unknown normalize 'yes'"),
        ({"resources": 7}, "resources must be a language pack"),
    ],
)
def test_bad_settings_are_refused(meteor: Make, english: bolide.Meteor, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        meteor(**options)


def test_threads_from_the_environment(meteor: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOLIDE_THREADS", "3")
    assert meteor().threads == 3
    monkeypatch.setenv("BOLIDE_THREADS", "many")
    with pytest.raises(ConfigurationError, match="BOLIDE_THREADS"):
        meteor()


def test_untuned_languages_are_ranked_independently_of_language(meteor: Make) -> None:
    scorer = meteor(language="Italian")
    assert (scorer.task, scorer.modules, scorer.parameters.alpha) == ("li", ("exact", "stem"), 0.75)


def test_lone_surrogate(english: bolide.Meteor) -> None:
    with pytest.raises(InputError, match=r"lone surrogate \(U\+D83D\)"):
        english.sentence_score("bad \ud83d text", "text")


def test_wrong_number_of_columns(english: bolide.Meteor) -> None:
    with pytest.raises(InputError, match="11 columns"):
        english.score(np.zeros((1, 11), dtype=np.int64))


def test_nothing_to_score(english: bolide.Meteor) -> None:
    assert english.corpus_score([], []).score == 0.0
    assert english.statistics([], []).shape == (0, 23)
    empty = english.sentence_score("", "")
    assert (empty.score, empty.precision, empty.penalty, empty.matches) == (0.0, 0.0, 0.0, 0.0)
    assert english.sentence_score("", "some words").score == 0.0


def test_pickle_gives_an_equal_scorer(meteor: Make) -> None:
    scorer = meteor(task="adq", alpha=0.6, threads=2)
    again = pickle.loads(pickle.dumps(scorer))
    assert again.get_signature() == scorer.get_signature()
    assert (again.statistics(HYPOTHESES, REFERENCES) == scorer.statistics(HYPOTHESES, REFERENCES)).all()


def test_signature(meteor: Make) -> None:
    fields = dict(field.split(":") for field in meteor(alpha=0.5, characters=True).get_signature(1).split("|")[1:])
    assert fields["params"] == "0.5_0.2_0.6_0.75" and fields["weights"] == "1_0.6_0.8_0.6"
    assert (fields["version"], fields["unit"], fields["refs"]) == ("1.5", "characters", "1")


def test_readable_repr(english: bolide.Meteor) -> None:
    assert repr(english.sentence_score("a b", "a b")).startswith("Score(score=1.0000, precision=1.0000, ")


def test_a_new_vocabulary_when_the_old_is_full(meteor: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bolide.lexicon.LARGEST_VOCABULARY", 3)
    scorer = meteor()
    first = scorer.statistics(HYPOTHESES, REFERENCES)
    vocabulary = scorer._lexicon
    assert (scorer.statistics(HYPOTHESES, REFERENCES) == first).all()
    assert scorer._lexicon is not vocabulary
