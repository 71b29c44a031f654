"""The lexicon: what the core needs to know of each word type, found out once.

The core meets a new word and asks `analyse`; the answer (keys of the lower-cased form under each matcher,
function word or not, length, number in the phrase table) goes into its vocabulary as integers. From then on
Python is not needed.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bolide import _core
from bolide.matchers import KeyArrays, Numbering, Paraphrase, Stage, WordIdentity, core_kind, key_arrays

# A vocabulary is given up for a new one beyond this many types, so that memory stays bounded on endless text.
LARGEST_VOCABULARY = 1 << 18


class Lexicon:
    """Word types for one set of stages. Safe to share between threads."""

    def __init__(
        self, stages: Sequence[Stage], identity: WordIdentity, function_words: frozenset[str], lower: bool
    ) -> None:
        self.vocabulary = _core.Vocabulary([core_kind(stage) for stage in stages])
        self._stages = stages
        self._identity = identity
        self._function_words = function_words
        self._lower = lower
        self._numberings = [Numbering() for _ in stages]
        self._lock = threading.Lock()

    @property
    def full(self) -> bool:
        return len(self.vocabulary) > LARGEST_VOCABULARY

    def analyse(self, tokens: list[str]) -> None:
        """Adds new tokens to the vocabulary; called by the core."""
        words = [token.lower() for token in tokens] if self._lower else tokens
        functions = [word.lower() in self._function_words for word in tokens]
        with self._lock:  # keys are numbered in order of appearance, by one thread at a time
            self.vocabulary.add(
                tokens,
                self._identity(words),
                np.array(functions, dtype=np.uint8),
                _core.utf16_lengths(words),
                self._phrase_words(words),
                [self._stage_keys(number, words) for number in range(len(self._stages))],
            )

    def _stage_keys(self, number: int, words: list[str]) -> KeyArrays:
        stage = self._stages[number]
        if isinstance(stage, Paraphrase):
            return np.zeros(len(words) + 1, dtype=np.int32), np.zeros(0, dtype=np.int64)
        return key_arrays(stage, words, self._numberings[number])

    def _phrase_words(self, words: list[str]) -> NDArray[np.int32]:
        for stage in self._stages:
            if isinstance(stage, Paraphrase):
                return stage.table.words.find(words)
        return np.full(len(words), -1, dtype=np.int32)
