"""The best alignment of all, by trying every set of matches in which no word is used twice.

The better of two alignments has, in this order of importance:

1. the larger gain: each match counts ``floor(w * length)`` on either side, with its stage's weight ``w``;
2. fewer chunks;
3. the smaller sum of ``|reference start - hypothesis start|``;
4. the smaller sum of ``stage * words covered``, over both sides: earlier stages are preferred;
5. at the first difference, going through the reference, a match rather than none, then the smaller hypothesis
   start, then the shorter phrase in the reference, then in the hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import floor, inf

from .matchers import Match

Alignment = tuple[Match, ...]


def excludes(a: Match, b: Match) -> bool:
    """Whether the two matches share a word, on either side."""
    return (
        a.reference_start < b.reference_start + b.reference_length
        and b.reference_start < a.reference_start + a.reference_length
    ) or (
        a.hypothesis_start < b.hypothesis_start + b.hypothesis_length
        and b.hypothesis_start < a.hypothesis_start + a.hypothesis_length
    )


def alignments(matches: Sequence[Match], chosen: Alignment = ()) -> Iterator[Alignment]:
    """Every alignment that extends `chosen` by some of the matches, which must be sorted."""
    yield chosen
    for k, match in enumerate(matches):
        if not any(excludes(match, other) for other in chosen):
            yield from alignments(matches[k + 1 :], (*chosen, match))


def continues(last: Match, match: Match) -> bool:
    return (
        match.reference_start == last.reference_start + last.reference_length
        and match.hypothesis_start == last.hypothesis_start + last.hypothesis_length
    )


def cost(alignment: Alignment, weights: Sequence[float]) -> tuple[int, int, int, int]:
    """Rules 1 to 4 as a tuple: smaller is better. The alignment must be sorted."""
    gain = sum(
        floor(weights[m.stage] * m.hypothesis_length) + floor(weights[m.stage] * m.reference_length)
        for m in alignment
    )
    links = sum(continues(last, match) for last, match in pairwise(alignment))
    distance = sum(abs(m.reference_start - m.hypothesis_start) for m in alignment)
    stages = sum(m.stage * (m.reference_length + m.hypothesis_length) for m in alignment)
    return -gain, len(alignment) - links, distance, stages


def rule_5(alignment: Alignment) -> list[tuple[float, ...]]:
    spans = [
        (m.reference_start, m.hypothesis_start, m.reference_length, m.hypothesis_length) for m in alignment
    ]
    return [*spans, (inf,)]


def best_alignment(matches: Sequence[Match], weights: Sequence[float]) -> Alignment:
    return min(alignments(sorted(set(matches))), key=lambda found: (cost(found, weights), rule_5(found)))
