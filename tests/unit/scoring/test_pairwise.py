"""All pairs through `Meteor`: the numbers are those of `sentence_score`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bolide
from bolide import _core
from bolide.errors import InputError
from tests.support import generate
from tests.support.examples import examples

Make = Callable[..., bolide.Meteor]
SCORERS = [
    ("1.5", "en", {}),
    ("1.5", "de", {"modules": ["exact", "stem"]}),
    ("1.3", "en", {}),
    ("nltk", "en", {}),
    ("coco", "en", {}),
    ("2005", "en", {}),
    ("bolide-2", "en", {}),
    ("1.5", "ja", {"modules": ["exact"], "segmentation": "characters"}),
    ("1.5", "en", {"normalize": "keep-case", "modules": ["exact", "case"], "weights": [1, 0.5]}),
    ("1.5", "en", {"references": "union"}),
]


def texts_of(language: str) -> list[str]:
    """Texts for tests: sentences that say the same, changed sentences, odd and empty ones, a long one."""
    code = language if language in ("en", "de") else "en"
    pairs = generate.pairs(code, 12, seed=3)
    flat = [text for pair in pairs for text in (pair.hypothesis, pair.reference)]
    long = " ".join(flat[:8])
    return [*flat, *generate.odd_texts()[:10], "", " ", "猫が好き。", "a ||| b", long, long + " ."]


@pytest.mark.parametrize(("profile", "language", "options"), SCORERS)
def test_scores_are_those_of_sentence_score(
    profile: str, language: str, options: dict[str, object], meteor: Make
) -> None:
    scorer = meteor(profile=profile, language=language, **options)
    texts = texts_of(language)
    known: dict[tuple[str, str], float] = {}

    def score(a: str, b: str) -> float:
        if (a, b) not in known:
            known[a, b] = scorer.sentence_score(a, b).score
        return known[a, b]

    drawn = st.lists(st.sampled_from(texts), max_size=6)

    @given(st.lists(st.tuples(drawn, drawn), max_size=4))
    @settings(max_examples=examples(40))
    def check(groups: list[tuple[list[str], list[str]]]) -> None:
        found = scorer.pairwise_batch([ours for ours, _ in groups], [theirs for _, theirs in groups])
        assert len(found) == len(groups)
        for (ours, theirs), matrix in zip(groups, found, strict=True):
            assert matrix.shape == (len(ours), len(theirs))
            assert matrix.tolist() == [[score(a, b) for b in theirs] for a in ours]

    check()


def test_statistics(english: bolide.Meteor) -> None:
    ours, theirs = ["the cat sat", "a dog", ""], ["the cats sat down", "the dog"]
    found = english.pairwise(ours, theirs, statistics=True)
    flat = english.statistics([a for a in ours for _ in theirs], [b for _ in ours for b in theirs])
    assert found.shape == (3, 2, flat.shape[1]) and found.dtype == np.int32
    assert found.reshape(6, -1).tolist() == flat.tolist()
    assert english.score(flat).reshape(3, 2).tolist() == english.pairwise(ours, theirs).tolist()


def test_shapes(english: bolide.Meteor) -> None:
    assert english.pairwise([]).shape == (0, 0)
    assert english.pairwise([], ["a"]).shape == (0, 1)
    assert english.pairwise(["a"], []).shape == (1, 0)
    assert english.pairwise(["one text"]).tolist() == [[1.0]]
    assert english.pairwise(["a"], [], statistics=True).shape == (1, 0, 23)
    assert english.pairwise_batch([]) == []
    values, offsets = english.pairwise_batch([["a", "b"], [], ["c"]], flat=True)
    assert values.shape == (5,) and offsets.tolist() == [0, 4, 4, 5]


def test_tokens(english: bolide.Meteor) -> None:
    ours, theirs = [["The", "cat", "."], []], [["the", "cat", "."], ["It's"]]
    expected = [[english.sentence_score(a, b).score for b in theirs] for a in ours]
    assert english.pairwise(ours, theirs).tolist() == expected


def test_many_sources_in_several_calls(english: bolide.Meteor, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(1)
    texts = texts_of("en")
    groups = [random.choices(texts, k=random.randrange(5)) for _ in range(30)]
    expected = english.pairwise_batch(groups)
    monkeypatch.setattr("bolide.scoring.pairwise.TEXTS", 7)
    for a, b in zip(english.pairwise_batch(groups), expected, strict=True):
        assert a.tolist() == b.tolist()


def test_symmetric_does_not_depend_on_the_order(english: bolide.Meteor) -> None:
    texts = texts_of("en")
    found = english.pairwise(texts, symmetric=True)
    order = Random(2).sample(range(len(texts)), len(texts))
    assert (
        found[np.ix_(order, order)].tolist()
        == english.pairwise([texts[k] for k in order], symmetric=True).tolist()
    )
    exact = english.pairwise(texts, texts)
    assert np.mean(found == exact) > 0.9


WRONG = [
    (("the cat",), {}, "not one string"),
    ((["a", 3],), {}, "hypothesis 2 is int"),
    ((["a"], ["b", None]), {}, "reference 2 is None"),
    ((["a"], ["b"]), {"symmetric": True}, "same texts"),
    ((["a"], [["b"]]), {}, "all strings or all lists"),
    ((["a", "b\ud800"],), {}, r"hypothesis 2: a lone surrogate \(U\+D800\)"),
    ((["a"], ["x", "w " * 100_001]), {}, "reference 2: 100001 words; the longest allowed has 100000"),
    (([["a b"]],), {}, "hypothesis 1: token 'a b' is not a word"),
]


@pytest.mark.parametrize(("arguments", "options", "message"), WRONG)
def test_errors(
    arguments: tuple[object, ...], options: dict[str, bool], message: str, english: bolide.Meteor
) -> None:
    with pytest.raises(InputError, match=message):
        english.pairwise(*arguments, **options)  # type: ignore[arg-type]


def test_errors_name_the_source(english: bolide.Meteor) -> None:
    with pytest.raises(InputError, match="source 2, reference 1: a lone surrogate"):
        english.pairwise_batch([["a"], ["b"]], [["a"], ["\udcff"]])
    with pytest.raises(InputError, match="lists of references for 1 source"):
        english.pairwise_batch([["a"], ["b"]], [["a"]])
    with pytest.raises(InputError, match="hypotheses of source 1 must be a list"):
        english.pairwise_batch(["a"])


MEMORY = """
import resource, sys
import numpy as np
import bolide
size = int(sys.argv[1])
draw = np.random.default_rng(1)
words = np.array("the a cat dog sat lay on under mat rug house big large ran runs".split())
texts = [" ".join(draw.choice(words, 4)) + f" {k}" for k in range(size)]
scorer = bolide.Meteor("linear", modules=["exact"], threads=2)
scorer.pairwise(texts[:300])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = scorer.pairwise(texts)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 - found.nbytes)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has other units elsewhere")
@pytest.mark.parametrize("size", [2000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_memory_beyond_the_result_does_not_grow_with_the_pairs(size: int) -> None:
    """Four million pairs need less than four bytes each, and a hundred million less than a sixth of one."""
    run = subprocess.run(
        [sys.executable, "-c", MEMORY, str(size)], capture_output=True, text=True, check=True, env=os.environ
    )
    assert int(run.stdout) < 16 << 20


def test_mbr_chooses_the_highest_expected_score(english: bolide.Meteor) -> None:
    candidates = ["a dog barked", "the cat sat on the mat", "the cat sat on a mat", "cats sat on the mat"]
    matrix = english.pairwise(candidates)
    (choice,) = english.mbr([candidates])
    assert choice.expected.tolist() == pytest.approx(matrix.mean(axis=1).tolist(), abs=1e-15)
    assert choice.index == int(np.argmax(choice.expected)) != 0
    assert choice.candidate == candidates[choice.index]
    assert choice.score == choice.expected[choice.index]


def test_mbr_weights_and_references(english: bolide.Meteor) -> None:
    candidates = [["the cat sat", "a dog barked"], ["x"]]
    heavy = english.mbr(candidates, weights=[[0.1, 5], [1]])
    assert [choice.index for choice in heavy] == [1, 0]
    references = [["the cat sat down", "the cat sat", "a dog"], ["y", "x"]]
    found = english.mbr(candidates, references)
    assert [choice.candidate for choice in found] == ["the cat sat", "x"]
    assert found[1].score == 0.5


def test_of_equal_candidates_the_first_is_chosen(english: bolide.Meteor) -> None:
    texts = ["b c", "a b", "a b", "c a", "a b"] * 13
    (choice,) = english.mbr([texts], weights=[np.random.default_rng(1).random(len(texts))])
    same = [value for text, value in zip(texts, choice.expected, strict=True) if text == "a b"]
    assert len(set(same)) == 1
    assert choice.index == texts.index(str(choice.candidate))


def test_mbr_needs_candidates(english: bolide.Meteor) -> None:
    with pytest.raises(InputError, match="source 2 has no candidate"):
        english.mbr([["a"], []])
    with pytest.raises(InputError, match="source 1 has no reference"):
        english.mbr([["a"]], [[]])
    assert english.mbr([]) == []


def test_instructions_give_the_same_numbers(english: bolide.Meteor) -> None:
    """In a new process, because the instructions are chosen once."""
    program = (
        "import bolide, sys; from tests.unit.scoring.test_pairwise import texts_of; "
        "print(bolide.Meteor().pairwise(texts_of('en')).tolist())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"BOLIDE_INSTRUCTIONS": each},
        ).stdout
        for each in _core.available_instructions()
    }
    assert found == {f"{english.pairwise(texts_of('en')).tolist()}\n"}
