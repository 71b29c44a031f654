"""The groups of the segments of an X-ray, with the scores of its systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bolide._support.arrays import Floats
from bolide.analysis.classes import bands, frequency_classes, looked_up
from bolide.comparison.compare import DEFAULTS, ComparisonOptions
from bolide.comparison.grouping import Grouping, by_document, by_length, by_ratio, by_tag
from bolide.comparison.groups import GroupedScores, GroupScorer

if TYPE_CHECKING:
    from bolide.xray.model import Xray

DOCUMENT, LENGTH, SOURCE_LENGTH, RATIO = "document", "length", "source length", "length ratio"
REPEATED, UNSEEN = "repeated source", "unseen words"
FIRST_TIME, AGAIN = "first time", "repeated"
# The fewest unseen words of each group but the first.
UNSEEN_WORDS = (1, 2, 3, 5)


def grouped(xray: Xray, options: ComparisonOptions = DEFAULTS) -> dict[str, GroupedScores]:
    """All groupings of the segments, by name."""
    scores = {system.name: system.scores for system in xray.systems}
    summed = xray.parameters is not None and not xray.averaged
    statistics = {system.name: system.rows.statistics for system in xray.systems} if summed else None
    scorer = GroupScorer(scores, statistics, xray.parameters, options)
    return {grouping.name: scorer.scored(grouping) for grouping in groupings(xray)}


def groupings(xray: Xray) -> Iterator[Grouping]:
    """The user's tags, then documents, then lengths, then repeated sources and unseen words."""
    reserved = {DOCUMENT, LENGTH, SOURCE_LENGTH, RATIO, REPEATED, UNSEEN}
    for name, values in xray.annotations.tags.items():
        yield by_tag(f"{name} (tag)" if name in reserved else name, values)
    documents = [segment.document for segment in xray.segments]
    if any(document is not None for document in documents):
        yield by_document(documents)
    yield by_length(_reference_lengths(xray), LENGTH)
    if (sources := _source_lengths(xray)) is not None:
        yield by_length(sources, SOURCE_LENGTH)
    yield by_ratio([_ratios(xray, place) for place in range(len(xray.systems))], RATIO)
    if AGAIN in (repeated := _repeated([segment.source for segment in xray.segments])):
        yield by_tag(REPEATED, repeated)
    if xray.annotations.frequencies is not None:
        yield _by_unseen_words(xray, xray.annotations.frequencies)


def _repeated(sources: Sequence[str | None]) -> list[str | None]:
    """Whether each source has been there before.

    >>> _repeated(["a", "b", None, "a"])
    ['first time', 'first time', None, 'repeated']
    """
    known: set[str] = set()
    found: list[str | None] = []
    for source in sources:
        found.append(None if source is None else AGAIN if source in known else FIRST_TIME)
        known.update(() if source is None else [source])
    return found


def _by_unseen_words(xray: Xray, frequencies: Mapping[str, int]) -> Grouping:
    """Groups by the number of words that are not in the user's frequencies, in the first reference."""
    words = sorted({word for segment in xray.segments for word in segment.references[0]})
    unseen = {word for word, count in zip(words, looked_up(words, frequencies), strict=True) if not count}
    numbers = [sum(word in unseen for word in segment.references[0]) for segment in xray.segments]
    places = frequency_classes(numbers, UNSEEN_WORDS)
    names = bands(UNSEEN_WORDS)
    members = tuple(np.flatnonzero(places == k) for k in range(len(names)))
    return Grouping(UNSEEN, tuple(names), (members,))


def _reference_lengths(xray: Xray) -> Floats:
    """The mean number of words in the references of each segment, rounded."""
    means = [np.mean([len(text) for text in segment.references]) for segment in xray.segments]
    return np.rint(np.array(means, dtype=np.float64))


def _source_lengths(xray: Xray) -> Floats | None:
    """The number of words of each source text; of characters, if most sources have no spaces."""
    texts = [segment.source for segment in xray.segments]
    if all(text is None for text in texts):
        return None
    found = [None if text is None else len(text.split()) for text in texts]
    if np.median([count for count in found if count is not None]) <= 1:
        found = [None if text is None else len("".join(text.split())) for text in texts]
    return np.array([np.nan if count is None else count for count in found], dtype=np.float64)


def _ratios(xray: Xray, place: int) -> Floats:
    """The length of each hypothesis, divided by that of its best reference."""
    system = xray.systems[place]
    best = (system.rows.best - xray.starts[:-1]).tolist()
    theirs = np.array([len(s.references[k]) for s, k in zip(xray.segments, best, strict=True)], dtype=float)
    ours = np.array([len(text) for text in system.hypotheses], dtype=float)
    return np.asarray(np.divide(ours, theirs, out=np.full(len(ours), np.nan), where=theirs > 0))
