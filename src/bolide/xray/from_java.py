"""Makes X-rays from Java's alignment files.

The files have the matches, precision, recall, penalty and score of each segment, but not the modules, weights
and parameters of the run. So the statistics are counted again with a scorer that should have the same
settings. If all its values are equal to those in the files, the X-ray has everything that one of texts has:
corpus scores, arithmetic and reasons. If not, it shows only matches and scores, calls modules by their
numbers, and tells why.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from bolide import _core
from bolide._core import StatisticsLayout
from bolide._support.arrays import Floats, Integers, Statistics
from bolide._support.labels import chosen_labels
from bolide._support.plurals import counted
from bolide.comparison.compare import DEFAULTS, ComparisonOptions
from bolide.errors import InputError, unknown
from bolide.explanation.reasons import Reason
from bolide.formula.statistics import COMPONENTS
from bolide.inputs.segments import Segments
from bolide.java.alignments import VALUES, AlignedSegment, JavaSystem, read
from bolide.scoring.alignment import ReferenceAlignments
from bolide.scoring.corpus import Corpus
from bolide.scoring.measured import MeasuredSegments
from bolide.scoring.meteor import Meteor
from bolide.xray.annotations import Annotations
from bolide.xray.assembly import Reasons, assemble, default_title, direction, pairs, with_sources
from bolide.xray.model import Segment, Words, Xray, XrayModule, XraySystem
from bolide.xray.scores import OtherScores, check_scores

PLACES = [COMPONENTS.index(name) for name in VALUES]
# Tolerance of values: other machines may round a power differently.
EQUAL = 1e-9
# If at least this many segments all have different best references, the files are of different texts.
MANY = 10
UNKNOWN = "the settings of the Java run are not known"
LACKS = "so modules have numbers instead of names, and there is no corpus score"
ScoreReader = Callable[[Sequence[str], Sequence[str], int], Sequence[OtherScores]]
AnnotationReader = Callable[[int, Sequence[str]], Annotations]
REMEDY = "give the settings of the run, such as --language, --task, --modules, --resources"


def of_java(
    files: Sequence[str | os.PathLike[str]],
    meteor: Meteor | None = None,
    options: ComparisonOptions = DEFAULTS,
    *,
    wanted: Sequence[str] = (),
    sources: Sequence[str] | None = None,
    title: str | None = None,
    names: str | None = None,
    annotations: Annotations | AnnotationReader | None = None,
    scores: Sequence[OtherScores] | ScoreReader = (),
) -> Xray:
    """Makes the X-ray of alignment files by Java; for SGML, of the systems in `wanted`. `meteor` is a scorer
    with the settings of the run, if they are known. `names`: the names of the systems, such as "A,B".
    `annotations` are as in `of_texts`, or a function of the number of segments and of the names of systems.
    `scores` are those of other metrics, or a function of the names, the files and the number of segments.
    """
    systems = [system for name in files for system in read(os.fspath(name), wanted)]
    for k, system in enumerate(systems[1:], 1):
        _check_same(systems[0], system)
        if system.name in (other.name for other in systems[:k]):
            raise InputError(f"{system.name} is given twice; give each system once")
    segments = with_sources(_segments(systems), sources)
    chosen = chosen_labels(names, [system.name for system in systems])
    known = _annotated(annotations, segments, dict(zip(chosen, systems, strict=True)))
    title = default_title(chosen) if title is None else title
    paths = [system.file for system in systems]
    others = tuple(scores(chosen, paths, len(segments)) if callable(scores) else scores)
    check_scores(others, chosen, len(segments))
    starts = np.cumsum([0, *(len(segment.references) for segment in segments)])
    found = [_JavaSystem.of(s, name, segments, starts) for s, name in zip(systems, chosen, strict=True)]
    if meteor is None:
        return replace(_unsettled(segments, found, title, "no scorer was given", known), scores=others)
    reasons = Reasons(meteor)
    if problem := _difference(meteor, found, reasons):
        return replace(_unsettled(segments, found, title, problem, known), scores=others)
    of_corpora, counted = {}, []
    for given in found:
        statistics = given.statistics(meteor)
        flags = np.zeros(len(statistics), dtype=np.uint8)
        corpus = Corpus(meteor.settings, keep=True)
        corpus.add(MeasuredSegments(statistics, flags, given.texts.counts, given.texts.documents))
        of_corpora[given.name] = corpus.score()
        counted.append(given.system(statistics, meteor.evaluate(statistics)))
    made = assemble(segments, counted, meteor, of_corpora, options, title=title, origin="java", why=reasons)
    return replace(made, signature=None, eval_id=None, united=False, annotations=known, scores=others)


def _annotated(
    given: Annotations | AnnotationReader | None,
    segments: Sequence[Segment],
    systems: Mapping[str, JavaSystem],
) -> Annotations:
    """The annotations, checked. The texts of Java's files are those that the metric sees."""
    if callable(given):
        known = given(len(segments), list(systems))
    else:
        known = (given or Annotations()).of_sources([segment.source for segment in segments])
    known.check_segments(len(segments))
    references = [segment.references for segment in segments]
    known = known.of_references([list(_lines(texts)) for texts in references], references)
    for name in known.system_labels:
        if name not in systems:
            raise unknown("system", name, systems)
        words = [record.hypothesis for record in systems[name].records]
        known = known.of_system(name, _lines(words), words)
    return known


