"""The shapes in which callers give hypotheses and references, and the one shape that they are brought into.

A text is a string, or a list of tokens. Tokens are neither normalized nor split, only lower-cased if the
scorer lower-cases. Hypotheses are a sequence of texts. References have one of these layouts:

    ["r1", "r2", …]                      one stream: one reference per hypothesis
    [["r1", "r2", …], ["s1", "s2", …]]   "streams", as in sacrebleu: each list is as long as the hypotheses
    [["r1", "s1"], ["r2"], …]            "segments": one list per segment, with at least one reference each

The last two are recognised by their lengths. If both are possible, the argument `layout` must say which one
is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bolide import _core
from bolide._support.checks import is_iterable
from bolide.errors import InputError, SegmentError

Text = str | Sequence[str]
ReferenceLayout = Literal["streams", "segments"]
ReferenceCounts = npt.NDArray[np.int32]

# The white space that separates words. A token must not contain any.
SEPARATORS = frozenset(" \t\n\r\f")
# Segments processed at a time: few enough that Ctrl-C works at once and memory stays small.
BATCH = 1 << 11


def batch_sizes(always: int | None = None) -> Iterator[int]:
    """How many segments to read at a time: `always` the same number or, by default, few at first. Then most
    words are new, and some segments can be matched while the words of others are analyzed."""
    size = always or BATCH // 8
    while True:
        yield size
        size = always or min(2 * size, BATCH)


@dataclass(frozen=True)
class Segments:
    """Hypotheses, all their references in one list, and how many references each hypothesis has."""

    hypotheses: list[str] | _core.Lines
    references: list[str] | _core.Lines
    counts: ReferenceCounts
    pretokenized: bool
    first: int = 1  # the number of the first segment, for messages
    documents: list[str] | None = None  # of each segment: its document, if that is known

    def __len__(self) -> int:
        return len(self.hypotheses)

    def batches(self, size: int) -> list[Segments]:
        """The segments in pieces of at most `size` hypotheses."""
        if 0 < len(self) <= size:
            return [self]
        ends = np.concatenate(([0], np.cumsum(self.counts)))
        return [
            Segments(
                self.hypotheses[k : k + size],
                self.references[ends[k] : ends[min(k + size, len(self))]],
                self.counts[k : k + size],
                self.pretokenized,
                self.first + k,
                None if self.documents is None else self.documents[k : k + size],
            )
            for k in range(0, len(self), size)
        ]

    def of_documents(self, documents: Sequence[str]) -> Segments:
        """The segments with the ids of their documents, one id per segment."""
        ids = listed("documents", documents)
        if len(ids) != len(self):
            raise InputError(
                f"documents: {len(ids)} ids for {len(self)} hypotheses; give one id for each segment"
            )
        for number, name in enumerate(ids, self.first):
            if not isinstance(name, str):
                raise InputError(f"the document of segment {number} is {_kind(name)}, not a string")
        return replace(self, documents=ids)

    def texts(self) -> Iterator[tuple[str, int, int]]:
        """Every text with the number of its segment, and 0 for the hypothesis or k for the k-th reference."""
        references = iter(self.references)
        for segment, (hypothesis, count) in enumerate(
            zip(self.hypotheses, self.counts, strict=True), self.first
        ):
            yield hypothesis, segment, 0
            for number in range(1, count + 1):
                yield next(references), segment, number

    def surrogate(self, error: UnicodeEncodeError) -> SegmentError:
        """The error for a text that cannot be encoded. It names the segment."""
        where = next((where for text, *where in self.texts() if text == error.object), [self.first, 0])
        return SegmentError(surrogate_problem(error), *where)


def surrogate_problem(error: UnicodeEncodeError) -> str:
    """What is wrong with a text that cannot be encoded, and what to do."""
    return (
        f"a lone surrogate (U+{ord(error.object[error.start]):04X}), which is not a character; "
        "decode the input as UTF-8 with errors='replace' first"
    )


def one_segment(hypothesis: Text, references: Text | Sequence[Text]) -> Segments:
    """One hypothesis with its reference or references."""
    if isinstance(references, str) or (not isinstance(hypothesis, str) and _is_tokens(references)):
        return by_segment([hypothesis], [[references]])  # type: ignore[list-item]
    return by_segment([hypothesis], [listed("references", references)])


def many_segments(
    hypotheses: Sequence[Text],
    references: Sequence[Any],
    layout: ReferenceLayout | None = None,
    documents: Sequence[str] | None = None,
    *,
    first: int = 1,
) -> Segments:
    """Hypotheses with references in any layout, and the document ids of the segments, if they are known. The
    first segment has the number `first`."""
    segments = _many_segments(hypotheses, references, layout, first)
    return segments if documents is None else segments.of_documents(documents)


def _many_segments(
    hypotheses: Sequence[Text], references: Sequence[Any], layout: ReferenceLayout | None, first: int
) -> Segments:
    if layout not in (None, "streams", "segments"):
        raise InputError(f"layout must be 'streams' or 'segments', not '{layout}'")
    hypotheses, references = listed("hypotheses", hypotheses), listed("references", references)
    pretokenized = bool(hypotheses) and not isinstance(hypotheses[0], str)
    if pretokenized:
        _iterable(f"hypothesis {first}", hypotheses[0])
    if pretokenized and len(hypotheses) == len(references):
        # The usual case, one list of tokens each: the core joins them without a Python loop.
        lines, others = _core.join(hypotheses), _core.join(references)
        if lines is not None and others is not None:
            return Segments(lines, others, np.ones(len(lines), dtype=np.int32), True, first)
    if all(_is_tokens(text) if pretokenized else isinstance(text, str) for text in references):
        _same_length("references", len(references), len(hypotheses))
        return by_segment(hypotheses, [[reference] for reference in references], first=first)
    for number, group in enumerate(references, first):
        _iterable(f"reference {number}", group)
    if pretokenized and references and all(isinstance(text, str) for text in references):
        raise InputError(
            "hypotheses are lists and references are strings; hypotheses come first, references second "
            "(and if hypotheses are lists of tokens, so must references be)"
        )
    if any(isinstance(group, str) for group in references):
        raise InputError("references mix strings and lists; give one list of texts, or a list of lists")
    groups = [list(group) for group in references]
    if _layout(groups, len(hypotheses), layout) == "segments":
        return by_segment(hypotheses, groups, first=first)
    return by_segment(hypotheses, [list(texts) for texts in zip(*groups, strict=True)], first=first)


def by_segment(
    hypotheses: Sequence[Text], references: Sequence[Sequence[Text]], *, first: int = 1
) -> Segments:
    """Hypotheses, and one list of references for each. The first segment has the number `first`."""
    _same_length("references", len(references), len(hypotheses))
    pretokenized = bool(hypotheses) and not isinstance(hypotheses[0], str)
    for number, group in enumerate(references, first):
        if not group:
            raise InputError(f"segment {number} has no reference; give each segment at least one")
    flat = list(chain.from_iterable(references))
    lines, reference_lines = joined(list(hypotheses), pretokenized), joined(flat, pretokenized)
    if lines is None:
        lines = [line(text, pretokenized, f"hypothesis {k}") for k, text in enumerate(hypotheses, first)]
    counts = np.array([len(group) for group in references], dtype=np.int32)
    if reference_lines is None:
        numbers = np.repeat(np.arange(first, first + len(counts)), counts).tolist()
        what = "reference of segment"
        reference_lines = [
            line(text, pretokenized, f"{what} {k}") for text, k in zip(flat, numbers, strict=True)
        ]
    return Segments(lines, reference_lines, counts, pretokenized, first)


def joined(texts: list[Any], pretokenized: bool) -> list[str] | _core.Lines | None:
    """The texts as lines, without a loop in Python; None if that is not possible, perhaps because of a
    mistake."""
    if pretokenized:
        return _core.join(texts)
    return texts if set(map(type, texts)) <= {str} else None


def listed(what: str, texts: Iterable[Any]) -> list[Any]:
    """Texts as a list. One string is refused: the caller means something else."""
    if isinstance(texts, str):
        raise InputError(
            f"{what} must be a list of texts, not one string; for one segment use sentence_score"
        )
    # The order of a set or a dictionary means nothing.
    if isinstance(texts, (bytes, Set, Mapping)) or not is_iterable(texts):
        raise InputError(f"{what} must be a list of texts, not {_kind(texts)}")
    return list(texts)


def _kind(value: object) -> str:
    return "None" if value is None else type(value).__name__


def _is_tokens(text: object) -> bool:
    if isinstance(text, str) or not isinstance(text, Sequence):
        return False
    try:
        "".join(text)  # the fastest check that all are strings
    except TypeError:
        return False
    return True


def _same_length(what: str, length: int, hypotheses: int) -> None:
    if length != hypotheses == 1:
        raise InputError(
            f"{what}: {length} texts for 1 hypothesis; give as many hypotheses as references, or if all are "
            "references of that one segment, give [references] or use sentence_score"
        )
    if length != hypotheses:
        raise InputError(
            f"{what}: {length} {'text' if length == 1 else 'texts'} for {hypotheses} hypotheses; "
            "give one reference for each hypothesis "
            "(for several references give a list of streams, or a list of references for each segment)"
        )


def _layout(groups: list[list[Any]], hypotheses: int, layout: ReferenceLayout | None) -> ReferenceLayout:
    """Streams or segments: the given layout if it fits, else the only one that fits."""
    fits = {
        "streams": all(len(group) == hypotheses for group in groups),
        "segments": len(groups) == hypotheses,
    }
    if all(fits.values()) and hypotheses > 1 and layout is None:
        raise InputError(
            f"{len(groups)} lists of {hypotheses} references for {hypotheses} hypotheses could be streams or "
            "segments; say layout='streams' (each list is a whole reference translation) or "
            "layout='segments' (each list has the references of one segment)"
        )
    meant: ReferenceLayout = layout or ("streams" if fits["streams"] else "segments")
    if fits[meant]:
        return meant
    other = "segments" if meant == "streams" else "streams"
    if fits[other] and hypotheses > 1:
        raise InputError(
            f"references are transposed: layout='{meant}' {_NEEDS[meant].format(hypotheses)}, but these are "
            f"{_found(groups)}; say layout='{other}', or transpose them with list(zip(*references))"
        )
    raise InputError(
        f"references are {_found(groups)}, which fit {hypotheses} hypotheses neither as streams "
        f"({_NEEDS['streams'].format(hypotheses)}) nor as segments ({_NEEDS['segments'].format(hypotheses)})"
    )


_NEEDS = {
    "streams": "needs lists of {} references, each list a whole reference translation",
    "segments": "needs {} lists, each list with the references of one segment",
}


def _found(groups: list[list[Any]]) -> str:
    sizes = sorted({len(group) for group in groups})
    each = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    return f"{len(groups)} list{'s' * (len(groups) != 1)} of {each}"


def _iterable(name: str, text: object) -> None:
    if isinstance(text, bytes) or not is_iterable(text):
        raise InputError(
            f"{name} is {_kind(text)}, not a text: texts must be all strings or all lists of tokens"
        )


def line(text: Text, pretokenized: bool, name: str) -> str:
    """A text as one string. Its words are split at spaces (tokens) or by the tokenizer (strings). `name` is
    for messages."""
    if isinstance(text, str) and not pretokenized:
        return text
    _iterable(name, text)
    if isinstance(text, str) == pretokenized:
        raise InputError(f"{name}: texts must be all strings or all lists of tokens")
    tokens = list(text)
    for token in tokens:
        if not isinstance(token, str) or not token or not SEPARATORS.isdisjoint(token):
            raise InputError(
                f"{name}: token {token!r} is not a word: tokens are non-empty strings without white "
                "space; give the text as a string to have it split into words"
            )
    return " ".join(tokens)
