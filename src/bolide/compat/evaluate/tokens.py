"""A many times faster `nltk.word_tokenize` for many texts. It calls NLTK once per piece.

A piece is the text between two spaces. NLTK splits a text into sentences (Punkt), and applies two dozen
regular expressions to each. Both depend on little context:

- Whether a sentence ends between two pieces depends on these two pieces only.
- The tokens of a piece depend on the piece, and on whether it is the first or last of its sentence: the first
  may begin with a quote, and the last may end with a full stop.

So both results are cached. In difficult cases NLTK gets the whole text: other white space, a sentence that
ends within a piece, or separate quotes or brackets near the end of a sentence. In easy cases NLTK is not
called: words with common punctuation marks around them.

Tokens have no white space, so the tokens of a piece or text are kept as one line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from itertools import groupby
from typing import Any

from bolide import _core
from bolide._support.extras import extra
from bolide.errors import ResourceError

# Largest number of cached results.
KEPT = 1 << 18
# Number of pieces in one call of NLTK.
TOGETHER = 1 << 9
# Where a sentence may end. NLTK's model never looks for an end before a letter or digit.
SENTENCE_END = re.compile(r"[.?!](?![0-9A-Za-z])")
# Pieces with only these characters belong to the previous sentence if one ends there, and to its last word.
CLOSERS = "])}>\"'»”’"
CLOSING = re.compile(f"[{re.escape(CLOSERS)}]+(?:--.*)?", re.DOTALL)
# Easy pieces: words, numbers, compounds, and the marks that NLTK splits from them.
SIMPLE = re.compile(r"""(["($]?)(\w+(?:[-.]\w+|,\d\w*)*)(?:('s)|(\)?)([,;:?!.%]?)("?))""")
# Two pieces between which a sentence certainly ends, unless the word is an abbreviation.
PLAIN_END = re.compile(r"([A-Za-z]{2,})([.?!])")
PLAIN_START = re.compile(r"[A-Za-z]+[,;:]?")
# Separates pieces in one call of NLTK; a noncharacter, which does not occur in text.
BETWEEN = "\ufdd0"


class _NotSimpleError(Exception):
    """A difficult case: NLTK needs the whole text."""


def word_tokenize(texts: Sequence[str]) -> list[list[str]]:
    """The result of `nltk.word_tokenize` for each text."""
    return [line.split() for line in token_lines(texts)]


def token_lines(texts: Sequence[str]) -> list[str]:
    """The tokens of each text as a line, separated by spaces."""
    if len(_table) > KEPT:
        forget()
    texts = list(texts)
    lines, lacking = _table.lines(texts)
    if any(lacking):
        _learn(*lacking)
        lines, _ = _table.lines(texts)
    return [_line(text) if line is None else line for text, line in zip(texts, lines, strict=True)]


def _line(text: str) -> str:
    """The line of a text with several sentences, or of a difficult text."""
    pieces = text.split(" ")
    try:
        if len(pieces) < 2 or not pieces[0] or not pieces[-1]:
            raise _NotSimpleError
        return _sentence_by_sentence([piece for piece in pieces if piece])
    except _NotSimpleError:
        return _whole(text)


def _sentence_by_sentence(pieces: list[str]) -> str:
    tokens: list[str] = []
    first = True
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        if piece[0] in CLOSERS and CLOSING.fullmatch(piece):
            raise _NotSimpleError
        known = None if first or following is None else _table.get(WITHIN, piece)
        if known is None:
            ends = SENTENCE_END.search(piece) is not None
            last = following is None or (ends and _ends_sentence(piece, following))
            known = _special(piece, first, last)
            first = last
        tokens.append(known)
    return " ".join(tokens)


# The tokens of pieces by their place in a text. WITHIN has only pieces after which no sentence can end.
_table = _core.TokenCache()
FIRST, WITHIN, LAST = range(3)


def _learn(first: list[str], within: list[str], last: list[str]) -> None:
    words = [piece for piece in within if piece.isalnum()]
    contracted = _contracted(words)
    for word in words:
        if word not in contracted:
            _table.set(WITHIN, word, word)
    asked = []
    for piece in within:
        if piece.isalnum() and piece not in contracted:
            continue
        if SENTENCE_END.search(piece) or BETWEEN in piece or piece.split() != [piece]:
            _table.set(WITHIN, piece, None)
        elif tokens := _simple(piece, False):
            _table.set(WITHIN, piece, tokens)
        else:
            asked.append(piece)
    tokenize = _nltk().NLTKWordTokenizer().tokenize if asked else None
    for start in range(0, len(asked), TOGETHER):
        some = asked[start : start + TOGETHER]
        answer = tokenize(BETWEEN + " " + f" {BETWEEN} ".join(some) + " " + BETWEEN)  # type: ignore[misc]
        groups = (" ".join(group) for between, group in groupby(answer, BETWEEN.__eq__) if not between)
        for piece, tokens in zip(some, groups, strict=True):
            _table.set(WITHIN, piece, tokens)
    for place, pieces in ((FIRST, first), (LAST, last)):
        for piece in pieces:
            _table.set(place, piece, _alone(piece, place))


def _alone(piece: str, place: int) -> str | None:
    """The tokens of the first or last piece of a text of one sentence."""
    try:
        if place == FIRST and SENTENCE_END.search(piece):
            return None
        return _special(piece, place == FIRST, place == LAST)
    except _NotSimpleError:
        return None


def _contracted(words: list[str]) -> set[str]:
    """The words that NLTK splits in two, such as cannot."""
    lines = "\n".join(["", *words, ""])
    found = (match.span() for match in _contraction().finditer(lines))
    return {lines[lines.rfind("\n", 0, start) + 1 : lines.find("\n", end)] for start, end in found}


def _simple(piece: str, last: bool) -> str:
    """The tokens of an easy piece; "" for other pieces."""
    found = SIMPLE.fullmatch(piece)
    if not found or _contraction().search(piece):
        return ""
    before, word, possessive, bracket, mark, quote = found.groups()
    # A full stop stays with its word, except at the end of a sentence.
    if mark == "." and not last and not bracket:
        word, mark = word + ".", ""
    tokens = ("``" if before == '"' else before, word, possessive, bracket, mark, "''" if quote else "")
    return " ".join(filter(None, tokens))


@lru_cache(maxsize=KEPT)
def _special(piece: str, first: bool, last: bool) -> str:
    """The tokens of a piece at the beginning or end of its sentence, or with a full stop."""
    if tokens := _simple(piece, last):
        return tokens
    if CLOSING.fullmatch(piece) or piece.split() != [piece]:
        raise _NotSimpleError
    if SENTENCE_END.search(piece[:-1]) and _sentences(piece) != [piece]:
        raise _NotSimpleError
    before, after = "" if first else "x ", "" if last else " x"
    answer = _nltk().NLTKWordTokenizer().tokenize(before + piece + after)
    return " ".join(answer[bool(before) : len(answer) - bool(after)])


@lru_cache(maxsize=KEPT)
def _ends_sentence(piece: str, following: str) -> bool:
    """Whether a sentence ends between two pieces."""
    plain = PLAIN_END.fullmatch(piece)
    if plain and PLAIN_START.fullmatch(following) and (plain[2] != "." or _ends_sentences(plain[1].lower())):
        return True
    pair = f"{piece} {following}"
    sentences = _sentences(pair)
    if sentences not in ([pair], [piece, following]):
        raise _NotSimpleError
    return len(sentences) == 2


def _ends_sentences(word: str) -> bool:
    """Whether a full stop after the word always ends a sentence."""
    listed = _abbreviations()
    return listed is not None and word not in listed


@lru_cache(maxsize=1)
def _abbreviations() -> frozenset[str] | None:
    """Words after which NLTK's model checks the context; None if this version of NLTK does not expose
    them."""
    model = getattr(_nltk(), "_get_punkt_tokenizer", None)
    with _model_needed():
        found: Any = getattr(model("english"), "_params", None) if model else None
    if not hasattr(found, "abbrev_types") or not hasattr(found, "collocations"):
        return None
    return frozenset(found.abbrev_types) | {one for one, _ in found.collocations}


@lru_cache(maxsize=KEPT >> 4)  # the same references occur with every system and every epoch
def _whole(text: str) -> str:
    tokenizer = _nltk().NLTKWordTokenizer()
    return " ".join(token for sentence in _sentences(text) for token in tokenizer.tokenize(sentence))


@lru_cache(maxsize=1)
def _contraction() -> re.Pattern[str]:
    """NLTK's list of words that it splits in two, such as cannot; here also at the end of a piece."""
    tokenizer = _nltk().NLTKWordTokenizer
    patterns = (each.pattern for each in (*tokenizer.CONTRACTIONS2, *tokenizer.CONTRACTIONS3))
    bare = (pattern.replace("(?i)", "").replace(r"(?=\s)", "").strip() for pattern in patterns)
    return re.compile("|".join(bare), re.IGNORECASE)


def _sentences(text: str) -> list[str]:
    with _model_needed():
        found: list[str] = _nltk().sent_tokenize(text)
    return found


@contextmanager
def _model_needed() -> Iterator[None]:
    try:
        yield
    except LookupError:
        raise ResourceError(
            "NLTK's sentence splitter is not installed; run: python -m nltk.downloader punkt_tab"
        ) from None


def _nltk() -> Any:
    with extra("evaluate"):
        return import_module("nltk.tokenize")


def forget() -> None:
    """Clears the caches."""
    _table.clear()
    for answers in (_special, _ends_sentence, _whole):
        answers.cache_clear()
