"""Words that the core analyzes without Python, compared with Python's analysis; and single segments."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bolide import Meteor, _core
from bolide.compat import nltk
from bolide.errors import ConfigurationError, SegmentError
from bolide.formula.statistics import evaluate
from bolide.inputs.segments import many_segments
from bolide.language import porter
from bolide.matching.matchers import Exact, KeyArrays, Stem, WordIdentity, one_each
from tests.support import generate
from tests.support.examples import examples

Make = Callable[..., Meteor]

WORDS = ["The", "the", "cats", "Cat", "feline", "ran", "RUNNING", "runs", "leaves", "left", "dying", "news"]
ODD_WORDS = ["al", "c.", "İs", "naïve", "Fuß", "Füße", "dogs'", "x" * 20_000 + "s"]
word = st.sampled_from(WORDS + ODD_WORDS) | st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=8
)
text = st.lists(word, max_size=12)


@pytest.fixture(scope="module")
def by_core(meteor: Make) -> Meteor:
    return meteor(profile="nltk")


# Profiles and languages whose words the core analyzes. The German stems come from Python.
ANALYZED: dict[str, dict[str, Any]] = {
    "1.5": {},
    "1.5-de": {"language": "de", "modules": ["exact", "stem"]},
    "1.5-other": {"language": "other"},
    "1.3": {"profile": "1.3"},
    "nltk": {"profile": "nltk"},
}


@pytest.fixture(scope="module", params=ANALYZED)
def analyzed(request: pytest.FixtureRequest, meteor: Make) -> tuple[Meteor, Meteor]:
    """Two scorers with the same settings: the core analyzes new words, or Python does."""
    options = ANALYZED[request.param]
    core = meteor(**options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bolide.matching.lexicon._native_analyst", lambda *_: None)
        python = meteor(**options)
    assert isinstance(core._engine.lexicon.analyse, _core.Analyst)
    assert not isinstance(python._engine.lexicon.analyse, _core.Analyst)
    return core, python


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(hypothesis=text, reference=text)
def test_the_core_knows_words_as_python_does(
    analyzed: tuple[Meteor, Meteor], hypothesis: list[str], reference: list[str]
) -> None:
    core, python = analyzed
    assert core.align(hypothesis, reference) == python.align(hypothesis, reference)


def test_the_same_on_sentences(analyzed: tuple[Meteor, Meteor]) -> None:
    pairs = generate.pairs("en", 300, seed=9) + list(generate.odd_pairs(9))
    hypotheses, references = [pair.hypothesis for pair in pairs], [pair.reference for pair in pairs]
    found, expected = (scorer.statistics(hypotheses, references) for scorer in analyzed)
    assert np.array_equal(found, expected)


def test_lower_case_stays_lower() -> None:
    """So the stemmer need not lower-case a word that is already lower-cased."""
    letters = map(chr, range(sys.maxunicode + 1))
    assert [letter for letter in letters if letter.lower().lower() != letter.lower()] == []


@settings(max_examples=examples(500))
@given(word=st.text(st.characters(exclude_categories=["Cs"]), max_size=10) | word)
def test_stems_of_nltk(word: str) -> None:
    pytest.importorskip("nltk")
    stemmer = import_module("nltk.stem").PorterStemmer()
    assert porter.NLTK.stem([word.lower()]) == [stemmer.stem(word.lower())]


def test_stages_that_only_python_knows(meteor: Make) -> None:
    """Stop words, two kinds of stems, two languages, other letters, and case-sensitive text."""
    german = Stem("de", WordIdentity("java-hash"), "german")
    for scorer in (
        meteor(modules=["exact", "stem", german], weights=[1, 1, 1]),
        meteor(profile="nltk", stop_words=["the"]),
        meteor(profile="nltk", modules=["exact", "stem", "nltk-stem"], weights=[1, 1, 1]),
        meteor(modules=["exact", "half-letters"], weights=[1, 1]),
        meteor(normalize="keep-case"),
        meteor(profile="nltk", normalize="none"),
    ):
        assert not isinstance(scorer._engine.lexicon.analyse, _core.Analyst)


@dataclass(frozen=True)
class Beginnings(Stem):
    """A matcher that is derived from a built-in one, with keys of its own."""

    name: str = "beginnings"

    def key_arrays(self, words: list[str]) -> KeyArrays:
        return one_each(self.identity([word[:3] for word in words]))


def test_keys_of_a_derived_matcher(meteor: Make) -> None:
    scorer = meteor(modules=["exact", Beginnings("en", WordIdentity("java-hash"))], weights=[1, 1])
    assert [match.module for match in scorer.align("catalog", "catapult").matches] == ["beginnings"]


@pytest.mark.parametrize(("rule", "matches"), [("spelling", 0), ("java-hash", 1)])
@pytest.mark.parametrize("profile", ["1.5", "nltk"])
def test_the_word_identity_of_a_matcher(profile: str, rule: str, matches: int, meteor: Make) -> None:
    """In Java, "al" and "c." have one hash code. The rule of the matcher counts, not that of the profile."""
    matcher = Exact(WordIdentity(rule), name="mine")
    scorer = meteor(profile=profile, modules=[matcher], weights=[1])
    assert len(scorer.align(["al"], ["c."]).matches) == matches
    by_core = isinstance(scorer._engine.lexicon.analyse, _core.Analyst)
    assert by_core == (rule == ("java-hash" if profile == "1.5" else "spelling"))


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        (["stem"], "stems need a stemmer"),
        (["names"], "a dictionary"),
        (["synsets"], "need their tables"),
        (["phrases"], "need their tables"),
        (["letters"], "spelling, stem, synsets, phrases or names"),
    ],
)
def test_sources_that_are_not_there(sources: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _core.Analyst(sources)


@pytest.mark.parametrize("stems", [[], ["a", "b"], ("a", "b")])
def test_a_stemmer_returns_one_stem_per_word(stems: list[str]) -> None:
    engine = _core.Engine(["exact"], "beam", [1.0], 40, False, None, [None])
    analyst = _core.Analyst(["stem"], stem_words=lambda words: stems)
    counts = np.ones(1, dtype=np.int32)
    with pytest.raises(ValueError, match="one stem per word"):
        engine.run(["a"], ["a"], counts, _core.Vocabulary(["exact"]), analyst, 1, False, False)


# ---- one segment ---------------------------------------------------------------------------------


@settings(max_examples=examples(200), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(text, min_size=2, max_size=4))
def test_a_segment_is_scored_as_in_a_batch(by_core: Meteor, english: Meteor, texts: list[list[str]]) -> None:
    hypothesis, *references = texts
    for scorer in (by_core, english):
        rows = scorer.measure(many_segments([hypothesis] * len(references), references)).statistics
        found = scorer.segment(texts)
        assert found is not None
        np.testing.assert_array_equal(found, evaluate(rows, scorer.parameters))


def test_what_is_no_segment(by_core: Meteor) -> None:
    for texts in (["a", "b"], [["a"], "b"], [["a"], ["a b"]], [["a"], [""]], [["a"], [1]], [["a"]], []):
        assert by_core.segment(texts) is None  # type: ignore[arg-type]
    assert by_core.segment([["a", "\x0b"], ["a", "\x0b"]])  # odd, but words to bolide


def test_errors_of_a_segment(by_core: Meteor) -> None:
    with pytest.raises(SegmentError, match="the longest allowed"):
        nltk.single_meteor_score(["a"], ["b"] * 100_001)


def test_a_matcher_that_fails_says_so(meteor: Make) -> None:
    class Broken:
        name, weight = "broken", 1.0

        def keys(self, word: str) -> list[str]:
            raise KeyError(word)

    with pytest.raises(ConfigurationError, match="'broken' on the word 'a' failed"):
        meteor(profile="nltk", modules=[Broken()]).segment([["a"], ["b"]])


# ---- pieces --------------------------------------------------------------------------------------


def test_piece_table() -> None:
    table = _core.TokenCache()
    table.set(1, "a", "a")
    table.set(1, "b,", "b ,")
    table.set(2, "b.", "b .")
    table.set(0, '"a', "`` a")
    table.set(1, "x.", None)
    assert len(table) == 5
    assert (table.get(1, "b,"), table.get(2, "b,"), table.get(1, "x.")) == ("b ,", None, None)
    texts = ["a b, b.", '"a  b, b.', "a x. b.", "a é b.", "a", " a b.", "a b. ", "", "a \ud800"]
    lines, lacking = table.lines(texts)
    assert lines == ["a b , b .", "`` a b , b .", *[None] * 7]
    assert lacking == [[], ["é"], []]
    with pytest.raises(ValueError, match="a place"):
        table.set(3, "a", "a")
    table.clear()
    assert len(table) == 0
