"""The common part of X-rays of texts and of Java's files: comparison, modules and reasons."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, combinations, islice

import numpy as np

from bolide._support.garbage import paused_collector
from bolide._support.plurals import counted
from bolide.comparison import significance
from bolide.comparison.compare import DEFAULTS, Comparison, ComparisonOptions, compare_scores
from bolide.errors import InputError
from bolide.explanation import drawing
from bolide.explanation.left_out import LeftOut, left_out, may_leave_out
from bolide.scoring.meteor import Meteor
from bolide.scoring.score import CorpusScore
from bolide.xray.model import (
    LEFT_TO_RIGHT,
    RIGHT_TO_LEFT,
    Segment,
    Why,
    Words,
    Xray,
    XrayModule,
    XrayPair,
    XraySystem,
    row_matches,
)

# Number of words that decide the direction of a text.
ENOUGH_WORDS = 10_000


@paused_collector()
def assemble(
    segments: tuple[Segment, ...],
    systems: Sequence[XraySystem],
    meteor: Meteor,
    scores: Mapping[str, CorpusScore],
    options: ComparisonOptions = DEFAULTS,
    *,
    title: str,
    origin: str,
    why: Why | None = None,
) -> Xray:
    """Makes the X-ray of scored systems."""
    all_pairs = len(systems) > 1 and options.test != "none"
    compared = compare_scores(scores, meteor, replace(options, all_pairs=all_pairs))
    settings = meteor.settings
    texts = [text for segment in segments for text in segment.references]
    words = dict.fromkeys(chain.from_iterable(chain(texts, *(system.hypotheses for system in systems))))
    return Xray(
        title=title,
        language=settings.language.code,
        direction=direction(texts),
        origin=origin,
        modules=modules(meteor),
        segments=segments,
        systems=tuple(
            replace(system, result=result, left_out=left_out_rows(segments, system, meteor))
            for system, result in zip(systems, compared.systems, strict=True)
        ),
        pairs=pairs(systems, compared),
        parameters=meteor.parameters,
        signature=compared.systems[0].score.signature if origin == "bolide" else None,
        eval_id=compared.systems[0].score.eval_id,
        pooled=settings.profile.corpus != "mean",
        united=settings.references != "best",
        unit=settings.unit,
        averaged=settings.profile.corpus == "mean",
        functions=settings.profile.function_words != "none",
        function_words=meteor.function_words(list(words)),
        why=why or Reasons(meteor),
    )


def left_out_rows(
    segments: Sequence[Segment], system: XraySystem, meteor: Meteor
) -> dict[int, tuple[LeftOut, ...]]:
    """What the search left out, by row."""
    if not may_leave_out(meteor):
        return {}
    pairs = [(own, r) for s, own in zip(segments, system.hypotheses, strict=True) for r in s.references]
    rows = np.flatnonzero(system.there).tolist()
    ours, theirs = ([pairs[row][side] for row in rows] for side in (0, 1))
    found = left_out(meteor, ours, theirs, [row_matches(system.rows, row) for row in rows])
    return {row: matches for row, matches in zip(rows, found, strict=True) if matches}


def default_title(systems: Sequence[str]) -> str:
    """The default title."""
    return ", ".join(systems) if len(systems) < 4 else f"{len(systems)} systems"


def check_sources(sources: Sequence[str], count: int) -> None:
    """Fails if there is not one source text per segment."""
    if len(sources) != count:
        raise InputError(
            f"{counted(len(sources), 'sources')} for {counted(count, 'segments')}; every segment needs one"
        )


def with_sources(segments: tuple[Segment, ...], sources: Sequence[str] | None) -> tuple[Segment, ...]:
    """The segments with their source texts."""
    if sources is None:
        return segments
    check_sources(sources, len(segments))
    return tuple(replace(s, source=source) for s, source in zip(segments, sources, strict=True))


def modules(meteor: Meteor) -> tuple[XrayModule, ...]:
    weights = [*meteor.parameters.weights, *(0.0 for _ in meteor.modules)]
    return tuple(
        XrayModule(name, drawing.short(name), w) for name, w in zip(meteor.modules, weights, strict=False)
    )


def pairs(systems: Sequence[XraySystem], compared: Comparison | None = None) -> tuple[XrayPair, ...]:
    """Every pair of systems, in the order given."""
    tested = {(pair.first, pair.second): pair for pair in (compared and compared.pairs) or ()}
    found = []
    for a, b in combinations(range(len(systems)), 2):
        one, two = systems[a], systems[b]
        pair = tested.get((one.name, two.name))
        difference = None
        if compared is not None:
            difference = compared.systems[a].score.score - compared.systems[b].score.score
        outcomes = significance.outcomes(one.scores, two.scores)
        found.append(XrayPair(a, b, difference, None if pair is None else pair.p_value, *outcomes))
    return tuple(found)


def direction(texts: Iterable[Words]) -> str:
    """The direction of most letters of a text.

    >>> direction([("שלום", "abc", "!")]), direction([("abcd", "12")]), direction([])
    ('rtl', 'ltr', 'ltr')
    """
    words = islice(chain.from_iterable(texts), ENOUGH_WORDS)
    kinds = Counter(unicodedata.bidirectional(letter) for word in words for letter in word)
    return RIGHT_TO_LEFT if kinds["R"] + kinds["AL"] > kinds["L"] else LEFT_TO_RIGHT


class Reasons:
    """Why phrases match. Cached for each pair of phrases."""

    def __init__(self, meteor: Meteor) -> None:
        self.find = cache(meteor.stage_reason)
        self._shown = cache(lambda *key: str(self.find(*key)))

    def __call__(self, stage: int, ours: Words, theirs: Words) -> str:
        return self._shown(stage, ours, theirs)
