"""The stemmers of the Java release.

They are Snowball stemmers, from the library py-rust-stemmers. The core has the English one, too, which is
faster; it stems words of ASCII characters. Snowball has changed since the Java release, so
some words of some languages are modified before stemming (stemmers.toml). Java measures words in UTF-16
units: a character above U+FFFF is two letters in Java, and here.

    >>> stem = get("en")
    >>> stem(["running", "runs", "ran"])
    ['run', 'run', 'ran']
    >>> get("de")(["ergebnis", "ergebnisse"])
    ['ergebnis', 'ergebniss']

Stemmers take batches of words and do not lower-case them. They can be shared between threads, and are pickled
by language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from bolide import _core
from bolide._support import toml as _toml
from bolide.errors import ConfigurationError
from bolide.language import languages

# A character that is a surrogate pair in UTF-16, and the pair as two private-use letters, which no stemmer
# knows.
PAIRED = re.compile("[\U00010000-\U0010ffff]")
PAIR = re.compile("([\ue000-\ue3ff])([\ue400-\ue7ff])")

# A longer word is not stemmed.
LONGEST_WORD = _core.LONGEST_STEMMED_WORD


def _split(character: re.Match[str]) -> str:
    high, low = divmod(ord(character[0]) - 0x10000, 0x400)
    return chr(0xE000 + high) + chr(0xE400 + low)


def _join(pair: re.Match[str]) -> str:
    return chr(0x10000 + (ord(pair[1]) - 0xE000) * 0x400 + ord(pair[2]) - 0xE400)


class Patches:
    """The rows of stemmers.toml for one language."""

    def __init__(self, rows: Sequence[Mapping[str, str]]) -> None:
        self._rows = {
            kind: [(re.compile(row["find"]), row.get("put", "")) for row in rows if row["kind"] == kind]
            for kind in ("keep", "rewrite", "hide")
        }
        self._anything = re.compile("|".join([PAIRED.pattern, *(f"(?:{row['find']})" for row in rows)]))
        self._only_pairs = not rows

    def concerned(self, words: Sequence[str]) -> list[int]:
        """The indices of the words that need `stem`. In most languages there are few."""
        search = self._anything.search
        if self._only_pairs:
            return [index for index, word in enumerate(words) if not word.isascii() and search(word)]
        return [index for index, word in enumerate(words) if search(word)]

    def stem(self, word: str, stem_word: Callable[[str], str]) -> str:
        """The stem of a word in the release. `stem_word` is the stemmer of the library."""
        letters = PAIRED.sub(_split, word)
        if any(pattern.search(letters) for pattern, _ in self._rows["keep"]):
            return word
        for pattern, put in self._rows["rewrite"]:
            letters = pattern.sub(put, letters)
        hidden = self._hidden(letters)
        stem = list(stem_word("".join(hidden)))
        for place in range(min(len(stem), len(letters))):
            if stem[place] == hidden[place]:
                stem[place] = letters[place]
        return PAIR.sub(_join, "".join(stem))

    def _hidden(self, letters: str) -> list[str]:
        hidden = list(letters)
        for pattern, put in self._rows["hide"]:
            for found in pattern.finditer(letters):
                hidden[found.start() : found.end()] = put * len(found[0])
        return hidden


class Stemmer:
    """The stemmer of one language."""

    def __init__(self, language: languages.Language) -> None:
        if language.stemmer is None:
            raise ConfigurationError(
                f"there is no stemmer for {language.java_name}; leave out the module 'stem', or choose one "
                f"of: {', '.join(other.code for other in languages.every() if other.stemmer)}"
            )
        # Imported here to keep start-up fast: most runs need one stemmer or none.
        from py_rust_stemmers import SnowballStemmer  # type: ignore[import-untyped]

        self.language = language.code
        self._library = SnowballStemmer(language.stemmer)
        self._patches = Patches(_tables().get(language.stemmer, []))

    def __call__(self, words: Sequence[str]) -> list[str]:
        """The stem of each word."""
        words = list(words)
        if self.language != "en":
            return self._by_library(words)
        stems = _core.english_stems(words)
        beyond_ascii = [word for word, stem in zip(words, stems, strict=True) if stem is None]
        others = iter(self._by_library(beyond_ascii))
        return [next(others) if stem is None else stem for stem in stems]

    def _by_library(self, words: list[str]) -> list[str]:
        if max(map(len, words), default=0) > LONGEST_WORD:
            return [word if len(word) > LONGEST_WORD else self._by_library([word])[0] for word in words]
        stems: list[str] = self._library.stem_words(words)
        for index in self._patches.concerned(words):
            stems[index] = self._patches.stem(words[index], self._library.stem_word)
        return stems

    def __reduce__(self) -> tuple[Callable[[str], Stemmer], tuple[str]]:
        return get, (self.language,)

    def __repr__(self) -> str:
        return f"Stemmer({self.language!r})"


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    return _toml.package_data("language/stemmers.toml")


@cache
def get(language: str) -> Stemmer:
    """The stemmer of a language, by any of its names."""
    return Stemmer(languages.get(language))
