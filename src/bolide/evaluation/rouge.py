"""ROUGE-L: the longest common subsequence of words (Lin 2004), with the tokens of Google's rouge-score.

Words are runs of a to z and 0 to 9, lower-cased. Other letters separate words, so that texts in other
alphabets have none. Words of more than three letters may be stemmed (Porter, as NLTK does). The score is F1;
with several references, that of the best one.

>>> rouge_l("the cat sat", ["a cat sat", "dogs"])
0.6666666666666666
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from bolide.language.porter import nltk_stem

WORD = re.compile("[a-z0-9]+")


def rouge_l(hypothesis: str, references: Sequence[str], *, stemmed: bool = False) -> float:
    """The F1 of the best reference."""
    words = tokens(hypothesis, stemmed)
    return max(_f1(words, tokens(reference, stemmed)) for reference in references)


def tokens(text: str, stemmed: bool = False) -> list[str]:
    words = WORD.findall(text.lower())
    return [_stem(word) if len(word) > 3 else word for word in words] if stemmed else words


_stem = lru_cache(maxsize=1 << 16)(nltk_stem)


def _f1(hypothesis: Sequence[str], reference: Sequence[str]) -> float:
    common = common_subsequence(hypothesis, reference)
    if not common:
        return 0.0
    precision, recall = common / len(hypothesis), common / len(reference)
    return 2 * precision * recall / (precision + recall)


def common_subsequence(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest common subsequence. One integer has a bit per word of `first`; each word of
    `second` takes a few operations (Hyyrö 2004)."""
    places: dict[str, int] = {}
    for k, word in enumerate(first):
        places[word] = places.get(word, 0) | 1 << k
    every = (1 << len(first)) - 1
    left = every  # the bits that are 0 count the words of the subsequence
    for word in second:
        matched = left & places.get(word, 0)
        left = (left + matched | left - matched) & every
    return len(first) - left.bit_count()
