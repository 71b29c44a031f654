"""`bolide score`: scores of systems against the same references, and tests of their differences."""

from __future__ import annotations

import math
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from bolide._support.extras import require
from bolide.cli.input_options import HypothesesArgument, TextOptions, begun
from bolide.cli.meteor_options import MeteorOptions, open_meteor
from bolide.cli.option_groups import option
from bolide.cli.progress import Count, counter
from bolide.cli.report_options import OutputFormat, SamplesOption, SeedOption, SystemTest, decimals
from bolide.comparison import reports, significance
from bolide.comparison.compare import Comparison, ComparisonOptions, compare_scores, untested
from bolide.errors import BolideError, ConfigurationError
from bolide.inputs.assembly import InputSystem
from bolide.inputs.read_ahead import worked_ahead
from bolide.inputs.segments import Segments
from bolide.scoring.corpus import Corpus
from bolide.scoring.measured import MeasuredSegments
from bolide.scoring.meteor import Meteor
from bolide.scoring.score import CorpusScore, bounded_note


@dataclass(frozen=True)
class SystemTestOptions:
    """How systems are compared."""

    baseline: Annotated[
        str | None,
        option(metavar="HYP", text="System to test the others against; default: the first."),
    ] = None
    test: Annotated[
        SystemTest | None,
        option(text="Paired test of differences; default: bootstrap, if there are several systems."),
    ] = None
    samples: SamplesOption = None
    seed: SeedOption = significance.SEED
    all_pairs: Annotated[
        bool, option("--all-pairs", text="Test every pair; rank the systems in clusters that differ.")
    ] = False
    confidence: Annotated[
        bool, option("--confidence", text="Show 95% intervals, also for a single system.")
    ] = False

    def options(self, names: Sequence[str]) -> ComparisonOptions:
        """The same for these systems, checked."""
        default = SystemTest.bootstrap if len(names) > 1 else SystemTest.none
        found = ComparisonOptions(
            self.baseline, (self.test or default).value, self.samples, self.seed, self.all_pairs
        )
        found.check(each_once(names))
        return found


@dataclass(frozen=True)
class ReportOptions:
    """What is printed."""

    segments: Annotated[bool, option("--segments", text="Also show the score of every segment.")] = False
    output: Annotated[OutputFormat, option("--format", text="Output format.")] = OutputFormat.text
    width: Annotated[int | None, decimals(4)] = None
    quiet: Annotated[
        bool, option("--quiet", "-q", text="Print no notes and, as text, nothing but the scores.")
    ] = False
    fail_under: Annotated[
        float | None, option(metavar="SCORE", text="Exit with code 1 if a score is below this.")
    ] = None

    @property
    def style(self) -> reports.Style:
        return reports.Style(self.segments, self.width, self.quiet, _wants_colour())

    def check(self) -> None:
        reports.check(self.output.value, self.style)
        if self.fail_under is not None and not math.isfinite(self.fail_under):
            raise ConfigurationError(f"--fail-under must be a number, not {self.fail_under}")


def score(
    hypotheses: HypothesesArgument,
    *,
    tested: SystemTestOptions,
    report: ReportOptions,
    spark: Annotated[
        str | None,
        option(
            metavar="MASTER",
            text="Score on Spark: yarn, spark://HOST:7077, local[2]. The scores are the same.",
        ),
    ] = None,
    texts: TextOptions,
    scorer: MeteorOptions,
) -> None:
    """Score system outputs against references, and test whether the systems differ.

    The file name determines the format: plain text, .tsv, .csv, .jsonl, .parquet, .sgm or .xml.
    Files may be compressed (.gz, .bz2, .xz, .zst).
    """
    choices = scorer.choose()
    report.check()
    systems = texts.systems(hypotheses)
    options = tested.options([system.name for system in systems])
    shown = report.output is not OutputFormat.text or not report.quiet
    resampled = shown and (tested.confidence or tested.samples is not None or options.test != "none")
    size = None if spark is None else _spark_batch()
    first = begun(systems[0].segments(size))
    meteor = open_meteor(choices)
    scores = {}
    with _worker(meteor, spark) as worker:
        for system in systems:
            batches = first if system is systems[0] else system.segments(size)
            corpus = Corpus(meteor.settings, keep=report.segments or resampled)
            with counter(system.name, report.quiet) as count, system.naming():
                scores[system.name] = _score_system(worker, batches, corpus, count)
    comparison = (compare_scores if resampled else untested)(scores, meteor, options)
    for line in reports.lines(comparison, report.output.value, report.style):
        print(line)
    if not report.quiet:
        _print_notes(comparison, systems, bounds=report.output is OutputFormat.text)
    if report.fail_under is not None:
        _check_reached(comparison, report.fail_under)


def each_once(names: Sequence[str]) -> Sequence[str]:
    for name, times in Counter(names).items():
        if times > 1:
            raise ConfigurationError(f"{name} is given {times} times; give each system once")
    return names


class Worker(NamedTuple):
    """What measures segments, and on how many threads."""

    measure: Callable[[Segments], MeasuredSegments]
    threads: int


def _spark_batch() -> int:
    require("spark", "pyspark")
    from bolide.distributed.spark import PIECE

    return PIECE


@contextmanager
def _worker(meteor: Meteor, spark: str | None) -> Iterator[Worker]:
    if spark is None:
        yield Worker(meteor.measure, meteor.threads)
        return
    from bolide.distributed.spark import cluster

    with cluster(spark, meteor) as running:
        yield Worker(running.measure, 1)


def _score_system(worker: Worker, batches: Iterator[Segments], corpus: Corpus, count: Count) -> CorpusScore:
    """The score of a system, in constant memory unless the corpus keeps its segments."""
    for _, measured in worked_ahead(worker.measure, batches, worker.threads):
        corpus.add(measured)
        count(len(measured))
    return corpus.score()


def _print_notes(comparison: Comparison, systems: Sequence[InputSystem], *, bounds: bool) -> None:
    for found in comparison.systems if bounds else ():
        if count := found.score.bounded:
            _note(found.name, bounded_note(count))
        if count := found.score.unproven:
            _note(found.name, f"{count} of {found.score.segment_count} alignments are not proven optimal")
    for system in systems:
        if count := system.skipped:
            what = "1 segment" if count == 1 else f"{count} segments"
            _note(system.name, f"{what} without a reference left out (--skip-unreferenced)")


def _note(system: str, text: str) -> None:
    print(f"bolide: {system}: {text}", file=sys.stderr)


def _check_reached(comparison: Comparison, wanted: float) -> None:
    """Raises an error, which means exit code 1, if the score of a system is below what is wanted."""
    below = [system for system in comparison.systems if not system.score.score >= wanted]
    if below:
        sys.stdout.flush()  # the scores come before the message
        found = ", ".join(f"{system.name} has {system.score.score:.6g}" for system in below)
        raise BolideError(f"below {wanted:g} (--fail-under): {found}")


def _wants_colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
