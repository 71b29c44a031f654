"""Scores of a metric for every segment of every system, and for whole systems.

seg.score, sys.score   mt-metrics-eval: system, score; segments in order
tsv                    system  segid  METRIC  METRIC …   one column per metric, as written by
                       `bolide score --segments --format tsv` (rows without a segment are whole systems)
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bolide._support.arrays import Floats
from bolide._support.numbered import Numbered
from bolide._support.writing import atomic_text
from bolide.comparison.reports.style import from_table
from bolide.errors import ConfigurationError, InputError
from bolide.evaluation import formats
from bolide.evaluation.judgments import Judgments
from bolide.inputs.files import shown, uncompressed

# Computes the scores of systems in a sample from how often it has each segment.
Totals = Callable[[Floats], Floats]
# Columns of bolide's TSV that are not metrics.
NOT_METRICS = {
    *("signature", "low", "high", "difference", "p_value", "rank", "document", "segment_count"),
    *("bounded", "unproven", "chunks", "matches", "penalty", "judge", "hyp", "ref"),
}


@dataclass(frozen=True)
class Scores:
    """The scores of one metric.

    - `values`: segments × systems; larger is better, NaN if there is none.
    - `corpus`: the scores of systems, if they are not the means of their segments.
    - `totals`: computes `corpus` for a sample of segments, if that is possible.
    - `lengths`: the number of words in the reference of each segment.
    """

    name: str
    systems: tuple[str, ...]
    segments: tuple[str, ...] = ()
    values: Floats | None = None
    corpus: Floats | None = None
    totals: Totals | None = None
    lengths: Floats | None = None
    signature: str = ""

    @property
    def of_systems(self) -> Floats:
        """The corpus score of each system, or the mean over its segments."""
        if self.corpus is not None:
            return self.corpus
        assert self.values is not None
        known = ~np.isnan(self.values)
        with np.errstate(invalid="ignore"):
            found: Floats = np.nansum(self.values, axis=0) / known.sum(axis=0)
        return found

    def negated(self) -> Scores:
        """The negated scores, for a metric whose low scores are good."""
        totals = self.totals
        return replace(
            self,
            values=None if self.values is None else -self.values,
            corpus=None if self.corpus is None else -self.corpus,
            totals=None if totals is None else lambda counts: -totals(counts),
        )

    def beside(self, judgments: Judgments) -> Scores:
        """The same scores in the order of the judged systems and segments. An error if some are missing."""
        systems = _places(self.systems, judgments.systems, "system", self.name, judgments.name)
        corpus = None if self.corpus is None else self.corpus[systems]
        totals = self.totals
        if self.values is None or not judgments.segments:
            # Without judged segments nothing can be resampled.
            return replace(self, systems=judgments.systems, segments=(), values=None, totals=None,
                           lengths=None, corpus=self.of_systems[systems])  # fmt: skip
        segments = _places(self.segments, judgments.segments, "segment", self.name, judgments.name)
        count = len(self.segments)
        values = self.values[np.ix_(segments, systems)]
        for k, m in np.argwhere(np.isnan(values) & ~np.isnan(judgments.matrix))[:1]:
            where = f"segment {judgments.segments[k]} of system '{judgments.systems[m]}'"
            raise InputError(
                f"{self.name} has no score for {where}, which was judged in {shown(judgments.name)}"
            )

        def chosen(counts: Floats) -> Floats:
            assert totals is not None
            every = np.zeros(count)
            every[segments] = counts
            found: Floats = totals(every)[systems]
            return found

        return replace(
            self,
            systems=judgments.systems,
            segments=judgments.segments,
            values=values,
            corpus=corpus,
            totals=None if totals is None else chosen,
            lengths=None if self.lengths is None else self.lengths[segments],
        )


def _places(there: Sequence[str], wanted: Sequence[str], what: str, metric: str, name: str) -> list[int]:
    """The index of each wanted name."""
    places = {each: k for k, each in enumerate(there)}
    missing = [each for each in wanted if each not in places]
    if missing:
        listed = ", ".join(f"'{each}'" for each in missing[:5])
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        known = ", ".join(f"'{each}'" for each in there[:5]) + (", …" if len(there) > 5 else "")
        remedy = "rename systems with --system-map FILE" if what == "system" else "score every judged segment"
        raise InputError(
            f"{metric} has no scores for {what}{'s' * (len(missing) > 1)} {listed}{more}, judged in "
            f"{shown(name)}; it has {known}; {remedy}"
        )
    return [places[each] for each in wanted]


# ---- reading -------------------------------------------------------------------------------------


def read_scores(
    path: str | os.PathLike[str], columns: Sequence[str] = (), *, name: str | None = None
) -> list[Scores]:
    """Reads the metrics of a file: all of them, or the named columns."""
    file = os.fspath(path)
    plain = uncompressed(file)
    for form in ("seg.score", "sys.score"):
        if plain.name.endswith(f".{form}"):
            if columns:
                raise ConfigurationError(f"{shown(file)} has one metric; it has no columns to choose from")
            return [_of_judgments(file, form, name or plain.name.removesuffix(f".{form}"))]
    return _tsv(file, columns)


def _of_judgments(file: str, form: str, name: str) -> Scores:
    """mt-metrics-eval writes human scores and metric scores in the same format."""
    found = next(iter(formats.read_all(file, form).values()))
    if form == "sys.score":
        return Scores(name, found.systems, corpus=found.of_systems)
    return Scores(name, found.systems, found.segments, found.matrix)


def _tsv(file: str, columns: Sequence[str]) -> list[Scores]:
    source = formats.table(file)
    rows = source.rows()
    header = formats.Header(source, rows)
    system, segment = header.column(formats.SYSTEM), header.column(formats.SEGMENT)
    chosen = _metric_columns(file, header, columns, (system, segment))
    systems: Numbered[str] = Numbered()
    segments: Numbered[str] = Numbered()
    cells: dict[tuple[int, int], list[float]] = {}
    whole: dict[int, list[float]] = {}
    for row in header.checked(rows):
        name = from_table(row[system])
        values = [source.number(row[k], f"'{header.names[k]}'", missing=True) for k in chosen]
        if not row[segment]:
            if "document" not in header.names or not row[header.names.index("document")]:
                whole[systems[name]] = values
            continue
        place = segments[row[segment]], systems[name]
        if place in cells:
            source.fail(f"segment {row[segment]} of system '{name}' occurs twice")
        cells[place] = values
    table = np.full((len(chosen), len(segments), len(systems)), math.nan)
    for (k, m), values in cells.items():
        table[:, k, m] = values
    corpus = np.full((len(chosen), len(systems)), math.nan)
    for m, values in whole.items():
        corpus[:, m] = values
    return [
        Scores(
            header.names[column],
            tuple(systems),
            tuple(segments),
            table[k] if cells else None,
            corpus[k] if len(whole) == len(systems) else None,
        )
        for k, column in enumerate(chosen)
    ]


def _metric_columns(
    file: str, header: formats.Header, columns: Sequence[str], others: Sequence[int]
) -> list[int]:
    names = [name for k, name in enumerate(header.names) if k not in others]
    for column in columns:
        if column.lower() not in names:
            raise InputError(f"{shown(file)} has no column '{column}'; its columns are: {', '.join(names)}")
    wanted = [column.lower() for column in columns] or [name for name in names if name not in NOT_METRICS]
    if not wanted:
        raise InputError(f"{shown(file)} has no column of scores; its columns are: {', '.join(header.names)}")
    return [header.names.index(name) for name in wanted]


def human_scores(judgments: Judgments, like: Scores) -> Scores:
    """Human scores in the form of a metric, in the order of another metric's segments."""
    places = {name: k for k, name in enumerate(judgments.segments)}
    segments = like.segments or judgments.segments
    values = None
    if judgments.segments:
        values = np.full((len(segments), len(judgments.systems)), math.nan)
        for k, name in enumerate(segments):
            if name in places:
                values[k] = judgments.matrix[places[name]]
    return Scores(
        "human", judgments.systems, segments if values is not None else (), values, judgments.of_systems
    )


# ---- writing -------------------------------------------------------------------------------------


def write_seg_scores(path: str | os.PathLike[str], scores: Scores) -> None:
    """Writes a .seg.score file of mt-metrics-eval."""
    if scores.values is None:
        raise InputError(f"{scores.name} has no segment scores to write")
    values = scores.values
    rows = ((system, value) for m, system in enumerate(scores.systems) for value in values[:, m].tolist())
    _write(path, rows)


def write_sys_scores(path: str | os.PathLike[str], scores: Scores) -> None:
    """Writes a .sys.score file of mt-metrics-eval."""
    _write(path, zip(scores.systems, scores.of_systems.tolist(), strict=True))


def _write(path: str | os.PathLike[str], rows: Iterator[tuple[str, float]]) -> None:
    with atomic_text(path) as file:
        for system, value in rows:
            file.write(f"{system}\t{'None' if math.isnan(value) else repr(value)}\n")
