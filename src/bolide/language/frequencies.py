"""How much information words carry, in bits: -log2 of their probability in a language.

    the  4     house  11     metamorphosis  20     xyzzyx  27 (unknown)

A word is looked up as it is, then in other spellings (`_SPELLINGS`), then by its parts: `well-known` has the
bits of `known` or of `well`, whichever is rarer. The lists of words are those of wordfreq. Their words are in
NFC and case-folded. Numbers of the same form are one word: `0000` is any number of four digits.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from bolide.language.wordnet import AnyIntegers, WordIndex

UNKNOWN = 27  # bits of a word that is in no list: those of the rarest words of a list
PUNCTUATION = 5  # bits of a word without letters and digits
_MISSING = -1
# Digits, also with the points and commas between them.
_NUMBER = re.compile(r"\d[\d.,]+")
_DIGIT = re.compile(r"\d")
# Vowels and other signs that most texts in Arabic and Hebrew leave out. The dot is in Python's lower case of
# the Turkish capital İ.
_SIGNS = re.compile("[\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]|(?<=i)\u0307")
_LETTER = re.compile(r"[^\W_]")  # or digit
_NO_LETTER = re.compile(r"[\W_]")


class WordFrequencies:
    """Words and their bits, as stored in a pack."""

    def __init__(self, words: WordIndex, bits: AnyIntegers) -> None:
        if len(words) != len(bits) or not np.can_cast(bits.dtype, np.int16):
            raise ValueError("the arrays are not word frequencies")
        self._words = words
        self._bits = bits

    def __len__(self) -> int:
        return len(self._words)

    def bits(self, words: Sequence[str]) -> npt.NDArray[np.int32]:
        """The bits of each lower-case word, rounded."""
        found = self._known(words)
        missing = np.flatnonzero(found == _MISSING).tolist()
        parts = {k: [] if words[k].isalnum() else _parts(words[k]) for k in missing}
        of_parts = iter(self._known([part for each in parts.values() for part in each]).tolist())
        for k, each in parts.items():
            found[k] = _sum_up([next(of_parts) for _ in each], words[k])
        return found

    def _known(self, words: Sequence[str]) -> npt.NDArray[np.int32]:
        """The bits of each word that is in the list, in any spelling; else `_MISSING`."""
        spelled = [_folded(word) for word in words]
        found = self._look_up(spelled)
        for respell in _SPELLINGS:
            missing = np.flatnonzero(found == _MISSING).tolist()
            again = {k: new for k in missing if (new := respell(spelled[k])) != spelled[k]}
            found[list(again)] = self._look_up(list(again.values()))
            for k, new in again.items():
                spelled[k] = new
        return found

    def _look_up(self, words: list[str]) -> npt.NDArray[np.int32]:
        unique = sorted(set(words))  # sorted words are found faster
        places = self._words.find(unique)
        found = np.full(len(unique), _MISSING, np.int32)
        found[places >= 0] = self._bits[places[places >= 0]]
        bits = dict(zip(unique, found.tolist(), strict=True))
        return np.fromiter((bits[word] for word in words), np.int32, len(words))


def _folded(word: str) -> str:
    """As in the lists: `ss` for `ß`, for example."""
    return word.lower() if word.isascii() else unicodedata.normalize("NFC", word).casefold()


def _zeros(word: str) -> str:
    return word if word.isalpha() else _NUMBER.sub(lambda number: _DIGIT.sub("0", number[0]), word)


def _simple(word: str) -> str:
    """The word in the usual forms of its letters: wide, narrow and joined forms have others."""
    if word.isascii():
        return word
    return _SIGNS.sub("", unicodedata.normalize("NFKC", word).casefold())


# Romanian has commas below these letters, Turkish has cedillas. Texts mix them up.
def _with_commas(word: str) -> str:
    return word if word.isascii() else word.replace("ş", "ș").replace("ţ", "ț")


def _with_cedillas(word: str) -> str:
    return word if word.isascii() else word.replace("ș", "ş").replace("ț", "ţ")


# Each changes the result of the one before it, and is tried only for words that are missing so far.
_SPELLINGS: tuple[Callable[[str], str], ...] = (_zeros, _simple, _with_commas, _with_cedillas)


def _parts(word: str) -> list[str]:
    """The parts of a word between characters that are neither letters, digits nor accents."""
    return [part for part in _NO_LETTER.sub(_space_or_accent, word).split() if _LETTER.search(part)]


def _space_or_accent(found: re.Match[str]) -> str:
    return found[0] if unicodedata.category(found[0]).startswith("M") else " "


def _sum_up(parts: list[int], word: str) -> int:
    """The bits of a word from those of its parts."""
    if parts:
        return UNKNOWN if _MISSING in parts else max(parts)
    return UNKNOWN if word.isalnum() else PUNCTUATION
