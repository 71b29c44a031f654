"""Native matching, search and counting against the slow oracle, on random words, keys and phrase tables.

The tests use no resources. The keys of each word are drawn at random. So every relation that a stemmer, a
thesaurus or a hash collision could make occurs, and far more densely than in any text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import _core
from tests.support import core_testing
from tests.support.examples import examples
from tests.support.instructions import each_set
from tests.support.oracle import beam, statistics
from tests.support.oracle.matchers import (
    DirectedStage,
    ExactStage,
    LetterStage,
    Match,
    NearStage,
    Phrase,
    PhraseStage,
    RelatedStage,
    Stage,
)

WORDS = ("a", "b", "c", "dd", "é", "😀", "ffff", "g")


# The kinds of stages in the core; "keyed" is its "exact" with keys that are not the words themselves.
KINDS = ("exact", "keyed", "related", "directed", "directed-exact", "phrase", "near", "letters")
Keyed = dict[str, frozenset[int]]


@dataclass(frozen=True)
class World:
    """The data of one stage: keys of words (and others for the reference side), phrase pairs, vectors."""

    kind: str
    keys: Keyed
    reference_keys: Keyed
    phrases: tuple[tuple[Phrase, Phrase], ...]
    vectors: dict[str, tuple[float, ...] | None]
    threshold: float
    letters: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def core_kind(self) -> str:
        return "exact" if self.kind == "keyed" else self.kind

    @property
    def rows(self) -> dict[str, int]:
        """The row of each word's vector, in the order of the words."""
        return {word: k for k, word in enumerate(w for w in self.vectors if self.vectors[w] is not None)}

    def resource(self) -> _core.PhraseTable | _core.Vectors | None:
        if self.kind == "phrase":
            return phrase_table(self.phrases)
        if self.kind == "near":
            rows = [vector for vector in self.vectors.values() if vector is not None]
            return _core.Vectors(np.array(rows, dtype=np.float32).reshape(len(rows), 3), self.threshold)
        return None

    def stage(self) -> Stage:
        table: dict[Phrase, list[Phrase]] = {}
        for left, right in self.phrases:
            table.setdefault(left, []).append(right)
        make: dict[str, Callable[[], Stage]] = {
            "exact": ExactStage,
            "keyed": lambda: RelatedStage(self.keys.__getitem__, True),
            "related": lambda: RelatedStage(self.keys.__getitem__),
            "directed": lambda: DirectedStage(self.keys.__getitem__, self.reference_keys.__getitem__),
            "directed-exact": lambda: DirectedStage(
                self.keys.__getitem__, self.reference_keys.__getitem__, True
            ),
            "phrase": lambda: PhraseStage(table),
            "near": lambda: NearStage(self.closeness(), self.threshold),
            "letters": lambda: LetterStage(self.letters.__getitem__),
        }
        return make[self.kind]()

    def closeness(self) -> Callable[[str, str], float]:
        vectors, rows = self.resource(), self.rows
        assert isinstance(vectors, _core.Vectors)

        def cosine(a: str, b: str) -> float:
            return vectors.cosine(rows[a], rows[b]) if a in rows and b in rows else float("nan")

        return cosine

    def columns(
        self, words: list[str], identities: dict[str, int], resource: object
    ) -> list[tuple[Any, Any]]:
        if isinstance(resource, _core.PhraseTable):
            numbers = [[number] if number >= 0 else [] for number in resource.words.find(words).tolist()]
            return [flat(numbers)]
        if self.kind == "near":
            return [flat([[self.rows[word]] if word in self.rows else [] for word in words])]
        if self.kind == "letters":
            return [flat([list(self.letters[word]) for word in words])]
        if self.kind == "exact":
            return [flat([[identities[word]] for word in words])]
        sides = [self.keys, self.reference_keys] if self.kind.startswith("directed") else [self.keys]
        return [flat([sorted(keys[word]) for word in words]) for keys in sides]


def flat(keys: list[list[int]]) -> tuple[Any, Any]:
    offsets = np.cumsum([0, *map(len, keys)]).astype(np.int32)
    return offsets, np.array([key for group in keys for key in group], dtype=np.int64)


@dataclass(frozen=True)
class Case:
    """Sentences, which words are the same, and the data of each stage."""

    identities: dict[str, int]
    functions: frozenset[str]
    worlds: tuple[World, ...]
    width: int
    characters: bool
    pairs: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]

    def stages(self) -> list[Stage]:
        return [world.stage() for world in self.worlds]

    def letters(self) -> dict[int, Callable[[str], tuple[int, ...]]]:
        """The letters of words in each stage of letters."""
        kinds = enumerate(self.worlds)
        return {k: world.letters.__getitem__ for k, world in kinds if world.kind == "letters"}


