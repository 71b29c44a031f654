"""The engine of a scorer: the native parts that follow from its settings, and the calls into the core.

It may be shared between threads, and a fork may happen while threads are at work.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bolide import _core
from bolide._support.arrays import Floats, Statistics
from bolide._support.platform import after_fork
from bolide.errors import BolideError, ConfigurationError, InputError, ResourceError, SegmentError
from bolide.matching import custom
from bolide.matching.lexicon import Lexicon
from bolide.matching.matchers import Stage, WordIdentity
from bolide.matching.modules import MODULES, StageSources

if TYPE_CHECKING:
    from bolide.inputs.groups import TextGroups
    from bolide.inputs.segments import Segments
    from bolide.scoring.settings import Settings

# The modules of the Java release. Its quirks apply to no others.
RELEASED = {"exact", "stem", "synonym", "paraphrase"}

ComponentRow = tuple[float, float, float, float, float, float]  # see `bolide.formula.statistics.COMPONENTS`


class ScoringEngine:
    """Turns texts into statistics and alignments."""

    def __init__(self, settings: Settings, threads: int) -> None:
        self._settings = settings
        self._threads = threads
        self._tokenizer = _make_tokenizer(settings)
        self.lexicon = make_lexicon(settings)
        self._core = _make_core(settings, self._tokenizer, self.lexicon.stages)
        self._at_work: set[int] = set()  # the threads that use the lexicon now
        _engines.add(self)

    # ---- calls -----------------------------------------------------------------------------------

    def run(self, segments: Segments, *, with_matches: bool) -> tuple[Any, ...]:
        """Statistics and flags, one row per reference, and the matches and their offsets if asked for."""
        try:
            with self._damage_named(), self._using_lexicon() as lexicon:
                return self._core.run(
                    segments.hypotheses,
                    segments.references,
                    segments.counts,
                    lexicon.vocabulary,
                    lexicon.analyse,
                    self._threads,
                    not segments.pretokenized,
                    with_matches,
                )
        except BolideError:  # raised by a matcher
            raise
        except UnicodeEncodeError as error:
            raise segments.surrogate(error) from None
        except ValueError as error:
            raise self._too_long(segments, error) from None

    def pairwise(
        self,
        hypotheses: TextGroups,
        references: TextGroups,
        symmetric: bool,
        parameters: _core.Parameters | None,
        out: Floats | Statistics,
    ) -> None:
        """Fills `out` for all pairs of the hypotheses and references of each source: with scores if there are
        parameters, otherwise with rows of statistics."""
        try:
            with self._damage_named(), self._using_lexicon() as lexicon:
                self._core.pairwise(
                    hypotheses.texts,
                    references.texts,
                    hypotheses.counts,
                    references.counts,
                    lexicon.vocabulary,
                    lexicon.analyse,
                    self._threads,
                    not (hypotheses.pretokenized or references.pretokenized),
                    symmetric,
                    parameters,
                    out,
                )
        except BolideError:  # raised by a matcher
            raise
        except UnicodeEncodeError as error:
            raise hypotheses.surrogate(error) or references.surrogate(error) or error from None
        except ValueError as error:
            named = [
                (len(self.words(text, pretokenized=side.pretokenized)), name)
                for side in (hypotheses, references)
                for text, name in side.named()
            ]
            raise _too_long_text(error, *max(named)) from None

    @contextmanager
    def _damage_named(self) -> Iterator[None]:
        """Names the pack in errors about damaged tables."""
        try:
            yield
        except RuntimeError as error:
            settings = self._settings
            repair = f"repair it with: bolide resources install {settings.language.code} --force"
            raise ResourceError(f"the language pack in {settings.pack.path}: {error}; {repair}") from None

    def segment(self, texts: list[list[str]], parameters: _core.Parameters) -> list[ComponentRow] | None:
        """The scores of one segment, as fast as possible: see `Meteor.segment`."""
        thread = threading.get_ident()
        outermost = thread not in self._at_work  # a custom matcher may use its own scorer
        self._at_work.add(thread)
        try:
            lexicon = self.lexicon
            if lexicon.full:
                lexicon = self.lexicon = make_lexicon(self._settings)
            return self._core.segment(texts, lexicon.vocabulary, lexicon.analyse, parameters)
        except BolideError:  # raised by a matcher
            raise
        except (ValueError, RuntimeError):
            return None
        finally:
            if outermost:
                self._at_work.discard(thread)

    def count_words(self, texts: list[str] | _core.Lines, *, pretokenized: bool) -> Any:
        """The words of texts as statistics count them: the size of each word, whether it is a function word,
        and the offsets of the texts."""
        with self._using_lexicon() as lexicon:
            return self._core.count_words(
                texts, lexicon.vocabulary, lexicon.analyse, self._threads, not pretokenized
            )

    def count_alignments(self, segments: Segments, matches: Any, offsets: Any) -> Statistics:
        """The statistics of given alignments: see `Meteor.count_alignments`."""
        texts = segments.hypotheses, segments.references
        with self._using_lexicon() as lexicon:
            return self._core.count_alignments(
                *texts, matches, offsets, lexicon.vocabulary, lexicon.analyse, self._threads
            )

    def segmented(self, texts: Iterable[str]) -> list[str]:
        """Texts split into words by the segmenter and the normalizer, with spaces between words."""
        segmenter = self._settings.segmentation
        assert segmenter is not None
        normalize = None if self._tokenizer is None else self._tokenizer.normalize
        return [segmenter.tokenize(text, normalize) for text in texts]

    def words(self, text: str, *, pretokenized: bool) -> tuple[str, ...]:
        """The words of a text, as they are matched."""
        if self._tokenizer is not None and not pretokenized:
            text = self._tokenizer.normalize(text)
        words = _core.split(text)
        return tuple(map(str.lower, words) if self._settings.lowers else words)

    def _too_long(self, segments: Segments, error: ValueError) -> InputError:
        """The error for a text beyond the core's limit. The core's message ends with the limit; this finds
        the text, which is the longest one."""
        found, _, limit = str(error).rpartition("; ")
        if not found:
            return InputError(str(error))
        lengths = (
            (len(self.words(text, pretokenized=segments.pretokenized)), *where)
            for text, *where in segments.texts()
        )
        words, segment, reference = max(lengths, key=lambda found: found[0])
        return SegmentError(f"{words} words; {limit}: split it into sentences", segment, reference)

    # ---- the lexicon -----------------------------------------------------------------------------

    @contextmanager
    def _using_lexicon(self) -> Iterator[Lexicon]:
        """The lexicon. While it is in use, the thread is known to be at work."""
        thread = threading.get_ident()
        outermost = thread not in self._at_work
        self._at_work.add(thread)
        try:
            if self.lexicon.full:
                self.lexicon = make_lexicon(self._settings)
            yield self.lexicon
        finally:
            if outermost:
                self._at_work.discard(thread)

    def after_fork(self) -> None:
        """In a new process, the threads that were at work are gone and never release their locks."""
        if self._at_work:
            # These may be half changed, and then they cannot be freed safely.
            _core.never_free((self._core, self.lexicon))
            self._at_work.clear()
            self.lexicon = make_lexicon(self._settings)
            self._core = _make_core(self._settings, self._tokenizer, self.lexicon.stages)


def _too_long_text(error: ValueError, words: int, name: str) -> InputError:
    """The error for a text beyond the core's limit, which is the longest one."""
    found, _, limit = str(error).rpartition("; ")
    return InputError(f"{name}: {words} words; {limit}: split it into sentences" if found else str(error))


