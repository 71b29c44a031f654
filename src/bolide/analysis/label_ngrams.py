"""N-grams of classes of words, such as parts of speech: which ones systems find, or have too many of.

Words are matched first, as in `bolide.analysis.ngrams`: an n-gram of the hypothesis is found if the reference
has an n-gram of the same words; the first ones of a segment are, if it has more than the reference. Then the
found n-grams, or the others, are counted by their classes, as in compare-mt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bolide._support.arrays import Integers
from bolide.analysis import events
from bolide.analysis.aligned import AlignedSystem, Mask
from bolide.analysis.classes import WordKind
from bolide.analysis.events import Events
from bolide.analysis.ngrams import all_ngrams


def label_events(
    systems: Sequence[AlignedSystem], kind: WordKind, *, found: bool
) -> tuple[Events, list[Integers]]:
    """The n-grams of two to four classes that systems have found, or the other ones; and the classes of each
    n-gram, one array per length."""
    texts = [tokens for system in systems for tokens in (system.ours.tokens, system.theirs.tokens)]
    classes = [
        replace(tokens, words=own)
        for system, ours, theirs in zip(systems, kind.ours, kind.theirs, strict=True)
        for tokens, own in ((system.ours.tokens, ours), (system.theirs.tokens, theirs))
    ]
    pairs = list(zip(all_ngrams(texts), all_ngrams(classes), strict=True))[1:]
    size = sum(len(labels.items) for _, labels in pairs)
    keys = []
    for s in range(len(systems)):
        things, where, offset = [], [], 0
        for words, labels in pairs:
            (ours, segments), theirs = words.texts[2 * s], words.texts[2 * s + 1]
            chosen = matched(ours, segments, *theirs, len(words.items)) == found
            things.append(labels.texts[2 * s][0][chosen] + offset)
            where.append(segments[chosen])
            offset += len(labels.items)
        keys.append(events.counted(np.concatenate(things), np.concatenate(where), size))
    return events.events(keys, size, better=1 if found else -1), [labels.items for _, labels in pairs]


def matched(
    ours: Integers, segments: Integers, theirs: Integers, their_segments: Integers, size: int
) -> Mask:
    """Which of our things have a partner in the same segment: as many as they have there, the first ones.

    >>> segments = np.zeros(4, dtype=np.int64)
    >>> matched(np.array([7, 5, 7, 7]), segments, np.array([7, 7]), segments[:2], 8).tolist()
    [True, False, True, False]
    """
    own = segments * size + ours
    distinct, counts = np.unique(their_segments * size + theirs, return_counts=True)
    order = np.argsort(own, kind="stable")
    ranks = np.empty(len(own), dtype=np.int64)
    ranks[order] = np.arange(len(own)) - np.searchsorted(own[order], own[order])
    if not len(distinct):
        return np.zeros(len(own), dtype=bool)
    places = np.minimum(np.searchsorted(distinct, own), len(distinct) - 1)
    return np.asarray((distinct[places] == own) & (ranks < counts[places]))
