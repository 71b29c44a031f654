"""X-rays of texts: systems are aligned with all of their references, scored and compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from bolide.comparison import DEFAULTS, Options
from bolide.corpus import Corpus
from bolide.errors import InputError
from bolide.metric import Meteor, Rows
from bolide.segments import Segments
from bolide.xray.assembly import assemble
from bolide.xray.model import Segment, System, Words, Xray


def of_texts(
    systems: Mapping[str, Segments],
    meteor: Meteor,
    options: Options = DEFAULTS,
    *,
    sources: Sequence[str] | None = None,
    title: str = "",
) -> Xray:
    """The X-ray of systems that have the same references."""
    segments: tuple[Segment, ...] = ()
    found, scores = [], {}
    for name, texts in systems.items():
        hypotheses, references = meteor.words(texts)
        segments = segments or _segments(texts, references, sources)
        _check_same(next(iter(systems.items())), (name, texts))
        rows = meteor.align_references(texts)
        corpus = Corpus(meteor, keep=True)
        corpus.add_statistics(texts, rows.statistics, rows.flags)
        scores[name] = corpus.score()
        found.append(_system(meteor, name, hypotheses, rows))
    return assemble(segments, found, meteor, scores, options, title=title, origin="bolide")


def _segments(
    texts: Segments, references: Sequence[Words], sources: Sequence[str] | None
) -> tuple[Segment, ...]:
    if sources is not None and len(sources) != len(texts):
        raise InputError(f"{len(sources)} sources for {len(texts)} segments; every segment needs its own")
    ends = np.cumsum([0, *texts.counts]).tolist()
    return tuple(
        Segment(
            k + 1,
            tuple(references[ends[k] : ends[k + 1]]),
            source=None if sources is None else sources[k],
            document=None if texts.documents is None else texts.documents[k],
        )
        for k in range(len(texts))
    )


def _check_same(first: tuple[str, Segments], other: tuple[str, Segments]) -> None:
    """Whoever reads files has seen to it; lists may differ."""
    (name, one), (other_name, two) = first, other
    if len(one) != len(two):
        found = f"{name} has {len(one)}, {other_name} has {len(two)}"
        raise InputError(f"the systems differ in their number of segments: {found}")
    if list(one.counts) != list(two.counts) or list(one.references) != list(two.references):
        raise InputError(f"{name} and {other_name} cannot be compared: their references differ")


def _system(meteor: Meteor, name: str, hypotheses: Sequence[Words], rows: Rows) -> System:
    return System(
        name,
        tuple(hypotheses),
        rows,
        values=meteor.evaluate(rows.row_statistics),
        segment_values=meteor.evaluate(rows.statistics),
        there=np.ones(len(rows.row_flags), dtype=bool),
    )
