"""All pairs of many texts: the same rows as those of the slow oracle, and as those of pair after pair."""

from __future__ import annotations

import dataclasses
import signal
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bolide import _core
from tests.support.examples import examples
from tests.unit.core.test_beam import (
    WORDS,
    Case,
    World,
    add_words,
    cases,
    native_answers,
    oracle_answers,
    sentences,
)

Sentence = tuple[str, ...]
Group = tuple[list[Sentence], list[Sentence]]


@st.composite
def similar(draw: st.DrawFn, longest: int) -> list[Sentence]:
    """Sentences of which many begin in the same way, and some are equal, as in n-best lists."""
    first = draw(sentences(WORDS, longest))
    found = []
    for _ in range(draw(st.integers(0, 6))):
        kept = first[: draw(st.integers(0, len(first)))]
        found.append(kept + draw(sentences(WORDS[:3], longest - len(kept))))
    return found


def groups(longest: int) -> st.SearchStrategy[list[Group]]:
    return st.lists(st.tuples(similar(longest), similar(longest)), max_size=3)


def engine_of(case: Case, aligner: str = "beam") -> tuple[Any, Any, Any]:
    kinds = [world.core_kind for world in case.worlds]
    resources = [world.resource() for world in case.worlds]
    weights = [1.0 if world.kind == "exact" else 0.5 for world in case.worlds]
    engine = _core.Engine(kinds, aligner, weights, case.width, case.characters, None, resources, True)
    vocabulary = _core.Vocabulary(kinds)
    return engine, vocabulary, lambda words: add_words(case, resources, vocabulary, words)


def matrices(
    case: Case, given_groups: list[Group], *, symmetric: bool = False, threads: int = 1, aligner: str = "beam"
) -> Any:
    engine, vocabulary, analyse = engine_of(case, aligner)
    pairs = sum(len(ours) * len(theirs) for ours, theirs in given_groups)
    out = np.full((pairs, 7 + 4 * len(case.worlds)), -1, dtype=np.int32)
    lines = [[" ".join(text) for group in given_groups for text in group[side]] for side in (0, 1)]
    counts = [np.array([len(group[side]) for group in given_groups], dtype=np.int32) for side in (0, 1)]
    engine.pairwise(*lines, *counts, vocabulary, analyse, threads, False, symmetric, None, out)
    return out


def of_pairs(case: Case, given_groups: list[Group]) -> Case:
    """The case with all pairs, one after the other."""
    pairs = tuple((a, b) for ours, theirs in given_groups for a in ours for b in theirs)
    return dataclasses.replace(case, pairs=pairs)


@given(cases(), groups(12))
@settings(max_examples=examples(300))
def test_all_pairs_equal_the_oracle(case: Case, texts: list[Group]) -> None:
    rows = [row for _, row in oracle_answers(of_pairs(case, texts))]
    assert matrices(case, texts).tolist() == rows


@given(cases(), groups(90))
@settings(max_examples=examples(100))
def test_long_sentences_equal_pair_after_pair(case: Case, texts: list[Group]) -> None:
    """Sentences of more than 64 words have no masks. The two kinds meet in one tile."""
    rows = [row for _, row in native_answers(of_pairs(case, texts))] if any(a and b for a, b in texts) else []
    assert matrices(case, texts).tolist() == rows


@pytest.mark.parametrize("aligner", ["exact", "greedy", "repeat", "staged"])
@given(cases(), groups(8))
@settings(max_examples=examples(30))
def test_all_aligners(aligner: str, case: Case, texts: list[Group]) -> None:
    words_only = [world for world in case.worlds if world.kind not in ("phrase", "near")]
    if aligner != "exact" and len(words_only) < len(case.worlds):
        case = dataclasses.replace(case, worlds=tuple(words_only))
    if not case.worlds:
        return
    engine, vocabulary, analyse = engine_of(case, aligner)
    pairs = of_pairs(case, texts).pairs
    lines = [[" ".join(pair[side]) for pair in pairs] for side in (0, 1)]
    counts = np.ones(len(pairs), dtype=np.int32)
    rows = engine.run(*lines, counts, vocabulary, analyse, 1, False, False)[0].tolist() if pairs else []
    assert matrices(case, texts, aligner=aligner).tolist() == rows


