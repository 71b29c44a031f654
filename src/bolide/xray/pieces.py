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

from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING

from bolide._support.numbered import Numbered
from bolide.xray.spans import Span, covering, spans

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
        self._known: dict[tuple[str, str], _Token] = {}  # by token and the space after it

    def add(self, words: Words, text: str | None = None) -> list[int]:
        """The numbers of the pieces of a text. For a text without words: a negative number, −1 for the first
        in `wordless`."""
        if text is None:
            spaces = [" "] * (len(words) - 1) + [""]
            return [self.pieces[self.words[w], w, gap] for w, gap in zip(words, spaces, strict=False)]
        self.raw = True
        if not words:
            return [-1 - self.wordless[text]] if text.strip() else []
        found = self.by_token(words, text)
        return self.by_word(words, text) if found is None else found

    def by_token(self, words: Words, text: str) -> list[int] | None:
        """The same as `by_word`, but faster, because it remembers tokens. None if other characters are before
        or after the words of a token."""
        tokens = text.split(" ")
        gaps = [" "] * (len(tokens) - 1) + [""]
        at, found = 0, []
        for key in zip(tokens, gaps, strict=True):
            token = self._known.get(key)
            if token is None or words[at : at + len(token.words)] != token.words:
                own = covering(key[0], words[at : at + len(key[0])])
                if own is None:
                    return None
                token = _Token(key, words[at : at + len(own)], own)
            found.append(token)
            at += len(token.words)
        if at < len(words):
            return None
        result: list[int] = []
        for token in found:
            result += token.numbers or self._number(token)
        return result

    def _number(self, token: _Token) -> list[int]:
        """Gives the pieces of a new token their numbers."""
        text, space = token.key
        ends = [first for first, _ in token.spans[1:]] + [len(text)]
        for word, (first, last), end in zip(token.words, token.spans, ends, strict=True):
            gap = text[last:end] if end < len(text) else space
            token.numbers.append(self.pieces[self.words[word], text[first:last], gap])
        self._known[token.key] = token
        return token.numbers

    def by_word(self, words: Words, text: str) -> list[int]:
        """The numbers of the pieces of any text that has words."""
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


@dataclass
class _Token:
    """Characters between two spaces, their words, and the numbers of their pieces."""

    key: tuple[str, str]  # the characters, and the space after them
    words: Words
    spans: list[Span]
    numbers: list[int] = field(default_factory=list)


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