_engines: weakref.WeakSet[ScoringEngine] = weakref.WeakSet()


def _after_fork() -> None:
    for engine in list(_engines):
        engine.after_fork()


after_fork(_after_fork)


# ---- native parts from settings ------------------------------------------------------------------


def make_lexicon(settings: Settings) -> Lexicon:
    """An empty lexicon with its stages. Stages number words and keys in the order in which they see them, so
    every lexicon needs stages of its own."""
    pack, identity = settings.pack, WordIdentity(settings.profile.word_identity)
    function_words = {
        "english": pack.english_function_words,
        "language": pack.function_words,
        "none": frozenset[str](),
    }[settings.profile.function_words]
    stages = _make_stages(settings, identity)
    frequencies = None if settings.frequencies is None else settings.frequencies.frequencies
    return Lexicon(
        stages,
        identity,
        function_words,
        settings.lowers,
        settings.lowered_modules,
        frequencies,
        settings.unit == "squared-bits",
    )


def _make_stages(settings: Settings, identity: WordIdentity) -> list[Stage]:
    sources = StageSources(
        settings.language,
        settings.pack,
        settings.synonyms,
        identity,
        settings.stop_words,
        # These aligners leave no pair of equal words to the stages after `exact`.
        equal_words_matched=settings.aligner in ("greedy", "repeat")
        and settings.modules[0] == "exact"
        and not settings.stop_words,
    )
    return [
        custom.stage(settings.matchers[name]) if name in settings.matchers else MODULES[name].make(sources)
        for name in settings.modules
    ]


def _make_tokenizer(settings: Settings) -> _core.Tokenizer | None:
    if not settings.tokenizes:
        return None
    # Java normalizes only six languages. The rules without abbreviations serve the others well.
    style = settings.language.normalizer or "other_western"
    keep_punctuation = settings.normalize != "no-punctuation"
    pack = settings.pack
    return _core.Tokenizer(style, list(pack.prefixes), list(pack.numeric_prefixes), keep_punctuation)


def _make_core(
    settings: Settings, tokenizer: _core.Tokenizer | None, stages: Sequence[Stage]
) -> _core.Engine:
    weights = settings.search_weights
    try:
        return _core.Engine(
            [stage.kind for stage in stages],
            settings.aligner,
            [float(weights.get(name, weights["other"])) for name in settings.modules],
            settings.beam,
            settings.unit != "words",
            tokenizer,
            [stage.resource for stage in stages],
            settings.profile.identical == "first-module" and set(settings.modules) <= RELEASED,
            settings.parameters.formula.counts_breaks,
        )
    except (ValueError, TypeError) as error:
        raise ConfigurationError(f"these settings do not fit together: {error}") from None
