"""A full lexicon is replaced, and its memory is freed at once: it does not wait for a search for cycles."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

import pytest

from bolide import Meteor, _core
from bolide.matching import lexicon
from bolide.matching.lexicon import Lexicon, PythonAnalyst
from bolide.matching.matchers import Stage


@pytest.fixture
def no_collections() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()


@pytest.mark.parametrize("profile", ["1.5", "1.3", "2005", "coco", "universal"])
def test_a_replaced_lexicon_is_in_no_cycle(
    profile: str, meteor: Callable[..., Meteor], monkeypatch: pytest.MonkeyPatch, no_collections: None
) -> None:
    scorer = meteor(profile=profile)
    monkeypatch.setattr(lexicon, "LARGEST_VOCABULARY", 0)
    for word in range(3):  # each call replaces the lexicon of the call before
        scorer.sentence_score(f"cats word{word}", "a cat word")
        scorer.corpus_score([f"cats word{word}"], ["a cat word"])
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    kinds = (Lexicon, PythonAnalyst, Stage, _core.Vocabulary, _core.Analyst)
    assert [each for each in gc.garbage if isinstance(each, kinds)] == []


@pytest.mark.parametrize("options", [{}, {"profile": "nltk"}, {"normalize": "keep-case"}])
def test_long_words_fill_a_lexicon(
    options: dict[str, str], meteor: Callable[..., Meteor], monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer = meteor(**options)
    monkeypatch.setattr(lexicon, "MOST_LETTERS", 10_000)
    first, lexicons = scorer.sentence_score("a cat", "a cat"), set()
    for word in range(9):
        scorer.sentence_score(f"{'x' * 4000}{word}", "a cat")
        lexicons.add(scorer._engine.lexicon)
    assert len(lexicons) == 3
    assert scorer.sentence_score("a cat", "a cat") == first


def test_the_test_would_find_a_cycle(no_collections: None) -> None:
    one = Lexicon.__new__(Lexicon)
    one.stages = [one]  # type: ignore[list-item]
    del one
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    assert any(isinstance(each, Lexicon) for each in gc.garbage)
