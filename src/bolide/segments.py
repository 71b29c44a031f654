"""What callers may hand in as hypotheses and references, brought into one shape.

A text is a string, or a list of tokens (then it is neither normalised nor split, only lower-cased where the scorer
lower-cases). Hypotheses are a sequence of texts. References are one of

    ["r1", "r2", …]                      one stream: a reference for each hypothesis
    [["r1", "r2", …], ["s1", "s2", …]]   streams, as sacrebleu takes them: each as long as the hypotheses
    [["r1", "s1"], ["r2"], …]            a list for each segment, of any positive number of references

The last two are told apart by their lengths; where both would fit, `layout` must say which is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bolide.errors import InputError

Text = str | Sequence[str]
Layout = Literal["streams", "segments"]

# What separates words for the tokeniser; a token must not contain any of it.
SEPARATORS = frozenset(" \t\n\r\f")


@dataclass(frozen=True)
class Segments:
    """Hypotheses, their references one after the other, and how many references each has."""

    hypotheses: list[str]
    references: list[str]
    counts: npt.NDArray[np.int32]
    pretokenized: bool

    def __len__(self) -> int:
        return len(self.hypotheses)

    def batches(self, size: int) -> list[Segments]:
        """The same in pieces of at most `size` hypotheses."""
        ends = np.concatenate(([0], np.cumsum(self.counts)))
        return [
            Segments(
                self.hypotheses[k : k + size],
                self.references[ends[k] : ends[min(k + size, len(self))]],
                self.counts[k : k + size],
                self.pretokenized,
            )
            for k in range(0, len(self), size)
        ]


def one_segment(hypothesis: Text, references: Text | Sequence[Text]) -> Segments:
    """A hypothesis with its reference or references."""
    pretokenized = not isinstance(hypothesis, str)
    if isinstance(references, str) or (pretokenized and _is_tokens(references)):
        references = [references]
    return by_segment([hypothesis], [list(references)])


def many_segments(hypotheses: Sequence[Text], references: Sequence[Any], layout: Layout | None = None) -> Segments:
    """Hypotheses with references in any of the shapes above."""
    if isinstance(hypotheses, str) or isinstance(references, str):
        name = "hypotheses" if isinstance(hypotheses, str) else "references"
        raise InputError(f"{name} must be a list of texts, not one string; for one segment use sentence_score")
    hypotheses, references = list(hypotheses), list(references)
    pretokenized = bool(hypotheses) and not isinstance(hypotheses[0], str)
    if all(_is_tokens(text) if pretokenized else isinstance(text, str) for text in references):
        _same_length("references", len(references), len(hypotheses))
        return by_segment(hypotheses, [[reference] for reference in references])
    if any(isinstance(group, str) for group in references):
        raise InputError("references mix strings and lists; give one list of texts, or a list of lists")
    groups = [list(group) for group in references]
    if _layout(groups, len(hypotheses), layout) == "segments":
        return by_segment(hypotheses, groups)
    for number, stream in enumerate(groups, 1):
        _same_length(f"reference stream {number}", len(stream), len(hypotheses))
    return by_segment(hypotheses, [list(texts) for texts in zip(*groups, strict=True)])


def by_segment(hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> Segments:
    """Hypotheses, and the list of references of each."""
    _same_length("references", len(references), len(hypotheses))
    for number, group in enumerate(references, 1):
        if not group:
            raise InputError(f"segment {number} has no reference; give each segment at least one")
    pretokenized = bool(hypotheses) and not isinstance(hypotheses[0], str)
    return Segments(
        [_line(text, pretokenized, "hypothesis", k) for k, text in enumerate(hypotheses, 1)],
        [
            _line(text, pretokenized, "reference of segment", k)
            for k, text in _numbered(references)
        ],
        np.array([len(group) for group in references], dtype=np.int32),
        pretokenized,
    )


def _numbered(references: Sequence[Sequence[Text]]) -> chain[tuple[int, Text]]:
    return chain.from_iterable(((k, text) for text in group) for k, group in enumerate(references, 1))


def _is_tokens(text: object) -> bool:
    return not isinstance(text, str) and isinstance(text, Sequence) and all(isinstance(token, str) for token in text)


def _same_length(what: str, length: int, hypotheses: int) -> None:
    if length != hypotheses:
        raise InputError(
            f"{what}: {length} texts for {hypotheses} hypotheses; every hypothesis needs its reference "
            "(for several references give a list of streams, or a list of references for each segment)"
        )


def _layout(groups: list[list[Any]], hypotheses: int, layout: Layout | None) -> Layout:
    if layout not in (None, "streams", "segments"):
        raise InputError(f"layout is 'streams' or 'segments', not '{layout}'")
    streams = all(len(group) == hypotheses for group in groups)
    segments = len(groups) == hypotheses
    if layout is not None:
        return layout
    if streams and segments and hypotheses > 1:
        raise InputError(
            f"{len(groups)} lists of {hypotheses} references for {hypotheses} hypotheses could be streams or segments; "
            "say layout='streams' (each list is a whole reference translation) or layout='segments' (each list has the "
            "references of one segment)"
        )
    return "streams" if streams else "segments"


def _line(text: Text, pretokenized: bool, what: str, number: int) -> str:
    """A text as one string whose words are split at spaces (tokens) or by the tokeniser (strings)."""
    if isinstance(text, str) == pretokenized or text is None:
        raise InputError(f"{what} {number}: texts must be all strings or all lists of tokens")
    if isinstance(text, str):
        return text
    for token in text:
        if not isinstance(token, str) or not token or not SEPARATORS.isdisjoint(token):
            raise InputError(
                f"{what} {number}: token {token!r} is not a word: tokens are non-empty strings without white space; "
                "give the text as a string to have it tokenised"
            )
    return " ".join(text)
