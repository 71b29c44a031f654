"""Which matches are out of order: the fewest words that would have to move, so that no matches cross.

    reference   on friday | he left | the town         the other chunks stay in order if "on friday" moves
    hypothesis  he left | the town | on friday

The chunks that stay are those with the most matched words of the reference. Among several such choices, it is
the one whose last chunk is as early as possible in the hypothesis.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bolide._support.arrays import Integers


def staying(places: Sequence[int], weights: Sequence[int]) -> list[int]:
    """The heaviest subsequence of increasing places, as indices.

    >>> staying([7, 0, 3], [2, 2, 2])
    [1, 2]
    """
    # `ends` has the last place of each useful subsequence, `totals` its weight; both increase.
    ends: list[int] = []
    totals: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for k, (place, weight) in enumerate(zip(places, weights, strict=True)):
        at = bisect_left(ends, place)
        before.append(last[at - 1] if at else -1)
        total = weight + (totals[at - 1] if at else 0)
        if at < len(ends) and ends[at] == place and totals[at] >= total:
            continue
        stop = at
        while stop < len(totals) and totals[stop] <= total:
            stop += 1
        ends[at:stop], totals[at:stop], last[at:stop] = [place], [total], [k]
    found = []
    k = last[-1] if last else -1
    while k >= 0:
        found.append(k)
        k = before[k]
    return found[::-1]


def out_of_order(matches: Integers, segments: Integers) -> npt.NDArray[np.bool_]:
    """For each match, whether its chunk is out of order. A match is a row: reference start and length,
    hypothesis start and length, module, chunk; `segments` has the segment of each, in order."""
    found = np.zeros(len(matches), dtype=bool)
    if not len(matches):
        return found
    by_reference = np.lexsort((matches[:, 0], segments))
    rows, where = matches[by_reference], segments[by_reference]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (where[1:] != where[:-1]) | (rows[1:, 5] != rows[:-1, 5])
    chunk = np.cumsum(new) - 1  # the chunk of each match, in the order of the references
    firsts = np.flatnonzero(new)
    places, owners = rows[firsts, 2], where[firsts]
    weights = np.add.reduceat(rows[:, 1], firsts)
    falls = (owners[1:] == owners[:-1]) & (places[1:] < places[:-1])
    crossing = np.unique(owners[1:][falls])
    moved = np.zeros(len(firsts), dtype=bool)
    starts, ends = np.searchsorted(owners, crossing), np.searchsorted(owners, crossing, side="right")
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        moved[start:end] = True
        kept = staying(places[start:end].tolist(), weights[start:end].tolist())
        moved[start + np.array(kept)] = False
    found[by_reference] = moved[chunk]
    return found
