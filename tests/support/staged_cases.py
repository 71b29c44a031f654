"""Random candidates for the stage-by-stage aligners, and what the core chooses from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from tests.support import core_testing

Pair = tuple[int, int]  # reference position, hypothesis position


@dataclass(frozen=True)
class Case:
    hypothesis_length: int
    reference_length: int
    stages: tuple[tuple[Pair, ...], ...]


def choose(case: Case, aligner: str, budget: int = 0) -> tuple[list[tuple[int, int, int]], bool]:
    """(reference position, hypothesis position, stage) of the chosen pairs, and whether they are proven."""
    rows = [(j, 1, i, 1, stage) for stage, pairs in enumerate(case.stages) for j, i in pairs]
    matches, proven = core_testing.choose(
        np.array(rows, dtype=np.int32).reshape(-1, 5),
        case.hypothesis_length,
        case.reference_length,
        aligner,
        [1.0] * max(1, len(case.stages)),
        budget=budget,
    )
    return [(j, i, stage) for j, _, i, _, stage in matches.tolist()], proven


def equal_words(hypothesis: Sequence[object], reference: Sequence[object]) -> tuple[Pair, ...]:
    return tuple((j, i) for j, r in enumerate(reference) for i, h in enumerate(hypothesis) if r == h)


def of_texts(hypothesis: str, reference: str) -> Case:
    """Equal words match; one stage."""
    words = hypothesis.split(), reference.split()
    return Case(len(words[0]), len(words[1]), (equal_words(*words),))


def relations(hypothesis: int, reference: int, most: int) -> st.SearchStrategy[tuple[Pair, ...]]:
    """Any pairs: for relations such as synonymy, which is not transitive."""
    everything = [(j, i) for j in range(reference) for i in range(hypothesis)]
    if not everything:
        return st.just(())
    return st.lists(st.sampled_from(everything), max_size=most, unique=True).map(tuple)


@st.composite
def cases(draw: st.DrawFn, longest: int = 7, most_pairs: int = 14) -> Case:
    hypothesis = draw(st.integers(0, longest))
    reference = draw(st.integers(0, longest))

    def equality() -> tuple[Pair, ...]:
        kinds = draw(st.integers(2, 5))
        words = [
            draw(st.lists(st.integers(1, kinds), min_size=length, max_size=length))
            for length in (hypothesis, reference)
        ]
        return equal_words(words[0], words[1])

    stages = [
        equality() if draw(st.booleans()) else draw(relations(hypothesis, reference, most_pairs))
        for _ in range(draw(st.integers(1, 3)))
    ]
    return Case(hypothesis, reference, tuple(stages))


def is_one_to_one(pairs: Iterable[tuple[int, ...]]) -> bool:
    chosen = list(pairs)
    return all(len({pair[side] for pair in chosen}) == len(chosen) for side in (0, 1))
