"""Finds function words: words with a relative frequency above 0.001 (Denkowski & Lavie 2011).

Punctuation marks count as words, and most of them are very frequent. A corpus of any size is counted while it
is read. Without a corpus, the package wordfreq has frequencies for about 40 languages.
"""

from __future__ import annotations

import string
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from bolide import _core
from bolide._support.extras import extra
from bolide.errors import ConfigurationError, InputError
from bolide.inputs.files import shown
from bolide.language.languages import Language
from bolide.learning.corpus import TextCorpus
from bolide.learning.tokens import Tokenize, tokenizer

MIN_FREQUENCY = 0.001
# Number of different words in memory. If there are more, rare words are forgotten.
MOST_WORDS = 1 << 21
# The count of a forgotten word that occurs again is too low by at most this share of all words.
FORGOTTEN_SHARE = 1e-6
# Punctuation marks that wordfreq does not count, as the normalizer splits them.
PUNCTUATION = (*string.punctuation, "...", *"¡¿«»‹›„…–—·•。、，！？：；「」『』（）《》।॥،؛؟؍")

# Words before an apostrophe. wordfreq drops the apostrophe, the French normalizer keeps it.
ELIDED = {word: f"{word}'" for word in ("c", "d", "j", "l", "m", "n", "qu", "s", "t")}


class LossyCounts:
    """Counts of words, exact up to `most` different words. Beyond that, a count may be too low by at most
    `share` of all words so far (lossy counting, Manku & Motwani 2002), which is far below the threshold."""

    def __init__(self, most: int = MOST_WORDS, share: float = FORGOTTEN_SHARE) -> None:
        self.counts: Counter[str] = Counter()
        self.total = 0
        self._most, self._share = most, share
        self._allowed = most  # number of different words before some are forgotten
        self._short = 0  # largest error of the count of a new word

    def add(self, words: Sequence[str]) -> None:
        self.counts.update(words)
        self.total += len(words)
        if len(self.counts) > self._allowed:
            self._forget()

    def _forget(self) -> None:
        """Forgets rare words, as many as the allowed error permits."""
        room = int(self.total * self._share) - self._short
        if room > 0:
            self.counts = Counter({word: count for word, count in self.counts.items() if count > room})
            self._short += room
        self._allowed = max(self._most, 2 * len(self.counts))

    def above(self, frequency: float) -> list[str]:
        """The words with a relative frequency above this, most frequent first."""
        found = [(-count, word) for word, count in self.counts.items() if count / self.total > frequency]
        return [word for _, word in sorted(found)]


def count_words(texts: Iterable[str], tokenize: Tokenize) -> LossyCounts:
    counts = LossyCounts()
    for text in texts:
        counts.add(tokenize(text))
    return counts


def from_corpora(
    corpora: Sequence[TextCorpus], language: Language | None, min_frequency: float = MIN_FREQUENCY
) -> list[str]:
    """The function words of corpora in a language, most frequent first. Without a language, the texts must be
    tokenized."""
    check_frequency(min_frequency)
    counts = count_words((text for corpus in corpora for text in corpus.texts()), tokenizer(language))
    if not counts.total:
        raise InputError(f"no words to count: {', '.join(shown(corpus.name) for corpus in corpora)}")
    return counts.above(min_frequency)


def common_words(
    files: Sequence[str], min_frequency: float = MIN_FREQUENCY, tokenize: Tokenize | None = None
) -> list[str]:
    """The words of files with a relative frequency above this, most frequent first. Without a tokenizer, the
    texts must be tokenized."""
    check_frequency(min_frequency)
    texts = (text for name in files for text in TextCorpus(name).texts())
    return count_words(texts, tokenize or _core.split).above(min_frequency)


def from_wordfreq(language: Language, min_frequency: float = MIN_FREQUENCY) -> list[str]:
    """The function words of a language by the frequencies of the package wordfreq, most frequent first.

    Its words are tokenized like any text. Words with digits stand for all numbers of that length in wordfreq,
    and are left out. Punctuation marks, which wordfreq does not count, are added at the end.
    """
    check_frequency(min_frequency)
    with extra("learning"):
        import wordfreq
    known = wordfreq_languages()
    code = next((code for code in (language.code, *language.aliases) if code in known), None)
    if code is None:
        raise ConfigurationError(
            f"wordfreq has no words for '{language.code}', only for: {', '.join(sorted(known))}; "
            "use a corpus instead"
        )
    tokenize = tokenizer(language)
    elided = ELIDED if language.normalizer == "french" else {}
    frequencies: defaultdict[str, float] = defaultdict(float)
    for word, frequency in wordfreq.get_frequency_dict(code, wordlist="best").items():
        if not any(character.isdigit() for character in word):
            for token in tokenize(word):
                frequencies[elided.get(token, token)] += frequency
    total = sum(frequencies.values())
    found = [(-share, word) for word, share in frequencies.items() if share > min_frequency * total]
    words = [word for _, word in sorted(found)]
    return [*words, *(mark for mark in PUNCTUATION if mark not in words)]


def wordfreq_languages() -> frozenset[str]:
    """The codes of the languages in wordfreq."""
    with extra("learning"):
        import wordfreq
    return frozenset(wordfreq.available_languages("best"))


def check_frequency(value: float) -> None:
    if not 0 < value < 1:
        raise ConfigurationError(f"--min-frequency must be a number between 0 and 1, not {value:g}")
