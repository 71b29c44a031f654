"""The words of the source texts, through an alignment with the references: which of them systems miss.

A source word is found if the system matches all words of the reference that it is aligned with, else missed.
Words that are aligned with nothing are left out. Each system counts with its best reference of each segment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bolide._support.arrays import Integers
from bolide._support.numbered import Numbered
from bolide.analysis import classes
from bolide.analysis.aligned import UNMATCHED, AlignedSystem, Mask, Side, Tokens
from bolide.analysis.classes import WordKind
from bolide.analysis.words import WordAnalysis
from bolide.inputs.annotations import WordLabels, WordLinks
from bolide.xray.annotations import kinds_of_labels
from bolide.xray.words import CASE

if TYPE_CHECKING:
    from bolide.xray.model import Xray

FOUND = "found"


@dataclass(frozen=True)
class SourceWords:
    """- `texts`: all words of the sources, as numbers in the vocabulary of `analysis`.
    - `kinds`: the class of each of them, for each kind of words.
    - `aligned`: for each system, which of them are aligned.
    - `analysis`: the aligned ones as if they were the references; there are no hypotheses.
    """

    texts: Tokens
    kinds: dict[str, Integers]
    aligned: tuple[Mask, ...]
    analysis: WordAnalysis


def source_words(xray: Xray) -> SourceWords | None:
    """The source words of all systems; None without an alignment."""
    links = [each for each in xray.annotations.alignments if isinstance(each, WordLinks)]
    if not links:
        return None
    vocabulary: Numbered[str] = Numbered()
    words = [[vocabulary[word] for word in (segment.source or "").split()] for segment in xray.segments]
    texts = Tokens.of(words)
    systems, masks = [], []
    for system, aligned in zip(xray.systems, xray.words().systems, strict=True):
        best = (system.rows.best - xray.starts[:-1]).tolist()
        pairs = _pairs([links[which].lines[k] for k, which in enumerate(best)], texts, aligned.theirs.tokens)
        there, missed = (np.zeros(len(texts), dtype=bool) for _ in range(2))
        there[pairs[:, 0]] = True
        missed[pairs[aligned.theirs.state[pairs[:, 1]] == UNMATCHED, 0]] = True
        systems.append(_aligned(system.name, texts, there, missed[there]))
        masks.append(there)
    kinds = _kinds(xray, list(vocabulary), texts)
    nothing = tuple(system.ours.tokens.words for system in systems)
    own = [
        replace(kind, theirs=tuple(kind.theirs[0][mask] for mask in masks), ours=nothing) for kind in kinds
    ]
    analysis = WordAnalysis(systems, list(vocabulary), [FOUND], own)
    return SourceWords(texts, {kind.name: kind.theirs[0] for kind in kinds}, tuple(masks), analysis)


def _pairs(lines: Sequence[Sequence[tuple[int, int]]], sources: Tokens, references: Tokens) -> Integers:
    """The links of all segments, as places in all words of both sides."""
    links = np.array([link for line in lines for link in line], dtype=np.int64).reshape(-1, 2)
    starts = np.column_stack([sources.starts[:-1], references.starts[:-1]])
    return np.asarray(links + np.repeat(starts, [len(line) for line in lines], axis=0))


def _aligned(name: str, texts: Tokens, there: Mask, missed: Mask) -> AlignedSystem:
    counts = np.bincount(texts.segments[there], minlength=texts.size)
    tokens = Tokens(texts.words[there], np.concatenate([[0], np.cumsum(counts)]))
    nothing = np.empty(0, dtype=np.int64)
    empty = Tokens(nothing, np.zeros(texts.size + 1, dtype=np.int64))
    return AlignedSystem(
        name,
        Side(empty, nothing, nothing, nothing.astype(bool)),
        Side(
            tokens,
            np.where(missed, UNMATCHED, 0),
            np.full(len(tokens), -1),
            np.zeros(len(tokens), dtype=bool),
        ),
    )


def _kinds(xray: Xray, words: Sequence[str], texts: Tokens) -> list[WordKind]:
    """By labels, frequency in the sources, case and form. Each has the classes of all words as its first."""
    frequencies = np.bincount(texts.words, minlength=len(words))
    bands = classes.frequency_classes(frequencies.tolist(), classes.IN_TEST_SET)
    places = [(Tokens(texts.words[:0], texts.starts * 0), texts)]
    names = classes.bands(classes.IN_TEST_SET)
    cases = [classes.case_class(word) for word in words]
    found = [
        classes.by_word("frequency", "frequency in the sources", names, bands, places),
        classes.by_word(CASE, "case", classes.CASES, cases, places),
        classes.by_word("shape", "form", classes.SHAPES, classes.shape_classes(words), places),
    ]
    labels = xray.annotations.source_labels
    if not isinstance(labels, WordLabels):
        return found
    return [
        *kinds_of_labels(labels.names, [[label for line in labels.lines for label in line]], [[]]),
        *found,
    ]
