"""Base forms and synsets in a small WordNet for tests, checked against plain rules and against Java."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import _core
from bolide._support import toml as _toml
from bolide.language.wordnet import SynonymArrays, WordNet, detachment
from tests.support import java_meteor
from tests.support.paths import GOLDEN

TABLE = _toml.read(GOLDEN / "wordnet.toml")
EXCEPTIONS: dict[str, list[str]] = TABLE["exceptions"]
SYNSETS: dict[str, list[int]] = TABLE["synsets"]


class Index:
    """Words by number."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = sorted(words, key=str.encode)
        self.numbers = {word: number for number, word in enumerate(self.words)}

    def native(self) -> _core.WordIndex:
        encoded = [word.encode() for word in self.words]
        offsets = np.cumsum([0, *map(len, encoded)]).astype(np.uint32)
        return _core.WordIndex(np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets)


def ragged(rows: Sequence[Sequence[int]]) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int32]]:
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.uint32)
    return offsets, np.array([value for row in rows for value in row], dtype=np.int32)


def bases_by_form(exceptions: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    bases: dict[str, list[str]] = {}
    for base, forms in exceptions.items():
        for form in forms:
            bases.setdefault(form, []).append(base)
    return bases


def wordnet(synsets: Mapping[str, Sequence[int]], exceptions: Mapping[str, Sequence[str]]) -> WordNet:
    irregular = bases_by_form(exceptions)
    words, forms, bases = Index(list(synsets)), Index(list(irregular)), Index(list(exceptions))
    offsets, ids = ragged([synsets[word] for word in words.words])
    base_offsets, base_numbers = ragged(
        [[bases.numbers[base] for base in irregular[form]] for form in forms.words]
    )
    arrays = SynonymArrays(
        words.native(), offsets, ids, forms.native(), base_offsets, base_numbers, bases.native()
    )
    return WordNet(arrays)


SMALL = wordnet(SYNSETS, EXCEPTIONS)


@pytest.mark.parametrize(
    ("word", "bases"),
    [
        ("arms", ["arm"]),
        ("armsful", ["arm"]),  # an exception, though it ends in ful
        ("armesful", []),  # not arm + ful
        ("axes", ["ax", "axis"]),  # all bases of an exception, and no rule
        ("dogs", ["unheard"]),  # no rule even if the exception leads nowhere
        ("boss", ["glas"]),  # an exception, though it ends in ss
        ("as", ["foo"]),  # an exception, though it is short
        ("is", []),  # too short
        ("glass", []),
        ("glasses", ["glass"]),
        ("gases", ["gas"]),  # ses → s comes before es → e and es →
        ("bared", ["bare"]),  # ed → e comes before ed →
        ("barer", ["bar"]),  # er → comes before er → e
        ("flies", ["flie"]),  # s → comes first of all
        ("firemen", []),  # fireman is not in this WordNet
        ("men", ["man"]),
        ("Cats", ["Cat"]),  # case counts
        ("CATS", []),
        ("hot_dogs", ["hot_dog"]),
        ("bing", []),
        ("", []),
    ],
)
def test_base_forms(word: str, bases: list[str]) -> None:
    assert SMALL.base_forms([word]) == [tuple(bases)]


def test_synsets_are_those_of_the_word_then_of_its_bases() -> None:
    synsets = {"saw": [1, 2], "see": [2, 3], "sow": [], "seen": [4]}
    net = wordnet(synsets, {"see": ["saw", "seen"], "sow": ["saw"]})
    assert net.synset_ids(["saw", "see", "sees", "seen", "sow", "unknown"]) == [
        (1, 2, 3),
        (2, 3),
        (2, 3),
        (4, 2, 3),
        (),
        (),
    ]


def test_no_words_have_no_synsets() -> None:
    assert SMALL.synset_ids([]) == []
    assert SMALL.base_forms([]) == []
    assert SMALL.synset_ids(["nothing", "known"]) == [(), ()]


def test_a_rule_counts_at_its_first_place() -> None:
    assert detachment().rules[:2] == [("s", ""), ("ses", "s")]
    assert detachment().rules.count(("s", "")) == 1


RULES = """
    s: ses:s xes:x zes:z ches:ch shes:sh men:man ies:y
    s: ies:y es:e es: ed:e ed: ing:e ing:
    er: est: er:e est:e
"""


def plain_base_forms(
    word: str, synsets: Mapping[str, object], exceptions: Mapping[str, Sequence[str]]
) -> list[str]:
    """The rules, word by word."""
    if word in bases_by_form(exceptions):
        return bases_by_form(exceptions)[word]
    if len(word) < 3 or word.endswith(("ss", "ful")):
        return []
    for ending, _, base in (rule.partition(":") for rule in RULES.split()):
        if word.endswith(ending) and word.removesuffix(ending) + base in synsets:
            return [word.removesuffix(ending) + base]
    return []


ROOTS = st.sampled_from(["a", "b", "s", "ch", "wash", "fl", "man", "men", "ful", "box", "y", "e", "ss"])
ENDINGS = st.sampled_from(
    ["", "s", "es", "ies", "y", "e", "ed", "ing", "er", "est", "men", "ful", "ses", "ss"]
)
SPELLINGS = st.builds("".join, st.tuples(ROOTS, ENDINGS, ENDINGS))


@given(
    st.dictionaries(SPELLINGS, st.lists(st.integers(0, 9), unique=True), max_size=12),
    st.dictionaries(SPELLINGS, st.lists(SPELLINGS, unique=True, min_size=1, max_size=3), max_size=4),
    st.lists(SPELLINGS, max_size=12),
)
def test_batches_follow_the_plain_rules(
    synsets: dict[str, list[int]], exceptions: dict[str, list[str]], words: list[str]
) -> None:
    net = wordnet(synsets, exceptions)
    bases = [plain_base_forms(word, synsets, exceptions) for word in words]
    assert [list(found) for found in net.base_forms(words)] == bases
    assert [set(ids) for ids in net.synset_ids(words)] == [
        {number for form in (word, *forms) for number in synsets.get(form, ())}
        for word, forms in zip(words, bases, strict=True)
    ]
    assert all(len(ids) == len(set(ids)) for ids in net.synset_ids(words))


def test_synonyms_are_those_of_the_release(jar: Path, tmp_path: Path) -> None:
    """One-word segments, and the test WordNet in the release's format."""
    numbers = {word: " ".join(map(str, ids)) for word, ids in SYNSETS.items()}
    forms = {base: " ".join(forms) for base, forms in EXCEPTIONS.items()}
    for name, rows in {"english.synsets": numbers, "english.exceptions": forms}.items():
        (tmp_path / name).write_text("".join(f"{key}\n{row}\n" for key, row in rows.items()), "utf-8")
    words = [*SYNSETS, *TABLE["forms"]]
    pairs = [(hypothesis, reference) for hypothesis in words for reference in words]
    ids = dict(zip(words, map(set, SMALL.synset_ids(words)), strict=True))
    options = ["-l", "en", "-m", "synonym", "-w", "1.0", "-p", "0.85 0.2 0.6 0.75", "-d", str(tmp_path)]
    java = java_meteor.run(jar, [pair[0] for pair in pairs], [[pair[1]] for pair in pairs], options)
    found = {pair for pair, statistics in zip(pairs, java.statistics, strict=True) if statistics[-1]}
    assert found == {(one, other) for one, other in pairs if one != other and ids[one] & ids[other]}
