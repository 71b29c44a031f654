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

SIGMA = "Σ"
# The words of Java have letters, digits and accents, and certain marks between two letters. The pattern is
# for kinds of characters.
WORD = re.compile("(LA*-(?=L)|[LAD])+")
JOINING = "-_.'\u2019\u00ad"
WITHOUT_SPACES = ("CJK", "HIRAGANA", "KATAKANA")  # the scripts whose letters are no part of words
KINDS = {
    **dict.fromkeys(("Lu", "Ll", "Lt", "Lm", "Lo"), "L"),
    **dict.fromkeys(("Mn", "Mc", "Me"), "A"),
    "Nd": "D",
}


def tokenize(text: str, *, punctuation: bool = True) -> str:
    """Returns the tokens of a text: separated by spaces, with the line breaks of the text.

    A text of several lines is one text: whether a period ends a sentence can depend on the next line.
    `punctuation=False` removes the marks that pycocoevalcap removes, but not brackets.
    """
    pieces = _core.ptb_tokenize(text, punctuation)
    pieces[1::2] = map(_lower, pieces[1::2])  # tokens with characters outside ASCII
    return "".join(pieces)


def _lower(text: str) -> str:
    """Lower case as in Java: a sigma is final if its word has letters before it, and none behind."""
    if SIGMA not in text:
        return text.lower()
    lower = [character.lower() for character in text]
    for word in WORD.finditer("".join(map(_kind, text))):
        cased = [k for k in range(*word.span()) if text[k].isupper() or text[k].islower()]
        if len(cased) > 1 and text[cased[-1]] == SIGMA:
            lower[cased[-1]] = "ς"
    return "".join(lower)


def _kind(character: str) -> str:
    """L: letter, A: accent, D: digit, -: a mark that may join letters, #: another character."""
    if character in JOINING:
        return "-"
    if name(character, "").startswith(WITHOUT_SPACES):
        return "#"
    return KINDS.get(category(character), "#")
