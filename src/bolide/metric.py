"""Meteor: the scorer, from text to scores.

    text ──normalise──▶ tokens ──match──▶ matches ──align──▶ alignment ──count──▶ statistics ──score──▶ scores

All up to the statistics is one native call per batch, threaded, with the GIL released; all after it is
arithmetic on the statistics array (score.py).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np

from bolide import _core, languages, matchers, profiles, settings
from bolide.errors import BolideError, ConfigurationError, InputError, ResourceError, SegmentError
from bolide.lexicon import Lexicon
from bolide.matchers import AnyMatcher, Exact, Module, Paraphrase, Stage, Stem, Synonym, WordIdentity
from bolide.resources import Pack
from bolide.score import (
    CorpusScore,
    Flags,
    Floats,
    Integers,
    Parameters,
    Score,
    Statistics,
    aggregate,
    components,
    evaluate,
)
from bolide.segments import Layout, Segments, Text, many_segments, one_segment
from bolide.signature import NORMALIZATION, signature
from bolide.wordnet import WordNet

# Segments in one native call: few enough that Ctrl-C is answered at once and memory stays small.
BATCH = 1 << 13


@dataclass(frozen=True)
class Match:
    """A phrase of the reference tied to a phrase of the hypothesis."""

    reference_start: int
    reference_length: int
    hypothesis_start: int
    hypothesis_length: int
    stage: int
    module: str
    chunk: int


@dataclass(frozen=True)
class Alignment:
    """Two sentences as tokens, the matches between them, and the score that follows."""

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    matches: tuple[Match, ...]
    score: Score


class Meteor:
    """A METEOR by name.

    `profile`, `language` and `task` choose it; every keyword overrides one of their settings. `normalize` is
    "keep-punctuation" (tokenise, lower-case), "no-punctuation" (the same, punctuation dropped), "lower" (only
    lower-case) or "none". `threads` is the number of threads (default: BOLIDE_THREADS, or all cores).
    `resources` is a pack of this language or its folder (default: the installed one, fetched on first use).
    `modules` are names, or matchers of one's own (see `bolide.matchers`). `references` says how several
    references of a segment are used: "best" scores against each and takes the best, as METEOR always did;
    "union" starts from the best and lets hypothesis words be matched in the others too (core/union.hpp).

    A scorer is immutable, can be pickled, and can be shared between threads.
    """

    def __init__(
        self,
        profile: str = "1.5",
        language: str = "en",
        task: str = "rank",
        *,
        modules: Sequence[Module] | None = None,
        weights: Sequence[float] | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        gamma: float | None = None,
        delta: float | None = None,
        normalize: str = "keep-punctuation",
        characters: bool = False,
        beam: int = 40,
        references: str = "best",
        threads: int | None = None,
        resources: Pack | str | os.PathLike[str] | None = None,
    ) -> None:
        arguments = {k: value for k, value in locals().items() if k not in ("self", "__class__")}
        # Lists are copied, so that the caller's later changes to them do not matter.
        self._arguments = {k: tuple(v) if isinstance(v, list) else v for k, v in arguments.items()}
        self.profile = profiles.get(profile)
        self.language = languages.get(language)
        self.normalize = settings.choice("normalize", normalize, NORMALIZATION)
        self.characters = settings.flag("characters", characters)
        self.beam = settings.positive("beam", beam)
        self.references = settings.choice("references", references, ("best", "union"))
        self.threads = settings.threads(threads)
        self.pack = settings.pack(self.language, resources)
        self.modules, self._matchers = self._choose_modules(modules, task)
        given = {"alpha": alpha, "beta": beta, "gamma": gamma, "delta": delta, "weights": weights}
        self.custom_parameters = any(value is not None for value in given.values())
        self.task, self.parameters = self._choose_parameters(task, given)
        self._tokenizer = self._make_tokenizer()
        self._engine = self._make_engine()
        self._lexicon = self._new_lexicon()

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self._arguments,)

    def __repr__(self) -> str:
        return f"<Meteor {self.get_signature()}>"

    # ---- scores ----------------------------------------------------------------------------------

    def sentence_score(self, hypothesis: Text, references: Text | Sequence[Text]) -> Score:
        """The score of one segment against its reference, or against the best of its references."""
        statistics, flags = self._best(one_segment(hypothesis, references))
        return self._score(statistics[0], flags[0])

    def corpus_score(
        self, hypotheses: Sequence[Text], references: Sequence[Any], *, layout: Layout | None = None
    ) -> CorpusScore:
        """The score of a corpus; `references` as in `bolide.segments`."""
        corpus = Corpus(self, keep=True)
        corpus.add(hypotheses, references, layout=layout)
        return corpus.score()

    def statistics(
        self, hypotheses: Sequence[Text], references: Sequence[Any], *, layout: Layout | None = None
    ) -> Statistics:
        """The statistics of each segment with its best reference: integers, a row a segment, 7 + 4·modules
        columns (`bolide.score.columns`)."""
        return self._best(many_segments(hypotheses, references, layout))[0]

    def score(self, statistics: Statistics) -> Floats:
        """The score of each row of statistics."""
        return self.evaluate(statistics)[:, -1]

    def evaluate(self, statistics: Statistics) -> Floats:
        """Precision, recall, f1, fmean, penalty and score of each row of statistics (NaN where undefined)."""
        rows, needed = np.atleast_2d(statistics), 7 + 4 * len(self.modules)
        if rows.ndim != 2 or not np.issubdtype(rows.dtype, np.number):
            raise InputError("statistics must be rows of numbers, such as Meteor.statistics returns")
        if rows.shape[1] != needed:
            raise InputError(
                f"statistics have {rows.shape[1]} columns; modules {' '.join(self.modules)} need {needed}"
            )
        return evaluate(rows, self.parameters)

    def align(self, hypothesis: Text, references: Text | Sequence[Text]) -> Alignment:
        """The alignment with the reference, or with the best of several."""
        return self.align_all(one_segment(hypothesis, references))[0]

    def get_signature(self, references: tuple[int, int] | int | None = None) -> str:
        """One line that says which METEOR this is, for scores with so many references a segment."""
        return signature(self, references)

    # ---- for streaming ---------------------------------------------------------------------------

    def corpus(self, *, keep: bool = False) -> Corpus:
        """An accumulator for corpora of any size: add batches of segments, then ask for the score. With
        `keep` it keeps the segments' scores and statistics too, as `corpus_score` does."""
        return Corpus(self, keep=keep)

    def align_all(self, segments: Segments) -> list[Alignment]:
        """Alignments of segments, each with its best reference."""
        alignments = []
        for batch in segments.batches(BATCH):
            best, statistics, flags, matches, offsets = self._chosen(batch, with_matches=True)
            for k, row in enumerate(best.tolist()):
                alignments.append(
                    Alignment(
                        self._words(batch.hypotheses[k], batch.pretokenized),
                        self._words(batch.references[row], batch.pretokenized),
                        tuple(self._match(m) for m in matches[offsets[row] : offsets[row + 1]].tolist()),
                        self._score(statistics[k], flags[k]),
                    )
                )
        return alignments

    def normalized(self, text: str) -> str:
        """The text as the scorer sees it: normalised and lower-cased, words separated by spaces."""
        if not isinstance(text, str):
            raise InputError(f"a text to normalise must be a string, not {type(text).__name__}")
        return " ".join(self._words(text, pretokenized=False))

    # ---- set-up ----------------------------------------------------------------------------------

    def _choose_modules(
        self, modules: Sequence[Module] | None, task: str
    ) -> tuple[tuple[str, ...], dict[str, AnyMatcher]]:
        available = self.available_modules()
        default = self.profile.modules(task, self.language)
        given = default if modules is None else settings.names("modules", modules)
        wanted, own = matchers.named(given, SHORT_OF_RESOURCE)
        for name in (name for name in wanted if name not in own):
            settings.choice("module", name, SHORT_OF_RESOURCE)
            if name not in available:
                raise ConfigurationError(self._unavailable(name, available))
        if not wanted or len(set(wanted)) != len(wanted):
            found = " ".join(wanted) or "none"
            raise ConfigurationError(f"modules must be different and at least one, not: {found}")
        return wanted, own

    def _unavailable(self, module: str, available: tuple[str, ...]) -> str:
        code = self.language.code
        remedy = f"choose modules from: {' '.join(available)}"
        if module == "paraphrase" and "paraphrases" in self.language.resources:
            remedy += f"; or add the table: bolide resources install {code} --from PATH, a full Meteor 1.5"
        return f"module '{module}' {SHORT_OF_RESOURCE[module].format(language=code)}; {remedy}"

    def available_modules(self) -> tuple[str, ...]:
        """The modules that this language has, with the resources at hand."""
        there = {
            "exact": True,
            "stem": self.language.stemmer is not None,
            "synonym": self.pack.synonyms is not None,
            "paraphrase": self.pack.paraphrases is not None,
        }
        return tuple(name for name, here in there.items() if here)

    @property
    def module_labels(self) -> tuple[str, ...]:
        """The modules as a signature names them: matchers of one's own with their hash."""
        return tuple(matchers.label(self._matchers.get(name, name)) for name in self.modules)

    def _choose_parameters(self, task: str, given: dict[str, Any]) -> tuple[str, Parameters]:
        """The task's parameters with those given in their place; a task is not needed if all are given."""
        numbers = {name: value for name, value in given.items() if value is not None}
        weights = numbers.pop("weights", None)
        weights = None if weights is None else settings.weights(weights, self.modules)
        for name, value in numbers.items():
            numbers[name] = settings.number(name, value)
        if len(numbers) == 4 and weights is not None:
            return "custom", Parameters(**numbers, weights=weights)
        task = self.profile.task(task, self.language.code)
        if weights is None and self._matchers:
            row_of = partial(self.profile.parameters, task, self.language.code)
            weights = matchers.weights(self.modules, self._matchers, lambda names: row_of(names).weights)
            self.custom_parameters = True
        row = self.profile.parameters(task, self.language.code, None if weights is not None else self.modules)
        defaults = {"alpha": row.alpha, "beta": row.beta, "gamma": row.gamma, "delta": row.delta}
        return task, Parameters(**{**defaults, **numbers}, weights=weights or row.weights)

    def _stage(self, name: str) -> Stage:
        if name in self._matchers:
            return matchers.stage(self._matchers[name])
        identity = WordIdentity(self.profile.word_identity)
        if name == "exact":
            return Exact(identity)
        if name == "stem":
            return Stem(self.language.code, identity)
        if name == "synonym":
            assert self.pack.synonyms is not None
            return Synonym(WordNet(self.pack.synonyms))
        assert self.pack.paraphrases is not None
        return Paraphrase(self.pack.paraphrases)

    def _make_tokenizer(self) -> _core.Tokenizer | None:
        if self.normalize not in ("keep-punctuation", "no-punctuation"):
            return None
        # Java refuses to normalise languages outside the six; the rules without prefixes serve them well.
        style = self.language.normalizer or "other_western"
        keep_punctuation = self.normalize == "keep-punctuation"
        pack = self.pack
        return _core.Tokenizer(style, list(pack.prefixes), list(pack.numeric_prefixes), keep_punctuation)

    def _make_engine(self) -> _core.Engine:
        stages = [self._stage(name) for name in self.modules]
        kinds, resources = [stage.kind for stage in stages], [stage.resource for stage in stages]
        gains = [self.profile.search_weight(name) for name in self.modules]
        try:
            return _core.Engine(
                kinds, self.profile.aligner, gains, self.beam, self.characters, self._tokenizer, resources
            )
        except (ValueError, TypeError):  # all but the beam was made here
            raise ConfigurationError(f"a beam of {self.beam} is too wide") from None

    def _new_lexicon(self) -> Lexicon:
        english = self.profile.function_words == "english"
        words = self.pack.english_function_words if english else self.pack.function_words
        identity = WordIdentity(self.profile.word_identity)
        stages = [self._stage(name) for name in self.modules]
        return Lexicon(stages, identity, words, self.normalize != "none")

    # ---- text to statistics ----------------------------------------------------------------------

    def _run(self, segments: Segments, *, with_matches: bool) -> tuple[Any, ...]:
        lexicon = self._lexicon
        if lexicon.full:
            lexicon = self._lexicon = self._new_lexicon()
        try:
            return self._engine.run(
                segments.hypotheses,
                segments.references,
                segments.counts,
                lexicon.vocabulary,
                lexicon.analyse,
                self.threads,
                not segments.pretokenized,
                with_matches,
            )
        except BolideError:  # of a matcher
            raise
        except UnicodeEncodeError as error:
            raise _surrogate(segments, error) from None
        except ValueError as error:
            raise self._too_long(segments, error) from None
        except RuntimeError as error:
            repair = f"repair it with: bolide resources install {self.language.code} --force"
            raise ResourceError(f"the language pack in {self.pack.path}: {error}; {repair}") from None

    def _too_long(self, segments: Segments, error: ValueError) -> InputError:
        """The core knows the limit, and that a text is beyond it; this finds the text, the longest."""
        found, _, limit = str(error).rpartition("; ")
        if not found:
            return InputError(str(error))
        lengths = (
            (len(self._words(text, segments.pretokenized)), *where) for text, *where in segments.texts()
        )
        words, segment, reference = max(lengths, key=lambda found: found[0])
        return SegmentError(f"{words} words; {limit}: split it into sentences", segment, reference)

    def _best(self, segments: Segments) -> tuple[Statistics, Flags]:
        """Of each segment with its best reference: the statistics, and the flags of the search."""
        rows = [np.zeros((0, 7 + 4 * len(self.modules)), dtype=np.int32)]
        flags = [np.zeros(0, dtype=np.uint8)]
        for batch in segments.batches(BATCH):
            _, statistics, found, _, _ = self._chosen(batch, with_matches=False)
            rows.append(statistics)
            flags.append(found)
        return np.concatenate(rows), np.concatenate(flags)

    def _chosen(self, batch: Segments, *, with_matches: bool) -> tuple[Any, ...]:
        """Of each segment the row of its best reference, its statistics and flags; and all matches by row."""
        union = self.references == "union" and bool((batch.counts > 1).any())
        statistics, flags, matches, offsets = self._run(batch, with_matches=with_matches or union)
        best = self._best_rows(statistics, batch.counts)
        if not union:
            return best, statistics[best], flags[best], matches, offsets
        words = [self._count_words(texts, batch) for texts in (batch.hypotheses, batch.references)]
        united = _core.unite(statistics, batch.counts, best, matches, offsets, *words)
        starts = np.cumsum(batch.counts) - batch.counts
        return best, united, np.bitwise_or.reduceat(flags, starts), matches, offsets

    def _count_words(self, texts: list[str], batch: Segments) -> Any:
        lexicon = self._lexicon
        return self._engine.count_words(
            texts, lexicon.vocabulary, lexicon.analyse, self.threads, not batch.pretokenized
        )

    def _best_rows(self, statistics: Statistics, counts: Any) -> Integers:
        """For each segment the row of its first reference with the highest score."""
        starts = np.cumsum(counts) - counts
        if (counts == 1).all():
            return cast(Integers, starts.astype(np.int64))
        scores = self.score(statistics)
        highest = np.repeat(np.maximum.reduceat(scores, starts), counts)
        winners = np.flatnonzero(scores == highest)
        return cast(Integers, winners[np.searchsorted(winners, starts)])

    def _words(self, text: str, pretokenized: bool) -> tuple[str, ...]:
        """The tokens of a text, as they are matched."""
        if self._tokenizer is not None and not pretokenized:
            text = self._tokenizer.normalize(text)
        words = _core.split(text)
        return tuple(words if self.normalize == "none" else (word.lower() for word in words))

    def _match(self, row: list[int]) -> Match:
        reference_start, reference_length, start, length, stage, chunk = row
        return Match(reference_start, reference_length, start, length, stage, self.modules[stage], chunk)

    def _score(self, row: Statistics, flags: int) -> Score:
        return Score(
            **components(row, self.parameters),  # type: ignore[arg-type]
            bounded=bool(flags & _core.BOUNDED),
            optimal=not flags & _core.UNPROVEN,
        )


