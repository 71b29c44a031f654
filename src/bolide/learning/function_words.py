"""Function words: the words of a language with a relative frequency above 0.001 (Denkowski & Lavie 2011).

Punctuation marks are words here, and most of them are among the most frequent. A corpus of any size is
counted as it is read. Without a corpus the frequencies can be had from the package wordfreq, for about 40
languages.
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
from bolide.learning.tokens import Tokenise, tokeniser

MIN_FREQUENCY = 0.001
# Different words that are kept in memory; of more, those are forgotten that cannot be of interest.
MOST_WORDS = 1 << 21
# A word that is forgotten, and comes again, is counted short by at most this share of the whole corpus.
FORGOTTEN_SHARE = 1e-6
# Marks that wordfreq does not count; as words of their own, which is how the normaliser has them.
PUNCTUATION = (*string.punctuation, "...", *"¡¿«»‹›„…–—·•。、，！？：；「」『』（）《》।॥،؛؟؍")

# Words before an apostrophe, which wordfreq leaves out and the French normaliser keeps.
ELIDED = {word: f"{word}'" for word in ("c", "d", "j", "l", "m", "n", "qu", "s", "t")}


class WordCounts:
    """How often words occur: exact up to `most` different words. Beyond, a word's count may be short by at
    most `share` of all words so far (lossy counting, Manku & Motwani 2002), which is far below what
    matters."""

    def __init__(self, most: int = MOST_WORDS, share: float = FORGOTTEN_SHARE) -> None:
        self.counts: Counter[str] = Counter()
        self.total = 0
        self._most, self._share = most, share
        self._allowed = most  # different words before some are forgotten
        self._short = 0  # how much a count may be short by, of words that are new now

    def add(self, words: Sequence[str]) -> None:
        self.counts.update(words)
        self.total += len(words)
        if len(self.counts) > self._allowed:
            self._forget()

    def _forget(self) -> None:
        """Forgets words so rare that to forget them again and again stays below the share."""
        room = int(self.total * self._share) - self._short
        if room > 0:
            self.counts = Counter({word: count for word, count in self.counts.items() if count > room})
            self._short += room
        self._allowed = max(self._most, 2 * len(self.counts))

    def above(self, frequency: float) -> list[str]:
        """The words with a larger relative frequency, the most frequent first."""
        found = [(-count, word) for word, count in self.counts.items() if count / self.total > frequency]
        return [word for _, word in sorted(found)]


def count_words(texts: Iterable[str], tokenise: Tokenise) -> WordCounts:
    counts = WordCounts()
    for text in texts:
        counts.add(tokenise(text))
    return counts


def from_corpora(
    corpora: Sequence[TextCorpus], language: Language | None, min_frequency: float = MIN_FREQUENCY
) -> list[str]:
    """The function words of corpora in a language, the most frequent first; without a language the texts are
    words already."""
    check_frequency(min_frequency)
    counts = count_words((text for corpus in corpora for text in corpus.texts()), tokeniser(language))
    if not counts.total:
        raise InputError(f"no words to count: {', '.join(shown(corpus.name) for corpus in corpora)}")
    return counts.above(min_frequency)


def common_words(
    files: Sequence[str], min_frequency: float = MIN_FREQUENCY, tokenise: Tokenise | None = None
) -> list[str]:
    """The words of files that are more frequent than that, the most frequent first. Without a tokeniser the
    texts are words already."""
    check_frequency(min_frequency)
    texts = (text for name in files for text in TextCorpus(name).texts())
    return count_words(texts, tokenise or _core.split).above(min_frequency)


def from_wordfreq(language: Language, min_frequency: float = MIN_FREQUENCY) -> list[str]:
    """The function words of a language by the frequencies of the package wordfreq, the most frequent first.
    Its words are split as the metric would; those with digits, which stand for all numbers of that length,
    are left out; punctuation marks, which it does not count, follow."""
    check_frequency(min_frequency)
    with extra("learning"):
        import wordfreq
    known = wordfreq_languages()
    code = next((code for code in (language.code, *language.aliases) if code in known), None)
    if code is None:
        raise ConfigurationError(
            f"wordfreq has no words for '{language.code}', only for: {', '.join(sorted(known))}; "
            "count those of a corpus instead"
        )
    tokenise = tokeniser(language)
    elided = ELIDED if language.normalizer == "french" else {}
    frequencies: defaultdict[str, float] = defaultdict(float)
    for word, frequency in wordfreq.get_frequency_dict(code, wordlist="best").items():
        if not any(character.isdigit() for character in word):
            for token in tokenise(word):
                frequencies[elided.get(token, token)] += frequency
    total = sum(frequencies.values())
    found = [(-share, word) for word, share in frequencies.items() if share > min_frequency * total]
    words = [word for _, word in sorted(found)]
    return [*words, *(mark for mark in PUNCTUATION if mark not in words)]


def wordfreq_languages() -> frozenset[str]:
    """The codes of the languages that wordfreq has."""
    with extra("learning"):
        import wordfreq
    return frozenset(wordfreq.available_languages("best"))


def check_frequency(value: float) -> None:
    if not 0 < value < 1:
        raise ConfigurationError(f"--min-frequency must be a number between 0 and 1, not {value:g}")
