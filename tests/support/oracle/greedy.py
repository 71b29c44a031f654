"""NLTK's alignment.

Stage by stage, it goes through the hypothesis words from the last to the first. Each takes the last free
reference word that it matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Pair = tuple[int, int]  # reference position, hypothesis position


def align(stages: Sequence[Iterable[Pair]]) -> list[tuple[int, int, int]]:
    """(reference position, hypothesis position, stage), by reference position."""
    chosen: dict[int, tuple[int, int]] = {}  # hypothesis position -> reference position, stage
    for stage, pairs in enumerate(stages):
        matching = set(pairs)
        for i in sorted({i for _, i in matching} - set(chosen), reverse=True):
            taken = {j for j, _ in chosen.values()}
            free = [j for j, k in matching if k == i and j not in taken]
            if free:
                chosen[i] = max(free), stage
    return sorted((j, i, stage) for i, (j, stage) in chosen.items())
