"""`bolide score`: scores of systems against the same references, and tests of their differences."""

from __future__ import annotations

import math
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from enum import Enum
from typing import Annotated, Any, NamedTuple

import typer

from bolide.cli.input_options import Hypotheses, Inputs, with_inputs
from bolide.cli.options import with_meteor
from bolide.comparison import reports, significance
from bolide.comparison.compare import Comparison, ComparisonOptions, compare_scores, untested
from bolide.errors import BolideError, ConfigurationError
from bolide.inputs.assembly import InputSystem
from bolide.inputs.files import shown
from bolide.inputs.read_ahead import worked_ahead
from bolide.inputs.segments import Segments
from bolide.scoring.corpus import Corpus
from bolide.scoring.measured import MeasuredSegments
from bolide.scoring.meteor import Meteor
from bolide.scoring.score import CorpusScore, bounded_note


class Format(str, Enum):
    text = "text"
    json = "json"
    tsv = "tsv"
    markdown = "markdown"
    latex = "latex"


class Test(str, Enum):
    bootstrap = "bootstrap"
    randomization = "randomization"
    none = "none"


@with_meteor
@with_inputs
def score(
    meteor: Meteor,
    texts: Inputs,
    hypotheses: Hypotheses,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="HYP", help="The system to test the others against; default: the first."),
    ] = None,
    test: Annotated[
        Test | None,
        typer.Option(help="Paired test of differences; default: bootstrap, if there are several systems."),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="Samples of test and intervals; default: 1000, for randomization 10000."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the samples.")] = significance.SEED,
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="Test every pair; rank the systems in clusters that differ.")
    ] = False,
    confidence: Annotated[
        bool, typer.Option("--confidence", help="Show 95% intervals, of a single system too.")
    ] = False,
    segments: Annotated[
        bool, typer.Option("--segments", help="Show the score of every segment too.")
    ] = False,
    output: Annotated[Format, typer.Option("--format", help="How to print the scores.")] = Format.text,
    width: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=0, max=17, help="Decimals; default: 4, all in json and tsv."),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print no notes and, as text, nothing but the scores.")
    ] = False,
    fail_under: Annotated[
        float | None,
        typer.Option(metavar="SCORE", help="Exit with code 1 if a system's score is below this."),
    ] = None,
    spark: Annotated[
        str | None,
        typer.Option(
            metavar="MASTER", help="Score on Spark: yarn, spark://HOST:7077, local[2]. Same scores."
        ),
    ] = None,
) -> None:
    """Score system outputs against references, and test whether the systems differ.

    Files are known by their names: plain text, .tsv, .csv, .jsonl, .parquet, .sgm, .xml (as at WMT). They may
    be compressed (.gz, .bz2, .xz, .zst).
    """
    systems = texts.systems(hypotheses)
    several = len(systems) > 1
    chosen: Any = (test or (Test.bootstrap if several else Test.none)).value
    options = ComparisonOptions(baseline, chosen, samples, seed, all_pairs)
    style = reports.Style(segments, width, quiet, _wants_colour())
    reports.check(output.value, style)
    options.check(each_once([system.name for system in systems]))
    if fail_under is not None and not math.isfinite(fail_under):
        raise ConfigurationError(f"--fail-under must be a number, not {fail_under}")
    shown = output is not Format.text or not quiet
    resampled = shown and (confidence or samples is not None or chosen != "none")
    scores = {}
    with _worker(meteor, spark) as worker:
        for system in systems:
            with progress(system.name, quiet) as advance, system.naming():
                corpus = Corpus(meteor.settings, keep=segments or resampled)
                scores[system.name] = _score_system(worker, system, corpus, advance)
    comparison = (compare_scores if resampled else untested)(scores, meteor, options)
    for line in reports.lines(comparison, output.value, style):
        print(line)
    if not quiet and output is Format.text:
        _tell_bounds(comparison)
    if not quiet:
        _tell_skipped(systems)
    if fail_under is not None:
        _check_reached(comparison, fail_under)


def each_once(names: Sequence[str]) -> Sequence[str]:
    for name, times in Counter(names).items():
        if times > 1:
            raise ConfigurationError(f"{name} is given {times} times; give each system once")
    return names


class Worker(NamedTuple):
    """What measures segments: how many at a time, if that matters, and on how many threads."""

    measure: Callable[[Segments], MeasuredSegments]
    size: int | None
    threads: int


@contextmanager
def _worker(meteor: Meteor, spark: str | None) -> Iterator[Worker]:
    if spark is None:
        yield Worker(meteor.measure, None, meteor.threads)
        return
    from bolide.distributed.spark import PIECE, cluster

    with cluster(spark, meteor) as running:
        yield Worker(running.measure, PIECE, 1)


def _score_system(worker: Worker, system: InputSystem, corpus: Corpus, advance: Any) -> CorpusScore:
    """The system's score, in constant memory unless its segments are to be kept."""
    batches = system.segments(worker.size)
    for _, measured in worked_ahead(worker.measure, batches, worker.threads):
        corpus.add(measured)
        advance(len(measured.statistics))
    return corpus.score()


def _tell_bounds(comparison: Comparison) -> None:
    for system in comparison.systems:
        if count := system.score.bounded:
            print(f"bolide: {system.name}: {bounded_note(count)}", file=sys.stderr)
        if count := system.score.unproven:
            note = f"{count} of {system.score.segment_count} alignments are not proven optimal"
            print(f"bolide: {system.name}: {note}", file=sys.stderr)


def _tell_skipped(systems: Sequence[InputSystem]) -> None:
    for system in systems:
        if count := system.skipped:
            what = "1 segment" if count == 1 else f"{count} segments"
            note = f"{what} without a reference left out (--skip-unreferenced)"
            print(f"bolide: {system.name}: {note}", file=sys.stderr)


def _check_reached(comparison: Comparison, wanted: float) -> None:
    """An error, and so exit code 1, if a system's score is below what is wanted."""
    below = [system for system in comparison.systems if not system.score.score >= wanted]
    if below:
        sys.stdout.flush()  # the scores come before the message
        found = ", ".join(f"{system.name} has {system.score.score:.6g}" for system in below)
        raise BolideError(f"below {wanted:g} (--fail-under): {found}")


def _wants_colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@contextmanager
def _bar(name: str) -> Iterator[Any]:
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    name_column = TextColumn("{task.description}", markup=False)  # a name is a name, whatever its brackets
    columns = (SpinnerColumn(), name_column, MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(shown(name), total=None)
        yield lambda count: bar.advance(task, count)


def progress(name: str, quiet: bool = False) -> Any:
    """A progress bar on a terminal, nothing elsewhere; gives a function to call with each batch's size."""
    return _bar(name) if sys.stderr.isatty() and not quiet else nullcontext(lambda count: None)
