"""Several references as one: a hypothesis word may match in any of them.

The alignment with the base reference is counted as usual. Then every hypothesis word is added that only other
alignments match, with the lowest stage. With it, one unmatched word of the base reference of the same class
(content or function) is added, if there is one left. Neighbours in the hypothesis are in one chunk if they
are in one chunk in some alignment.

`pool` is another rule: the statistics with all references are added up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from . import statistics
from .beam import hypothesis_words, reference_words
from .matchers import Match


def unite(
    hypothesis: Sequence[str],
    base_reference: Sequence[str],
    alignments: Sequence[Sequence[Match]],
    base: int,
    function_words: Collection[str],
    *,
    stages: int,
    size: Callable[[str], int] = statistics.one,
) -> list[int]:
    row = statistics.count(
        hypothesis, base_reference, alignments[base], function_words, stages=stages, size=size
    )
    in_base = matched(alignments[base])
    everywhere = in_base.union(*map(matched, alignments))
    taken = frozenset[int]().union(*map(reference_words, alignments[base]))
    free = [word for k, word in enumerate(base_reference) if k not in taken]
    for is_function in (False, True):
        room = [word for word in free if (word.lower() in function_words) == is_function]
        characters, places = sum(map(size, room)), len(room)
        for k in sorted(everywhere - in_base):
            if (hypothesis[k].lower() in function_words) != is_function:
                continue
            column = 4 + 4 * best_stage(k, alignments) + 2 * is_function
            row[column] += size(hypothesis[k])
            row[-2] += 1
            if places > 0:
                amount = min(size(hypothesis[k]), characters)
                row[column + 1] += amount
                row[-1] += 1
                characters, places = characters - amount, places - 1
    row[-3] = len(everywhere) - sum(
        1
        for first, second in pairwise(sorted(everywhere))
        if second == first + 1 and any(linked(first, alignment) for alignment in alignments)
    )
    return row


def pool(
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    alignments: Sequence[Sequence[Match]],
    function_words: Collection[str],
    *,
    stages: int,
    size: Callable[[str], int] = statistics.one,
) -> list[int]:
    """The sums over all references. But a hypothesis word that any alignment matches counts, by its lowest
    stage, as often as there are references."""
    rows = [
        statistics.count(hypothesis, reference, alignment, function_words, stages=stages, size=size)
        for reference, alignment in zip(references, alignments, strict=True)
    ]
    row = [sum(column) for column in zip(*rows, strict=True)]
    for stage in range(stages):
        for function in (False, True):
            row[4 + 4 * stage + 2 * function] = len(references) * sum(
                size(word)
                for k, word in enumerate(hypothesis)
                if any(k in matched(alignment) for alignment in alignments)
                and best_stage(k, alignments) == stage
                and (word.lower() in function_words) == function
            )
    return row


def matched(alignment: Sequence[Match]) -> frozenset[int]:
    return frozenset[int]().union(*map(hypothesis_words, alignment))


def best_stage(word: int, alignments: Sequence[Sequence[Match]]) -> int:
    return min(
        match.stage for alignment in alignments for match in alignment if word in hypothesis_words(match)
    )


def linked(word: int, alignment: Sequence[Match]) -> bool:
    """Whether the word and the next one are in one chunk."""
    first = [match for match in alignment if word in hypothesis_words(match)]
    second = [match for match in alignment if word + 1 in hypothesis_words(match)]
    if not first or not second:
        return False
    return (
        first == second or first[0].reference_start + first[0].reference_length == second[0].reference_start
    )
