"""Meteor: the scorer, from text to scores.

    text ──normalise──▶ tokens ──match──▶ matches ──align──▶ alignment ──count──▶ statistics ──score──▶ scores

All up to the statistics is one native call per batch, threaded, with the GIL released; all after it is
arithmetic on the statistics array (score.py).
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bolide import _core
from bolide._support.arrays import Flags, Floats, Integers, Statistics
from bolide.errors import BolideError, InputError, ResourceError, SegmentError
from bolide.formula.statistics import checked, evaluate
from bolide.inputs.segments import BATCH, Layout, Segments, Text, many_segments, one_segment
from bolide.matching.lexicon import Lexicon
from bolide.matching.matchers import AnyMatcher, Module
from bolide.profiles import Profile
from bolide.scoring.alignment import Alignment, Match, Rows
from bolide.scoring.configuration import AnyPack, Configuration
from bolide.scoring.corpus import Corpus
from bolide.scoring.eval_id import eval_id
from bolide.scoring.score import CorpusScore, Score, components
from bolide.scoring.signature import Signature

if TYPE_CHECKING:
    from typing_extensions import Self

    from bolide.explanation.explanation import Explanation
    from bolide.explanation.reasons import Reason


class Meteor(Configuration):
    """A METEOR by name.

    `profile` (a name, or a TOML file), `language` and `task` choose it; every keyword overrides one of their
    settings:

    - `modules`: names (`bolide.matching.modules`), or matchers of one's own (`bolide.matching.matchers`),
      with their `weights`.
    - `alpha`, `beta`, `gamma`, `delta`: the parameters of the score.
    - `normalize`: "keep-punctuation" (tokenise, lower-case), "keep-case" (the same, but only words with
      equal case are equal; see the module `case`), "no-punctuation" (punctuation dropped), "lower" (only
      lower-case) or "none".
    - `characters`: count characters instead of words (default: as the profile says).
    - `aligner`: "beam" (Java's), "exact" (proven optimal), "staged" (2005's) or "greedy" (NLTK's); for the
      first two, `search_weights`: "paper", "halves", "java", or numbers by module (default: the profile's,
      but "paper" if `aligner="exact"` is given to a profile with another); and the `beam`'s width.
    - `references`: "best" (the reference with the highest score), or "union" (a word may be matched in any).
    - `stop_words`: words that the exact module passes over; a list, or a file with a word a line.
    - `synonyms`: a source of synonyms other than the language pack: "wordnet", "mythes", or a pack.
    - `threads`: their number (default: BOLIDE_THREADS, or all cores).
    - `resources`: a pack of this language or its folder (default: the installed one, fetched on first use).

    A scorer is immutable, can be pickled, and can be shared between threads.
    """

    def __init__(
        self,
        profile: str | os.PathLike[str] | Profile = "1.5",
        language: str = "en",
        task: str | None = None,
        *,
        modules: Iterable[Module] | None = None,
        weights: Iterable[float] | None = None,
        alpha: float | None = None,
        beta: float | None = None,
        gamma: float | None = None,
        delta: float | None = None,
        normalize: str | None = None,
        characters: bool | None = None,
        aligner: str | None = None,
        search_weights: str | Mapping[str, float] | None = None,
        beam: int = 40,
        references: str = "best",
        stop_words: str | os.PathLike[str] | Iterable[str] | None = None,
        synonyms: AnyPack | None = None,
        threads: int | None = None,
        resources: AnyPack | None = None,
    ) -> None:
        super().__init__({k: value for k, value in locals().items() if k not in ("self", "__class__")})
        self._tokenizer = self.make_tokenizer()
        self._engine = self.make_engine(self._tokenizer)
        self._lexicon = self.make_lexicon()
        self._core_parameters = self.parameters.core()
        self._at_work: set[int] = set()  # the threads that use the lexicon now
        _scorers.add(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self._arguments)

    def __repr__(self) -> str:
        return f"<Meteor {self.get_signature()}>"

    # ---- scores ----------------------------------------------------------------------------------

    def sentence_score(self, hypothesis: Text, references: Text | Sequence[Text]) -> Score:
        """The score of one segment against its reference, or against the best of its references."""
        statistics, flags = self.best(one_segment(hypothesis, references))
        return self._score(statistics[0], flags[0])

    def corpus_score(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[Any],
        *,
        layout: Layout | None = None,
        documents: Sequence[str] | None = None,
    ) -> CorpusScore:
        """The score of a corpus; `references` as in `bolide.inputs.segments`. With the id of each segment's
        document it has the `documents`' scores too."""
        corpus = Corpus(self, keep=True)
        if not len(corpus.add(hypotheses, references, layout=layout, documents=documents)):
            raise InputError("nothing to score: there are no segments")
        return corpus.score()

    def statistics(
        self, hypotheses: Sequence[Text], references: Sequence[Any], *, layout: Layout | None = None
    ) -> Statistics:
        """The statistics of each segment with its best reference: integers, one row per
        segment (`bolide.formula.statistics.columns` names the columns)."""
        return self.best(many_segments(hypotheses, references, layout))[0]

    def score(self, statistics: Statistics | Floats) -> Floats:
        """The score of each row of statistics."""
        return self._scores(checked(statistics, self.modules))

    def _scores(self, rows: Statistics | Floats) -> Floats:
        """The same of rows that are known to be right."""
        return evaluate(rows, self.parameters)[:, -1]

    def evaluate(self, statistics: Statistics | Floats) -> Floats:
        """Precision, recall, f1, fmean, penalty and score of each row of statistics (NaN where undefined)."""
        return evaluate(checked(statistics, self.modules), self.parameters)

    def align(self, hypothesis: Text, references: Text | Sequence[Text]) -> Alignment:
        """The alignment with the reference, or with the best of several."""
        return self.align_all(one_segment(hypothesis, references))[0]

    def explain(self, hypothesis: Text, references: Text | Sequence[Text]) -> Explanation:
        """The score of one segment with its alignment, why words match, and the arithmetic; it can be
        printed, and shows itself in notebooks."""
        from bolide.explanation.explanation import explain

        return explain(self, hypothesis, references)

    def reason(self, alignment: Alignment, match: Match) -> Reason:
        """Why the words of a match were tied: the keys that they share, and what these are."""
        from bolide.explanation.reasons import reason

        stage = self._matchers.get(match.module) or self.make_stage(match.module)
        ours, theirs = alignment.phrases(match)
        if match.module in self.lowered_modules:
            ours, theirs = tuple(map(str.lower, ours)), tuple(map(str.lower, theirs))
        return reason(stage, ours, theirs)

    # ---- signatures ------------------------------------------------------------------------------

    def get_signature(
        self,
        references: tuple[int, int] | int | None = None,
        unproven: int = 0,
        *,
        form: str = "standard",
    ) -> str:
        """One line that says which METEOR this is, for scores with so many references a segment, so many of
        which have alignments that are not proven optimal. The form is "standard", "short" or "long"."""
        return Signature.of(self, references, unproven).format(form, self.profile)

    @classmethod
    def from_signature(
        cls,
        signature: str | Signature,
        *,
        profile: str | os.PathLike[str] | Profile | None = None,
        matchers: Iterable[AnyMatcher] = (),
        stop_words: str | os.PathLike[str] | Iterable[str] | None = None,
        synonyms: AnyPack | None = None,
        resources: AnyPack | None = None,
        threads: int | None = None,
    ) -> Self:
        """The scorer that has this signature, in any form. What a line of text cannot hold must be given: a
        profile or matchers of one's own, stop words, packs other than the installed ones. An error tells what
        is missing, or has another hash; a warning, that another version of bolide made the signature."""
        from bolide.scoring.reproduction import reproduce

        return reproduce(
            cls, signature, threads, profile=profile, matchers=matchers, stop_words=stop_words,
            synonyms=synonyms, resources=resources,
        )  # fmt: skip

    def get_eval_id(self) -> str | None:
        """What the Java release calls these settings, its "Eval ID"; None if it cannot have them."""
        return eval_id(self)

    # ---- for streaming ---------------------------------------------------------------------------

    def corpus(self, *, keep: bool = False) -> Corpus:
        """An accumulator for corpora of any size: add batches of segments, then ask for the score. With
        `keep` it keeps the segments' scores and statistics too, as `corpus_score` does."""
        return Corpus(self, keep=keep)

    def align_all(self, segments: Segments) -> list[Alignment]:
        """Alignments of segments, each with its best reference."""
        alignments = []
        for batch in self._batches(segments):
            rows = self._chosen(batch, with_matches=True)
            matches, offsets = rows.matches, rows.offsets
            for k, row in enumerate(rows.best.tolist()):
                alignments.append(
                    Alignment(
                        self._words(batch.hypotheses[k], batch.pretokenized),
                        self._words(batch.references[row], batch.pretokenized),
                        tuple(self._match(m) for m in matches[offsets[row] : offsets[row + 1]].tolist()),
                        self._score(rows.statistics[k], rows.flags[k]),
                    )
                )
        return alignments

    def align_references(self, segments: Segments) -> Rows:
        """Alignments of segments with each of their references, as arrays."""
        found = [self._chosen(batch, with_matches=True) for batch in self._batches(segments)]
        if len(found) == 1:
            return found[0]
        ends = np.cumsum([0, *(len(rows.row_flags) for rows in found)])
        best = np.concatenate([rows.best + start for rows, start in zip(found, ends[:-1], strict=True)])
        sizes = np.concatenate([np.diff(rows.offsets) for rows in found])
        columns = {name: np.concatenate([getattr(rows, name) for rows in found]) for name in Rows._fields}
        return Rows(**{**columns, "best": best, "offsets": np.cumsum([0, *sizes])})

    def words(self, segments: Segments) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
        """The words of hypotheses and of references, as they are matched."""
        hypotheses: list[tuple[str, ...]] = []
        references: list[tuple[str, ...]] = []
        for batch in self._batches(segments):
            for words, texts in ((hypotheses, batch.hypotheses), (references, batch.references)):
                words += [self._words(text, batch.pretokenized) for text in texts]
        return hypotheses, references

    def count_alignments(self, segments: Segments, matches: Any, offsets: Any) -> Statistics:
        """The statistics of alignments that somebody else has chosen, of segments with one reference each:
        rows of reference start, length, hypothesis start, length, stage, and where those of each begin."""
        texts = segments.hypotheses, segments.references
        with self._using_lexicon() as lexicon:
            return self._engine.count_alignments(
                *texts, matches, offsets, lexicon.vocabulary, lexicon.analyse, self.threads
            )

    def function_words(self, words: Sequence[str]) -> frozenset[str]:
        """Those of the words, as they are matched, that count as function words."""
        with self._using_lexicon() as lexicon:
            _, functions, _ = self._engine.count_words(
                list(words), lexicon.vocabulary, lexicon.analyse, self.threads, False
            )
        return frozenset(compress(words, functions.tolist()))

    def normalized(self, text: str) -> str:
        """The text as the scorer sees it: normalised and lower-cased, words separated by spaces. What the
        profile deletes from hypotheses is still there."""
        if not isinstance(text, str):
            raise InputError(f"a text to normalise must be a string, not {type(text).__name__}")
        return " ".join(self._words(text, pretokenized=False))

    # ---- text to statistics ----------------------------------------------------------------------

    @contextmanager
    def _using_lexicon(self) -> Iterator[Lexicon]:
        """The lexicon, while others can know that it is in use."""
        self._at_work.add(threading.get_ident())
        try:
            if self._lexicon.full:
                self._lexicon = self.make_lexicon()
            yield self._lexicon
        finally:
            self._at_work.discard(threading.get_ident())

    def _after_fork(self) -> None:
        """In a new process the threads that were at work are gone, and never give back their locks."""
        if self._at_work:
            # They may be half changed, and then they cannot be freed safely.
            _abandoned.append((self._engine, self._lexicon))
            self._at_work.clear()
            self._engine = self.make_engine(self._tokenizer)  # it has a cache of texts, with a lock
            self._lexicon = self.make_lexicon()

    def segment(
        self, texts: list[list[str]], parameters: _core.Parameters | None = None
    ) -> list[tuple[float, float, float, float, float, float]] | None:
        """For one segment, a hypothesis and its references, all lists of tokens: the rows of `evaluate`, one
        for each reference, at the least cost. None if it cannot be scored; `best` tells what is wrong."""
        thread = threading.get_ident()
        self._at_work.add(thread)
        try:
            lexicon = self._lexicon
            if lexicon.full:
                lexicon = self._lexicon = self.make_lexicon()
            return self._engine.segment(
                texts, lexicon.vocabulary, lexicon.analyse, parameters or self._core_parameters
            )
        except BolideError:  # of a matcher
            raise
        except (ValueError, RuntimeError):
            return None
        finally:
            self._at_work.discard(thread)

    def _run(self, segments: Segments, *, with_matches: bool) -> tuple[Any, ...]:
        try:
            with self._using_lexicon() as lexicon:
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
            raise segments.surrogate(error) from None
        except ValueError as error:
            raise self._too_long(segments, error) from None
        except RuntimeError as error:
            repair = f"repair it with: bolide resources install {self.language.code} --force"
            raise ResourceError(f"the language pack in {self.pack.path}: {error}; {repair}") from None

    def _batches(self, segments: Segments) -> Iterator[Segments]:
        """The segments in pieces for the core, without what the profile deletes from hypotheses."""
        for batch in segments.batches(BATCH):
            hypotheses = batch.hypotheses
            for text in self.profile.deleted:
                hypotheses = [hypothesis.replace(text, "") for hypothesis in hypotheses]
            yield batch if hypotheses is batch.hypotheses else replace(batch, hypotheses=hypotheses)

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

    def best(self, segments: Segments) -> tuple[Statistics, Flags]:
        """Of each segment with its best reference (or with all of them together): the statistics, and the
        flags of the search."""
        found = [self._chosen(batch, with_matches=False)[1:3] for batch in self._batches(segments)]
        if not found:
            width = _core.StatisticsLayout(self.modules).width
            return np.zeros((0, width), dtype=np.int32), np.zeros(0, dtype=np.uint8)
        if len(found) == 1:
            return found[0]
        rows, flags = zip(*found, strict=True)
        return np.concatenate(rows), np.concatenate(flags)

    def _chosen(self, batch: Segments, *, with_matches: bool) -> Rows:
        """All rows of a batch, and what counts of each segment."""
        union = self.references == "union" and bool((batch.counts > 1).any())
        statistics, flags, matches, offsets = self._run(batch, with_matches=with_matches or union)
        found = statistics, flags, matches, offsets
        if len(batch.references) == len(batch):  # one each: all are best
            return Rows(np.arange(len(batch)), statistics, flags, *found)
        best = self._best_rows(statistics, batch.counts)
        if not union:
            return Rows(best, statistics[best], flags[best], *found)
        words = [self._count_words(texts, batch) for texts in (batch.hypotheses, batch.references)]
        united = _core.unite(statistics, batch.counts, best, matches, offsets, *words)
        # More words may mean more chunks: the best reference alone is one of the choices.
        alone = self._scores(united) < self._scores(statistics[best])
        united[alone] = statistics[best][alone]
        starts = np.cumsum(batch.counts) - batch.counts
        return Rows(best, united, np.bitwise_or.reduceat(flags, starts), *found)

    def _count_words(self, texts: list[str] | _core.Lines, batch: Segments) -> Any:
        with self._using_lexicon() as lexicon:
            return self._engine.count_words(
                texts, lexicon.vocabulary, lexicon.analyse, self.threads, not batch.pretokenized
            )

    def _best_rows(self, statistics: Statistics, counts: Any) -> Integers:
        """For each segment the row of its first reference with the highest score."""
        starts = np.cumsum(counts) - counts
        scores = self._scores(statistics)
        highest = np.repeat(np.maximum.reduceat(scores, starts), counts)
        winners = np.flatnonzero(scores == highest)
        return cast(Integers, winners[np.searchsorted(winners, starts)])

    def _words(self, text: str, pretokenized: bool) -> tuple[str, ...]:
        """The tokens of a text, as they are matched."""
        if self._tokenizer is not None and not pretokenized:
            text = self._tokenizer.normalize(text)
        words = _core.split(text)
        return tuple(map(str.lower, words) if self.lowers else words)

    def _match(self, row: list[int]) -> Match:
        reference_start, reference_length, start, length, stage, chunk = row
        return Match(reference_start, reference_length, start, length, stage, self.modules[stage], chunk)

    def _score(self, row: Statistics, flags: int) -> Score:
        return Score(
            **components(row, self.parameters),  # type: ignore[arg-type]
            bounded=bool(flags & _core.BOUNDED),
            optimal=not flags & _core.UNPROVEN,
        )


_scorers: weakref.WeakSet[Meteor] = weakref.WeakSet()
_abandoned: list[tuple[_core.Engine, Lexicon]] = []


def _after_fork() -> None:
    for scorer in list(_scorers):
        scorer._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _rebuild(kind: type[Meteor], arguments: dict[str, Any]) -> Meteor:
    return kind(**arguments)
