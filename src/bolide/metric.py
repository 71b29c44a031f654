"""Meteor: the scorer, from text to scores.

    text ──normalise──▶ tokens ──match──▶ matches ──align──▶ alignment ──count──▶ statistics ──score──▶ scores

All up to the statistics is one native call per batch, threaded, with the GIL released; all after it is arithmetic on
the statistics array (score.py).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolide import _core, languages, profiles, resources
from bolide.errors import ConfigurationError, InputError, ResourceError, unknown
from bolide.lexicon import Lexicon
from bolide.matchers import Exact, Paraphrase, Stage, Stem, Synonym, WordIdentity, core_kind
from bolide.score import CorpusScore, Floats, Integers, Parameters, Score, Statistics, aggregate, components, evaluate
from bolide.segments import Layout, Segments, Text, many_segments, one_segment
from bolide.signature import NORMALIZATION, signature
from bolide.wordnet import WordNet

# Segments in one native call: few enough that Ctrl-C is answered at once and memory stays small.
BATCH = 4096


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
    lower-case) or "none". `threads` is the number of threads (default: BOLIDE_THREADS, or all cores). `resources` is
    a language pack or its folder (default: the installed one, fetched on first use).

    A scorer is immutable, can be pickled, and can be shared between threads.
    """

    def __init__(
        self,
        profile: str = "1.5",
        language: str = "en",
        task: str = "rank",
        *,
        modules: Sequence[str] | None = None,
        weights: Sequence[float] | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        gamma: float | None = None,
        delta: float | None = None,
        normalize: str = "keep-punctuation",
        characters: bool = False,
        beam: int = 40,
        threads: int | None = None,
        resources: Any = None,
    ) -> None:
        self._arguments = {name: value for name, value in locals().items() if name not in ("self", "__class__")}
        self.profile = profiles.get(profile)
        self.language = languages.get(language)
        self.normalize = _choice("normalize", normalize, list(NORMALIZATION))
        self.characters = characters
        self.beam = _positive("beam", beam)
        self.threads = _threads(threads)
        self.pack = _pack(self.language.code, resources)
        self.modules = self._choose_modules(modules)
        given = {"alpha": alpha, "beta": beta, "gamma": gamma, "delta": delta, "weights": weights}
        self.custom_parameters = any(value is not None for value in given.values())
        self.task, self.parameters = self._choose_parameters(task, given)
        self._stages = [self._stage(name) for name in self.modules]
        self._tokenizer = self._make_tokenizer()
        self._engine = _core.Engine(
            [core_kind(stage) for stage in self._stages],
            [self.profile.search_weight(name) for name in self.modules],
            self.beam,
            self.characters,
            self._tokenizer,
            self.pack.paraphrases if "paraphrase" in self.modules else None,
        )
        self._lexicon = self._new_lexicon()

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self._arguments,)

    def __repr__(self) -> str:
        return f"<Meteor {self.get_signature()}>"

    # ---- scores ----------------------------------------------------------------------------------------------------

    def sentence_score(self, hypothesis: Text, references: Text | Sequence[Text]) -> Score:
        """The score of one segment against its reference, or against the best of its references."""
        statistics, bounded = self._best(one_segment(hypothesis, references))
        return self._score(statistics[0], bool(bounded[0]))

    def corpus_score(
        self, hypotheses: Sequence[Text], references: Sequence[Any], *, layout: Layout | None = None
    ) -> CorpusScore:
        """The score of a corpus; `references` as in `bolide.segments`."""
        corpus = Corpus(self, keep=True)
        corpus.add(many_segments(hypotheses, references, layout))
        return corpus.score()

    def statistics(
        self, hypotheses: Sequence[Text], references: Sequence[Any], *, layout: Layout | None = None
    ) -> Statistics:
        """The statistics of each segment with its best reference: integers, a row a segment, 7 + 4·modules columns
        (`bolide.score.columns`)."""
        return self._best(many_segments(hypotheses, references, layout))[0]

    def score(self, statistics: Statistics) -> Floats:
        """The score of each row of statistics."""
        return self.evaluate(statistics)[:, -1]

    def evaluate(self, statistics: Statistics) -> Floats:
        """Precision, recall, f1, fmean, penalty and score of each row of statistics (NaN where undefined)."""
        rows = np.atleast_2d(statistics)
        if rows.shape[1] != 7 + 4 * len(self.modules):
            raise InputError(
                f"statistics have {rows.shape[1]} columns; modules {' '.join(self.modules)} need {7 + 4 * len(self.modules)}"
            )
        return evaluate(rows, self.parameters)

    def align(self, hypothesis: Text, references: Text | Sequence[Text]) -> Alignment:
        """The alignment with the reference, or with the best of several."""
        return self.align_all(one_segment(hypothesis, references))[0]

    def get_signature(self, references: tuple[int, int] | int | None = None) -> str:
        """One line that says which METEOR this is, for scores with so many references a segment."""
        return signature(self, references)

    # ---- for streaming ---------------------------------------------------------------------------------------------

    def corpus(self, *, keep: bool = False) -> Corpus:
        """An accumulator for corpora of any size: add segments in batches, then ask for the score."""
        return Corpus(self, keep=keep)

    def align_all(self, segments: Segments) -> list[Alignment]:
        """Alignments of segments, each with its best reference."""
        alignments = []
        for batch in segments.batches(BATCH):
            statistics, bounded, matches, offsets = self._run(batch, with_matches=True)
            best = self._best_rows(statistics, batch.counts)
            for hypothesis, row in zip(batch.hypotheses, best, strict=True):
                alignments.append(
                    Alignment(
                        self._words(hypothesis, batch.pretokenized),
                        self._words(batch.references[row], batch.pretokenized),
                        tuple(self._match(m) for m in matches[offsets[row] : offsets[row + 1]].tolist()),
                        self._score(statistics[row], bool(bounded[row])),
                    )
                )
        return alignments

    def normalized(self, text: str) -> str:
        """The text as the scorer sees it: normalised and lower-cased, words separated by spaces."""
        return " ".join(self._words(text, pretokenized=False))

    # ---- set-up ----------------------------------------------------------------------------------------------------

    def _choose_modules(self, modules: Sequence[str] | None) -> tuple[str, ...]:
        available = self.available_modules()
        wanted = tuple(self.language.modules if modules is None else modules)
        if isinstance(modules, str):
            raise ConfigurationError(f"modules is a list of names such as {list(available)}, not one string")
        for name in wanted:
            _choice("module", name, list(SHORT_OF_RESOURCE))
            if name not in available:
                raise ConfigurationError(
                    f"module '{name}' {SHORT_OF_RESOURCE[name].format(language=self.language.code)}; choose modules "
                    f"from: {' '.join(available)} (modules={list(available)!r})"
                )
        if not wanted or len(set(wanted)) != len(wanted):
            raise ConfigurationError(f"modules must be different and at least one, not: {' '.join(wanted) or 'none'}")
        return wanted

    def available_modules(self) -> tuple[str, ...]:
        """The modules that this language has, with the resources at hand."""
        there = {
            "exact": True,
            "stem": self.language.stemmer is not None,
            "synonym": self.pack.synonyms is not None,
            "paraphrase": self.pack.paraphrases is not None,
        }
        return tuple(name for name, here in there.items() if here)

    def _choose_parameters(self, task: str, given: dict[str, Any]) -> tuple[str, Parameters]:
        """The task's parameters with those given in their place; a task is not needed if all are given."""
        numbers = {name: value for name, value in given.items() if value is not None}
        weights = numbers.pop("weights", None)
        weights = None if weights is None else _weights(weights, self.modules)
        for name, value in numbers.items():
            numbers[name] = _number(name, value)
        if len(numbers) == 4 and weights is not None:
            return "custom", Parameters(**numbers, weights=weights)
        task = self.profile.task(task, self.language.code)
        row = self.profile.parameters(task, self.language.code, None if weights is not None else self.modules)
        defaults = {"alpha": row.alpha, "beta": row.beta, "gamma": row.gamma, "delta": row.delta}
        return task, Parameters(**{**defaults, **numbers}, weights=weights or row.weights)

    def _stage(self, name: str) -> Stage:
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
        return _core.Tokenizer(
            style, list(self.pack.prefixes), list(self.pack.numeric_prefixes), self.normalize == "keep-punctuation"
        )

    def _new_lexicon(self) -> Lexicon:
        words = self.pack.english_function_words if self.profile.function_words == "english" else self.pack.function_words
        return Lexicon(self._stages, WordIdentity(self.profile.word_identity), words, self.normalize != "none")

    # ---- text to statistics ----------------------------------------------------------------------------------------

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
        except UnicodeEncodeError as error:
            raise InputError(
                f"a text contains a lone surrogate (U+{ord(error.object[error.start]):04X}), which is not a character; "
                "decode the input as UTF-8 with errors='replace' first"
            ) from None
        except ValueError as error:
            raise InputError(str(error)) from None
        except RuntimeError as error:
            repair = f"repair it with: bolide resources install {self.language.code} --force"
            raise ResourceError(f"the language pack in {self.pack.path}: {error}; {repair}") from None

    def _best(self, segments: Segments) -> tuple[Statistics, Any]:
        """Statistics and bounds of each segment with its best reference."""
        rows, flags = [np.zeros((0, 7 + 4 * len(self.modules)), dtype=np.int32)], [np.zeros(0, dtype=np.uint8)]
        for batch in segments.batches(BATCH):
            statistics, bounded, _, _ = self._run(batch, with_matches=False)
            best = self._best_rows(statistics, batch.counts)
            rows.append(statistics[best])
            flags.append(bounded[best])
        return np.concatenate(rows), np.concatenate(flags)

    def _best_rows(self, statistics: Statistics, counts: Any) -> Integers:
        """For each segment the row of its first reference with the highest score."""
        starts = np.cumsum(counts) - counts
        if (counts == 1).all():
            return starts.astype(np.int64)
        scores = self.score(statistics)
        highest = np.repeat(np.maximum.reduceat(scores, starts), counts)
        winners = np.flatnonzero(scores == highest)
        return winners[np.searchsorted(winners, starts)]

    def _words(self, text: str, pretokenized: bool) -> tuple[str, ...]:
        """The tokens of a text, as they are matched."""
        if self._tokenizer is not None and not pretokenized:
            text = self._tokenizer.normalize(text)
        words = _core.split(text)
        return tuple(words if self.normalize == "none" else (word.lower() for word in words))

    def _match(self, row: list[int]) -> Match:
        *spans, stage, chunk = row
        return Match(*spans, stage, self.modules[stage], chunk)

    def _score(self, row: Statistics, bounded: bool) -> Score:
        return Score(**components(row, self.parameters), bounded=bounded)  # type: ignore[arg-type]


