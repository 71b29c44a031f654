"""Meteor: the scorer, from texts to scores.

    text ──normalize──▶ tokens ──match──▶ matches ──align──▶ alignment ──count──▶ statistics ──score──▶ scores

Text in languages without spaces is segmented before (bolide.language.segmentation).

Everything up to the statistics is one call into the core per batch (engine.py), with threads and without the
GIL. Everything after it is arithmetic on the statistics (bolide.formula.statistics).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from bolide import _core
from bolide._support import checks
from bolide._support.arrays import Floats, Integers, Statistics
from bolide.errors import InputError
from bolide.formula.parameters import Parameters
from bolide.formula.statistics import checked, evaluate, scores
from bolide.inputs.groups import TextGroups, many_groups, one_group
from bolide.inputs.segments import BATCH, ReferenceLayout, Segments, Text, many_segments, one_segment
from bolide.matching.matchers import AnyMatcher, Module
from bolide.profiles import Profile
from bolide.scoring.alignment import Alignment, Match, ReferenceAlignments, best_rows
from bolide.scoring.corpus import Corpus, CorpusStream
from bolide.scoring.decision import KEEP, Choice, MbrPlan, decide
from bolide.scoring.engine import ComponentRow, ScoringEngine
from bolide.scoring.eval_id import eval_id
from bolide.scoring.measured import MeasuredSegments
from bolide.scoring.packs import AnyPack
from bolide.scoring.pairwise import all_pairs
from bolide.scoring.resolve import Overrides, resolve
from bolide.scoring.score import CorpusScore, Score, components
from bolide.scoring.settings import DEFAULT_BEAM, TOGETHER, Settings
from bolide.scoring.signature import Signature

if TYPE_CHECKING:
    from typing_extensions import Self

    from bolide.explanation.explanation import Explanation
    from bolide.explanation.reasons import Reason

# Names that cannot be assigned to.
_FIXED = frozenset(["settings", *(field.name for kind in (Settings, Overrides) for field in fields(kind))])


class Meteor:
    """A METEOR scorer.

    `profile` (a name, or a TOML file), `language` and `task` choose the metric. Every keyword overrides one
    of their settings:

    - `modules`: names of built-in modules (`bolide.matching.modules`), or custom matchers
      (`bolide.matching.custom`), with their `weights`.
    - `alpha`, `beta`, `gamma`, `delta`: the parameters of the score.
    - `normalize`: "keep-punctuation" (split into words, lower-case), "keep-case" (the same, but words with
      different case are different; see the module `case`), "no-punctuation" (drop punctuation), "lower" (only
      lower-case) or "none".
    - `unit`: what is counted: "words", "characters", "information": the letters of each word and the bits of
      information in it, from its frequency in the language, or "squared-bits": the square of these bits
      (default: as the profile says).
    - `segmentation`: how to find words in Chinese, Japanese, Korean and Thai text: "characters", "jieba",
      "mecab", "kiwi", "pythainlp", "unicode", or "spaces" (`bolide.language.segmentation`).
    - `aligner`: "beam" (as the Java release), "exact" (proven optimal), "staged" (as METEOR 2005), "greedy"
      (as NLTK) or "repeat" (as NLTK before 3.6.3). The first two have `search_weights`: "paper", "halves",
      "java", or numbers by module (default: those of the profile, but "paper" if `aligner="exact"` is given
      to a profile with another aligner), and a `beam` width.
    - `references`: "best" (use the reference with the highest score), "union" (match words in any), "all"
      (add up the statistics of all references), or "pool" (as "all", but a word of the hypothesis counts as
      matched with each reference if any matches it; default: as the profile says).
    - `stop_words`: words that the exact module ignores: a list, or a file with one word per line.
    - `synonyms`: a source of synonyms other than the language pack: "wordnet", "mythes", or a pack.
    - `threads`: the number of threads (default: BOLIDE_THREADS, or one per core).
    - `resources`: a language pack or its folder (default: the installed one, which is fetched on first use).

    A scorer is immutable. It can be pickled, and it can be shared between threads.
    """

    settings: Settings
    threads: int

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
        unit: str | None = None,
        segmentation: str | None = None,
        aligner: str | None = None,
        search_weights: str | Mapping[str, float] | None = None,
        beam: int = DEFAULT_BEAM,
        references: str | None = None,
        stop_words: str | os.PathLike[str] | Iterable[str] | None = None,
        synonyms: AnyPack | None = None,
        threads: int | None = None,
        resources: AnyPack | None = None,
    ) -> None:
        self._set_up(
            resolve(
                profile,
                language,
                task,
                modules=modules,
                weights=weights,
                alpha=alpha,
                beta=beta,
                gamma=gamma,
                delta=delta,
                normalize=normalize,
                unit=unit,
                segmentation=segmentation,
                aligner=aligner,
                search_weights=search_weights,
                beam=beam,
                references=references,
                stop_words=stop_words,
                synonyms=synonyms,
                threads=threads,
                resources=resources,
            )
        )

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """The scorer with these settings, which `bolide.scoring.resolve` has made."""
        meteor = cls.__new__(cls)
        meteor._set_up(settings)
        return meteor

    def _set_up(self, settings: Settings) -> None:
        vars(self).update(settings=settings, threads=checks.threads(settings.threads))
        self._engine = ScoringEngine(settings, self.threads)
        self._core_parameters = settings.parameters.core()

    def __setattr__(self, name: str, value: Any) -> None:
        """A scorer does not change, because its engine would stay as it is."""
        if name in _FIXED:
            raise AttributeError(f"a scorer does not change: make another, with the {name} that you want")
        super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        # The third item is what subclasses have added.
        own = ("settings", "threads", "_engine", "_core_parameters")
        further = {name: value for name, value in vars(self).items() if name not in own}
        return type(self).from_settings, (self.settings,), further or None

    def __repr__(self) -> str:
        return f"<Meteor {self.get_signature()}>"

    @property
    def modules(self) -> tuple[str, ...]:
        """The names of the modules, in the order of the stages."""
        return self.settings.modules

    @property
    def parameters(self) -> Parameters:
        """The parameters of the score."""
        return self.settings.parameters

    # ---- scores ----------------------------------------------------------------------------------

    def sentence_score(self, hypothesis: Text, references: Text | Sequence[Text]) -> Score:
        """The score of one segment against its reference, or against the best of its references."""
        found = self.measure(one_segment(hypothesis, references))
        return self._score(found.statistics[0], found.flags[0])

    def corpus_score(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[Any],
        *,
        layout: ReferenceLayout | None = None,
        documents: Sequence[str] | None = None,
    ) -> CorpusScore:
        """The score of a corpus. `bolide.inputs.segments` describes `references` and `layout`. With
        `documents`, one document id per segment, the result has the score of each document too."""
        segments = many_segments(hypotheses, references, layout, documents)
        if not len(segments):
            raise InputError("nothing to score: there are no segments")
        corpus = Corpus(self.settings, keep=True)
        corpus.add(self.measure(segments))
        return corpus.score()

    def corpus(self, *, keep: bool = False) -> CorpusStream:
        """For corpora of any size: add batches of texts, then ask for the score. With `keep` the result has
        the scores and statistics of the segments, as that of `corpus_score` has."""
        return CorpusStream(self, keep=keep)

    def statistics(
        self, hypotheses: Sequence[Text], references: Sequence[Any], *, layout: ReferenceLayout | None = None
    ) -> Statistics:
        """The statistics of segments with their best references: integers, one row per segment. The columns
        are those of `bolide.formula.layout.columns`."""
        return self.measure(many_segments(hypotheses, references, layout)).statistics

    def score(self, statistics: Statistics | Floats) -> Floats:
        """The score of each row of statistics."""
        return self._scores(self._checked(statistics))

    def evaluate(self, statistics: Statistics | Floats) -> Floats:
        """Precision, recall, f1, fmean, penalty and score of each row of statistics (NaN if undefined)."""
        return evaluate(self._checked(statistics), self.parameters)

    def _checked(self, statistics: Statistics | Floats) -> Statistics | Floats:
        # With the aligner "repeat", a word may be in one match per stage.
        matches = len(self.modules) if self.settings.aligner == "repeat" else 1
        return checked(statistics, self.modules, matches)

    def segment(
        self, texts: list[list[str]], parameters: _core.Parameters | None = None
    ) -> list[ComponentRow] | None:
        """The rows of `evaluate` for one segment, one row per reference, as fast as possible. The texts are
        lists of tokens, the hypothesis first. None if they cannot be scored; `measure` tells why."""
        return self._engine.segment(texts, parameters or self._core_parameters)

    # ---- all pairs -------------------------------------------------------------------------------

    def pairwise(
        self,
        hypotheses: Sequence[Text],
        references: Sequence[Text] | None = None,
        *,
        symmetric: bool = False,
        statistics: bool = False,
    ) -> Any:
        """The scores of all pairs: one row per hypothesis, one column per reference. Without references, the
        hypotheses are also the references. The numbers are those of `sentence_score`.

        With `statistics`, the statistics of all pairs: an array with the shape (hypotheses, references,
        columns). With `symmetric`, which needs the same texts on both sides, only one of two pairs (a, b) and
        (b, a) is aligned; the other gets the same alignment. This is nearly twice as fast, and a few scores
        differ."""
        ours = one_group("hypothesis", "hypotheses", hypotheses)
        theirs = None if references is None else one_group("reference", "references", references)
        return self._pairwise(ours, theirs, symmetric, statistics)[0][0]

    def pairwise_batch(
        self,
        hypotheses: Sequence[Sequence[Text]],
        references: Sequence[Sequence[Text]] | None = None,
        *,
        symmetric: bool = False,
        statistics: bool = False,
        flat: bool = False,
    ) -> Any:
        """The same for many sources, each with a list of hypotheses and a list of references: a list of
        arrays. With `flat`, one array of all pairs, row by row and source after source, and where the pairs
        of each source begin."""
        ours = many_groups("hypothesis", "hypotheses", hypotheses)
        theirs = None if references is None else many_groups("reference", "references", references)
        arrays, found, offsets = self._pairwise(ours, theirs, symmetric, statistics)
        return (found, offsets) if flat else arrays

    def _pairwise(
        self, ours: TextGroups, theirs: TextGroups | None, symmetric: bool, statistics: bool
    ) -> tuple[list[Any], Any, Integers]:
        parameters = None if statistics else self._core_parameters
        found, offsets = all_pairs(
            self._engine, self.settings, ours, theirs, symmetric=symmetric, parameters=parameters
        )
        counts = zip(ours.counts.tolist(), (theirs or ours).counts.tolist(), strict=True)
        pieces = zip(counts, offsets[:-1], offsets[1:], strict=True)
        arrays = [found[start:stop].reshape(shape + found.shape[1:]) for shape, start, stop in pieces]
        return arrays, found, offsets

    def mbr(
        self,
        candidates: Sequence[Sequence[Text]],
        references: Sequence[Sequence[Text]] | None = None,
        weights: Sequence[Any] | None = None,
        *,
        method: str = "all",
        keep: int = KEEP,
        symmetric: bool = False,
    ) -> list[Choice]:
        """Minimum Bayes risk decoding: for each source, the candidate with the highest expected score.

        `candidates` has a list of texts for each source, `references` a list of texts that stand for the
        right translation (default: the candidates), and `weights` a list with a number for each reference,
        such as its probability (default: all are equal).

        With the method "subset", the references are only the `keep` ones with the largest weights. "prune"
        begins like this, and then compares the `keep` best candidates with all references. `symmetric` is
        that of `pairwise`."""
        return decide(self, candidates, references, weights, MbrPlan(method, keep, symmetric))

    # ---- alignments ------------------------------------------------------------------------------

    def align(self, hypothesis: Text, references: Text | Sequence[Text]) -> Alignment:
        """The alignment with the reference, or with the best of several."""
        return self.align_all(one_segment(hypothesis, references))[0]

    def align_all(self, segments: Segments) -> list[Alignment]:
        """The alignments of segments, each with its best reference."""
        alignments = []
        for batch in self._batches(segments):
            found = self._aligned(batch, with_matches=True)
            for k, row in enumerate(found.best.tolist()):
                matches = found.matches[found.offsets[row] : found.offsets[row + 1]].tolist()
                alignments.append(
                    Alignment(
                        self._words(batch.hypotheses[k], batch),
                        self._words(batch.references[row], batch),
                        tuple(map(self._match, matches)),
                        self._score(found.statistics[k], found.flags[k]),
                    )
                )
        return alignments

    def align_references(self, segments: Segments) -> ReferenceAlignments:
        """The alignments of segments with each of their references, as arrays."""
        return ReferenceAlignments.joined(
            [self._aligned(batch, with_matches=True) for batch in self._batches(segments)]
        )

    def count_alignments(self, segments: Segments, matches: Any, offsets: Any) -> Statistics:
        """The statistics of given alignments of segments with one reference each. A match is a row: reference
        start, length, hypothesis start, length, stage. The matches of segment k begin at offsets[k]."""
        return self._engine.count_alignments(segments, matches, offsets)

    def explain(self, hypothesis: Text, references: Text | Sequence[Text]) -> Explanation:
        """The score of one segment with its alignment, the reasons of its matches, and the arithmetic. It can
        be printed, and notebooks display it."""
        from bolide.explanation.explanation import explain

        return explain(self, one_segment(hypothesis, references))

    def reason(self, alignment: Alignment, match: Match) -> Reason:
        """Why the words of a match were matched: the keys that they share."""
        return self.stage_reason(match.stage, *alignment.phrases(match))

    def stage_reason(self, stage: int, ours: tuple[str, ...], theirs: tuple[str, ...]) -> Reason:
        """Why a stage matches a phrase of a hypothesis and one of a reference."""
        from bolide.explanation.reasons import reason

        module = self.modules[stage]
        if module in self.settings.lowered_modules:
            ours, theirs = tuple(map(str.lower, ours)), tuple(map(str.lower, theirs))
        return reason(self.settings.matchers.get(module) or self._engine.lexicon.stages[stage], ours, theirs)

    # ---- words -----------------------------------------------------------------------------------

    def words(
        self, segments: Segments, *, references: bool = True
    ) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
        """The words of hypotheses and, unless `references` is false, of references, as they are matched."""
        ours: list[tuple[str, ...]] = []
        theirs: list[tuple[str, ...]] = []
        for batch in self._batches(segments):
            ours += [self._words(text, batch) for text in batch.hypotheses]
            theirs += [self._words(text, batch) for text in batch.references if references]
        return ours, theirs

    def function_words(self, words: Sequence[str]) -> frozenset[str]:
        """Those of the words, as they are matched, that are function words."""
        _, functions, _ = self._engine.count_words(list(words), pretokenized=True)
        return frozenset(compress(words, functions.tolist()))

    def normalized(self, text: str) -> str:
        """The text as the scorer sees it: segmented, normalized and lower-cased, with spaces between words.
        Texts that the profile deletes from hypotheses are not deleted."""
        if not isinstance(text, str):
            raise InputError(f"a text to normalize must be a string, not {type(text).__name__}")
        batch = self._segmented(one_segment(text, ""))
        return " ".join(self._words(batch.hypotheses[0], batch))

    def _words(self, text: str, batch: Segments) -> tuple[str, ...]:
        return self._engine.words(text, pretokenized=batch.pretokenized)

    # ---- signatures ------------------------------------------------------------------------------

    def get_signature(
        self, references: tuple[int, int] | int | None = None, unproven: int = 0, *, form: str = "standard"
    ) -> str:
        """One line that names this METEOR, for scores with this number of references per segment (or the
        fewest and the most) and this number of alignments that are not proven optimal. The form is
        "standard", "short" or "long"."""
        return Signature.of(self.settings, references, unproven).format(form, self.settings.profile)

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
        """The scorer that has this signature, in any form. Give what the line cannot hold: a custom profile,
        custom matchers, stop words, and packs other than the installed ones. An error names what is missing
        or has another hash. A warning says that another version of bolide made the signature."""
        from bolide.scoring.reproduction import reproduce

        return cls.from_settings(
            reproduce(
                signature, threads, profile=profile, matchers=matchers, stop_words=stop_words,
                synonyms=synonyms, resources=resources,
            )
        )  # fmt: skip

    def get_eval_id(self) -> str | None:
        """The "Eval ID" by which the Java release names these settings; None if it cannot have them."""
        return eval_id(self.settings)

    # ---- from segments to statistics -------------------------------------------------------------

    def measure(self, segments: Segments) -> MeasuredSegments:
        """The statistics of segments, each with its best reference (or with all references together)."""
        found = [self._aligned(batch, with_matches=False) for batch in self._batches(segments)]
        if len(found) == 1:
            statistics, flags = found[0].statistics, found[0].flags
        else:
            width = _core.StatisticsLayout(self.modules).width
            none = np.zeros((0, width), dtype=np.int32), np.zeros(0, dtype=np.uint8)
            statistics = np.concatenate([none[0], *(each.statistics for each in found)])
            flags = np.concatenate([none[1], *(each.flags for each in found)])
        return MeasuredSegments(statistics, flags, segments.counts, segments.documents)

    def _batches(self, segments: Segments) -> Iterator[Segments]:
        """The segments in pieces for the core: segmented, and without the texts that the profile deletes from
        hypotheses."""
        for batch in segments.batches(BATCH):
            hypotheses = batch.hypotheses
            for text in self.settings.profile.deleted:
                hypotheses = [hypothesis.replace(text, "") for hypothesis in hypotheses]
            if hypotheses is not batch.hypotheses:
                batch = replace(batch, hypotheses=hypotheses)
            yield self._segmented(batch)

    def _segmented(self, batch: Segments) -> Segments:
        """The batch with its texts split into words, if the scorer has a segmenter."""
        if self.settings.segmentation is None or batch.pretokenized:
            return batch
        try:
            return replace(
                batch,
                hypotheses=self._engine.segmented(batch.hypotheses),
                references=self._engine.segmented(batch.references),
                pretokenized=True,
            )
        except UnicodeEncodeError as error:
            raise batch.surrogate(error) from None

    def _aligned(self, batch: Segments, *, with_matches: bool) -> ReferenceAlignments:
        """A batch, aligned with each reference, with the statistics that count for each segment."""
        use = self.settings.references
        together = use in TOGETHER and bool((batch.counts > 1).any())
        found = self._engine.run(batch, with_matches=with_matches or together)
        statistics, flags, matches, offsets = found
        if len(batch.references) == len(batch):  # one reference each: all are best
            return ReferenceAlignments(np.arange(len(batch)), statistics, flags, *found)
        best = best_rows(self._scores(statistics), batch.counts)
        starts = np.cumsum(batch.counts) - batch.counts
        if use in ("all", "pool"):
            summed = np.add.reduceat(statistics, starts, dtype=np.int64)
            if together:
                own = self._engine.count_words(batch.hypotheses, pretokenized=batch.pretokenized)
                summed = _core.pool(summed, batch.counts, matches, offsets, own)
            return ReferenceAlignments(best, summed, np.bitwise_or.reduceat(flags, starts), *found)
        if not together:
            return ReferenceAlignments(best, statistics[best], flags[best], *found)
        words = [
            self._engine.count_words(texts, pretokenized=batch.pretokenized)
            for texts in (batch.hypotheses, batch.references)
        ]
        united = _core.unite(statistics, batch.counts, best, matches, offsets, *words)
        if self.parameters.formula.counts_breaks:
            chunks = united[:, _core.StatisticsLayout(self.modules).chunks]
            chunks -= chunks > 0
        # More words may mean more chunks. Then the best reference alone has the higher score.
        alone = self._scores(united) < self._scores(statistics[best])
        united[alone] = statistics[best][alone]
        return ReferenceAlignments(best, united, np.bitwise_or.reduceat(flags, starts), *found)

    def _scores(self, rows: Statistics | Floats) -> Floats:
        """The score of each row, without a check: for statistics that bolide has counted."""
        return scores(rows, self.parameters)

    def _match(self, row: list[int]) -> Match:
        reference_start, reference_length, start, length, stage, chunk = row
        return Match(reference_start, reference_length, start, length, stage, self.modules[stage], chunk)

    def _score(self, row: Statistics, flags: int) -> Score:
        return Score(
            **components(row, self.parameters),  # type: ignore[arg-type]
            bounded=bool(flags & _core.BOUNDED),
            optimal=not flags & _core.UNPROVEN,
        )
