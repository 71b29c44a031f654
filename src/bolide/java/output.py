"""Java's output: header, segments, system tables, alignments. Every space is as in Java.

Only the note about bounded segments is new: Java does not finish on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from bolide import _core
from bolide._core import StatisticsLayout
from bolide._support.arrays import Floats, Integers, Statistics
from bolide._support.java_number import COMMON, java_double, java_whole
from bolide.formula.layout import layout_of, widened
from bolide.formula.statistics import COMPONENTS
from bolide.java.settings import JavaSettings
from bolide.scoring.alignment import Alignment
from bolide.scoring.eval_id import SHORT_MODULES
from bolide.scoring.score import bounded_note

# Java always prints room for its four modules.
MODULES = len(SHORT_MODULES)
COLUMNS = StatisticsLayout(list(SHORT_MODULES)).width
PRECISION, RECALL, F1, FMEAN, PENALTY, SCORE = range(len(COMPONENTS))


def header(settings: JavaSettings, text_format: str) -> str:
    return (
        "Meteor version: 1.5\n\n"
        f"Eval ID:        {settings.evaluation_id}\n\n"
        f"Language:       {settings.language.java_name}\n"
        f"Format:         {text_format}\n"
        f"Task:           {settings.task}\n"
        f"Modules:        {' '.join(settings.modules)}\n"
        f"Weights:        {' '.join(map(java_double, settings.weights))}\n"
        f"Parameters:     {' '.join(map(java_double, settings.parameters))}\n\n"
    )


def bounded(name: str, count: int) -> str:
    """A note for standard error if the alignment of some segments reached the work limit."""
    return f"bolide: {name}: {bounded_note(count)}\n" if count else ""


def statistics(rows: Statistics) -> list[str]:
    """Formats rows of statistics, always with 23 numbers.

    >>> statistics(np.array([[2, 2, 0, 0, 1, 1, 0, 0, 1, 1, 1]]))
    ['2.0 2.0 0.0 0.0 1.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 1.0 1.0']
    """
    padded = widened(np.atleast_2d(rows), MODULES)
    # There may be millions of rows, and most have only small numbers.
    shown = COMMON.__getitem__ if padded.max(initial=0) < len(COMMON) else java_whole
    return [" ".join(map(shown, row)) for row in padded.tolist()]


def scores(values: Sequence[float], *, verbose: bool) -> str:
    """The score, or precision, recall, penalty and score."""
    if not verbose:
        return java_double(values[SCORE])
    return "\t".join([java_double(values[k]) for k in (PRECISION, RECALL, PENALTY, SCORE)])


def segment_lines(first: int, values: Floats, *, verbose: bool) -> str:
    """One line per segment, counted from `first`."""
    numbered = enumerate(values.tolist(), first)
    return "".join([f"Segment {k} score:\t{scores(row, verbose=verbose)}\n" for k, row in numbered])


def statistics_lines(rows: Statistics) -> str:
    return "".join([line + "\n" for line in statistics(rows)])


def score_lines(values: Floats) -> str:
    return _core.java_lines(np.ascontiguousarray(values[:, SCORE:]))


def system(row: Integers, values: Sequence[float], settings: JavaSettings) -> str:
    """The table and numbers of a system."""
    unit = "chars" if settings.unit == "characters" else "words"
    layout = layout_of(row)
    figures: dict[str, str] = {
        f"Test {unit}": str(row[layout.hypothesis_length]),
        f"Reference {unit}": str(row[layout.reference_length]),
        "Chunks": str(row[layout.chunks]),
        "Precision": java_double(values[PRECISION]),
        "Recall": java_double(values[RECALL]),
        "f1": java_double(values[F1]),
        "fMean": java_double(values[FMEAN]),
        "Fragmentation penalty": java_double(values[PENALTY]),
    }
    return (
        "\n"
        "           Test Matches                  Reference Matches\n"
        "Stage      Content  Function    Total    Content  Function    Total\n"
        f"{_table(row, len(settings.weights))}\n"
        f"{''.join(_figure(name, value) for name, value in figures.items())}\n"
        f"{_figure('Final score', java_double(values[SCORE]))}"
    )


def _figure(name: str, value: str) -> str:
    return f"{name + ':':<24}{value}\n"


def _table(row: Integers, stages: int) -> str:
    """Matches by stage (only stages with a weight are shown), and their sum."""
    layout = layout_of(row)
    counts = row[layout.all_stages].reshape(len(layout.stages), -1)[:stages]
    lines = [_table_line(str(number), stage.tolist()) for number, stage in enumerate(counts, 1)]
    return "".join([*lines, _table_line("Total", counts.sum(axis=0).tolist())])


def _table_line(label: str, counts: Sequence[int]) -> str:
    test_content, reference_content, test_function, reference_function = counts
    test = f"{test_content:>9}{test_function:>10}{test_content + test_function:>9}"
    reference = f"{reference_content:>11}{reference_function:>10}{reference_content + reference_function:>9}"
    return f"{label:<9}{test}{reference}\n"


def alignment(identity: Iterable[object], found: Alignment, values: Sequence[float]) -> str:
    """A record of an alignment file."""
    title = "\t".join(["Alignment", *map(str, identity), scores(values, verbose=True)])
    matches = [
        f"{m.reference_start}:{m.reference_length}\t\t\t{m.hypothesis_start}:{m.hypothesis_length}\t\t\t{m.stage}\t\t1.0\n"
        for m in found.matches
    ]
    return (
        f"{title}\n{' '.join(found.hypothesis)}\n{' '.join(found.reference)}\n"
        f"Line2Start:Length\tLine1Start:Length\tModule\t\tScore\n{''.join(matches)}\n"
    )
