"""Porter's stemmer: the paper's own examples, the slow oracle (oracle/porter.py), and two other packages.

The other packages, NLTK and Snowball, are optional.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bolide
from bolide import _core
from bolide.language import porter
from tests.conftest import missing
from tests.support.examples import examples
from tests.support.oracle import porter as oracle

# Examples from Porter's paper, printed there beside the rules. In these, later steps leave the word alone, or
# the result is easy to follow by hand.
PAPER = {
    "caresses": "caress", "ponies": "poni", "ties": "ti", "caress": "caress", "cats": "cat",
    "feed": "feed", "agreed": "agre", "plastered": "plaster", "bled": "bled", "motoring": "motor",
    "sing": "sing", "conflated": "conflat", "troubled": "troubl", "sized": "size", "hopping": "hop",
    "tanned": "tan", "falling": "fall", "hissing": "hiss", "fizzed": "fizz", "failing": "fail",
    "filing": "file", "happy": "happi", "sky": "sky", "relational": "relat", "conditional": "condit",
    "rational": "ration", "digitizer": "digit", "radically": "radic", "differently": "differ",
    "operator": "oper", "feudalism": "feudal", "decisiveness": "decis", "hopefulness": "hope",
    "callousness": "callous", "formality": "formal", "sensitivity": "sensit", "sensibility": "sensibl",
    "triplicate": "triplic", "formative": "form", "formalize": "formal", "electrical": "electr",
    "goodness": "good", "revival": "reviv", "allowance": "allow", "inference": "infer", "airliner": "airlin",
    "gyroscopic": "gyroscop", "adjustable": "adjust", "defensible": "defens", "irritant": "irrit",
    "replacement": "replac", "adjustment": "adjust", "dependent": "depend", "adoption": "adopt",
    "communism": "commun", "activate": "activ", "effective": "effect", "bowdlerize": "bowdler",
    "probate": "probat", "rate": "rate", "cease": "ceas", "controlling": "control", "roll": "roll",
    "generalizations": "gener", "oscillators": "oscil",
}  # fmt: skip
# Words for which NLTK's stemmer differs from the paper.
NLTK = {
    "dying": ("dy", "die"), "news": ("new", "news"), "ties": ("ti", "tie"), "tied": ("ti", "tie"),
    "cried": ("cri", "cri"), "skies": ("ski", "sky"), "enjoy": ("enjoi", "enjoy"), "as": ("a", "as"),
    "fly": ("fly", "fli"), "by": ("by", "by"), "geology": ("geologi", "geolog"),
    "audibly": ("audibli", "audibl"),
    "functionally": ("function", "function"), "aged": ("ag", "age"), "proceed": ("proce", "proceed"),
    "joyfully": ("joyfulli", "joy"), "Dying": ("Dy", "die"),
    # NLTK also uses *d, the paper's sign for a double consonant, as a suffix.
    "x*oo*ding": ("x*oo*d", "x*ood"),
}  # fmt: skip

STEMS = """
    cat troubl hop relat yoy syzyg fizz fil tann fall hiss log ag wax bow pla oa qu eu tr l y e
"""
SUFFIXES = """
    s es ies ied ed eed ing y ly alli ational ation ization izer bli abli fulli logi ion sion tion ement ment
    ent ness ful icate ative alize al ance er ic ible ant ou ism ate iti ous ive ize e ll ss
