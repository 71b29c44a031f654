"""The native matching, search and counting against the slow oracle, on random words, keys and phrase tables.

No resources take part: the keys of each word are drawn at random, so every relation that a stemmer, a
thesaurus or a hash collision could make occurs, and far more densely than in any text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import _core
from oracle import beam, statistics
from oracle.matchers import ExactStage, Keys, Match, Phrase, PhraseStage, RelatedStage, Stage

WORDS = ("a", "b", "c", "dd", "é", "😀", "ffff", "g")


@dataclass(frozen=True)
class Case:
    """A small world: which words are the same, what keys they have by stage, which phrases are related."""

    identities: dict[str, int]
    functions: frozenset[str]
    kinds: tuple[str, ...]
    keys: tuple[dict[str, frozenset[int]], ...]
    phrases: tuple[tuple[Phrase, Phrase], ...]
    width: int
    characters: bool
    pairs: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]

    def stages(self) -> list[Stage]:
        table: dict[Phrase, list[Phrase]] = {}
        for left, right in self.phrases:
            table.setdefault(left, []).append(right)
        make: dict[str, Callable[[Keys], Stage]] = {
            "exact": lambda keys: ExactStage(),
            "related": RelatedStage,
            "phrase": lambda keys: PhraseStage(table),
        }
        return [make[kind](keys.__getitem__) for kind, keys in zip(self.kinds, self.keys, strict=True)]


def phrases(longest: int) -> st.SearchStrategy[Phrase]:
    return st.lists(st.sampled_from(WORDS[:6]), min_size=1, max_size=longest).map(tuple)


def sentences(words: tuple[str, ...], longest: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(words), max_size=longest).map(tuple)


@st.composite
def cases(draw: st.DrawFn, longest: int = 12) -> Case:
    identities = draw(st.fixed_dictionaries({word: st.integers(0, 9) for word in WORDS}))
    kinds = draw(st.lists(st.sampled_from(["exact", "related", "phrase"]), min_size=1, max_size=4).map(tuple))
    keys = st.fixed_dictionaries({word: st.frozensets(st.integers(0, 4), max_size=3) for word in WORDS})
    words = WORDS[: draw(st.integers(2, len(WORDS)))]
    pair = st.tuples(sentences(words, longest), sentences(words, longest))
    shuffled = sentences(words, longest).flatmap(
        lambda sentence: st.tuples(st.permutations(sentence).map(tuple), st.just(sentence))
    )
    return Case(
        identities=identities,
        functions=draw(st.frozensets(st.sampled_from(WORDS))),
        kinds=kinds,
        keys=tuple(draw(keys) for _ in kinds),
        phrases=tuple(draw(st.lists(st.tuples(phrases(4), phrases(4)), max_size=25))),
        width=draw(st.integers(1, 80)),
        characters=draw(st.booleans()),
        pairs=tuple(draw(st.lists(pair | shuffled, min_size=1, max_size=3))),
    )


Answer = tuple[tuple[Match, ...], list[int]]


def oracle_answers(case: Case) -> list[Answer]:
    answers = []
    for hypothesis, reference in case.pairs:
        matches = beam.align(
            hypothesis, reference, case.stages(), width=case.width, identity=case.identities.__getitem__
        )
        size = statistics.characters if case.characters else statistics.one
        row = statistics.count(
            hypothesis, reference, matches, case.functions, stages=len(case.kinds), size=size
        )
        answers.append((matches, row))
    return answers


def native_answers(case: Case, threads: int = 1) -> list[Answer]:
    table = phrase_table(case)
    weights = [1.0 if kind == "exact" else 0.5 for kind in case.kinds]
    engine = _core.Engine(list(case.kinds), "beam", weights, case.width, case.characters, None, table)
    vocabulary = _core.Vocabulary(list(case.kinds))
    rows, bounded, matches, ends = engine.run(
        [" ".join(hypothesis) for hypothesis, _ in case.pairs],
        [" ".join(reference) for _, reference in case.pairs],
        np.ones(len(case.pairs), dtype=np.int32),
        vocabulary,
        lambda words: add_words(case, table, vocabulary, words),
        threads,
        False,
        True,
    )
    assert matches is not None and ends is not None and not bounded.any()
    return [
        (tuple(Match(*match[:5]) for match in matches[start:end].tolist()), row)
        for row, start, end in zip(rows.tolist(), ends[:-1], ends[1:], strict=True)
    ]


def phrase_table(case: Case) -> _core.PhraseTable:
    builder = _core.PhraseTableBuilder()
    for left, right in case.phrases:
        builder.feed(f"0.5\n{' '.join(left)}\n{' '.join(right)}\n".encode())
    arrays = builder.finish()
    names = ("words.bytes", "words.offsets", "nodes", "starts", "entries")
    return _core.PhraseTable(*(arrays[name] for name in names))


def add_words(case: Case, table: _core.PhraseTable, vocabulary: _core.Vocabulary, words: list[str]) -> None:
    """What bolide.lexicon does with real words."""
    stage_keys = []
    for kind, keys in zip(case.kinds, case.keys, strict=True):
        of_word = [[case.identities[word]] if kind == "exact" else sorted(keys[word]) for word in words]
        offsets = np.cumsum([0, *map(len, of_word)]).astype(np.int32)
        stage_keys.append((offsets, np.array([key for group in of_word for key in group], dtype=np.int64)))
    vocabulary.add(
        words,
        np.array([case.identities[word] for word in words], dtype=np.int64),
        np.array([word in case.functions for word in words], dtype=np.uint8),
        np.array([statistics.characters(word) for word in words], dtype=np.int32),
        table.words.find(words),
        stage_keys,
    )


@given(cases())
@settings(max_examples=500)
def test_alignment_and_statistics_equal_the_oracle(case: Case) -> None:
    assert native_answers(case) == oracle_answers(case)


@given(cases(longest=40))
@settings(max_examples=60)
def test_longer_sentences_equal_the_oracle(case: Case) -> None:
    assert native_answers(case) == oracle_answers(case)


@given(cases())
@settings(max_examples=30)
def test_threads_change_nothing(case: Case) -> None:
    many = Case(**{**vars(case), "pairs": case.pairs * 50})
    assert native_answers(many, threads=4) == native_answers(many, threads=1) == native_answers(case) * 50


@given(cases())
@settings(max_examples=100)
def test_an_alignment_uses_each_word_once_and_only_listed_matches(case: Case) -> None:
    for (hypothesis, reference), (matches, row) in zip(case.pairs, native_answers(case), strict=True):
        taken_hypothesis = [word for match in matches for word in beam.hypothesis_words(match)]
        taken_reference = [word for match in matches for word in beam.reference_words(match)]
        assert len(set(taken_hypothesis)) == len(taken_hypothesis) == row[-2]
        assert len(set(taken_reference)) == len(taken_reference) == row[-1]
        assert set(taken_hypothesis) <= set(range(len(hypothesis)))
        assert set(taken_reference) <= set(range(len(reference)))


@pytest.mark.parametrize("length", [64, 65, 127, 128, 150])
def test_long_sentences(length: int) -> None:
    """The search has three layouts of its keys, for up to 64, up to 127, and more words."""
    random = Random(length)
    words = WORDS[:6]
    pairs = tuple(
        (
            tuple(random.choices(words, k=length - random.randint(0, 1))),
            tuple(random.choices(words, k=length)),
        )
        for _ in range(2)
    )
    keys = {word: frozenset(random.sample(range(5), 2)) for word in WORDS}
    case = Case(
        identities={word: number for number, word in enumerate(WORDS)},
        functions=frozenset(words[:2]),
        kinds=("exact", "related", "phrase"),
        keys=(keys, keys, keys),
        phrases=tuple(
            (tuple(random.choices(words, k=2)), tuple(random.choices(words, k=3))) for _ in range(3)
        ),
        width=40,
        characters=False,
        pairs=pairs,
    )
    assert native_answers(case) == oracle_answers(case)


@st.composite
def candidates(draw: st.DrawFn) -> tuple[list[tuple[int, int, int, int, int]], int, int]:
    """Matches of sentences of up to 127 words, where the search may use the processor's own instructions."""
    hypothesis, reference = draw(st.integers(1, 127)), draw(st.integers(1, 127))
    seed, per_word = draw(st.integers(0, 2**32)), draw(st.integers(0, 12))
    random, matches = Random(seed), []
    for _ in range(reference * per_word // 2):
        lengths = [random.choice((1, 1, 1, 2, 3)) for _ in range(2)]
        starts = [random.randrange(size) for size in (reference, hypothesis)]
        if starts[0] + lengths[0] <= reference and starts[1] + lengths[1] <= hypothesis:
            matches.append((starts[0], lengths[0], starts[1], lengths[1], random.randrange(3)))
    return matches, hypothesis, reference


@settings(max_examples=300, deadline=None)
@given(candidates(), st.integers(1, 64))
def test_the_search_is_the_same_with_and_without_special_instructions(
    case: tuple[list[tuple[int, int, int, int, int]], int, int], width: int
) -> None:
    matches, hypothesis, reference = case
    table = np.array(matches, dtype=np.int32).reshape(-1, 5)
    chosen, plain = (
        _core.choose(table, hypothesis, reference, "beam", [1.0, 0.5, 0.5], width, portable)[0]
        for portable in (False, True)
    )
    assert chosen.tolist() == plain.tolist()
