"""Score comparison, the most frequent operation of tuning, with each instruction set."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import core_testing
from tests.support.instructions import each_set


def expected(pairs: Any, gamma: float, decimals: int) -> tuple[int, int]:
    scores = pairs[:, 0::2] * (1.0 - gamma * pairs[:, 1::2])
    scores = np.where(scores > 0, scores, 0)
    if decimals >= 0:
        scores = scores.round(decimals)
    better, worse = scores.T
    return int((better > worse).sum()), int((better == worse).sum())


@each_set
@given(st.integers(0, 512), st.integers(0, 2**32), st.floats(0, 1), st.sampled_from([-1, 0, 1, 3, 10, 15]))
def test_counts(instructions: str, size: int, seed: int, gamma: float, decimals: int) -> None:
    draw = np.random.default_rng(seed)
    values = np.array([0.0, 0.2, 0.25, 0.5, 0.7, 1.0, 1.5, np.nan])
    pairs = np.where(draw.random((size, 4)) < 0.7, draw.choice(values, (size, 4)), draw.random((size, 4)))
    found = core_testing.compare_scores(pairs, gamma, decimals, instructions)
    assert found == expected(pairs, gamma, decimals)


def test_a_block_is_limited() -> None:
    with pytest.raises(ValueError, match="at most 512"):
        core_testing.compare_scores(np.zeros((513, 4)), 0.5, -1)
