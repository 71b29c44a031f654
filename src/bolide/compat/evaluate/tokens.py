"""`nltk.word_tokenize` for many texts, many times faster, by asking NLTK about each piece once.

NLTK splits a text into sentences (Punkt) and puts each through two dozen regular expressions. Neither looks
far:

- Whether a sentence ends between two pieces (what stands between spaces) depends on these two only.
- What becomes of a piece depends on itself, and on whether it is the first or the last of its sentence: the
  first may begin with a quote, the last end with a full stop.

So both answers are kept. Where it is not so simple (other white space, a sentence that ends within a piece,
quotes or brackets that stand alone near the end of a sentence), NLTK is given the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import import_module
from itertools import chain, groupby
from typing import Any

from bolide.compat.extras import extra
from bolide.errors import ResourceError

# Answers that are kept; memory stays bounded on endless text.
KEPT = 1 << 18
# Pieces that NLTK is asked about at once.
TOGETHER = 1 << 9
SENTENCE_END = re.compile(r"[.?!]")
# Pieces of only these belong to the sentence before, if one ends there, and to its last word.
CLOSING = re.compile(r"[\])}>\"'»”’]+(?:--.*)?", re.DOTALL)
# Pieces that need no question: words, numbers, compounds; and what NLTK splits from them.
SIMPLE = re.compile(r"(\w+(?:[-.]\w+|,\d\w*)*)('s|[,;:?!.])?")
# Stands between pieces that NLTK is asked about at once; not a character, so in no text.
BETWEEN = "\ufdd0"


class _NotSimpleError(Exception):
    """NLTK must see the whole text."""


def word_tokenize(texts: Sequence[str]) -> list[list[str]]:
    """What `nltk.word_tokenize` returns for each text."""
    split = [text.split(" ") for text in texts]
    _learn(chain.from_iterable(split))
    return [_text(text, pieces) for text, pieces in zip(texts, split, strict=True)]


def _text(text: str, pieces: list[str]) -> list[str]:
    try:
        if len(pieces) < 2 or not pieces[0] or not pieces[-1]:
            raise _NotSimpleError
        try:
            # Nearly always: one sentence, and the first piece is as those within.
            tokens = list(chain.from_iterable(map(_within.__getitem__, pieces[:-1])))
            if text[0] not in "\"'":
                return tokens + list(_special(pieces[-1], False, True))
        except KeyError:  # a sentence may end there
            pass
        return _sentence_by_sentence([piece for piece in pieces if piece])
    except _NotSimpleError:
        return list(_whole(text))


def _sentence_by_sentence(pieces: list[str]) -> list[str]:
    tokens: list[str] = []
    first = True
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        if CLOSING.fullmatch(piece):
            raise _NotSimpleError
        ends = SENTENCE_END.search(piece) is not None
        last = following is None or (ends and _ends_sentence(piece, following))
        known = None if first or last or ends else _within.get(piece)
        tokens += _special(piece, first, last) if known is None else known
        first = last
    return tokens


# The tokens of pieces within a sentence, after which none can end.
_within: dict[str, tuple[str, ...]] = {"": ()}


def _learn(pieces: Iterable[str]) -> None:
    different = set(pieces)
    if len(_within) > KEPT:
        forget()
    new = [piece for piece in different.difference(_within) if not SENTENCE_END.search(piece)]
    asked = []
    for piece in new:
        if tokens := _simple(piece, False):
            _within[piece] = tokens
        elif BETWEEN not in piece and piece.split() == [piece]:
            asked.append(piece)
    tokenize = _nltk().NLTKWordTokenizer().tokenize if asked else None
    for start in range(0, len(asked), TOGETHER):
        some = asked[start : start + TOGETHER]
        answer = tokenize(BETWEEN + " " + f" {BETWEEN} ".join(some) + " " + BETWEEN)  # type: ignore[misc]
        groups = [tuple(group) for between, group in groupby(answer, BETWEEN.__eq__) if not between]
        _within.update(zip(some, groups, strict=True))


def _simple(piece: str, last: bool) -> tuple[str, ...]:
    """The tokens of a piece that needs no question; none if it does."""
    found = SIMPLE.fullmatch(piece)
    if not found or _contraction().search(piece):
        return ()
    word, end = found.groups()
    return (piece,) if end is None or (end == "." and not last) else (word, end)


@lru_cache(maxsize=KEPT)
def _special(piece: str, first: bool, last: bool) -> tuple[str, ...]:
    """The tokens of a piece at the beginning or at the end of its sentence, or with a full stop."""
    if tokens := _simple(piece, last):
        return tokens
    if CLOSING.fullmatch(piece) or piece.split() != [piece]:
        raise _NotSimpleError
    if SENTENCE_END.search(piece[:-1]) and _sentences(piece) != [piece]:
        raise _NotSimpleError
    before, after = "" if first else "x ", "" if last else " x"
    answer = _nltk().NLTKWordTokenizer().tokenize(before + piece + after)
    return tuple(answer[bool(before) : len(answer) - bool(after)])


@lru_cache(maxsize=KEPT)
def _ends_sentence(piece: str, following: str) -> bool:
    """Whether a sentence ends between the two."""
    pair = f"{piece} {following}"
    sentences = _sentences(pair)
    if sentences not in ([pair], [piece, following]):
        raise _NotSimpleError
    return len(sentences) == 2


@lru_cache(maxsize=KEPT >> 4)  # the same references come again with every system, every epoch
def _whole(text: str) -> tuple[str, ...]:
    tokenizer = _nltk().NLTKWordTokenizer()
    return tuple(token for sentence in _sentences(text) for token in tokenizer.tokenize(sentence))


@lru_cache(maxsize=1)
def _contraction() -> re.Pattern[str]:
    """NLTK's own list of words that are two, such as cannot; here at the end of a piece too."""
    tokenizer = _nltk().NLTKWordTokenizer
    patterns = (each.pattern for each in (*tokenizer.CONTRACTIONS2, *tokenizer.CONTRACTIONS3))
    bare = (pattern.replace("(?i)", "").replace(r"(?=\s)", "").strip() for pattern in patterns)
    return re.compile("|".join(bare), re.IGNORECASE)


def _sentences(text: str) -> list[str]:
    try:
        found: list[str] = _nltk().sent_tokenize(text)
    except LookupError:
        raise ResourceError(
            "NLTK's sentence splitter is not installed; run: python -m nltk.downloader punkt_tab"
        ) from None
    return found


def _nltk() -> Any:
    with extra("evaluate"):
        return import_module("nltk.tokenize")


def forget() -> None:
    """Gives up all answers that are kept."""
    _within.clear()
    _within[""] = ()
    _special.cache_clear()
    _ends_sentence.cache_clear()
    _whole.cache_clear()
