"""Input that no translation system writes: huge, empty, broken, repeated. Results are always the same."""

from __future__ import annotations

import gzip
import itertools
import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from bolide import Alignment, InputError, Meteor
from bolide.resources import custom_pack
from tests.support import generate

MeteorFactory = Callable[..., Meteor]


def random_words(count: int, types: int, seed: int) -> str:
    random = Random(seed)
    return " ".join(f"w{random.randrange(types)}" for _ in range(count))


def alternating(count: int, first: str) -> str:
    return " ".join(itertools.islice(itertools.cycle(["x", "y"] if first == "x" else ["y", "x"]), count))


# name: hypothesis, reference. Each has far more candidate matches than any natural sentence.
HUGE = {
    "one word different in 2,000 equal": ("the " * 2000, "the " * 1000 + "cat " + "the " * 999),
    "equal words, unequal lengths": ("the " * 2000, "the " * 1500),
    "10,000 random words": (random_words(10_000, 5_000, seed=1), random_words(10_000, 5_000, seed=2)),
    "10,000 words of ten types": (random_words(10_000, 10, seed=3), random_words(10_000, 10, seed=4)),
    "two alternating symbols": (alternating(2000, "x"), alternating(2000, "y")),
    "function words": ("of the , " * 700, "the of , " * 600),
}


def check_alignment(alignment: Alignment) -> None:
    """Check that each word is used once, matches ascend, and the counts are those of the matches."""
    hypothesis = [m.hypothesis_start + k for m in alignment.matches for k in range(m.hypothesis_length)]
    reference = [m.reference_start + k for m in alignment.matches for k in range(m.reference_length)]
    assert len(set(hypothesis)) == len(hypothesis) == alignment.score.hypothesis_matches
    assert reference == sorted(set(reference))
    assert len(reference) == alignment.score.reference_matches
    for match in alignment.matches:
        if match.module == "exact":
            assert alignment.hypothesis[match.hypothesis_start] == alignment.reference[match.reference_start]
    assert alignment.score.chunks == len({match.chunk for match in alignment.matches})
    assert 0.0 <= alignment.score.score <= 1.0


@pytest.mark.parametrize("name", HUGE)
def test_huge_segments_are_answered_alike_every_time(name: str, english: Meteor) -> None:
    hypothesis, reference = HUGE[name]
    alignment = english.align(hypothesis, reference)
    check_alignment(alignment)
    assert english.align(hypothesis, reference) == alignment
    assert english.sentence_score(hypothesis, reference) == alignment.score


def test_only_segments_beyond_the_bound_are_marked(english: Meteor) -> None:
    assert english.sentence_score(*HUGE["one word different in 2,000 equal"]).bounded
    assert english.sentence_score(*HUGE["two alternating symbols"]).bounded
    assert not english.sentence_score("the " * 200, "the " * 199 + "cat").bounded
    few, many = ["the cat", "the dog"], [*HUGE["two alternating symbols"]]
    assert english.corpus_score([few[0], many[0], few[1]], [few[1], many[1], few[1]]).bounded == 1


def test_thousands_of_equal_words_match_completely(english: Meteor) -> None:
    score = english.sentence_score("the " * 2000, "the " * 2000)
    assert (score.score, score.chunks, score.hypothesis_matches, score.bounded) == (1.0, 1, 2000, False)


def test_a_bounded_segment_finds_nearly_everything(english: Meteor) -> None:
    score = english.sentence_score(*HUGE["one word different in 2,000 equal"])
    assert score.hypothesis_matches == score.reference_matches == 1999


def test_dense_overlapping_phrases(tmp_path: Path, meteor: MeteorFactory) -> None:
    """All phrases of up to four words over two symbols are paraphrases of one another."""
    phrases = [" ".join(words) for n in range(1, 5) for words in itertools.product("xy", repeat=n)]
    with gzip.open(tmp_path / "paraphrases.gz", "wt") as file:
        file.writelines(f"0.5\n{left}\n{right}\n" for left in phrases for right in phrases)
    pack = custom_pack("other", paraphrases=tmp_path / "paraphrases.gz")
    scorer = meteor(
        language="other",
        modules=["exact", "paraphrase"],
        weights=[1.0, 0.5],
        resources=pack,
        normalize="none",
    )
    random = Random(5)
    hypothesis, reference = (" ".join(random.choice("xy") for _ in range(200)) for _ in range(2))
    alignment = scorer.align(hypothesis, reference)
    check_alignment(alignment)
    assert scorer.align(hypothesis, reference) == alignment


EMPTY = ["", " ", "\t", "\n", "\r\n", " \t\n\f\r ", "\u00a0", "\u3000 \u2003"]


@pytest.mark.parametrize("text", EMPTY)
def test_empty_text_scores_zero(text: str, english: Meteor) -> None:
    for hypothesis, reference in [(text, "the cat"), ("the cat", text), (text, text), (text, "")]:
        score = english.sentence_score(hypothesis, reference)
        assert (score.score, score.chunks, score.hypothesis_matches) == (0.0, 0, 0)
    assert english.corpus_score([text], [text]).score == 0.0
    assert english.align(text, text).matches == ()


def test_an_empty_corpus(english: Meteor) -> None:
    assert english.statistics([], []).shape == (0, 23)
    assert english.score(english.statistics([], [])).shape == (0,)


def test_nul_is_a_character_like_others(english: Meteor) -> None:
    raw = Meteor(normalize="none", modules=["exact"], weights=[1.0], resources=english.settings.pack)
    assert raw.align("a\0b c", "a\0b d").hypothesis == ("a\0b", "c")
    assert raw.sentence_score("a\0b", "a\0b").score == 1.0
    assert raw.sentence_score("a\0b", "a\0c").score == 0.0
    assert english.sentence_score("a\0b", "a\0b").score == 1.0


