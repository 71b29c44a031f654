"""The X-ray of systems: every segment with its alignments and scores, for the page, the terminal and figures.

    xray ─ segments   what all systems share: number, references, source, name, document
         ─ systems    hypotheses; one row of values and matches per reference of each segment
         ─ pairs      pairs of systems: difference, p-value, won and lost segments

Rows are in flat arrays. Those of segment k begin at `starts[k]`, one per reference. An `Alignment` with words
and matches is made from a row on demand. Segments, systems and references are counted from 0 in Python, and
from 1 for users (`Segment.number`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bolide import _core
from bolide._support.arrays import Floats, Integers
from bolide._support.labels import short_name, without_folder
from bolide.analysis.words import WordAnalysis
from bolide.comparison import compare as comparison
from bolide.comparison.groups import GroupedScores
from bolide.errors import InputError, unknown
from bolide.explanation.left_out import LeftOut
from bolide.formula.layout import layout_of
from bolide.formula.parameters import Parameters
from bolide.formula.statistics import COMPONENTS, aggregate
from bolide.scoring.alignment import Alignment, Match, ReferenceAlignments
from bolide.scoring.score import COUNTS, Score
from bolide.xray import groups, pieces, source_words, words
from bolide.xray.annotations import Annotations
from bolide.xray.names import check_texts
from bolide.xray.scores import OtherScores, check_scores

Words = tuple[str, ...]
SCORE = COMPONENTS.index("score")
LEFT_TO_RIGHT, RIGHT_TO_LEFT = "ltr", "rtl"


@dataclass(frozen=True)
class XrayModule:
    """A module that found matches, and its weight, if known."""

    name: str
    short: str
    weight: float | None = None


@dataclass(frozen=True)
class Segment:
    """What all systems share about a segment. `texts` are its references as the user gave them, if known."""

    number: int  # from 1
    references: tuple[Words, ...]
    texts: tuple[str, ...] | None = None
    source: str | None = None
    name: str | None = None
    document: str | None = None


@dataclass(frozen=True, repr=False)
class XraySystem:
    """A system: its words, and its alignment with each reference.

    - `values`: precision, recall, f1, fmean, penalty and score of each row (NaN if undefined or unknown).
    - `segment_values`: the values of each segment.
    - `there`: which rows exist; Java's files have only the best reference of each segment.
    - `result`: corpus score, interval and rank, if known.
    - `texts`: the hypotheses as the user gave them, if known.
    - `file`: the file that it was read from, if any.
    - `left_out`: the matches that the search left out, by row.
    """

    name: str
    hypotheses: tuple[Words, ...]
    rows: ReferenceAlignments
    values: Floats
    segment_values: Floats
    there: npt.NDArray[np.bool_]
    result: comparison.ComparedSystem | None = None
    texts: tuple[str, ...] | None = None
    file: str | None = None
    left_out: Mapping[int, tuple[LeftOut, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<XraySystem {short_name(self.name)}: {len(self.hypotheses)} segments>"

    @property
    def scores(self) -> Floats:
        """The score of each segment."""
        return np.nan_to_num(self.segment_values[:, SCORE])


@dataclass(frozen=True)
class XrayPair:
    """Two systems, by index: the difference of their scores, its p-value, and the number of segments where
    the first wins, ties and loses."""

    first: int
    second: int
    difference: float | None
    p_value: float | None
    wins: int
    ties: int
    losses: int


# Why two phrases, of the hypothesis and the reference, match by a module (its number); None if unknown.
Why = Callable[[int, Words, Words], "str | None"]


def _unknown(stage: int, ours: Words, theirs: Words) -> None:
    return None


@dataclass(frozen=True, repr=False)
class Xray:
    """The whole X-ray. `starts` has the first row of each segment, and the number of rows at the end. Without
    `parameters`, which Java's files do not have, there are no statistics. Notebooks display it."""

    title: str
    language: str | None
    direction: str  # direction of the text: "ltr" or "rtl"
    origin: str  # what aligned it: "bolide" or "java"
    modules: tuple[XrayModule, ...]
    segments: tuple[Segment, ...]
    systems: tuple[XraySystem, ...]
    pairs: tuple[XrayPair, ...] = ()
    parameters: Parameters | None = None
    signature: str | None = None
    eval_id: str | None = None
    united: bool = False  # a segment counts all its references together, not only the best row
    pooled: bool = True  # the corpus score is that of all words together, not the mean of the segments
    unit: str = "words"  # what statistics count
    functions: bool = False  # whether function words are counted separately
    function_words: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    averaged: bool = False  # a corpus score is the mean of its segments, not the score of their sum
    annotations: Annotations = field(default_factory=Annotations, repr=False)
    scores: tuple[OtherScores, ...] = ()  # by other metrics
    why: Why = field(default=_unknown, repr=False, compare=False)
    written: str | None = None  # the file of the report, for links

    def __post_init__(self) -> None:
        check_texts("the title", [self.title])
        check_texts("the name of a system", (system.name for system in self.systems))
        for what in ("source", "name", "document"):
            check_texts(f"the {what} of a segment", (getattr(segment, what) for segment in self.segments))
        check_scores(self.scores, [system.name for system in self.systems], len(self.segments))

    def __repr__(self) -> str:
        scores = (
            f"{short_name(s.name)}={s.result.score.score if s.result else s.scores.mean():.4f}"
            for s in self.systems
        )
        report = "" if self.written is None else f"; report {self.written}"
        return f"<Xray {comparison.few(scores)}; {len(self.segments)} segments{report}>"

    def _repr_html_(self) -> str:
        from bolide.xray.notebook import xray_html

        return xray_html(self)

    @cached_property
    def starts(self) -> Integers:
        return np.cumsum([0, *(len(segment.references) for segment in self.segments)])

    @cached_property
    def full_names(self) -> list[str]:
        """The files of the systems without their common folder; the name where there is no file."""
        return without_folder([system.file or system.name for system in self.systems])

    def system(self, which: int | str) -> XraySystem:
        """A system by its index, its name or its file, with or without the folder that all files share."""
        if isinstance(which, int):
            return self.systems[which]
        for system, full in zip(self.systems, self.full_names, strict=True):
            if which in (system.name, system.file, full):
                return system
        raise unknown("system", which, [system.name for system in self.systems])

    @cached_property
    def spelled(self) -> pieces.Spelled:
        """All texts as numbers of pieces (`bolide.xray.pieces`)."""
        return pieces.spelled(self)

    @cached_property
    def _words(self) -> WordAnalysis:
        return words.analysis(self)

    def words(self) -> WordAnalysis:
        """What each system does with words and n-grams (`bolide.analysis.words`)."""
        return self._words

    @cached_property
    def sources(self) -> source_words.SourceWords | None:
        """The words of the source texts, if they are aligned with the references."""
        return source_words.source_words(self)

    def source_words(self) -> WordAnalysis:
        """Which words of the source each system misses (`bolide.xray.source_words`)."""
        if self.sources is None:
            raise InputError("source words need an alignment of the sources with the references")
        return self.sources.analysis

    def groups(self, options: comparison.ComparisonOptions = comparison.DEFAULTS) -> dict[str, GroupedScores]:
        """The scores of groups of segments by tag, document, length and length ratio, by the name of the
        grouping (`bolide.comparison.groups`)."""
        return groups.grouped(self, options)

    def totals(self, system: int | str) -> Integers | None:
        """The corpus statistics of a system; None if they are not known."""
        if self.parameters is None:
            return None
        return aggregate(self.system(system).rows.statistics, self.parameters.formula)

    def best(self, system: int | str, segment: int) -> int:
        """The best reference of a segment for a system."""
        return int(self.system(system).rows.best[segment] - self.starts[segment])

    def references(self, system: int | str, segment: int) -> list[int]:
        """The references of a segment for which the alignment of a system is known."""
        rows = self.system(system).there[self.starts[segment] : self.starts[segment + 1]]
        return [int(k) for k in np.flatnonzero(rows)]

    def alignment(self, system: int | str, segment: int, reference: int | None = None) -> Alignment:
        """The alignment with a reference; by default with the best one, and with the score of the segment."""
        found = self.system(system)
        which = self.best(system, segment) if reference is None else reference
        references = self.segments[segment].references
        if not 0 <= which < len(references) or not found.there[self.starts[segment] + which]:
            raise IndexError(f"segment {segment + 1} of {found.name} has no alignment with reference {which}")
        row = int(self.starts[segment]) + which
        return Alignment(
            found.hypotheses[segment],
            references[which],
            tuple(self._match(numbers) for numbers in row_matches(found.rows, row)),
            self._score(found, segment, row, counts=reference is None),
        )

    def reason(self, alignment: Alignment, match: Match) -> str | None:
        """Why the words of a match were matched."""
        return self.why(match.stage, *alignment.phrases(match))

    def _match(self, numbers: Sequence[int]) -> Match:
        reference_start, reference_length, start, length, stage, chunk = numbers
        name = self.modules[stage].name
        return Match(reference_start, reference_length, start, length, stage, name, chunk)

    def _score(self, system: XraySystem, segment: int, row: int, *, counts: bool) -> Score:
        rows, of_segment = system.rows, counts and self.united
        values = system.segment_values[segment] if of_segment else system.values[row]
        numbers = rows.statistics[segment] if of_segment else rows.row_statistics[row]
        layout = layout_of(numbers)
        flags = int(rows.flags[segment] if of_segment else rows.row_flags[row])
        return Score(
            **dict(zip(COMPONENTS, np.nan_to_num(values).tolist(), strict=True)),
            **{name: int(numbers[getattr(layout, name)]) for name in COUNTS},
            bounded=bool(flags & _core.BOUNDED),
            optimal=not flags & _core.UNPROVEN,
        )


def row_matches(rows: ReferenceAlignments, row: int) -> list[list[int]]:
    """The matches of a row: reference start, length, hypothesis start, length, module, chunk."""
    found: list[list[int]] = rows.matches[rows.offsets[row] : rows.offsets[row + 1]].tolist()
    return found