def phrases(longest: int) -> st.SearchStrategy[Phrase]:
    return st.lists(st.sampled_from(WORDS[:6]), min_size=1, max_size=longest).map(tuple)


def sentences(words: tuple[str, ...], longest: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(words), max_size=longest).map(tuple)


# Many words have runs in common, and some are longer than what is used of them.
LETTERS = st.lists(st.integers(0, 2), max_size=9).map(tuple) | st.lists(
    st.integers(0, 1), min_size=30, max_size=40
).map(tuple)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Draw only what the kind of stage needs."""
    kind = draw(st.sampled_from(KINDS))
    keys = st.fixed_dictionaries({word: st.frozensets(st.integers(0, 4), max_size=3) for word in WORDS})
    pairs = st.lists(st.tuples(phrases(4), phrases(4)), max_size=25).map(tuple)
    vector = st.tuples(*[st.integers(-2, 2).map(float)] * 3)
    return World(
        kind=kind,
        keys=draw(keys) if kind in ("keyed", "related", "directed", "directed-exact") else {},
        reference_keys=draw(keys) if kind.startswith("directed") else {},
        phrases=draw(pairs) if kind == "phrase" else (),
        vectors=draw(st.fixed_dictionaries({w: vector | st.none() for w in WORDS})) if kind == "near" else {},
        threshold=draw(st.sampled_from([-0.5, 0.0, 0.25, 0.75])) if kind == "near" else 1.0,
        letters=draw(st.fixed_dictionaries(dict.fromkeys(WORDS, LETTERS))) if kind == "letters" else {},
    )


@st.composite
def cases(draw: st.DrawFn, longest: int = 12) -> Case:
    identities = draw(st.fixed_dictionaries({word: st.integers(0, 9) for word in WORDS}))
    words = WORDS[: draw(st.integers(2, len(WORDS)))]
    pair = st.tuples(sentences(words, longest), sentences(words, longest))
    shuffled = sentences(words, longest).flatmap(
        lambda sentence: st.tuples(st.permutations(sentence).map(tuple), st.just(sentence))
    )
    return Case(
        identities=identities,
        functions=draw(st.frozensets(st.sampled_from(WORDS))),
        worlds=tuple(draw(st.lists(worlds(), min_size=1, max_size=4))),
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
            hypothesis,
            reference,
            matches,
            case.functions,
            stages=len(case.worlds),
            size=size,
            letters_of=case.letters() if case.characters else {},
        )
        answers.append((matches, row))
    return answers


def native_answers(case: Case, threads: int = 1) -> list[Answer]:
    kinds = [world.core_kind for world in case.worlds]
    resources = [world.resource() for world in case.worlds]
    weights = [1.0 if world.kind == "exact" else 0.5 for world in case.worlds]
    engine = _core.Engine(kinds, "beam", weights, case.width, case.characters, None, resources, True)
    vocabulary = _core.Vocabulary(kinds)
    rows, bounded, matches, ends = engine.run(
        [" ".join(hypothesis) for hypothesis, _ in case.pairs],
        [" ".join(reference) for _, reference in case.pairs],
        np.ones(len(case.pairs), dtype=np.int32),
        vocabulary,
        lambda words: add_words(case, resources, vocabulary, words),
        threads,
        False,
        True,
    )
    assert matches is not None and ends is not None and not bounded.any()
    return [
        (tuple(Match(*match[:5]) for match in matches[start:end].tolist()), row)
        for row, start, end in zip(rows.tolist(), ends[:-1], ends[1:], strict=True)
    ]


def phrase_table(pairs: Sequence[tuple[Phrase, Phrase]]) -> _core.PhraseTable:
    builder = _core.PhraseTableBuilder()
    for left, right in pairs:
        builder.feed(f"0.5\n{' '.join(left)}\n{' '.join(right)}\n".encode())
    arrays = builder.finish()
    names = ("words.bytes", "words.offsets", "nodes", "starts", "entries")
    return _core.PhraseTable(*(arrays[name] for name in names))


def add_words(
    case: Case, resources: Sequence[object], vocabulary: _core.Vocabulary, words: list[str]
) -> None:
    """The same that bolide.matching.lexicon does with real words."""
    vocabulary.add(
        words,
        np.array([case.identities[word] for word in words], dtype=np.int64),
        np.array([word in case.functions for word in words], dtype=np.uint8),
        np.array([statistics.characters(word) for word in words], dtype=np.int32),
        [
            column
            for world, resource in zip(case.worlds, resources, strict=True)
            for column in world.columns(words, case.identities, resource)
        ],
    )


@given(cases())
@settings(max_examples=examples(500))
def test_alignment_and_statistics_equal_the_oracle(case: Case) -> None:
    assert native_answers(case) == oracle_answers(case)


@given(cases(longest=40))
@settings(max_examples=examples(60))
def test_longer_sentences_equal_the_oracle(case: Case) -> None:
    assert native_answers(case) == oracle_answers(case)


@given(cases())
@settings(max_examples=examples(30))
def test_threads_change_nothing(case: Case) -> None:
    many = Case(**{**vars(case), "pairs": case.pairs * 50})
    assert native_answers(many, threads=4) == native_answers(many, threads=1) == native_answers(case) * 50


@given(cases())
@settings(max_examples=examples(100))
def test_an_alignment_uses_each_word_once_and_only_listed_matches(case: Case) -> None:
    for (hypothesis, reference), (matches, row) in zip(case.pairs, native_answers(case), strict=True):
        taken_hypothesis = [word for match in matches for word in beam.hypothesis_words(match)]
        taken_reference = [word for match in matches for word in beam.reference_words(match)]
        assert len(set(taken_hypothesis)) == len(taken_hypothesis) == row[-2]
        assert len(set(taken_reference)) == len(taken_reference) == row[-1]
        assert set(taken_hypothesis) <= set(range(len(hypothesis)))
        assert set(taken_reference) <= set(range(len(reference)))


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [(64, 64), (63, 65), (65, 64), (127, 127), (126, 128), (150, 150), (64, 255), (64, 256), (256, 10)],
)
def test_long_sentences(hypothesis: int, reference: int) -> None:
    """The search has three layouts of its keys: for up to 64, up to 127, and more words.

    Matching has two: for hypotheses of up to 64 words with references of up to 255, and for longer ones.
    """
    random = Random(hypothesis + reference)
    words = WORDS[:6]
    pairs = ((tuple(random.choices(words, k=hypothesis)), tuple(random.choices(words, k=reference))),)
    keys = {word: frozenset(random.sample(range(5), 2)) for word in WORDS}
    paraphrases = tuple(
        (tuple(random.choices(words, k=2)), tuple(random.choices(words, k=3))) for _ in range(3)
    )
    case = Case(
        identities={word: number for number, word in enumerate(WORDS)},
        functions=frozenset(words[:2]),
        worlds=tuple(
            World(kind, keys, keys, paraphrases, dict.fromkeys(WORDS), 1.0)
            for kind in ("exact", "related", "phrase")
        ),
        width=40,
        characters=False,
        pairs=pairs,
    )
    assert native_answers(case) == oracle_answers(case)


@st.composite
def candidates(draw: st.DrawFn) -> tuple[list[tuple[int, int, int, int, int]], int, int]:
    """Matches of sentences of up to 127 words, for which each instruction set has its own search."""
    hypothesis, reference = draw(st.integers(1, 127)), draw(st.integers(1, 127))
    seed, per_word = draw(st.integers(0, 2**32)), draw(st.integers(0, 12))
    random, matches = Random(seed), []
    for _ in range(reference * per_word // 2):
        lengths = [random.choice((1, 1, 1, 2, 3)) for _ in range(2)]
        starts = [random.randrange(size) for size in (reference, hypothesis)]
        if starts[0] + lengths[0] <= reference and starts[1] + lengths[1] <= hypothesis:
            matches.append((starts[0], lengths[0], starts[1], lengths[1], random.randrange(3)))
    return matches, hypothesis, reference


@each_set
@settings(max_examples=examples(300), deadline=None)
@given(candidates(), st.integers(1, 64), st.sampled_from([[1.0, 0.5, 0.5], [2.0, 2.0, 2.0], [0.0, 0.0, 0.0]]))
def test_the_search_is_the_same_with_all_instructions(
    instructions: str,
    case: tuple[list[tuple[int, int, int, int, int]], int, int],
    width: int,
    weights: list[float],
) -> None:
    """Including the smallest and the largest gain, where keys are largest and smallest."""
    matches, hypothesis, reference = case
    table = np.array(matches, dtype=np.int32).reshape(-1, 5)
    found, portable = (
        core_testing.choose(table, hypothesis, reference, "beam", weights, width, instructions=each)[0]
        for each in (instructions, "portable")
    )
    assert found.tolist() == portable.tolist()
