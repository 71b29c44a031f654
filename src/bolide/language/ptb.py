"""The tokenizer of the Penn Treebank as image captioning uses it: the `PTBTokenizer` of Stanford CoreNLP
3.4.1 with `-preserveLines -lowerCase`, without Java. The rules are in core/text/ptb/rules.cpp.

    >>> tokenize("They can't pay Mr. Smith, who left the U.S. They cannot.")
    "they ca n't pay mr. smith , who left the u.s. . they can not ."
    >>> tokenize("It cost $5.00 (really)...", punctuation=False)
    'it cost $ 5.00 -lrb- really -rrb-'
"""

from __future__ import annotations

import re
from unicodedata import category, name

from bolide import _core

PUNCTUATION = frozenset((".", ",", "'", "''", "`", "``", "?", "!", ":", ";", "-", "--", "..."))
# White space that a token, an address for example, may contain.
INNER_SPACE = "".join(filter(str.isspace, map(chr, (0x0B, *range(0x1C, 0x20), *range(0x80, 0x3001)))))
SPACE_AT_END = re.compile(r"[^\S\n]$", re.MULTILINE)
# The value of an attribute in a tag may have several lines. A line of it may look like a punctuation mark.
VALUE_OF_LINES = re.compile(r"""= *("[^"\r\n]*|'[^'\r\n]*)[\r\n]""")
SIGMA = "Σ"
# The words of Java have letters, numbers and accents, and certain marks between two letters. The pattern is
# for kinds of characters.
WORD = re.compile("(L[AI]*-I*(?=L)|[LADI])+")
JOINING = ".'\u00ad\u2027"
WITHOUT_SPACES = ("CJK", "HIRAGANA", "KATAKANA")  # the scripts whose letters are no part of words
# Letters of these scripts that Unicode got later. Java takes them for parts of words.
LATER = re.compile(r"[\u3095\u3096\u309f\u30ff\u31f0-\u31ff\u3400-\u4dbf\u9fa6-\u9ffc\ufa2e-\ufad9]")
# Letters that are raised, lowered or made smaller, and have no case in Java, but have one in Python.
WITHOUT_CASE = re.compile(
    r"[\u00aa\u00ba\u1d62-\u1d6a\u1d78\u1d9b-\u1dbf\u2071\u207f\u2090-\u209c\u2c7c\u2c7d"
    r"\ua69c\ua69d\ua770\ua7f8\ua7f9\uab5c-\uab5f]"
)
KINDS = {
    **dict.fromkeys(("Lu", "Ll", "Lt", "Lm", "Lo"), "L"),
    **dict.fromkeys(("Mn", "Mc", "Me"), "A"),
    **dict.fromkeys(("Nd", "Nl", "No"), "D"),
    **dict.fromkeys(("Pc", "Pd"), "-"),
    "Cf": "I",
}


def tokenize(text: str, *, punctuation: bool = True) -> str:
    """Returns the tokens of a text: separated by spaces, with the line breaks of the text.

    A text of several lines is one text: whether a period ends a sentence can depend on the next line.
    `punctuation=False` removes the marks that pycocoevalcap removes, but not brackets.
    """
    tokens = _tokens(text, punctuation)
    if punctuation or not (_space_at_end(tokens) or VALUE_OF_LINES.search(text)):
        return tokens
    return "\n".join(map(_without_punctuation, _tokens(text, punctuation=True).split("\n")))


def _space_at_end(tokens: str) -> bool:
    return any(space in tokens for space in INNER_SPACE) and bool(SPACE_AT_END.search(tokens))


def _tokens(text: str, punctuation: bool) -> str:
    pieces = _core.ptb_tokenize(text, punctuation)
    pieces[1::2] = map(_lower, pieces[1::2])  # tokens with characters outside ASCII
    return "".join(pieces)


def _without_punctuation(line: str) -> str:
    """As in pycocoevalcap, which also removes white space from the end of the last token."""
    return " ".join(token for token in line.rstrip().split(" ") if token not in PUNCTUATION)


def _lower(text: str) -> str:
    """Lower case as in Java: a sigma is final if its word has letters before it, and none behind."""
    if SIGMA not in text:
        return text.lower()
    lower = [character.lower() for character in text]
    for word in WORD.finditer("".join(map(_kind, text))):
        cased = [k for k in range(*word.span()) if _has_case(text[k])]
        if len(cased) > 1 and text[cased[-1]] == SIGMA:
            lower[cased[-1]] = "ς"
    return "".join(lower)


def _has_case(character: str) -> bool:
    if WITHOUT_CASE.match(character):
        return False
    return character.isupper() or character.islower() or character.istitle()


def _kind(character: str) -> str:
    """L: letter, A: accent, D: number, -: a mark that may join letters, I: invisible, #: other."""
    if character in JOINING:
        return "-"
    kind = KINDS.get(category(character), "#")
    if kind != "L" or LATER.match(character):
        return kind
    return "#" if character == "\u3005" or name(character, "").startswith(WITHOUT_SPACES) else kind
