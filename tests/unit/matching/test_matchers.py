"""Matchers written in Python as stages of a scorer."""

from __future__ import annotations

import pickle
import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import numpy as np
import pytest

from bolide import Meteor
from bolide.errors import ConfigurationError
from bolide.matching.custom import stage
from bolide.matching.matchers import Numbering, Stem, WordIdentity

Make = Callable[..., Meteor]


class Beginning:
    name = "beginning"
    weight = 0.4

    def keys(self, word: str) -> Iterable[Hashable]:
        return [word[:3]]


class Plain:
    """An exact stage that skips some words."""

    name = "content"
    equal_words = True

    def __init__(self, stop: frozenset[str]) -> None:
        self.stop = stop

    def keys(self, word: str) -> Iterable[Hashable]:
        return [] if word in self.stop else [word]


class Longer:
    """The reference word is the hypothesis word plus one letter."""

    name = "longer"

    def hypothesis_keys(self, word: str) -> Iterable[Hashable]:
        return [word]

    def reference_keys(self, word: str) -> Iterable[Hashable]:
        return [word[:-1]]


class LongerOrEqual(Longer):
    name = "longer-or-equal"
    equal_words = True

    def reference_keys(self, word: str) -> Iterable[Hashable]:
        return [word, word[:-1]]


class Nameless:
    def keys(self, word: str) -> list[str]:
        return [word]


class Answering:
    """Gives fixed answers."""

    name = "answering"
    weight = 1

    def __init__(self, answer: Callable[[str], Any]) -> None:
        self.keys = answer


def pairs(scorer: Meteor, hypothesis: str, reference: str) -> list[tuple[str, str, str]]:
    """Matched words, hypothesis first, and the module."""
    alignment = scorer.align(hypothesis, reference)
    return [
        (
            " ".join(alignment.hypothesis[m.hypothesis_start : m.hypothesis_start + m.hypothesis_length]),
            " ".join(alignment.reference[m.reference_start : m.reference_start + m.reference_length]),
            m.module,
        )
        for m in alignment.matches
    ]


def test_a_matcher_is_a_stage(meteor: Make) -> None:
    scorer = meteor(modules=["exact", Beginning()], weights=[1, 0.4])
    assert scorer.modules == ("exact", "beginning")
    assert pairs(scorer, "The computing house", "the computer home") == [
        ("the", "the", "exact"),
        ("computing", "computer", "beginning"),
    ]
    score = scorer.sentence_score("The computing house", "the computer home")
    assert 0 < score.score < scorer.sentence_score("the computer home", "the computer home").score
    assert "|modules:ex.beginning|" in scorer.get_signature()


def test_a_matcher_may_have_its_weight(meteor: Make) -> None:
    assert meteor(modules=["exact", "stem", Beginning()]).parameters.weights == (1.0, 0.6, 0.4)
    assert "|weights:1_0.6_0.4|" in meteor(modules=["exact", "stem", Beginning()]).get_signature()
    assert meteor(modules=["exact", Beginning()], weights=[1, 0.7]).parameters.weights == (1.0, 0.7)


def test_each_word_is_asked_once(meteor: Make) -> None:
    asked: Counter[str] = Counter()

    def keys(word: str) -> list[str]:
        asked[word] += 1
        return [word[:1]]

    scorer = meteor(modules=["exact", Answering(keys)], weights=[1, 0.5], threads=2)
    texts = ["One two THREE", "one Two three four", "one"] * 50
    workers = [threading.Thread(target=scorer.corpus_score, args=(texts, texts[::-1])) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert asked == {"one": 1, "two": 1, "three": 1, "four": 1}


def test_equal_words_are_left_to_the_exact_stage(meteor: Make) -> None:
    assert pairs(meteor(modules=[Beginning()]), "apple apples", "apples apple") == [
        ("apple", "apples", "beginning"),
        ("apples", "apple", "beginning"),
    ]
    assert pairs(meteor(modules=[Beginning()]), "apple", "apple") == []


def test_a_matcher_for_equal_words(meteor: Make) -> None:
    scorer = meteor(modules=[Plain(frozenset({"the", "a"}))], weights=[1])
    assert pairs(scorer, "the cat saw a dog", "the dog saw a cat") == [
        ("dog", "dog", "content"),
        ("saw", "saw", "content"),
        ("cat", "cat", "content"),
    ]
    assert pairs(scorer, "the cat", "the cat") == [("cat", "cat", "content")]


def test_directed_keys(meteor: Make) -> None:
    scorer = meteor(modules=[Longer()], weights=[1])
    assert pairs(scorer, "cat dogs", "cats dog") == [("cat", "cats", "longer")]
    assert pairs(scorer, "cats dog", "cat dogs") == [("dog", "dogs", "longer")]
    assert pairs(scorer, "cat", "cat") == []
    both = meteor(modules=[LongerOrEqual()], weights=[1])
    assert len(pairs(both, "cat dog", "dog cats")) == 2


def test_generators_sets_and_any_hashable_keys_will_do(meteor: Make) -> None:
    def generated(word: str) -> Iterator[Hashable]:
        yield ("first", word[0])
        yield None

    for answer in (generated, lambda word: {word[0], frozenset(word)}, lambda word: (len(word), 1.5)):
        scorer = meteor(modules=["exact", Answering(answer)])
        assert pairs(scorer, "apple", "angle")[0][2] == "answering"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda word: word[:3], r"'answering' on the word 'cat' gave the text 'cat' .* return \['cat'\]"),
        (lambda word: b"x", "gave the text b'x'"),
        (lambda word: 7, "on the word 'cat' gave 7 instead of a list of keys"),
        (lambda word: None, "gave None instead of a list of keys"),
        (lambda word: [["x"]], r"gave keys that cannot be compared \(unhashable type: 'list'\)"),
        (lambda word: 1 / 0, "on the word 'cat' failed: ZeroDivisionError: division by zero"),
        (lambda word: (1 / 0 for _ in "x"), "failed: ZeroDivisionError"),
        (lambda word: iter(int, 1), "gave more than 255 keys"),
        (lambda word, other: [], "failed: TypeError"),
    ],
)
def test_wrong_answers_are_explained(meteor: Make, answer: Callable[[str], Any], message: str) -> None:
    scorer = meteor(modules=["exact", Answering(answer)])
    for _ in range(2):  # no partial state is kept
        with pytest.raises(ConfigurationError, match=message):
            scorer.sentence_score("cat", "cat")
        assert len(scorer._engine.lexicon.vocabulary) == 0


