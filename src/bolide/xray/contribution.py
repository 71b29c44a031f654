"""What each segment contributes to the difference of two corpus scores.

It is how much the difference would change if A had B's translation of the segment, and if B had A's (the mean
of both). So a short segment, whose score is often far from all others, counts little. The page computes the
same (page/contribution.js).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bolide._support.arrays import Floats
from bolide.formula.statistics import contributions, scores

if TYPE_CHECKING:
    from bolide.xray.model import Xray

DECIMALS = 12  # so that the last digits of the arithmetic do not decide the order


def contribution(xray: Xray, system: int, against: int) -> Floats | None:
    """The contribution of each segment; None if the statistics are not known."""
    if xray.parameters is None:
        return None
    first, second = xray.systems[system], xray.systems[against]
    if not xray.pooled:
        return np.round((first.scores - second.scores) / max(1, len(xray.segments)), DECIMALS)
    ours, theirs = (contributions(s.rows.statistics, xray.parameters.formula) for s in (first, second))
    totals = [rows.sum(axis=0, dtype=np.int64) for rows in (ours, theirs)]
    change = theirs.astype(np.int64) - ours
    a, b = scores(np.stack(totals), xray.parameters)
    without = scores(totals[0] + change, xray.parameters)
    instead = scores(totals[1] - change, xray.parameters)
    found: Floats = np.round((a - without + instead - b) / 2, DECIMALS)
    return found


def weighted_lead(lead: Floats, lengths: Floats) -> Floats:
    """In place of the contribution: the lead of each segment, weighted by its length."""
    found: Floats = np.round(lead * lengths / max(1, lengths.sum()), DECIMALS)
    return found
