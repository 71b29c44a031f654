"""Words that are left over after the alignment, matched by common runs of letters.

Two words have a longest common run. Left of it, in both words, there may be another one, and right of it, and
so on. A run has at least two letters. The letters of all runs are common.

Of all pairs of words that are left over and have common letters, the closest one is matched, and so on. The
closeness of a pair is the share of common letters in both words together. Each neighbour adds a fifth: a
match that the pair continues, or that continues the pair. Neighbours are matches of other stages only.

A match counts for the share of the letters of each word that are common. This is rounded to a whole number,
halves up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import floor
from typing import TypeAlias

from .matchers import Match

SHORTEST = 2
LONGEST = 32
Letters: TypeAlias = Sequence[int]
Run = tuple[int, int, int]


def common_runs(one: Letters, two: Letters) -> list[Run]:
    """Where the runs begin in each word, and their lengths, from left to right."""
    one, two = one[:LONGEST], two[:LONGEST]
    runs = [
        (-length, i, j)
        for i in range(len(one))
        for j in range(len(two))
        for length in range(SHORTEST, min(len(one) - i, len(two) - j) + 1)
        if list(one[i : i + length]) == list(two[j : j + length])
    ]
    if not runs:
        return []
    minus_length, i, j = min(runs)
    length = -minus_length
    right = common_runs(one[i + length :], two[j + length :])
    moved = [(i + length + a, j + length + b, each) for a, b, each in right]
    return [*common_runs(one[:i], two[:j]), (i, j, length), *moved]


def common_letters(one: Letters, two: Letters) -> int:
    return sum(length for _, _, length in common_runs(one, two))


def add_matches(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    alignment: Sequence[Match],
    letters: Callable[[str], Letters],
    stage: int,
) -> list[Match]:
    """The alignment with the matches of a stage of letters."""

    def is_free(match: Match, others: Sequence[Match]) -> bool:
        return not any(
            0 <= match.hypothesis_start - other.hypothesis_start < other.hypothesis_length
            or 0 <= match.reference_start - other.reference_start < other.reference_length
            for other in others
        )

    def closeness(match: Match) -> Fraction:
        ours, theirs = hypothesis[match.hypothesis_start], reference[match.reference_start]
        common = common_letters(letters(ours), letters(theirs))
        both = len(letters(ours)[:LONGEST]) + len(letters(theirs)[:LONGEST])
        return Fraction(2 * common, both) + Fraction(neighbours(match), 5)

    def neighbours(match: Match) -> int:
        return sum(continues(other, match) + continues(match, other) for other in alignment)

    pairs = [
        match
        for j, theirs in enumerate(reference)
        for i, ours in enumerate(hypothesis)
        if common_letters(letters(ours), letters(theirs)) > 0
        and is_free(match := Match(j, 1, i, 1, stage), alignment)
    ]
    pairs.sort(key=lambda m: (-closeness(m), abs(m.reference_start - m.hypothesis_start), m))
    taken = list(alignment)
    for match in pairs:
        if is_free(match, taken):
            taken.append(match)
    return sorted(taken)


def continues(last: Match, following: Match) -> bool:
    """Whether a match begins where the other one ends, in both sentences."""
    return (last.reference_start + last.reference_length, last.hypothesis_start + last.hypothesis_length) == (
        following.reference_start,
        following.hypothesis_start,
    )


def part(size: int, word: Letters, common: int) -> int:
    """How much of the size of a word counts."""
    return floor(Fraction(size * common, len(word[:LONGEST])) + Fraction(1, 2))
