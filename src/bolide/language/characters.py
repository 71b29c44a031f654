"""The characters of text that is written without spaces: Chinese, Japanese, Korean and Thai.

A character is what a reader sees as one: a letter with its combining marks (a grapheme cluster of UAX #29).
The rest of a text (Latin words, numbers, emoji) is left as it is.

    >>> text = "我爱Python3.12，และกำลัง"
    >>> "|".join(text[start:end] for start, end in spans(text))
    '我|爱|，|แ|ล|ะ|กำ|ลั|ง'

The sets are fixed, and not those of Python's `unicodedata`, so that every version of Python gives the same
result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

# The sets are parts of regular expressions.
IDEOGRAPHS = (
    "\u2e80-\u2fdf"  # radicals
    "\u3005-\u3007\u3021-\u3029\u3038-\u303b"  # iteration mark, number signs
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
KANA = "\u3041-\u3096\u309b-\u30ff\u31f0-\u31ff\uff66-\uff9d\U0001aff0-\U0001afff\U0001b000-\U0001b16f"
BOPOMOFO = "\u3105-\u312f\u31a0-\u31bf"
# Also signs that are written like ideographs: ㈱, ㎏, ㋐.
PUNCTUATION = (
    "\u2ff0-\u2fff\u3001-\u3004\u3008-\u3020\u3030-\u3037\u303c-\u303f\u3190-\u319f\u31c0-\u31e3"
    "\u3200-\u33ff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffee"
)
THAI = "\u0e01-\u0e30\u0e32\u0e3f-\u0e46\u0e4f-\u0e5b"
# Hangul: initial consonants, vowels, final consonants, and syllables without and with a final consonant.
INITIALS = "\u1100-\u115f\ua960-\ua97c"
VOWELS = "\u1160-\u11a7\ud7b0-\ud7c6"
FINALS = "\u11a8-\u11ff\ud7cb-\ud7fb"
SYLLABLES = "\uac00-\ud7a3"
OPEN_SYLLABLES = "".join(map(chr, range(0xAC00, 0xD7A4, 28)))
OTHER_HANGUL = "\u3131-\u318e\uffa0-\uffdc"
# Characters that belong to the one before them.
MARKS = (
    "\u0300-\u036f\u1ab0-\u1ace\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f"
    "\u0e31\u0e33-\u0e3a\u0e47-\u0e4e"  # Thai
    "\u302a-\u302f\u3099\u309a\uff9e\uff9f"  # tones, voiced sounds
    "\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef"  # joiners, variation selectors
)

LETTERS = f"{IDEOGRAPHS}{KANA}{BOPOMOFO}{THAI}{INITIALS}{VOWELS}{FINALS}{SYLLABLES}{OTHER_HANGUL}"

_SINGLE = f"[{IDEOGRAPHS}{KANA}{BOPOMOFO}{PUNCTUATION}{THAI}{OTHER_HANGUL}]"
_HANGUL = (
    f"[{INITIALS}]*(?:(?:[{OPEN_SYLLABLES}]?[{VOWELS}]+|[{SYLLABLES}])[{FINALS}]*)|[{INITIALS}]+|[{FINALS}]+"
)


@cache  # other languages do not need it, and it takes milliseconds
def _character() -> re.Pattern[str]:
    return re.compile(f"(?:{_SINGLE}|{_HANGUL})[{MARKS}]*")


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the characters of these scripts begin and end."""
    return (match.span() for match in _character().finditer(text))


def boundaries(text: str) -> set[int]:
    """The positions at which text can be divided: before and after each character of these scripts."""
    return {position for span in spans(text) for position in span}
