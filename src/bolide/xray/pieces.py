"""Texts as numbers of pieces.

A piece is a word of the metric, how the user wrote it, and the characters around it that belong to no word:

    >>> texts = Pieces()
    >>> texts.add(("re", "election", "now"), "Re-election now!")
    [0, 1, 2]
    >>> list(texts.words), list(texts.pieces)
    (['re', 'election', 'now'], [(0, 'Re', '-'), (1, 'election', ' '), (2, 'now', '!')])

The pieces of a text, one after another, are the whole text of the user. A word that is not in it has the
spelling None. The first piece of a text that begins with other characters has them as its fourth part.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING

from bolide._support.numbered import Numbered
from bolide.xray.spans import spans

if TYPE_CHECKING:
    from bolide.xray.model import Words, Xray

Piece = tuple[int, str | None, str] | tuple[int, str | None, str, str]


class Pieces:
    """Collects the pieces of texts. Words and pieces are in order of first use."""

    def __init__(self) -> None:
        self.words: Numbered[str] = Numbered()
        self.pieces: Numbered[Piece] = Numbered()
        self.wordless: Numbered[str] = Numbered()  # texts without words of the metric
        self.raw = False  # whether the text of the user is known

    def add(self, words: Words, text: str | None = None) -> list[int]:
        """The numbers of the pieces of a text. For a text without words: a negative number, −1 for the first
        in `wordless`."""
        if text is None:
            spaces = [" "] * (len(words) - 1) + [""]
            return [self.pieces[self.words[w], w, gap] for w, gap in zip(words, spaces, strict=False)]
        self.raw = True
        if not words:
            return [-1 - self.wordless[text]] if text.strip() else []
        numbers, pieces = self.words, self.pieces
        found = spans(text, words)
        ends = [span[0] for span in found if span is not None] + [len(text)]
        k, result, before = 1, [], text[: ends[0]]
        for word, span in zip(words, found, strict=True):
            if span is None:
                piece: Piece = (numbers[word], None, "")
            else:
                first, last = span
                piece = (numbers[word], text[first:last], text[last : ends[k]])
                k += 1
            if before:
                piece, before = (*piece[:3], before), ""
            result.append(pieces[piece])
        return result


@dataclass(frozen=True, repr=False)
class Spelled:
    """All texts of an X-ray as numbers of pieces: the references of each segment, and the hypotheses of each
    system."""

    pieces: Pieces
    references: list[list[list[int]]]
    hypotheses: list[list[list[int]]]


def spelled(xray: Xray) -> Spelled:
    """The texts of an X-ray."""
    texts = Pieces()
    references = [
        [texts.add(words, text) for words, text in zip(s.references, s.texts or repeat(None), strict=False)]
        for s in xray.segments
    ]
    hypotheses = [
        [texts.add(words, text) for words, text in zip(s.hypotheses, s.texts or repeat(None), strict=False)]
        for s in xray.systems
    ]
    return Spelled(texts, references, hypotheses)
