"""Groups of texts: the hypotheses or the references of each source, for all pairs of them.

A text is a string, or a list of tokens, as in `bolide.inputs.segments`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from bolide import _core
from bolide._support.plurals import counted
from bolide.errors import InputError
from bolide.inputs.segments import Text, joined, line, listed, surrogate_problem

Counts = npt.NDArray[np.int32]


@dataclass(frozen=True)
class TextGroups:
    """Texts of one side, source by source: the next counts[k] texts are those of source k."""

    what: str  # "hypothesis" or "reference", for messages
    texts: list[str] | _core.Lines
    counts: Counts
    pretokenized: bool
    first: int | None = 1  # the number of the first source, for messages; None: there is only one source

    def __len__(self) -> int:
        """The number of sources."""
        return len(self.counts)

    def part(self, start: int, stop: int) -> TextGroups:
        """Some of the sources."""
        before, size = int(self.counts[:start].sum()), int(self.counts[start:stop].sum())
        texts = self.texts[before : before + size]
        first = None if self.first is None else self.first + start
        return TextGroups(self.what, texts, self.counts[start:stop], self.pretokenized, first)

    def named(self) -> Iterator[tuple[str, str]]:
        """Every text with its name for messages."""
        return zip(self.texts, _names(self.what, self.counts.tolist(), self.first), strict=True)

    def surrogate(self, error: UnicodeEncodeError) -> InputError | None:
        """The error for a text that cannot be encoded, if it is one of these."""
        name = next((name for text, name in self.named() if text == error.object), None)
        return None if name is None else InputError(f"{name}: {surrogate_problem(error)}")


def one_group(what: str, plural: str, texts: Sequence[Text]) -> TextGroups:
    """The texts of one source."""
    return _groups(what, [listed(plural, texts)], None)


def many_groups(what: str, plural: str, groups: Sequence[Sequence[Text]]) -> TextGroups:
    """The texts of many sources, one list of texts for each."""
    return _groups(what, lists_of_sources(plural, groups), 1)


def lists_of_sources(plural: str, groups: Iterable[Iterable[Text]]) -> list[list[Text]]:
    """The texts of each source, from lists or generators."""
    return [listed(f"{plural} of source {k}", group) for k, group in enumerate(listed(plural, groups), 1)]


def _groups(what: str, groups: list[list[Text]], first: int | None) -> TextGroups:
    flat = list(chain.from_iterable(groups))
    pretokenized = bool(flat) and not isinstance(flat[0], str)
    counts = [len(group) for group in groups]
    lines = joined(flat, pretokenized)
    if lines is None:
        names = _names(what, counts, first)
        lines = [line(text, pretokenized, name) for text, name in zip(flat, names, strict=True)]
    return TextGroups(what, lines, np.array(counts, dtype=np.int32), pretokenized, first)


def _names(what: str, counts: list[int], first: int | None) -> Iterator[str]:
    for source, count in enumerate(counts, first or 0):
        for number in range(1, count + 1):
            yield f"{what} {number}" if first is None else f"source {source}, {what} {number}"


def check_sides(hypotheses: TextGroups, references: TextGroups) -> None:
    """Raises an error if the references do not fit the hypotheses."""
    if len(hypotheses) != len(references):
        raise InputError(
            f"there are lists of references for {counted(len(references), 'sources')}, and lists of "
            f"hypotheses for {len(hypotheses)}; give one list of references for each list of hypotheses"
        )
    both = len(hypotheses.texts) and len(references.texts)
    if both and hypotheses.pretokenized != references.pretokenized:
        raise InputError("hypotheses and references must be all strings or all lists of tokens")
