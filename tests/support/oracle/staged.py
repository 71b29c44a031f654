"""METEOR 2005's alignment, by trying everything.

Stages run one after the other; a stage maps only words that no earlier stage mapped. From all one-to-one
subsets of its possible mappings, a stage takes the best one by these rules, in this order:

1. the largest;
2. the fewest crosses among all mappings so far;
3. the fewest chunks;
4. the leftmost: the hypothesis positions of the reference words, in order, are lexicographically smallest,
   where a word that is not mapped counts as last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

Pair = tuple[int, int]  # reference position, hypothesis position


def align(stages: Sequence[Iterable[Pair]]) -> list[tuple[int, int, int]]:
    """(reference position, hypothesis position, stage), by reference position."""
    chosen: dict[Pair, int] = {}
    for stage, pairs in enumerate(stages):
        free = [pair for pair in sorted(set(pairs)) if not any(_share_word(pair, old) for old in chosen)]
        best = min(_one_to_one(free), key=lambda subset: _rank(subset, list(chosen)))
        chosen.update(dict.fromkeys(best, stage))
    return sorted((*pair, stage) for pair, stage in chosen.items())


def crosses(pairs: Iterable[Pair]) -> int:
    return sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in combinations(pairs, 2))


def chunks(pairs: Iterable[Pair]) -> int:
    mapped = set(pairs)
    return sum((j - 1, i - 1) not in mapped for j, i in mapped)


def _share_word(a: Pair, b: Pair) -> bool:
    return a[0] == b[0] or a[1] == b[1]


def _one_to_one(pairs: Sequence[Pair]) -> Iterator[tuple[Pair, ...]]:
    """All subsets in which no word is mapped twice."""
    if not pairs:
        yield ()
        return
    first, *others = pairs
    yield from _one_to_one(others)
    for subset in _one_to_one([pair for pair in others if not _share_word(first, pair)]):
        yield (first, *subset)


def _rank(subset: tuple[Pair, ...], before: list[Pair]) -> tuple[int, int, int, list[float]]:
    mapped = [*before, *subset]
    of_reference = dict(mapped)
    positions = [of_reference.get(j, float("inf")) for j in range(max(of_reference, default=-1) + 1)]
    return -len(subset), crosses(mapped), chunks(mapped), positions