"""

Stem = Callable[[str], str]

# Letters that rules and shapes depend on, a vowel and a consonant that are not English, a letter beyond the
# basic plane, a letter that becomes two in lower case, and a lone surrogate.
LETTERS = st.text("aeiouylsztdgbnkwx*-'éñ𝒳İ\ud800", max_size=8)
WORDS = st.one_of(
    LETTERS,
    st.builds("".join, st.tuples(LETTERS, st.sampled_from(SUFFIXES.split()))),
    st.builds("".join, st.tuples(LETTERS, *[st.sampled_from(SUFFIXES.split())] * 2)),
    st.text(),
    st.sampled_from(sorted(PAPER | NLTK)),
)


@lru_cache(maxsize=1)
def made_up() -> list[str]:
    """More than 100,000 generated word types."""
    stems, suffixes = STEMS.split(), SUFFIXES.split()
    words = {stem + one + two for stem, one, two in product(stems, suffixes, suffixes)}
    rng = random.Random(1980)
    while len(words) < 110_000:
        letters = "".join(rng.choices("aeiouysltgdbnizwx*-", k=rng.randint(0, 6)))
        words.add(letters + "".join(rng.choices(suffixes, k=rng.randint(0, 2))))
    return sorted(words)


@pytest.fixture(scope="module")
def nltk_stem() -> Stem:
    module = pytest.importorskip("nltk.stem")
    stem: Stem = module.PorterStemmer().stem
    return stem


@pytest.fixture(scope="module")
def nltk_original() -> Stem:
    stemmer: Any = pytest.importorskip("nltk.stem").PorterStemmer(mode="ORIGINAL_ALGORITHM")
    return lambda word: str(stemmer.stem(word, to_lowercase=False))


@pytest.fixture(scope="module")
def snowball() -> Stem:
    stem: Stem = pytest.importorskip("snowballstemmer").stemmer("porter").stemWord
    return stem


@pytest.fixture(scope="module")
def real_words(english: bolide.Meteor) -> list[str]:
    """The words of the official English paraphrase table."""
    table = english.settings.pack.paraphrases
    if table is None:
        missing("the English pack has no paraphrases")
    return [table.words.word(number) for number in range(len(table.words))]


def differences(ours: Stem, theirs: Stem, words: list[str]) -> list[tuple[str, str, str]]:
    return [(word, ours(word), theirs(word)) for word in words if ours(word) != theirs(word)]


@pytest.mark.parametrize("word", PAPER)
def test_examples_of_the_paper(word: str) -> None:
    assert porter.stem(word) == PAPER[word]


@pytest.mark.parametrize("word", NLTK)
def test_what_nltk_does_otherwise(word: str) -> None:
    assert (porter.stem(word), porter.nltk_stem(word)) == NLTK[word]


@settings(max_examples=examples(1000))
@given(st.lists(WORDS, max_size=20))
def test_any_words_as_the_oracle(words: list[str]) -> None:
    assert porter.stems(words) == [oracle.stem(word) for word in words]
    assert porter.nltk_stems(words) == [oracle.nltk_stem(word) for word in words]


def test_made_up_words_as_the_oracle() -> None:
    words = made_up()
    assert porter.stems(words) == [oracle.stem(word) for word in words]
    assert porter.nltk_stems(words) == [oracle.nltk_stem(word) for word in words]


def test_what_is_no_stemmer_is_refused() -> None:
    with pytest.raises(ValueError, match="no such condition: never"):
        _core.SuffixStemmer("a", "", "", [(False, [("s", 1, "", "never", False)])])
    with pytest.raises(ValueError, match="ASCII"):
        _core.SuffixStemmer("é", "", "", [])
    with pytest.raises(TypeError, match="expected str"):
        porter.stems([b"words"])  # type: ignore[list-item]


def test_a_rule_that_cuts_more_than_there_is_does_not_apply() -> None:
    stemmer = _core.SuffixStemmer("a", "", "", [(False, [("s", 3, "x", "any", False)])])
    assert stemmer.stem(["", "s", "as", "bas", "bbas"]) == ["", "s", "as", "x", "bx"]


def test_examples_are_what_nltk_says(nltk_stem: Stem) -> None:
    assert {word: nltk_stem(word) for word in NLTK} == {word: stem for word, (_, stem) in NLTK.items()}


def test_made_up_words_as_nltk(nltk_stem: Stem) -> None:
    assert len(made_up()) >= 100_000
    assert differences(porter.nltk_stem, nltk_stem, made_up()) == []


def test_real_words_as_nltk(nltk_stem: Stem, real_words: list[str]) -> None:
    assert differences(porter.nltk_stem, nltk_stem, real_words) == []


@given(st.text())
def test_any_text_as_nltk(word: str) -> None:
    stemmer: Any = pytest.importorskip("nltk.stem").PorterStemmer()
    assert porter.nltk_stem(word) == stemmer.stem(word)


def test_the_paper_as_nltk_reads_it(nltk_original: Stem) -> None:
    words = [word for word in made_up() if "*" not in word]  # see NLTK above
    assert differences(porter.stem, nltk_original, words) == []


def test_real_words_as_snowball(snowball: Stem, real_words: list[str]) -> None:
    """There is one known difference, in double consonants.

    The paper undoubles every consonant except l, s and z. Snowball's list of double consonants lacks kk
    (trekking), vv and other rare ones.
    """
    found = differences(porter.stem, snowball, real_words)
    assert [row for row in found if not re.search(r"([chjkqvwx])\1(ed|ing)", row[0])] == []


def test_long_words_take_linear_time() -> None:
    assert porter.nltk_stem("y" * 1_000_000 + "ies").endswith("yi")
    assert porter.stem("") == porter.nltk_stem("") == ""
    assert porter.stems([]) == porter.nltk_stems([]) == []
