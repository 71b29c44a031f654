"""The cache of references across batches does not change scores."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from bolide import Meteor, _core
from bolide.inputs.segments import by_segment

TEXT = "the a cat dog sat lay on under mat rug house big large ran runs"
WORDS = TEXT.split()


def sentences(count: int, seed: int, length: int = 8) -> list[str]:
    draw = np.random.default_rng(seed)
    return [" ".join(draw.choice(WORDS, length)) for _ in range(count)]


def test_words_met_later() -> None:
    """A key is listed only after two words have it. A cached reference must then have it too."""
    references = ["The automobile halted near the physician .", *sentences(40, 1)]
    early = ["Nothing of this is in it .", *sentences(40, 2)]
    late = ["The car stopped near the doctor .", *sentences(40, 3)]
    scorer = Meteor(threads=1)
    scorer.statistics(early, references)
    assert np.array_equal(scorer.statistics(late, references), Meteor(threads=1).statistics(late, references))


def test_another_normalisation() -> None:
    """The same text, first to be normalised, then as words."""
    texts = [f"It's the {text}, isn't it?" for text in sentences(40, 4)]
    words = [text.split() for text in texts]
    scorer = Meteor(threads=1)
    for _ in range(2):
        assert np.array_equal(scorer.statistics(texts, texts), Meteor(threads=1).statistics(texts, texts))
        assert np.array_equal(scorer.statistics(words, words), Meteor(threads=1).statistics(words, words))


def test_more_texts_than_are_remembered() -> None:
    references = sentences(12_000, 5, length=12)  # more than 2^17 words
    hypotheses = sentences(12_000, 6, length=12)
    scorer = Meteor(modules=["exact", "stem"], threads=2)
    first = scorer.statistics(hypotheses, references)
    assert np.array_equal(scorer.statistics(hypotheses, references), first)
    backwards = scorer.statistics(hypotheses[::-1], references[::-1])
    assert np.array_equal(backwards[::-1], first)


def test_a_text_too_long_is_not_kept() -> None:
    long = " ".join(sentences(1, 7, length=9_000))
    texts = [long, *sentences(40, 8)]
    scorer = Meteor(modules=["exact"], threads=1)
    first = scorer.statistics(texts, texts)
    assert np.array_equal(scorer.statistics(texts, texts), first)


def test_several_references() -> None:
    draw = np.random.default_rng(9)
    pool = sentences(60, 10)
    references = [[pool[k] for k in draw.integers(0, 60, draw.integers(1, 4))] for _ in range(80)]
    hypotheses = sentences(80, 11)
    scorer = Meteor(threads=2)
    segments = by_segment(hypotheses, references)
    first = scorer.measure(segments).statistics
    again = scorer.measure(segments).statistics
    fresh = Meteor(threads=1).measure(segments).statistics
    assert np.array_equal(first, again)
    assert np.array_equal(first, fresh)


def test_lexicon_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words have other numbers in a new vocabulary: texts of the old one must not be used."""
    monkeypatch.setattr("bolide.matching.lexicon.LARGEST_VOCABULARY", 0)
    references = sentences(40, 12)
    # New words are numbered in alphabetical order.
    hypotheses = [[f"{first}{k} {text}" for k, text in enumerate(sentences(40, 13))] for first in "amz"]
    scorer = Meteor(modules=["exact", "stem"], threads=1)
    for texts in hypotheses:
        fresh = Meteor(modules=["exact", "stem"], threads=1)
        assert np.array_equal(scorer.statistics(texts, references), fresh.statistics(texts, references))


class Numbers:
    """A vocabulary with its words numbered in the given order."""

    def __init__(self, words: list[str]) -> None:
        self.vocabulary = _core.Vocabulary(["exact"])
        keys = np.array([WORDS.index(word) for word in words], dtype=np.int64)
        zeros = np.zeros(len(words), dtype=np.int32)
        offsets = np.arange(len(words) + 1, dtype=np.int32)
        self.vocabulary.add(words, keys, zeros.astype(np.uint8), zeros, [(offsets, keys)])

    def run(self, engine: _core.Engine, hypotheses: list[str], references: list[str]) -> list[list[int]]:
        def unknown(words: list[str]) -> None:
            raise AssertionError(words)

        counts = np.ones(len(hypotheses), dtype=np.int32)
        found = engine.run(hypotheses, references, counts, self.vocabulary, unknown, 1, False, False)
        return found[0].tolist()  # type: ignore[no-any-return]


def make_engine() -> _core.Engine:
    return _core.Engine(["exact"], "beam", [1.0], 40, False, None, [None])


def test_one_engine_with_two_vocabularies() -> None:
    """While a lexicon is being replaced, some threads still use the old one, with the same engine."""
    vocabularies = [Numbers(WORDS), Numbers(WORDS[::-1])]
    hypotheses, references = sentences(100, 16), sentences(100, 17)
    expected = vocabularies[0].run(make_engine(), hypotheses, references)
    engine = make_engine()
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda k: vocabularies[k % 2].run(engine, hypotheses, references), range(200))
        assert all(each == expected for each in found)