@dataclass(frozen=True)
class _JavaSystem:
    """A system in an alignment file. `rows` has the row of each segment among the rows of all references."""

    name: str
    file: str
    records: Sequence[AlignedSegment]
    texts: Segments
    rows: Integers
    total: int  # number of rows
    matches: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64]

    @classmethod
    def of(cls, system: JavaSystem, name: str, segments: Sequence[Segment], starts: Integers) -> _JavaSystem:
        records = system.records
        places = [s.references.index(r.reference) for s, r in zip(segments, records, strict=True)]
        counts = np.ones(len(records), dtype=np.int32)
        documents = None if segments[0].document is None else [str(s.document) for s in segments]
        hypotheses, references = (_lines(r.hypothesis for r in records), _lines(r.reference for r in records))
        return cls(
            name,
            system.name,
            records,
            Segments(hypotheses, references, counts, pretokenized=True, documents=documents),
            starts[:-1] + np.array(places),
            int(starts[-1]),
            np.array([*chain.from_iterable(r.matches for r in records)], dtype=np.int32).reshape(-1, 5),
            np.cumsum([0, *(len(r.matches) for r in records)]),
        )

    @property
    def values(self) -> Floats:
        """The values in the file, in the columns of `evaluate`."""
        values = np.full((len(self.records), len(COMPONENTS)), np.nan)
        values[:, PLACES] = [record.values for record in self.records]
        return values

    @property
    def modules(self) -> int:
        return int(self.matches[:, 4].max(initial=0)) + 1

    def statistics(self, meteor: Meteor) -> Statistics:
        return meteor.count_alignments(self.texts, self.matches, self.offsets)

    def misnamed(self, modules: Sequence[str], reasons: Reasons) -> str | None:
        """A match that the module with this name cannot have found."""
        for record in self.records:
            for theirs, theirs_length, ours, ours_length, stage in record.matches:
                words = record.hypothesis[ours : ours + ours_length]
                others = record.reference[theirs : theirs + theirs_length]
                if not _possible(modules[stage], words, others, reasons.find(stage, words, others)):
                    tied = f"'{' '.join(words)}' = '{' '.join(others)}'"
                    return (
                        f"in segment {' '.join(record.names)}, module {stage} matched {tied}; "
                        f"{modules[stage]} does not match it"
                    )
        return None

    def plain_statistics(self) -> Statistics:
        """The statistics that need no scorer: words, chunks and matched words."""
        layout, chunks = StatisticsLayout(()), _core.chunks(self.matches, self.offsets)
        rows = np.zeros((len(self.records), layout.width), dtype=np.int32)
        for row, record, (start, end) in zip(rows, self.records, pairwise(self.offsets), strict=True):
            _, theirs, _, ours, _ = self.matches[start:end].sum(axis=0)
            row[[layout.hypothesis_matches, layout.reference_matches]] = ours, theirs
            lengths = len(record.hypothesis), len(record.reference)
            row[[layout.hypothesis_length, layout.reference_length]] = lengths
            row[layout.chunks] = chunks[start:end].max(initial=-1) + 1
        return rows

    def system(self, statistics: Statistics, values: Floats) -> XraySystem:
        there = np.zeros(self.total, dtype=bool)
        there[self.rows] = True
        sizes = np.zeros(self.total, dtype=np.int64)
        sizes[self.rows] = np.diff(self.offsets)
        rows = ReferenceAlignments(
            best=self.rows,
            statistics=statistics,
            flags=np.zeros(len(self.rows), dtype=np.uint8),
            row_statistics=_spread(statistics, self.rows, self.total),
            row_flags=np.zeros(self.total, dtype=np.uint8),
            matches=np.column_stack([self.matches, _core.chunks(self.matches, self.offsets)]),
            offsets=np.cumsum([0, *sizes]),
        )
        hypotheses = tuple(record.hypothesis for record in self.records)
        spread = _spread(values, self.rows, self.total)
        return XraySystem(self.name, hypotheses, rows, spread, values, there, file=self.file)


