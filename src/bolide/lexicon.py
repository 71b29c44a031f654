"""The lexicon: what the core needs to know of each word type, found out once.

The core meets a new word and asks `analyse`; the answer (lower-cased form, keys under each matcher, function word or
not, length, number in the phrase table) goes into its vocabulary as integers. From then on Python is not needed.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from bolide import _core
from bolide.matchers import Matcher, Paraphrase, Stage, WordIdentity, keys_of

# A vocabulary is given up for a new one beyond this many types, so that memory stays bounded on endless text.
LARGEST_VOCABULARY = 1 << 18


class Numbering(dict[Hashable, int]):
    """Numbers keys in the order in which they are first seen."""

    def __missing__(self, key: Hashable) -> int:
        self[key] = number = len(self)
        return number


class Lexicon:
    """Word types for one set of stages. Safe to share between threads."""

    def __init__(
        self, stages: Sequence[Stage], identity: WordIdentity, function_words: frozenset[str], lower: bool
    ) -> None:
        self.vocabulary = _core.Vocabulary(len(stages))
        self._stages = stages
        self._identity = identity
        self._function_words = function_words
        self._lower = lower
        self._identities = Numbering()
        self._keys = [Numbering() for _ in stages]
        self._lock = threading.Lock()

    @property
    def full(self) -> bool:
        return len(self.vocabulary) > LARGEST_VOCABULARY

    def analyse(self, tokens: list[str]) -> None:
        """Adds new tokens to the vocabulary; called by the core."""
        words = [token.lower() for token in tokens] if self._lower else tokens
        functions = [word.lower() in self._function_words for word in tokens]
        with self._lock:
            identities = [self._identities[key] for key in self._identity(words)]
            keys = [self._stage_keys(number, words) for number in range(len(self._stages))]
            self.vocabulary.add(
                tokens,
                np.array(identities, dtype=np.int32),
                np.array(functions, dtype=np.uint8),
                _core.utf16_lengths(words),
                self._phrase_words(words),
                keys,
            )

    def _stage_keys(self, number: int, words: list[str]) -> tuple[np.ndarray, np.ndarray]:
        stage = self._stages[number]
        if isinstance(stage, Paraphrase):
            return np.zeros(len(words) + 1, dtype=np.int32), np.zeros(0, dtype=np.int32)
        return self._numbered(keys_of(stage, words), self._keys[number])

    @staticmethod
    def _numbered(keys: Iterable[Iterable[Hashable]], numbering: Numbering) -> tuple[np.ndarray, np.ndarray]:
        """Keys of all words in one array, and where each word's begin."""
        flat: list[int] = []
        offsets = [0]
        for word_keys in keys:
            flat.extend([numbering[key] for key in word_keys])
            offsets.append(len(flat))
        return np.array(offsets, dtype=np.int32), np.array(flat, dtype=np.int32)

    def _phrase_words(self, words: list[str]) -> np.ndarray:
        for stage in self._stages:
            if isinstance(stage, Paraphrase):
                return stage.table.words.find(words)
        return np.full(len(words), -1, dtype=np.int32)
