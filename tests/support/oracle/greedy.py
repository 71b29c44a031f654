"""NLTK's alignment.

Stage by stage, it goes through the hypothesis words from the last to the first. Each takes the last free
reference word that it matches. Before 3.6.3, only the first stage took words away from the others.
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


def repeat(stages: Sequence[Iterable[Pair]]) -> list[tuple[int, int, int]]:
    """The same before 3.6.3, by hypothesis position and stage."""
    first = align(stages[:1])
    left = [
        [(j, i) for j, i in pairs if all(j != taken and i != used for taken, used, _ in first)]
        for pairs in stages[1:]
    ]
    later = [(j, i, stage) for stage, pairs in enumerate(left, 1) for j, i, _ in align([pairs])]
    return sorted(first + later, key=lambda match: match[1:])