@pytest.mark.parametrize("text", ["\ud800", "a \udfff b", "ok\udc80"])
def test_a_lone_surrogate_is_refused(text: str, english: Meteor) -> None:
    for hypothesis, reference in [(text, "a"), ("a", text)]:
        with pytest.raises(InputError, match="surrogate"):
            english.sentence_score(hypothesis, reference)
        with pytest.raises(InputError, match="surrogate"):
            english.corpus_score([hypothesis], [reference])
    with pytest.raises(InputError, match="surrogate"):
        english.sentence_score([text.replace(" ", "")], ["a"])
    assert english.sentence_score("still fine", "still fine").score == 1.0


def test_a_very_long_word(english: Meteor) -> None:
    word = "antidisestablishment" * 50_000
    assert english.sentence_score(word, word).score == 1.0
    # Above the stemmer's limit a word is its own stem.
    assert english.sentence_score(word + "s", word).score == 0.0
    assert english.sentence_score(word, "cat").score == 0.0
    assert english.sentence_score(word[:10_000] + "s", word[:10_000]).hypothesis_matches == 1
    dots = "." * 1_000_000
    assert english.sentence_score(dots, dots).score == 1.0


TOO_LONG = r"100001 words; the longest allowed .* 100000: split it into sentences$"


def test_text_beyond_the_longest_sentence_is_refused(english: Meteor) -> None:
    with pytest.raises(InputError, match=rf"^segment 1 \(hypothesis\): {TOO_LONG}"):
        english.sentence_score("a " * 100_001, "a")
    with pytest.raises(InputError, match=rf"^segment 1 \(reference 2\): {TOO_LONG}"):
        english.align("a", ["b", "Ü-ü " * 50_000 + "ü"])  # the limit counts the tokens after splitting
    with pytest.raises(InputError, match=rf"^segment 1 \(hypothesis\): {TOO_LONG}"):
        english.sentence_score(["a"] * 100_001, ["a"])


def test_a_text_too_long_is_named_in_the_whole_corpus(english: Meteor) -> None:
    fine, long = ["a"] * 20_000, ["a"] * 17_999 + ["a " * 100_001] + ["a"] * 2_000
    with pytest.raises(InputError, match=rf"^segment 18000 \(reference 1\): {TOO_LONG}") as error:
        english.corpus_score(fine, long)
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)
    corpus = english.corpus()
    corpus.add(fine[:10], fine[:10])
    with pytest.raises(InputError, match=r"^segment 12 \(hypothesis\)"):
        corpus.add(["a", "a " * 100_001], ["a", "a"])
    assert corpus.score().segment_count == 10


@pytest.fixture(scope="module")
def corpus() -> tuple[list[str], list[str]]:
    pairs = [*generate.pairs("en", 500, seed=11), *generate.odd_pairs(seed=12)]
    return [pair.hypothesis for pair in pairs], [pair.reference for pair in pairs]


Corpus = tuple[list[str], list[str]]


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_the_number_of_threads_changes_nothing(threads: int, corpus: Corpus, english: Meteor) -> None:
    scorer = Meteor(threads=threads, resources=english.settings.pack)
    np.testing.assert_array_equal(scorer.statistics(*corpus), english.statistics(*corpus))


def test_the_order_of_segments_changes_nothing(corpus: Corpus, english: Meteor) -> None:
    hypotheses, references = corpus
    backwards = Meteor(resources=english.settings.pack).statistics(hypotheses[::-1], references[::-1])
    np.testing.assert_array_equal(backwards[::-1], english.statistics(hypotheses, references))


def test_many_threads_share_a_scorer(corpus: Corpus, english: Meteor) -> None:
    expected = english.statistics(*corpus)
    # No word is known yet: all threads add words.
    fresh = Meteor(threads=2, resources=english.settings.pack)
    with ThreadPoolExecutor(16) as pool:
        for statistics in pool.map(lambda _: fresh.statistics(*corpus), range(32)):
            np.testing.assert_array_equal(statistics, expected)


def test_threads_score_different_texts(corpus: Corpus, english: Meteor) -> None:
    hypotheses, references = corpus
    fresh = Meteor(threads=1, resources=english.settings.pack)
    with ThreadPoolExecutor(8) as pool:
        rows = list(
            pool.map(lambda k: fresh.statistics([hypotheses[k]], [references[k]])[0], range(len(hypotheses)))
        )
    np.testing.assert_array_equal(np.array(rows), english.statistics(hypotheses, references))


def test_a_pickled_scorer_is_the_same(corpus: Corpus, english: Meteor) -> None:
    copy = pickle.loads(pickle.dumps(english))
    assert copy.get_signature() == english.get_signature()
    np.testing.assert_array_equal(copy.statistics(*corpus), english.statistics(*corpus))
    score = english.sentence_score("the cat", "the dog")
    assert pickle.loads(pickle.dumps(score)) == score
    assert replace(score) == score


def scores_in_a_worker(scorer: Meteor, hypotheses: list[str], references: list[str]) -> list[float]:
    scores: list[float] = scorer.score(scorer.statistics(hypotheses, references)).tolist()
    return scores


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_other_processes_give_the_same_scores(method: str, corpus: Corpus, english: Meteor) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} on this system")
    expected = scores_in_a_worker(english, *corpus)  # the parent has run threads before it forks
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.starmap(scores_in_a_worker, [(english, *corpus)] * 4) == [expected] * 4


def test_thousands_of_equal_paraphrases_are_matched_nearby(english: Meteor) -> None:
    score = english.sentence_score("nearly " * 3000, "almost " * 3000)
    assert score.bounded
    assert score.hypothesis_matches == 3000
