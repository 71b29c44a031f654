"""Checks that systems can be compared: the same segments, with the same references, in the same order.

Significance tests pair segment k of one system with segment k of another. With different segments or
references, p-values would be silently wrong.
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

# Remedies: if each system has its own references, and if all share the same.
OWN = "put the segments in the same order, or give the references with -r FILE"
GIVEN = "put the segments in the same order, or give references whose segments have names (SGML, XML)"


@dataclass
class Trace:
    """The segments of a system that were scored: names (or numbers, if they have no names) and a hash of the
    references of each. Keeping the texts would take too much memory."""

    file: str
    keyed: bool
    places: MutableSequence[Any] = field(init=False)
    references: array[int] = field(default_factory=lambda: array("q"), init=False)

    def __post_init__(self) -> None:
        self.places = [] if self.keyed else array("q")

    def add(self, number: int, key: SegmentKey | None, references: Sequence[str]) -> None:
        self.places.append(key if self.keyed else number)
        self.references.append(hash(tuple(sorted(references))))  # translators may be in any order


class ComparableSystems:
    """Compares every system with the first one of each kind: with named segments, and without."""

    def __init__(self, remedy: str) -> None:
        self.remedy = remedy
        self.firsts: dict[bool, Trace] = {}

    def check(self, trace: Trace) -> None:
        """Raises an error that names the first segment that differs."""
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
        return f"only one of them has references for segment {min(mine, theirs)} (--skip-unreferenced)"
    return f"record {number} is {_shown(mine)} in the first file and {_shown(theirs)} in the second"


def _shown(place: Any) -> str:
    return f"segment {place}" if isinstance(place, int) else shown_key(place)
