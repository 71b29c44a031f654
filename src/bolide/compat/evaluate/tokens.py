"""`nltk.word_tokenize` for many texts, many times faster, by asking NLTK about each piece once.

NLTK splits a text into sentences (Punkt) and puts each through two dozen regular expressions. Neither looks
far:

- Whether a sentence ends between two pieces (what stands between spaces) depends on these two only.
- What becomes of a piece depends on itself, and on whether it is the first or the last of its sentence: the
  first may begin with a quote, the last end with a full stop.

So both answers are kept. Where it is not so simple (other white space, a sentence that ends within a piece,
quotes or brackets that stand alone near the end of a sentence), NLTK is given the whole text. And where it is
plain what NLTK would answer (words, with common marks before and behind), it is not asked.

Tokens have no white space in them: those of a piece, and of a text, are kept as one line.
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

# Answers that are kept; memory stays bounded on endless text.
KEPT = 1 << 18
# Pieces that NLTK is asked about at once.
TOGETHER = 1 << 9
# Where a sentence may end. Before a letter or digit NLTK's model never looks for an end.
SENTENCE_END = re.compile(r"[.?!](?![0-9A-Za-z])")
# Pieces of only these belong to the sentence before, if one ends there, and to its last word.
CLOSERS = "])}>\"'»”’"
CLOSING = re.compile(f"[{re.escape(CLOSERS)}]+(?:--.*)?", re.DOTALL)
# Pieces that need no question: words, numbers, compounds; and what NLTK splits from them.
SIMPLE = re.compile(r"""(["($]?)(\w+(?:[-.]\w+|,\d\w*)*)(?:('s)|(\)?)([,;:?!.%]?)("?))""")
# Two pieces between which the end of a sentence needs no question, or only whether the word is an
# abbreviation.
PLAIN_END = re.compile(r"([A-Za-z]{2,})([.?!])")
PLAIN_START = re.compile(r"[A-Za-z]+[,;:]?")
# Stands between pieces that NLTK is asked about at once; not a character, so in no text.
BETWEEN = "\ufdd0"


class _NotSimpleError(Exception):
    """NLTK must see the whole text."""


def word_tokenize(texts: Sequence[str]) -> list[list[str]]:
    """What `nltk.word_tokenize` returns for each text."""
    return [line.split() for line in token_lines(texts)]


def token_lines(texts: Sequence[str]) -> list[str]:
    """The same as lines, tokens with spaces between them."""
    if len(_table) > KEPT:
        forget()
    texts = list(texts)
    lines, lacking = _table.lines(texts)
    if any(lacking):
        _learn(*lacking)
        lines, _ = _table.lines(texts)
    return [_line(text) if line is None else line for text, line in zip(texts, lines, strict=True)]


def _line(text: str) -> str:
    """The line of a text that is more than one sentence, or not simple."""
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


# The tokens of pieces at their place in a text: within it, only of those after which no sentence can end.
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
    """Those of the words that are two to NLTK, such as cannot."""
    lines = "\n".join(["", *words, ""])
    found = (match.span() for match in _contraction().finditer(lines))
    return {lines[lines.rfind("\n", 0, start) + 1 : lines.find("\n", end)] for start, end in found}


def _simple(piece: str, last: bool) -> str:
    """The tokens of a piece that needs no question; none if it does."""
    found = SIMPLE.fullmatch(piece)
    if not found or _contraction().search(piece):
        return ""
    before, word, possessive, bracket, mark, quote = found.groups()
    # A full stop stays with its word, but for the last.
    if mark == "." and not last and not bracket:
        word, mark = word + ".", ""
    tokens = ("``" if before == '"' else before, word, possessive, bracket, mark, "''" if quote else "")
    return " ".join(filter(None, tokens))


@lru_cache(maxsize=KEPT)
def _special(piece: str, first: bool, last: bool) -> str:
    """The tokens of a piece at the beginning or at the end of its sentence, or with a full stop."""
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
    """Whether a sentence ends between the two."""
    plain = PLAIN_END.fullmatch(piece)
    if plain and PLAIN_START.fullmatch(following) and (plain[2] != "." or _ends_sentences(plain[1].lower())):
        return True
    pair = f"{piece} {following}"
    sentences = _sentences(pair)
    if sentences not in ([pair], [piece, following]):
        raise _NotSimpleError
    return len(sentences) == 2


def _ends_sentences(word: str) -> bool:
    """Whether a full stop behind the word ends a sentence, whatever follows."""
    listed = _abbreviations()
    return listed is not None and word not in listed


@lru_cache(maxsize=1)
def _abbreviations() -> frozenset[str] | None:
    """Words behind which NLTK's model looks further; None if this NLTK does not show them."""
    model = getattr(_nltk(), "_get_punkt_tokenizer", None)
    with _model_needed():
        found: Any = getattr(model("english"), "_params", None) if model else None
    if not hasattr(found, "abbrev_types") or not hasattr(found, "collocations"):
        return None
    return frozenset(found.abbrev_types) | {one for one, _ in found.collocations}


@lru_cache(maxsize=KEPT >> 4)  # the same references come again with every system, every epoch
def _whole(text: str) -> str:
    tokenizer = _nltk().NLTKWordTokenizer()
    return " ".join(token for sentence in _sentences(text) for token in tokenizer.tokenize(sentence))


@lru_cache(maxsize=1)
def _contraction() -> re.Pattern[str]:
    """NLTK's own list of words that are two, such as cannot; here at the end of a piece too."""
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
    """Gives up all answers that are kept."""
    _table.clear()
    for answers in (_special, _ends_sentence, _whole):
        answers.cache_clear()
