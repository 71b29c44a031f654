"""Systems that bring their own references, or names of segments, can be compared only if these agree.

Tests of differences pair segment k of one system with segment k of another: if these were not the same
segment with the same references, p would be wrong, and nobody would see it.
"""

from __future__ import annotations

from array import array
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Any

from bolide.errors import InputError
from bolide.inputs.files import shown
from bolide.inputs.keyed import shown_key
from bolide.inputs.table import SegmentKey

# Where each system has its own references; where all have the same.
OWN = "bring the files into one order with the same references, or give references by -r FILE"
GIVEN = "bring the files into one order, or give references whose segments have names too (SGML, XML)"


@dataclass
class Trace:
    """What was scored of a system: for each segment its name, or its number in the file where it has none,
    and a hash of its references, since the texts would fill the memory."""

    file: str
    keyed: bool
    places: MutableSequence[Any] = field(init=False)
    references: array[int] = field(default_factory=lambda: array("q"), init=False)

    def __post_init__(self) -> None:
        self.places = [] if self.keyed else array("q")

    def add(self, number: int, key: SegmentKey | None, references: Sequence[str]) -> None:
        self.places.append(key if self.keyed else number)
        self.references.append(hash(tuple(sorted(references))))  # translators may be in any order


class Agreement:
    """What the systems of a comparison share. The first that was read whole is the measure of the others; and
    the first of those with names, or without, if that was of the other kind."""

    def __init__(self, remedy: str) -> None:
        self.remedy = remedy
        self.firsts: dict[bool, Trace] = {}

    def check(self, trace: Trace) -> None:
        """An error that names the first segment that differs."""
        for first in self.firsts.values():
            if problem := _difference(first, trace):
                files = f"{shown(first.file)} and {shown(trace.file)}"
                raise InputError(f"{files} cannot be compared: {problem}; {self.remedy}")
        self.firsts.setdefault(trace.keyed, trace)


def _difference(first: Trace, other: Trace) -> str | None:
    comparable = first.keyed == other.keyed
    for k, (mine, theirs) in enumerate(zip(first.places, other.places, strict=False)):
        if comparable and mine != theirs:
            return _places(k + 1, mine, theirs)
        if first.references[k] != other.references[k]:
            return f"the references of {_shown(theirs)} differ"
    counts = len(first.places), len(other.places)
    if counts[0] != counts[1]:
        return (
            f"the systems differ in their number of segments: {shown(first.file)} has {counts[0]}, "
            f"{shown(other.file)} has {counts[1]}"
        )
    return None


def _places(number: int, mine: Any, theirs: Any) -> str:
    if isinstance(mine, int):
        return f"only one of them has references of segment {min(mine, theirs)} (--skip-unreferenced)"
    return f"as number {number} the one has {_shown(mine)}, the other {_shown(theirs)}"


def _shown(place: Any) -> str:
    return f"segment {place}" if isinstance(place, int) else shown_key(place)