@given(cases(), st.lists(similar(10), max_size=2))
@settings(max_examples=examples(100))
def test_symmetric(case: Case, texts: list[list[Sentence]]) -> None:
    """Of two pairs with exchanged sides, the one whose hypothesis comes first in the order of spelling is
    aligned. The other has its row, with the columns of the sides exchanged."""
    full = matrices(case, [(group, group) for group in texts])
    found = matrices(case, [(group, group) for group in texts], symmetric=True)
    width, start = full.shape[1], 0
    exchanged = [k ^ 1 for k in range(width - 3)] + [width - 3, width - 1, width - 2]
    for group in texts:
        size = len(group)
        spelled = [" ".join(text).encode() for text in group]
        for i in range(size):
            for j in range(size):
                row, mirror = start + i * size + j, start + j * size + i
                expected = full[row] if spelled[i] <= spelled[j] else full[mirror][exchanged]
                assert found[row].tolist() == expected.tolist()
        start += size * size


def simple() -> Case:
    keys = {word: frozenset([k % 3]) for k, word in enumerate(WORDS)}
    identities = {word: k for k, word in enumerate(WORDS)}
    world = World("exact", keys, keys, (), {}, 1.0)
    related = World("related", keys, keys, (), {}, 1.0)
    return Case(identities, frozenset(WORDS[:2]), (world, related), 40, False, ())


def many(count: int, length: int, seed: int) -> list[Sentence]:
    draw = np.random.default_rng(seed)
    return [tuple(draw.choice(WORDS, length)) for _ in range(count)]


def test_tiles_and_threads() -> None:
    """More texts than a tile has, with equal ones, and several threads."""
    case = simple()
    texts = [(many(150, 6, 1) + many(5, 70, 2), many(70, 2, 3)), (many(3, 5, 4), many(200, 1, 5)), ([], [])]
    expected = [row for _, row in native_answers(of_pairs(case, texts))]
    for threads in (1, 4):
        assert matrices(case, texts, threads=threads).tolist() == expected


def test_arguments_that_do_not_fit() -> None:
    engine, vocabulary, analyse = engine_of(simple())
    one, two = np.ones(1, dtype=np.int32), np.full(1, 2, dtype=np.int32)
    rows = np.empty((1, 15), dtype=np.int32)

    def call(ours: Any, theirs: Any, out: Any, symmetric: bool = False) -> None:
        engine.pairwise(["a"], ["b"], ours, theirs, vocabulary, analyse, 1, False, symmetric, None, out)

    call(one, one, rows)
    for ours, theirs, out in [(two, one, rows), (one, two, rows), (one, one, rows[:, :3].copy())]:
        with pytest.raises(ValueError, match="do"):
            call(ours, theirs, out)
    with pytest.raises(ValueError, match="negative"):
        call(-one, one, rows)
    with pytest.raises(ValueError, match="differ"):
        call(one, one, rows, symmetric=True)
    with pytest.raises(ValueError, match="stages"):
        engine.pairwise(
            ["a"], ["b"], one, one, _core.Vocabulary(["exact"]), analyse, 1, False, False, None, rows
        )


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs signals of threads")
def test_an_interrupt_ends_the_work() -> None:
    """The signal comes while all pairs of texts are compared that would take many minutes."""
    case, texts = simple(), many(120, 3000, 6)
    main, analysed = threading.get_ident(), threading.Event()
    engine, vocabulary, analyse = engine_of(case)

    def analyse_and_tell(words: list[str]) -> None:
        analyse(words)
        analysed.set()

    def interrupt() -> None:
        analysed.wait()
        signal.pthread_kill(main, signal.SIGINT)

    lines, counts = [" ".join(text) for text in texts], np.full(1, len(texts), dtype=np.int32)
    out = np.empty((len(texts) ** 2, 15), dtype=np.int32)
    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        engine.pairwise(
            lines, lines, counts, counts, vocabulary, analyse_and_tell, 2, False, False, None, out
        )
    thread.join()
