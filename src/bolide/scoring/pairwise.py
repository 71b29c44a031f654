"""All pairs: every hypothesis against every reference, for one source or for many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bolide import _core
from bolide._support.arrays import Floats, Integers, Statistics
from bolide.errors import InputError
from bolide.inputs.groups import TextGroups, check_sides

if TYPE_CHECKING:
    from bolide.scoring.engine import ScoringEngine
    from bolide.scoring.settings import Settings

# Texts that the core processes in one call. A source with more is one call.
TEXTS = 1 << 12


def all_pairs(
    engine: ScoringEngine,
    settings: Settings,
    hypotheses: TextGroups,
    references: TextGroups | None,
    *,
    symmetric: bool,
    parameters: _core.Parameters | None,
) -> tuple[Floats | Statistics, Integers]:
    """The scores of all pairs of each source, row by row and source after source, and where those of each
    source begin. Without parameters, the statistics. Without references, the hypotheses are also the
    references."""
    others = hypotheses if references is None else references
    check_sides(hypotheses, others)
    if symmetric and not _same(hypotheses, others):
        raise InputError("symmetric=True needs the same texts on both sides: leave the references out")
    counts = hypotheses.counts.astype(np.int64), others.counts.astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(counts[0] * counts[1])])
    found: Any = np.empty(offsets[-1])
    if parameters is None:
        found = np.empty((offsets[-1], _core.StatisticsLayout(settings.modules).width), dtype=np.int32)
    for start, stop in _calls(counts[0] + counts[1]):
        ours = _prepared(engine, settings, hypotheses.part(start, stop), settings.profile.deleted)
        theirs = ours if symmetric else _prepared(engine, settings, others.part(start, stop), ())
        engine.pairwise(ours, theirs, symmetric, parameters, found[offsets[start] : offsets[stop]])
    return found, offsets


def _same(hypotheses: TextGroups, references: TextGroups) -> bool:
    if hypotheses is references:
        return True
    same_counts = np.array_equal(hypotheses.counts, references.counts)
    return same_counts and list(hypotheses.texts) == list(references.texts)


def _calls(sizes: Integers) -> Iterator[tuple[int, int]]:
    """Sources, as many at a time as one call processes."""
    start = texts = 0
    for k, size in enumerate(sizes.tolist()):
        if texts and texts + size > TEXTS:
            yield start, k
            start, texts = k, 0
        texts += size
    if texts:
        yield start, len(sizes)


def _prepared(
    engine: ScoringEngine, settings: Settings, groups: TextGroups, deleted: Sequence[str]
) -> TextGroups:
    """The texts as the core expects them: segmented, and without what the profile deletes from hypotheses."""
    texts = groups.texts
    for text in deleted:
        texts = [each.replace(text, "") for each in texts]
    if settings.segmentation is None or groups.pretokenized:
        return replace(groups, texts=texts)
    try:
        return replace(groups, texts=engine.segmented(texts), pretokenized=True)
    except UnicodeEncodeError as error:
        raise groups.surrogate(error) or error from None
