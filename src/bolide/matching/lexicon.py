"""The lexicon: what the core needs to know about each word type.

When the core meets a new word it asks an analyst for the keys of the word under each matcher, whether it is a
function word, and its size. The answer goes into the core's vocabulary as integers. From then on Python is
not needed for this word. For most profiles the core finds the keys itself.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bolide import _core
from bolide.errors import ConfigurationError
from bolide.language.frequencies import WordFrequencies
from bolide.matching.matchers import Native, Stage, WordIdentity

# A vocabulary with more types, or with more letters in all types together, is replaced by a new one, so that
# memory stays bounded on endless text.
LARGEST_VOCABULARY = 1 << 18
MOST_LETTERS = 1 << 26


class Lexicon:
    """The word types of one set of stages, which no other lexicon may share. Threads may share a lexicon."""

    def __init__(
        self,
        stages: Sequence[Stage],
        identity: WordIdentity,
        function_words: frozenset[str],
        lower: bool,
        lowered: frozenset[str] = frozenset(),  # names of stages that see lower-case words anyway
        frequencies: WordFrequencies | None = None,  # if the size of a word depends on its frequency
        squared: bool = False,  # the size is the square of the bits
    ) -> None:
        self.stages = stages
        self.vocabulary = _core.Vocabulary([stage.kind for stage in stages])
        native = None
        if lower and frequencies is None:
            native = _native_analyst(stages, identity, function_words)
        self.analyse: _core.Analyst | PythonAnalyst = native or PythonAnalyst(
            self.vocabulary, stages, identity, function_words, lower, lowered, frequencies, squared
        )

    @property
    def full(self) -> bool:
        return len(self.vocabulary) > LARGEST_VOCABULARY or self.analyse.letters > MOST_LETTERS


def _native_analyst(
    stages: Sequence[Stage], identity: WordIdentity, function_words: frozenset[str]
) -> _core.Analyst | None:
    """The core's own analyst, if it can find the keys of all stages. It can use one table of each kind, and
    one stemmer."""
    sources: list[str] = []
    tables: dict[str, Any] = {}
    for stage in stages:
        native = _native(stage, identity)
        if native is None:
            return None
        sources.append(native.source)
        for name, table in native.tables.items():
            if tables.setdefault(name, table) is not table:
                return None
    if {"stemmer", "stem_words"} <= tables.keys():
        return None
    return _core.Analyst(
        sources,
        **tables,
        java_hashes=identity.rule == "java-hash",
        function_words=sorted(function_words),
    )


def _native(stage: Stage, identity: WordIdentity) -> Native | None:
    """How the core finds the keys of a stage. It cannot if the stage has its own rule for equal words. A
    class that is derived from a built-in one may have other keys, so it does not inherit `native`."""
    own = getattr(stage, "identity", identity)
    if "native" not in vars(type(stage)) or getattr(own, "rule", None) != identity.rule:
        return None
    native: Native | None = stage.native  # type: ignore[attr-defined]
    return native


class PythonAnalyst:
    """Adds new words to a vocabulary. The core calls it with words that the vocabulary may lack."""

    def __init__(
        self,
        vocabulary: _core.Vocabulary,
        stages: Sequence[Stage],
        identity: WordIdentity,
        function_words: frozenset[str],
        lower: bool,
        lowered: frozenset[str],
        frequencies: WordFrequencies | None,
        squared: bool,
    ) -> None:
        self._vocabulary = vocabulary
        self._stages = stages
        self._identity = identity
        self._function_words = function_words
        self._lower = lower
        self._lowered = lowered
        self._frequencies = frequencies
        self._squared = squared
        self.letters = 0  # of all words
        # Stages number keys in the order in which they see them, so one thread works at a time. The same
        # thread returns here only if a matcher calls its own scorer, which would never end.
        self._lock = threading.RLock()
        self._busy = False

    def __call__(self, tokens: list[str]) -> None:
        """Adds the new ones among the tokens. If a matcher fails, none is added."""
        with self._lock:
            if self._busy:
                raise ConfigurationError(
                    "a matcher calls the scorer that it belongs to; give it a scorer of its own"
                )
            self._busy = True
            try:
                self._add(self._vocabulary.lacking(tokens))  # another thread may have added some
            finally:
                self._busy = False

    def _add(self, tokens: list[str]) -> None:
        self.letters += sum(map(len, tokens))
        lower = [token.lower() for token in tokens]
        words = lower if self._lower else tokens
        functions = map(self._function_words.__contains__, lower)
        self._vocabulary.add(
            tokens,
            self._identity(words),
            np.fromiter(functions, dtype=np.uint8, count=len(lower)),
            self._sizes(words, lower),
            [
                column
                for stage in self._stages
                for column in stage.columns(lower if stage.name in self._lowered else words)
            ],
        )

    def _sizes(self, words: list[str], lower: list[str]) -> npt.NDArray[np.int32]:
        """The size of each word: its letters, and the bits of information in it if frequencies are given; or
        the square of these bits."""
        letters = _core.utf16_lengths(words)
        if self._frequencies is None:
            return letters
        bits = self._frequencies.bits(lower)
        return np.maximum(bits, 1) ** 2 if self._squared else letters + bits
