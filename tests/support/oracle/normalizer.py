"""The normaliser of Java METEOR 1.5, slow and obvious: one regular expression per step.

A line goes through the steps below in order. Every step is one pass from left to right over the whole line
with non-overlapping matches, as in Python's `re.sub` and Java's `replaceAll`. So if two neighbouring
candidates share a character, only the first is rewritten::

    a,,b    step 4 rewrites "a,," and continues after it:    a , ,b
    a-b-c   step 7 rewrites "a-b" and continues after it:    a b-c

The native normaliser (`core/text/normalizer.cpp`) must give the same text for every line;
`tests/unit/core/test_normalizer.py` compares them.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

ALPHA = (
    r"A-Za-z\u0160\u017D\u0161\u017E\u0178\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u017E"
    r"\u0400-\u04FF\u0500-\u0527\uA640-\uA66E\uA67E-\uA697\u1D00-\u1D7F"
)
ALNUM = ALPHA + "0-9"
ASCII_SPACE = r" \t\n\x0B\f\r"
UNICODE_SPACE = r" \u00A0\u2000-\u200A\u202F\u205F\u3000"
TOKEN_SPACE = r" \t\n\f\r"

Rewrite = tuple[str, str]  # pattern, replacement

# Step 8, by language style. \1 and \2 are the neighbours of the apostrophe.
APOSTROPHES: dict[str, list[Rewrite]] = {
    "english": [
        (rf"([^{ALPHA}])'([^{ALPHA}])", r"\1 ' \2"),
        (rf"([^{ALNUM}])'([{ALPHA}])", r"\1 ' \2"),
        (rf"([{ALPHA}])'([^{ALPHA}])", r"\1 ' \2"),
        (rf"([{ALPHA}])'([{ALPHA}])", r"\1 '\2"),
        (r"([0-9])'(s)", r"\1 '\2"),
    ],
    "french": [
        (rf"([^{ALPHA}])'([^{ALPHA}])", r"\1 ' \2"),
        (rf"([^{ALPHA}])'([{ALPHA}])", r"\1 ' \2"),
        (rf"([{ALPHA}])'([^{ALPHA}])", r"\1 ' \2"),
        (rf"([{ALPHA}])'([{ALPHA}])", r"\1' \2"),
    ],
    "other_western": [(r"'", " ' ")],
}


@dataclass(frozen=True)
class Normalizer:
    style: str  # a key of APOSTROPHES
    prefixes: Collection[str] = ()
    numeric_prefixes: Collection[str] = ()
    punctuation: bool = True

    def normalize(self, line: str) -> str:
        text = f" {line} "  # step 1
        text = re.sub(rf"([^{ALNUM}{ASCII_SPACE}.'`,\-\u2018\u2019])", r" \1 ", text)  # step 2
        text = hide_dot_runs(text)  # step 3
        text = re.sub(r"([^0-9]),([^0-9])", r"\1 , \2", text)  # step 4
        text = re.sub(r"([0-9]),([^0-9])", r"\1 , \2", text)
        text = re.sub(r"([^0-9]),([0-9])", r"\1 , \2", text)
        text = re.sub(r"[`\u2018\u2019]", "'", text)  # step 5
        text = re.sub(r"\u201C|\u201D|''", ' " ', text)
        text = re.sub(r"\u2013", "-", text)  # step 6
        text = re.sub(r"--", "-", text)
        text = re.sub(rf"([{ALNUM}.])-([{ALNUM}])", r"\1 \2", text)  # step 7
        for pattern, replacement in APOSTROPHES[self.style]:  # step 8
            text = re.sub(pattern, replacement, text)
        text = self.split_final_dots(text)  # step 9
        text = show_dot_runs(text)  # step 10
        if not self.punctuation:  # step 11
            text = re.sub(rf"[^{ALNUM}]", " ", text)
        return trim(re.sub(rf"[{UNICODE_SPACE}]+", " ", text))  # step 12

    def split_final_dots(self, text: str) -> str:
        words = [word for word in re.split(rf"[{TOKEN_SPACE}]", text) if word]
        pairs = pairwise([*words, ""])  # a word and the one after it
        return " ".join(self.split_final_dot(word, following) for word, following in pairs)

    def split_final_dot(self, word: str, following: str) -> str:
        if len(word) < 2 or not word.endswith("."):
            return word
        prefix = word[:-1]
        if "." in prefix and re.search(rf"[{ALPHA}]", prefix):
            return word.replace(".", "")  # U.S. -> US
        if prefix in self.prefixes or re.match(r"[a-z]", following):
            return word
        if prefix in self.numeric_prefixes and re.match(r"[0-9]", following):
            return word
        return f"{prefix} ."


def hide_dot_runs(text: str) -> str:
    """Turn a run of dots into a word without dots: "..." -> " DOTDOTMULTI"."""
    text = re.sub(r"\.(\.+)", r" DOTMULTI\1", text)
    while "DOTMULTI." in text:
        text = re.sub(r"DOTMULTI\.([^.])", r"DOTDOTMULTI \1", text)
        text = text.replace("DOTMULTI.", "DOTDOTMULTI")
    return text


def show_dot_runs(text: str) -> str:
    while "DOTDOTMULTI" in text:
        text = text.replace("DOTDOTMULTI", "DOTMULTI.")
    return text.replace("DOTMULTI", ".")


def trim(text: str) -> str:
    """Java's `String.trim`: remove all characters up to U+0020 from both ends."""
    return text.strip("".join(map(chr, range(0x21))))


def tokens(text: str) -> list[str]:
    """The tokens of a text, normalised or not. The vertical tab does not separate them."""
    return [token for token in re.split(rf"[{TOKEN_SPACE}]", text) if token]
