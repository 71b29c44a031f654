"""bolide.compat.nltk compared with the real nltk.translate.meteor_score."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import Meteor
from bolide.compat import nltk as ours
from bolide.errors import BolideError, ConfigurationError, InputError, ResourceError
from tests.support import generate
from tests.support.examples import examples

ROWS = ["align_words", "exact_match", "stem_match", "wordnetsyn_match"]
SENTENCES = (
    "It is a guide to action which ensures that the military always obeys the commands",
    "It is a guide to action that ensures that the military will forever heed commands",
)
HYPOTHESIS, REFERENCE = (sentence.split() for sentence in SENTENCES)


@pytest.fixture(scope="module")
def theirs(nltk_reader: Any, meteor: Callable[..., Meteor]) -> Any:
    """The real functions, with WordNet 3.0 as their default."""
    meteor(profile="nltk")  # or skip
    real = import_module("nltk.translate.meteor_score")

    def with_wordnet(name: str) -> Callable[..., Any]:
        function = getattr(real, name)
        wants = "wordnet" in inspect.signature(function).parameters
        return lambda *texts, **more: function(
            *texts, **({"wordnet": nltk_reader, **more} if wants else more)
        )

    return SimpleNamespace(**{name: with_wordnet(name) for name in ours.__all__})


def pairs(count: int = 150, seed: int = 6) -> list[tuple[list[str], list[str]]]:
    found = generate.pairs("en", count, seed) + list(generate.odd_pairs(seed))
    return [(pair.hypothesis.split(), pair.reference.split()) for pair in found]


def test_same_names_and_arguments() -> None:
    real = import_module("nltk.translate.meteor_score")
    public = {
        name
        for name, value in vars(real).items()
        if inspect.isfunction(value) and value.__module__ == real.__name__ and not name.startswith("_")
    }
    assert public == set(ours.__all__)
    for name in public:
        expected = list(inspect.signature(getattr(real, name)).parameters)
        found = inspect.signature(getattr(ours, name)).parameters.values()
        assert [each.name for each in found if each.kind is not each.KEYWORD_ONLY] == expected


def test_scores(theirs: Any) -> None:
    for hypothesis, reference in pairs():
        expected = theirs.single_meteor_score(reference, hypothesis)
        found = ours.single_meteor_score(reference, hypothesis)
        assert found == expected and type(found) is float


def test_several_references(theirs: Any) -> None:
    for group in generate.sayings("en"):
        hypothesis, *references = (text.split() for text in group)
        if references:
            assert ours.meteor_score(references, hypothesis) == theirs.meteor_score(references, hypothesis)


@pytest.mark.parametrize("name", ROWS)
def test_alignments(theirs: Any, name: str) -> None:
    for hypothesis, reference in pairs():
        assert getattr(ours, name)(hypothesis, reference) == getattr(theirs, name)(hypothesis, reference)


WORDS = "The the cat cats feline dog run ran running runs jog well good quick"
words = st.sampled_from(WORDS.split())
odd = st.sampled_from(["", " ", "New York", "a\tb", "İs", "ß", "x*ding", "naïve", "\n", "_"])
# Halves of surrogate pairs, as json.loads makes them.
odd |= st.sampled_from(
    ["\ud800", "\udfff", "\udc80s", "run\ud83dning", "\ude00ing", "a\ude00", "A\ude00", "\ud83ds"]
)


@settings(max_examples=examples(200))
@given(st.lists(words | odd, max_size=12), st.lists(words | odd, max_size=12))
def test_any_tokens(theirs: Any, hypothesis: list[str], reference: list[str]) -> None:
    for name in ROWS:
        assert getattr(ours, name)(hypothesis, reference) == getattr(theirs, name)(hypothesis, reference)
    assert ours.single_meteor_score(reference, hypothesis) == theirs.single_meteor_score(
        reference, hypothesis
    )


@pytest.mark.parametrize(
    "more",
    [
        {"alpha": 0.5},
        {"alpha": 0, "beta": 1, "gamma": 1},
        {"alpha": 0.85, "beta": 0.2, "gamma": 0.6},
        {"gamma": 3.5},  # scores may be negative
        {"preprocess": str},
        {"preprocess": str.upper},
        {"preprocess": lambda word: word.strip(".,").lower()},
        {"preprocess": lambda word: word[:2]},
    ],
)
def test_arguments(theirs: Any, more: dict[str, Any]) -> None:
    for hypothesis, reference in pairs(60):
        expected = theirs.meteor_score([reference, hypothesis[1:]], hypothesis, **more)
        assert ours.meteor_score([reference, hypothesis[1:]], hypothesis, **more) == expected
        positional = list(more.values()) if "preprocess" in more else []
        assert ours.meteor_score([reference], hypothesis, *positional) == theirs.meteor_score(
            [reference], hypothesis, *positional
        )


class Vowelless:
    """A custom stemmer."""

    __hash__ = None  # type: ignore[assignment]

    def stem(self, token: str) -> str:
        return "".join(letter for letter in token if letter not in "aeiou")


class Animals:
    """A custom WordNet, with only the methods that are called."""

    def synsets(self, word: str) -> list[Any]:
        groups = [("dog", "hound", "hot_dog"), ("Cat", "cat", "feline"), ("sat", "sits")]
        return [
            SimpleNamespace(lemmas=lambda names=names: [SimpleNamespace(name=lambda n=n: n) for n in names])
            for names in groups
            if word in names
        ]


def test_halves_of_surrogate_pairs(theirs: Any) -> None:
    hypothesis, reference = (
        ["a", "\ud83d", "b", "cat\ude00s", "\udfffx"],
        ["\ud83d", "cat\ude00", "\udffex", "a"],
    )
    for more in ({}, {"stemmer": Vowelless()}, {"preprocess": str}):
        expected = theirs.meteor_score([reference, hypothesis], hypothesis, **more)
        assert ours.meteor_score([reference, hypothesis], hypothesis, **more) == expected
        expected = theirs.meteor_score([reference], hypothesis, **more)
        assert ours.meteor_score([reference], hypothesis, **more) == expected > 0
    for name in ROWS:
        assert getattr(ours, name)(hypothesis, reference) == getattr(theirs, name)(hypothesis, reference)
    official = ours.meteor_score([["a", "\ud83d"]], ["a", "\ud83d"], profile="1.5")
    assert official == ours.meteor_score([["a", "b"]], ["a", "b"], profile="1.5")


def test_stemmers(theirs: Any) -> None:
    stems = import_module("nltk.stem")
    stemmers = [
        Vowelless(),
        stems.SnowballStemmer("english"),
        stems.LancasterStemmer(),
        stems.PorterStemmer(),
    ]
    stemmers.append(stems.PorterStemmer(mode="ORIGINAL_ALGORITHM"))
    for stemmer in stemmers:
        for hypothesis, reference in pairs(40):
            for name in ("align_words", "stem_match"):
                expected = getattr(theirs, name)(hypothesis, reference, stemmer=stemmer)
                assert getattr(ours, name)(hypothesis, reference, stemmer=stemmer) == expected
            expected = theirs.single_meteor_score(reference, hypothesis, stemmer=stemmer)
            assert ours.single_meteor_score(reference, hypothesis, stemmer=stemmer) == expected


def test_wordnets(theirs: Any, nltk_reader: Any) -> None:
    hypothesis, reference = (
        ["a", "feline", "sits", "by", "the", "hound"],
        ["the", "dog", "sat", "by", "a", "cat"],
    )
    for wordnet in (Animals(), nltk_reader):
        for name in ("align_words", "wordnetsyn_match"):
            expected = getattr(theirs, name)(hypothesis, reference, wordnet=wordnet)
            assert getattr(ours, name)(hypothesis, reference, wordnet=wordnet) == expected
        more: dict[str, Any]
        for more in ({}, {"stemmer": Vowelless()}, {"preprocess": str.upper}):
            expected = theirs.meteor_score([reference], hypothesis, wordnet=wordnet, **more)
            assert ours.meteor_score([reference], hypothesis, wordnet=wordnet, **more) == expected


def test_the_default_stemmer_made_anew_makes_no_new_scorer(theirs: Any) -> None:
    stemmer = import_module("nltk.stem").PorterStemmer
    ours.meteor_score([REFERENCE], HYPOTHESIS)
    before = ours._make_scorer.cache_info().misses
    for _ in range(5):
        ours.meteor_score([REFERENCE], HYPOTHESIS, stemmer=stemmer())
    assert ours._make_scorer.cache_info().misses == before


def test_the_correct_meteor(english: Meteor) -> None:
    found = ours.meteor_score([REFERENCE, HYPOTHESIS[2:]], HYPOTHESIS, profile="1.5")
    assert found == english.sentence_score(HYPOTHESIS, [REFERENCE, HYPOTHESIS[2:]]).score
    found = ours.single_meteor_score(REFERENCE, HYPOTHESIS, profile="1.5", gamma=0)
    assert found == english.sentence_score(HYPOTHESIS, REFERENCE).fmean
    with pytest.raises(ConfigurationError, match=r"profile '1\.5' has its own stemmer"):
        ours.single_meteor_score(REFERENCE, HYPOTHESIS, stemmer=Vowelless(), profile="1.5")


@pytest.mark.parametrize(
    ("references", "hypothesis", "error"),
    [
        (["the cat"], ["the", "cat"], TypeError),
        ([["the", "cat"]], "the cat", TypeError),
        ("the cat", ["the", "cat"], TypeError),
        ([["the", 5]], ["the", "cat"], TypeError),
        ([["the"]], ["the", None], TypeError),
        ([["the"]], None, TypeError),
        ([], ["the"], ValueError),
    ],
)
def test_errors(theirs: Any, references: Any, hypothesis: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        theirs.meteor_score(references, hypothesis)
    with pytest.raises(error) as raised:
        ours.meteor_score(references, hypothesis)
    assert isinstance(raised.value, InputError)


def test_errors_of_alignments(theirs: Any) -> None:
    for name in ROWS:
        for texts in (("the cat", ["the"]), (["the"], "the cat"), ([1], ["the"])):
            with pytest.raises(TypeError):
                getattr(theirs, name)(*texts)
            with pytest.raises(TypeError) as raised:
                getattr(ours, name)(*texts)
            assert isinstance(raised.value, BolideError)


class Fails:
    """A stemmer and a WordNet that work from the second call on, as after a download."""

    def __init__(self, error: Exception) -> None:
        self.errors = [error]

    def stem(self, token: str) -> str:
        if self.errors:
            raise self.errors.pop()
        return token

    def synsets(self, word: str) -> list[Any]:
        self.stem(word)
        return []


@pytest.mark.parametrize("error", [LookupError("no WordNet"), KeyError("a"), ValueError(3), OSError(5)])
@pytest.mark.parametrize("argument", ["stemmer", "wordnet"])
@pytest.mark.parametrize("name", ["meteor_score", "single_meteor_score", *ROWS])
def test_exceptions_of_the_caller(theirs: Any, name: str, argument: str, error: Exception) -> None:
    """They are raised as they are. The next call works."""
    if argument not in inspect.signature(getattr(ours, name)).parameters:
        return
    texts = ([["a", "dog"]] if name == "meteor_score" else ["a", "dog"], ["a", "cat"])
    found = []
    for functions in (theirs, ours):
        given = {argument: Fails(error)}
        with pytest.raises(type(error)) as raised:
            getattr(functions, name)(*texts, **given)
        assert raised.value is error
        found.append(getattr(functions, name)(*texts, **given))
    assert found[0] == found[1]


def test_missing_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that catch NLTK's LookupError also catch bolide's error."""

    def missing(*_: object) -> Any:
        raise ResourceError("no pack; run: bolide pack install")

    monkeypatch.setattr(ours, "_make_scorer", missing)
    for call in (lambda: ours.meteor_score([["a"]], ["a"]), lambda: ours.wordnetsyn_match(["a"], ["a"])):
        with pytest.raises(LookupError) as raised:
            call()
        assert isinstance(raised.value, ResourceError)
        assert str(raised.value) == "no pack; run: bolide pack install"


def test_iterators(theirs: Any) -> None:
    expected = theirs.single_meteor_score(REFERENCE, HYPOTHESIS)
    assert ours.single_meteor_score(iter(REFERENCE), iter(HYPOTHESIS)) == expected
    assert ours.meteor_score((tuple(REFERENCE) for _ in range(2)), tuple(HYPOTHESIS)) == expected


def test_threads(theirs: Any) -> None:
    ours._make_scorer.cache_clear()
    texts = pairs(40)
    expected = [theirs.single_meteor_score(reference, hypothesis) for hypothesis, reference in texts]

    def scored(_: int) -> list[float]:
        return [ours.single_meteor_score(reference, hypothesis) for hypothesis, reference in texts]

    with ThreadPoolExecutor(8) as pool:
        assert all(found == expected for found in pool.map(scored, range(16)))
    assert ours._make_scorer.cache_info().misses == 1