def lengths(words: list[str]) -> Any:
    return list(range(len(words) + 1)), [len(word) for word in words]


class Many(Nameless):
    name = "many"
    weight = 1

    def __init__(self, answer: Callable[[list[str]], Any]) -> None:
        self.key_arrays = answer


class DirectedMany(Longer):
    weight = 1

    def hypothesis_key_arrays(self, words: list[str]) -> Any:
        return lengths(words)

    def reference_key_arrays(self, words: list[str]) -> Any:
        return np.arange(len(words) + 1), np.array([len(word) - 3 for word in words])


def test_matchers_that_answer_for_many_words(meteor: Make) -> None:
    assert pairs(meteor(modules=[Many(lengths)]), "cat mouse", "dogs men") == [("cat", "men", "many")]
    assert pairs(meteor(modules=[DirectedMany()]), "cat", "monkey cat") == [("cat", "monkey", "longer")]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda words: 1 / 0, "'many' on 2 words failed: ZeroDivisionError"),
        (lambda words: None, "'many' on 2 words failed: TypeError"),
        (lambda words: ([0, 1, 2], ["a", "b"]), "'many' on 2 words failed: ValueError"),
        (lambda words: ([0, 1, 2], [1.5, 2]), "ValueError: keys must be integers, not float64"),
        (lambda words: ([0.0, 1.0, 2.0], [1, 2]), "ValueError: offsets must be integers"),
        (lambda words: ([0, 1], [1]), "offsets that do not fit: 2 words need 3 numbers"),
        (lambda words: ([0, 2, 1], [1]), "offsets that do not fit"),
        (lambda words: ([0, 1, 2], [1]), "offsets that do not fit"),
        (lambda words: ([1, 1, 1], [1]), "offsets that do not fit"),
    ],
)
def test_wrong_arrays_are_explained(meteor: Make, answer: Callable[[list[str]], Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        meteor(modules=[Many(answer)]).sentence_score("cat", "dogs")


def test_a_scorer_goes_on_after_a_failure(meteor: Make) -> None:
    def keys(word: str) -> list[str]:
        if word == "bad":
            raise RuntimeError("no")
        return [word[:2]]

    scorer = meteor(modules=["exact", Answering(keys)])
    expected = meteor(modules=["exact", Answering(lambda word: [word[:2]])]).sentence_score(
        "go on", "goes on"
    )
    with pytest.raises(ConfigurationError, match="'bad' failed: RuntimeError: no"):
        scorer.corpus_score(["go on", "bad"], ["goes on", "good"])
    assert scorer.sentence_score("go on", "goes on") == expected


def test_an_interrupt_is_passed_on(meteor: Make) -> None:
    def keys(word: str) -> list[str]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        meteor(modules=["exact", Answering(keys)]).sentence_score("a", "b")


def test_a_matcher_may_use_another_scorer_but_not_its_own(meteor: Make) -> None:
    def keys(word: str) -> list[float]:
        return [other.sentence_score(word, "abc").score]

    other = meteor(modules=["exact"])
    scorer = meteor(modules=["exact", Answering(keys)], threads=1)
    assert scorer.sentence_score("xyz", "uvw").matches == 1
    other = scorer
    for _ in range(2):
        with pytest.raises(
            ConfigurationError,
            match="a matcher calls the scorer that it belongs to; give it a scorer of its own",
        ):
            scorer.sentence_score("def", "ghi")


class Named(Nameless):
    def __init__(self, name: Any, **others: Any) -> None:
        self.name = name
        vars(self).update(others)


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (Nameless(), "matcher Nameless needs a name"),
        (Named(""), "needs a name"),
        (Named("a|b"), "needs a name of letters, digits, - and _"),
        (Named("ex.st"), "needs a name of letters"),
        (Named(3), "needs a name .* it has 3"),
        (Named("exact"), "'exact' is the name of a built-in module"),
        (Named("paraphrase"), "'paraphrase' is the name of a built-in module"),
        (Named("ex", weight=1), "'ex' is the name of a built-in module, or its short name in signatures"),
        (Named("wy", weight=1), "'wy' is the name of a built-in module"),
        (Beginning, r"not a class; write Beginning\(\)"),
        (object(), "must be a name or a matcher, not <object"),
        (7, "must be a name or a matcher, not 7"),
        (Named("x"), "matcher 'x' has no weight"),
        (Named("x", weight="heavy"), "weight of matcher 'x' must be a number from 0 to 1000, not 'heavy'"),
        (Named("x", weight=10**400), "weight of matcher 'x' must be a number from 0 to 1000$"),
        (Named("x", weight=1e9), "weight of matcher 'x' must be a number from 0 to 1000, not 1e\\+09"),
        (Named("x", weight=-0.5), "weight of matcher 'x' must be a number from 0 to 1000, not -0.5"),
        (Named("x", weight=1, equal_words="no"), "equal_words of matcher 'x' must be true or false"),
        (Named("x", weight=1, hash="a|b"), "hash of matcher 'x' must be letters and digits"),
    ],
)
def test_what_is_no_matcher_is_refused(meteor: Make, module: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        meteor(modules=["exact", module])


def test_names_must_differ(meteor: Make) -> None:
    with pytest.raises(ConfigurationError, match="two matchers named 'beginning'"):
        meteor(modules=[Beginning(), Beginning()])


def test_a_hash_is_in_the_signature(meteor: Make) -> None:
    scorer = meteor(modules=["exact", Named("x", weight=1, hash="0a1b2c3d")])
    assert "|modules:ex.x@0a1b2c3d|" in scorer.get_signature()


def test_a_scorer_with_a_matcher_can_be_pickled(meteor: Make) -> None:
    scorer = meteor(modules=["exact", "stem", Plain(frozenset({"the"}))], weights=[1, 0.6, 0.5])
    copy = pickle.loads(pickle.dumps(scorer))
    assert copy.get_signature() == scorer.get_signature()
    text = ("the cats", "the cat")
    assert copy.sentence_score(*text) == scorer.sentence_score(*text)


def test_a_scorer_stays_what_it_was(meteor: Make) -> None:
    """Even if the objects that it was made from change."""
    matcher = Named("x", weight=0.5, hash="aa")
    words, weights = ["the"], {"exact": 2.0, "other": 1.0}
    scorer = meteor(
        modules=(module for module in ("exact", matcher)),
        weights=iter([np.float32(1), 0.5]),
        stop_words=words,
        search_weights=weights,
    )
    signature = scorer.get_signature()
    score = scorer.sentence_score("the cat", "the cat sat")
    vars(matcher).update(hash="bb")
    words.append("cat")
    weights["exact"] = 3.0
    assert scorer.get_signature() == signature
    vars(matcher).update(hash="aa")
    copy = pickle.loads(pickle.dumps(scorer))
    assert copy.get_signature() == signature
    assert copy.sentence_score("the cat", "the cat sat") == score


def test_built_in_stages_number_words_for_one_lexicon() -> None:
    given = Stem("en", WordIdentity("spelling"), name="my-stem")
    one, other = stage(given), stage(given)
    assert one.columns(["cats", "dogs"])[0][1].tolist() == [0, 1]
    assert other.columns(["dogs", "cats"])[0][1].tolist() == [0, 1]


def test_numbers_are_given_once() -> None:
    numbering = Numbering()
    lists = [[str(k % 3000) for k in range(start, start + 6000)] for start in range(0, 3000, 375)]
    workers = [threading.Thread(target=numbering.of, args=(words,)) for words in lists]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(numbering.values()) == list(range(3000))


def test_a_new_lexicon_asks_again(meteor: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A vocabulary that is discarded takes the knowledge about its words with it."""
    monkeypatch.setattr("bolide.matching.lexicon.LARGEST_VOCABULARY", 2)
    scorer = meteor(modules=["exact", Beginning()])
    expected = meteor(modules=["exact", Beginning()]).sentence_score("computing", "computer")
    for _ in range(3):
        scorer.sentence_score("one two three", "four five six")
        assert scorer.sentence_score("computing", "computer") == expected