class Corpus:
    """Sums statistics over batches. With `keep` the segments' scores and statistics stay with the result."""

    def __init__(self, meteor: Meteor, *, keep: bool) -> None:
        self._meteor = meteor
        self._keep = keep
        self._sum: Integers = np.zeros(7 + 4 * len(meteor.modules), dtype=np.int64)
        self._kept: list[Statistics] = []
        self._count = self._bounded = self._unproven = 0
        self._references: tuple[int, int] | None = None

    def add(
        self, hypotheses: Sequence[Text], references: Sequence[Any], *, layout: Layout | None = None
    ) -> Statistics:
        """Adds segments, given as to `Meteor.corpus_score`; returns their statistics."""
        return self.add_segments(many_segments(hypotheses, references, layout, first=self._count + 1))[0]

    def add_segments(self, segments: Segments) -> tuple[Statistics, Flags]:
        """Adds segments that are in shape already; their statistics and the flags of the search."""
        statistics, flags = self._meteor._best(segments)
        self._sum += aggregate(statistics)
        self._count += len(segments)
        self._bounded += int(np.count_nonzero(flags & _core.BOUNDED))
        self._unproven += int(np.count_nonzero(flags & _core.UNPROVEN))
        if len(segments):
            low, high = int(segments.counts.min()), int(segments.counts.max())
            known = self._references or (low, high)
            self._references = (min(low, known[0]), max(high, known[1]))
        if self._keep:
            self._kept.append(statistics)
        return statistics, flags

    @property
    def statistics(self) -> Integers:
        """The sum so far."""
        return self._sum.copy()

    def score(self) -> CorpusScore:
        """The corpus score of what was added."""
        kept = np.concatenate(self._kept) if self._kept else None
        return CorpusScore(
            **components(self._sum, self._meteor.parameters),  # type: ignore[arg-type]
            bounded=self._bounded,
            optimal=self._unproven == 0,
            unproven=self._unproven,
            segment_count=self._count,
            signature=self._meteor.get_signature(self._references),
            segments=None if kept is None else self._meteor.score(kept),
            statistics=kept,
        )


# Why a module may not be had.
SHORT_OF_RESOURCE = {
    "exact": "",
    "stem": "has no stemmer in language '{language}'",
    "synonym": "needs synonyms, which the pack of language '{language}' does not have",
    "paraphrase": "needs a paraphrase table, which the pack of language '{language}' does not have",
}


def _rebuild(arguments: dict[str, Any]) -> Meteor:
    return Meteor(**arguments)


def _surrogate(segments: Segments, error: UnicodeEncodeError) -> SegmentError:
    problem = (
        f"a lone surrogate (U+{ord(error.object[error.start]):04X}), which is not a character; "
        "decode the input as UTF-8 with errors='replace' first"
    )
    where = next((where for text, *where in segments.texts() if text == error.object), [segments.first, 0])
    return SegmentError(problem, *where)