_Scalar = TypeVar("_Scalar", bound=np.generic)


def _possible(module: str, ours: Words, theirs: Words, why: Reason) -> bool:
    """Whether a module of Java can have matched these words. Paraphrases can match anything."""
    if module == "exact":  # Java compares hash codes
        return ours == theirs or len(set(_core.java_hashes([*ours, *theirs]).tolist())) == 1
    shared = {"stem": 1, "synonym": len(why.shared) or 1}
    return ours != theirs and len(why.shared) == shared.get(module, len(why.shared))


def _lines(texts: Iterable[Words]) -> list[str]:
    return [" ".join(words) for words in texts]


def _spread(values: npt.NDArray[_Scalar], rows: Integers, total: int) -> npt.NDArray[_Scalar]:
    """The values of segments at their rows, and 0 in all other rows."""
    spread = np.zeros((total, values.shape[1]), dtype=values.dtype)
    spread[rows] = values
    return spread


def _segments(systems: Sequence[JavaSystem]) -> tuple[Segment, ...]:
    """The segments of all systems. Java writes only the best reference, which may differ between systems."""
    found = []
    sets = {record.names[0] for record in systems[0].records if record.system is not None}
    for number, records in enumerate(zip(*(system.records for system in systems), strict=True), 1):
        references = tuple(dict.fromkeys(record.reference for record in records))
        *parts, name = records[0].names
        document = " ".join([*parts[0 : len(sets) > 1], parts[2]]) if parts else None
        found.append(
            Segment(number, references, name=None if name == str(number) else name, document=document)
        )
    return tuple(found)


def _check_same(first: JavaSystem, other: JavaSystem) -> None:
    files = f"{first.name} and {other.name}"
    counts = len(first.records), len(other.records)
    for k, (one, two) in enumerate(zip(first.records, other.records, strict=False), 1):
        if one.place != two.place:
            raise InputError(
                f"{files} cannot be compared: record {k} is segment {' '.join(one.place)} in the first file "
                f"and segment {' '.join(two.place)} in the second"
            )
    if counts[0] != counts[1]:
        raise InputError(
            f"{files} cannot be compared: the first has {counted(counts[0], 'segments')}, the second "
            f"{counts[1]}"
        )
    if first.file == other.file or len(first.records) < MANY:
        return
    if all(one.reference != two.reference for one, two in zip(first.records, other.records, strict=True)):
        raise InputError(f"{files} cannot be compared: no segment has the same reference in both")


def _difference(meteor: Meteor, systems: Sequence[_JavaSystem], reasons: Reasons) -> str | None:
    """How the values in the files differ from those of the scorer, if they do."""
    for given in systems:
        if given.modules > len(meteor.modules):
            return (
                f"{given.name} has module {given.modules - 1}, but these settings have only "
                f"{len(meteor.modules)} modules"
            )
        if problem := given.misnamed(meteor.modules, reasons):
            return f"{given.name}: {problem}"
        ours, theirs = meteor.evaluate(given.statistics(meteor))[:, PLACES], given.values[:, PLACES]
        equal = np.isclose(ours, theirs, rtol=0, atol=EQUAL, equal_nan=True).all(axis=1)
        if not equal.all():
            k = int(np.argmin(equal))
            name = " ".join(given.records[k].names)
            score = f"{theirs[k, -1]:.6g}, but {ours[k, -1]:.6g} with these settings"
            return f"{given.name}: the score of segment {name} is {score}"
    return None


def _unsettled(
    segments: tuple[Segment, ...],
    systems: Sequence[_JavaSystem],
    title: str,
    problem: str,
    annotations: Annotations,
) -> Xray:
    """The X-ray of systems with known matches and scores only."""
    count = max(given.modules for given in systems)
    found = tuple(given.system(given.plain_statistics(), given.values) for given in systems)
    return Xray(
        title=title,
        language=None,
        direction=direction(text for segment in segments for text in segment.references),
        origin="java",
        modules=tuple(XrayModule(f"module {k}", str(k)) for k in range(count)),
        segments=segments,
        systems=found,
        pairs=pairs(found),
        notes=(f"{UNKNOWN} ({problem}), {LACKS}; {REMEDY}",),
        annotations=annotations,
    )
