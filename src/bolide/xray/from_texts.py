"""Makes X-rays of texts: aligns systems with all references, scores and compares them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise, repeat
from typing import Any

import numpy as np

from bolide.comparison.compare import DEFAULTS, ComparisonOptions
from bolide.comparison.metrics import MeasuredMetrics
from bolide.errors import InputError, unknown
from bolide.inputs.segments import ReferenceLayout, Segments, Text, many_segments
from bolide.scoring.corpus import Corpus
from bolide.scoring.measured import MeasuredSegments
from bolide.scoring.meteor import Meteor
from bolide.scoring.score import CorpusScore
from bolide.xray.annotations import Annotations
from bolide.xray.assembly import assemble, default_title, with_sources
from bolide.xray.model import Segment, Words, Xray, XraySystem
from bolide.xray.names import check_texts
from bolide.xray.scores import OtherScores, of_metric


class XrayBuilder:
    """Collects systems with the same references, and makes their X-ray."""

    def __init__(
        self,
        meteor: Meteor,
        annotations: Annotations | None = None,
        *,
        metrics: Sequence[str] = (),
        scores: Sequence[OtherScores] = (),
    ) -> None:
        self._meteor = meteor
        self._metrics = MeasuredMetrics(metrics, meteor.threads)
        self._others = tuple(scores)
        self._annotations = annotations or Annotations()
        self._first: tuple[str, Segments] | None = None
        self._segments: tuple[Segment, ...] = ()
        self._systems: list[XraySystem] = []
        self._scores: dict[str, CorpusScore] = {}

    def add(self, name: str, texts: Segments, file: str | None = None) -> None:
        """Aligns a system with all its references."""
        self._annotate(name, texts)
        rows = self._meteor.align_references(texts)  # checks the texts first
        hypotheses, references = self._meteor.words(texts, references=self._first is None)
        if self._first is None:
            self._first, self._segments = (name, texts), _segments(texts, references)
        _check_same(self._first, (name, texts))
        self._metrics.add(name, texts)
        corpus = Corpus(self._meteor.settings, keep=True)
        corpus.add(MeasuredSegments(rows.statistics, rows.flags, texts.counts, texts.documents))
        self._scores[name] = corpus.score()
        values, of_segments = map(self._meteor.evaluate, (rows.row_statistics, rows.statistics))
        there = np.ones(len(rows.row_flags), dtype=bool)
        raw = tuple(texts.hypotheses)
        self._systems.append(
            XraySystem(name, tuple(hypotheses), rows, values, of_segments, there, texts=raw, file=file)
        )

    def check(self, name: str, texts: Segments) -> None:
        """Checks the annotations of a system as `add` does, but aligns nothing."""
        self._annotate(name, texts)
        self._first = self._first or (name, texts)

    def _annotate(self, name: str, texts: Segments) -> None:
        """Checks the annotations, before anything is aligned."""
        known = self._annotations
        if self._first is None:
            known.check_segments(len(texts))
            for each in self._others:
                each.check(list(each.segments), len(texts))
        ours = self._first is None and (known.labels or known.alignments)
        if ours or name in known.system_labels:
            hypotheses, references = self._meteor.words(texts, references=self._first is None)
            if self._first is None:
                ends = np.cumsum([0, *texts.counts]).tolist()
                cut = [slice(start, end) for start, end in pairwise(ends)]
                raw = list(texts.references)
                known = known.of_references([raw[k] for k in cut], [references[k] for k in cut])
            self._annotations = known.of_system(name, list(texts.hypotheses), hypotheses)

    def xray(
        self,
        options: ComparisonOptions = DEFAULTS,
        *,
        sources: Sequence[str] | None = None,
        title: str | None = None,
    ) -> Xray:
        """The X-ray of all added systems."""
        if strangers := [name for name in self._annotations.system_labels if name not in self._scores]:
            raise unknown("system", strangers[0], self._scores)
        found = assemble(
            with_sources(self._segments, sources),
            self._systems,
            self._meteor,
            self._scores,
            options,
            title=default_title(list(self._scores)) if title is None else title,
            origin="bolide",
        )
        scores = *map(of_metric, self._metrics), *self._others
        return replace(found, annotations=self._annotations, scores=scores)


def of_texts(
    systems: Mapping[str, Sequence[Text]],
    references: Sequence[Any],
    meteor: Meteor | None = None,
    options: ComparisonOptions = DEFAULTS,
    *,
    sources: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    layout: ReferenceLayout | None = None,
    title: str | None = None,
    annotations: Annotations | None = None,
    metrics: Sequence[str] = (),
    scores: Sequence[OtherScores] = (),
) -> Xray:
    """Makes the X-ray of systems.

    - `systems`: a dictionary of hypotheses by the name of the system; `references` and `layout` as in
      `bolide.inputs.segments`.
    - `meteor`: the scorer (default: `Meteor()`); `options`: how to compare the systems.
    - `sources`: the source text of each segment; `documents`: the document of each segment.
    - `annotations`: tags of segments; labels, frequencies and alignments of words.
    - `metrics`: other metrics, with the numbers of sacrebleu: "bleu", "chrf", "chrf++", "ter".
    - `scores`: scores of segments by any other metrics.

    >>> scorer = Meteor("linear", modules=["exact"], normalize="lower")
    >>> found = of_texts({"one": ["a b", "c"], "two": ["a x", "c"]}, ["a b", "c d"], scorer)
    >>> [round(float(score), 4) for score in found.systems[1].scores]
    [0.25, 0.2632]
    """
    if not isinstance(systems, Mapping) or not systems:
        raise InputError("systems must be a dictionary: name of the system to its hypotheses")
    check_texts("the name of a system", systems)
    if annotations is not None:
        annotations = annotations.of_sources(sources or ())
    builder = XrayBuilder(meteor or Meteor(), annotations, metrics=metrics, scores=scores)
    for name, hypotheses in systems.items():
        with _naming(name, several=len(systems) > 1):
            texts = many_segments(hypotheses, references, layout)
        builder.add(name, texts if documents is None else texts.of_documents(documents))
    return builder.xray(options, sources=sources, title=title)


@contextmanager
def _naming(system: str, *, several: bool) -> Iterator[None]:
    """Adds the name of the system to errors."""
    try:
        yield
    except InputError as error:
        raise (InputError(f"{system}: {error}") if several else error) from None


def _segments(texts: Segments, references: Sequence[Words]) -> tuple[Segment, ...]:
    ends = np.cumsum([0, *texts.counts]).tolist()
    documents: Iterable[str | None] = texts.documents or repeat(None, len(texts))
    raw, found = list(texts.references), []
    for k, document in enumerate(documents):
        own = slice(ends[k], ends[k + 1])
        found.append(Segment(k + 1, tuple(references[own]), tuple(raw[own]), document=document))
    return tuple(found)


def _check_same(first: tuple[str, Segments], other: tuple[str, Segments]) -> None:
    """Fails if two systems have different references. Readers of files have checked that already."""
    (name, one), (other_name, two) = first, other
    if len(one) != len(two):
        found = f"{name} has {len(one)}, {other_name} has {len(two)}"
        raise InputError(f"the systems differ in their number of segments: {found}")
    if list(one.counts) != list(two.counts) or list(one.references) != list(two.references):
        raise InputError(f"{name} and {other_name} cannot be compared: their references differ")
