"""The lexicon: what the core needs to know of each word type, found out once.

The core meets a new word and asks `analyse`; the answer (keys of the lower-cased form under each matcher,
function word or not, length) goes into its vocabulary as integers. From then on Python is not needed; and not
even for this, where all stages are such that the core finds the keys itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np

from bolide import _core
from bolide.errors import ConfigurationError
from bolide.matching.matchers import Native, Stage, WordIdentity

# A vocabulary is given up for a new one beyond this many types, so that memory stays bounded on endless text.
LARGEST_VOCABULARY = 1 << 18


class Lexicon:
    """Word types for one set of stages, which no other lexicon may have. Safe to share between threads."""

    def __init__(
        self,
        stages: Sequence[Stage],
        identity: WordIdentity,
        function_words: frozenset[str],
        lower: bool,
        lowered: frozenset[str] = frozenset(),  # names of stages that see lower-case words anyway
    ) -> None:
        self.vocabulary = _core.Vocabulary([stage.kind for stage in stages])
        self._stages = stages
        self._identity = identity
        self._function_words = function_words
        self._lower = lower
        self._lowered = lowered
        # Stages number keys in order of appearance, by one thread at a time. The same thread comes again only
        # if a matcher asks its own scorer, which would never end.
        self._lock = threading.RLock()
        self._busy = False
        self.analyse: _core.Analyst | Callable[[list[str]], None] = self._analyst() or self._analyse

    def _analyst(self) -> _core.Analyst | None:
        """The core's own analysis, if it is for such stages and words."""
        if self._identity.rule != "spelling" or self._function_words or not self._lower:
            return None
        sources: list[str] = []
        stemmers: set[_core.SuffixStemmer] = set()
        dictionaries: set[_core.Dictionary] = set()
        for stage in self._stages:
            native: Native | None = getattr(stage, "native", None)
            if native is None:
                return None
            source, stemmer, dictionary = native
            sources.append(source)
            stemmers |= {stemmer} if stemmer else set()
            dictionaries |= {dictionary} if dictionary else set()
        if len(stemmers) > 1 or len(dictionaries) > 1:
            return None
        return _core.Analyst(sources, next(iter(stemmers), None), next(iter(dictionaries), None))

    @property
    def full(self) -> bool:
        return len(self.vocabulary) > LARGEST_VOCABULARY

    def _analyse(self, tokens: list[str]) -> None:
        """Adds new tokens to the vocabulary; called by the core. If a matcher fails, none is added."""
        with self._lock:
            if self._busy:
                raise ConfigurationError("a matcher asks the scorer that it belongs to; give it another one")
            self._busy = True
            try:
                self._add(self.vocabulary.lacking(tokens))  # another thread may have added some
            finally:
                self._busy = False

    def _add(self, tokens: list[str]) -> None:
        lower = [token.lower() for token in tokens]
        words = lower if self._lower else tokens
        functions = map(self._function_words.__contains__, lower)
        self.vocabulary.add(
            tokens,
            self._identity(words),
            np.fromiter(functions, dtype=np.uint8, count=len(lower)),
            _core.utf16_lengths(words),
            [
                column
                for stage in self._stages
                for column in stage.columns(lower if stage.name in self._lowered else words)
            ],
        )
