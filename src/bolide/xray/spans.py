"""Finds the words of the metric in the text that the user gave.

    >>> text = "The U.S. re-election of “Mr. X”"
    >>> words = ["the", "us", "re", "election", "of", '"', "mr.", "x", '"']
    >>> [text[first:last] for first, last in spans(text, words)]
    ['The', 'U.S.', 're', 'election', 'of', '“', 'Mr.', 'X', '”']

The metric normalizes text: it lower-cases words, splits them, replaces quotes and dashes, and drops dots and
punctuation. It never changes the order, so one pass from left to right finds the words. A word that cannot be
found has no span.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

Span = tuple[int, int]

# The normalizer replaces these characters.
_REPLACED = str.maketrans({"‘": "'", "’": "'", "`": "'", "“": '"', "”": '"'})
# Words of the metric, and how they may be written. The normalizer joins two apostrophes, and two hyphens.
_SPELLINGS = {'"': ("''", '"'), "-": ("--", "-", "–")}
# How far to look for a word if letters before it belong to no word of the metric.
_FAR = 40


def spans(text: str, words: Sequence[str]) -> list[Span | None]:
    """The first and last position of each word in the text; None if the word cannot be found.

    Spans are in order and do not overlap. The characters between them belong to no word.
    """
    folded, places = _folded(text)
    found: list[Span | None] = []
    at, size = 0, len(folded)
    for word in words:
        form = word if word.isascii() and word.islower() else _form(word)
        if at < size and folded[at] == " ":
            at += 1
        if form not in _SPELLINGS and folded.startswith(form, at):
            first, last = at, at + len(form)
        elif (place := _search(folded, form, at)) is not None:
            first, last = place
        else:
            found.append(None)
            continue
        at = last
        found.append((first, last) if places is None else (places[first], places[last - 1] + 1))
    return found


def covering(token: str, words: Sequence[str]) -> list[Span] | None:
    """The spans of the first of these words in a token that begins and ends with a word, and has all letters
    and digits in its words; None for any other token.

    >>> covering("Re-election", ["re", "election", "of"]), covering("(re)", ["re", "of"])
    ([(0, 2), (3, 11)], None)
    """
    folded, places = _folded(token)
    found: list[Span] = []
    at, size = 0, len(folded)
    for word in words:
        form = _form(word)
        if form not in _SPELLINGS and folded.startswith(form, at):
            first, last = at, at + len(form)
        elif (place := _search(folded, form, at)) is not None:
            first, last = place
        else:
            return None
        if first != at and (not found or any(map(str.isalnum, folded[at:first]))):
            return None
        at = last
        found.append((first, last) if places is None else (places[first], places[last - 1] + 1))
        if at == size:
            return found
    return None


def _folded(text: str) -> tuple[str, list[int] | None]:
    """The text in lower case, with usual quotes and dashes; and the place of each character in the text, if
    the length is different."""
    folded = _form(text)
    if len(folded) == len(text):
        return folded, None
    pieces = [_form(letter) for letter in text]
    return "".join(pieces), [k for k, piece in enumerate(pieces) for _ in piece]


@lru_cache(maxsize=1 << 16)
def _form(word: str) -> str:
    return word.lower().translate(_REPLACED)


def _search(folded: str, form: str, at: int) -> Span | None:
    """The next place of a word. Characters that are not letters or digits may be before it."""
    for first in range(at, len(folded)):
        for spelling in _SPELLINGS.get(form, (form,)):
            if folded.startswith(spelling, first):
                return first, first + len(spelling)
        if (last := _with_dots(folded, form, first)) is not None:
            return first, last
        if folded[first].isalnum():
            break
    place = folded.find(form, at, at + _FAR + len(form))
    return None if place < 0 else (place, place + len(form))


def _with_dots(folded: str, form: str, first: int) -> int | None:
    """The end of a word that begins here and has lost its dots, such as `us` for U.S.; else None."""
    at, size = first, len(folded)
    for letter in form:
        while at < size and folded[at] == "." != letter and at > first:
            at += 1
        if at == size or folded[at] != letter:
            return None
        at += 1
    return at + (at < size and folded[at] == ".")