class Corpus:
    """Sums statistics over batches. With `keep` the segments' scores and statistics stay with the result."""

    def __init__(self, meteor: Meteor, *, keep: bool) -> None:
        self._meteor = meteor
        self._keep = keep
        self._sum: Integers = np.zeros(7 + 4 * len(meteor.modules), dtype=np.int64)
        self._kept: list[Statistics] = []
        self._count = self._bounded = 0
        self._references: tuple[int, int] | None = None

    def add(self, segments: Segments) -> Statistics:
        """Adds segments; returns their statistics."""
        statistics, bounded = self._meteor._best(segments)
        self._sum += aggregate(statistics)
        self._count += len(segments)
        self._bounded += int(bounded.sum())
        if len(segments):
            low, high = int(segments.counts.min()), int(segments.counts.max())
            known = self._references or (low, high)
            self._references = (min(low, known[0]), max(high, known[1]))
        if self._keep:
            self._kept.append(statistics)
        return statistics

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


def _choice(what: str, value: str, choices: list[str]) -> str:
    if value not in choices:
        raise unknown(what, value, choices)
    return value


def _positive(what: str, value: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ConfigurationError(f"{what} must be a whole number of at least 1, not {value!r}")
    return value


def _number(what: str, value: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not np.isfinite(number):
        raise ConfigurationError(f"{what} must be a number, not {value!r}")
    return number


def _weights(weights: Sequence[float], modules: tuple[str, ...]) -> tuple[float, ...]:
    if isinstance(weights, str) or len(weights) != len(modules):
        raise ConfigurationError(
            f"weights must be {len(modules)} numbers, one for each module ({' '.join(modules)}), not {weights!r}"
        )
    return tuple(_number("a weight", weight) for weight in weights)


def _threads(threads: int | None) -> int:
    if threads is not None:
        return _positive("threads", threads)
    wanted = os.environ.get("BOLIDE_THREADS", "")
    if wanted:
        if not wanted.isdecimal() or int(wanted) < 1:
            raise ConfigurationError(f"BOLIDE_THREADS must be a whole number of at least 1, not '{wanted}'")
        return int(wanted)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _pack(language: str, given: Any) -> resources.Pack:
    if given is None:
        return resources.open_pack(language)
    if isinstance(given, (str, os.PathLike)):
        return resources.load_pack(given)
    if isinstance(given, resources.Pack):
        return given
    raise ConfigurationError(f"resources must be a language pack or its folder, not {given!r}")
