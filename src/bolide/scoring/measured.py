"""Segments as numbers: what a scorer measures and a corpus sums."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from bolide._support.arrays import Flags, Statistics
    from bolide.inputs.segments import ReferenceCounts


class MeasuredSegments(NamedTuple):
    """The statistics of segments, each with its best reference, or with all references together if words may
    be matched in any of them."""

    statistics: Statistics  # one row per segment
    flags: Flags  # of each segment: _core.BOUNDED, _core.UNPROVEN
    counts: ReferenceCounts  # of each segment: how many references it has
    documents: list[str] | None = None  # of each segment: its document, if that is known
