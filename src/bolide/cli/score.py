"""`bolide score`: scores of systems against the same references, and tests of their differences."""

from __future__ import annotations

import math
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from bolide._support.extras import require
from bolide._support.labels import chosen_labels
from bolide.cli.input_options import HypothesesArgument, TextOptions, begun, check_texts
from bolide.cli.meteor_options import MeteorOptions, open_meteor
from bolide.cli.option_groups import flag, option
from bolide.cli.progress import hidden, system_progress
from bolide.cli.report_options import OutputFormat, SamplesOption, SeedOption, SystemTest, decimals
from bolide.cli.streams import columns, tell
from bolide.comparison import reports, significance
from bolide.comparison.compare import (
    Comparison,
    ComparisonOptions,
    compare_scores,
    untested,
    untested_metrics,
)
from bolide.comparison.metrics import MeasuredMetrics
from bolide.comparison.reports.style import SegmentRows, Style
from bolide.comparison.sacrebleu_metrics import check_metrics, listed
from bolide.errors import BolideError, ConfigurationError
from bolide.inputs.assembly import InputSystem
from bolide.inputs.read_ahead import worked_ahead
from bolide.inputs.segments import Segments
from bolide.scoring.corpus import Corpus
from bolide.scoring.measured import MeasuredSegments
from bolide.scoring.meteor import Meteor
from bolide.scoring.resolve import needs_download
from bolide.scoring.score import bounded_note


@dataclass(frozen=True)
class SystemTestOptions:
    """How systems are called and compared."""

    names: str | None = option(
        "A,B", "Names of the systems. Default: the file names; in tables, without their common parts."
    )
    baseline: str | None = option("HYP", "System to test the others against; default: the first.")
    test: SystemTest | None = flag(
        "Paired test of differences; default: bootstrap, if there are several systems.", default=None
    )
    samples: SamplesOption = None
    seed: SeedOption = significance.SEED
    all_pairs: bool = flag("Test every pair of systems, and rank the systems.", "--all-pairs")
    confidence: bool = flag("Show 95% intervals, also for a single system.", "--confidence")

    def named(self, files: Sequence[str]) -> dict[str, str]:
        """The names of the systems, and shorter ones for tables."""
        each_once(files)
        shorter = chosen_labels(self.names, files)
        return dict(zip(files if self.names is None else shorter, shorter, strict=True))

    def options(self, names: Mapping[str, str]) -> ComparisonOptions:
        """The same for these systems, checked. The baseline may have its shorter name."""
        default = SystemTest.bootstrap if len(names) > 1 else SystemTest.none
        full = {shorter: name for name, shorter in names.items()}
        baseline = self.baseline if self.baseline in names else full.get(self.baseline or "", self.baseline)
        found = ComparisonOptions(
            baseline, (self.test or default).value, self.samples, self.seed, self.all_pairs
        )
        found.check(list(names))
        return found


@dataclass(frozen=True)
class ReportOptions:
    """What is printed."""

    segments: bool = flag("Also show the score of every segment.", "--segments")
    output: OutputFormat = flag("Output format.", "--format", default=OutputFormat.text)
    width: int | None = decimals(4)
    percent: bool = flag("Multiply scores by 100.", "--percent")
    quiet: bool = flag("Print no notes; in text format, print only the scores.", "--quiet", "-q")
    metrics: str | None = option(
        "NAMES",
        "Other metrics, with the numbers of sacrebleu: bleu, chrf, chrf++, ter; for example bleu,chrf.",
    )
    fail_under: float | None = option(
        "SCORE", "Exit with code 1 if a score is below this (with --percent: in percent)."
    )

    def style(self, names: Mapping[str, str] | None = None) -> Style:
        return Style(
            self.segments, self.width, self.quiet, _wants_colour(), self.percent, columns(), names or {}
        )

    @property
    def others(self) -> tuple[str, ...]:
        """The other metrics."""
        return listed(self.metrics)

    def check(self) -> None:
        check_metrics(self.others)
        reports.check(self.output.value, self.style())
        if self.fail_under is not None and not math.isfinite(self.fail_under):
            raise ConfigurationError(f"--fail-under must be a number, not {self.fail_under}")


def score(
    hypotheses: HypothesesArgument,
    *,
    texts: TextOptions,
    tested: SystemTestOptions,
    report: ReportOptions,
    spark: str | None = option(
        "MASTER", "Score on Spark: yarn, spark://HOST:7077, local[2]. The scores are the same."
    ),
    scorer: MeteorOptions,
) -> None:
    """Score system outputs against references, and test whether the systems differ.

    Example: bolide score system-1.txt system-2.txt -r reference.txt

    The file name determines the format, such as .tsv or .jsonl; other files are plain text.
    --input-format lists all formats. Files may be compressed (.gz, .bz2, .xz, .zst).
    """
    choices = scorer.choose()
    report.check()
    systems = texts.systems(hypotheses)
    names = tested.named([system.name for system in systems])
    options, style = tested.options(names), report.style(names)
    shown = report.output is not OutputFormat.text or not report.quiet
    resampled = shown and (tested.confidence or tested.samples is not None or options.test != "none")
    size = None if spark is None else _spark_batch()
    if needs_download(choices):
        check_texts(systems)
    first = begun(systems[0].segments(size))
    meteor = open_meteor(choices)
    output = report.output.value
    prints_segments = reports.FORMATS[output].segments is not None  # while it scores; memory stays constant
    keep = resampled or (report.segments and not prints_segments)
    others = MeasuredMetrics(report.others, meteor.threads, keep=keep)
    _print(reports.beginning(output, others.titles))
    scores = {}
    with hidden(report.quiet), _worker(meteor, spark) as (measure, threads):
        for system, name in zip(systems, names, strict=True):
            batches = first if system is systems[0] else system.segments(size)
            corpus = Corpus(meteor.settings, keep=keep)
            files = None if system.table.keyed else system.files
            with system_progress(name, files) as progress, system.naming():
                for batch, measured in worked_ahead(measure, progress.watch(batches), threads):
                    of_metrics = others.add(name, batch, segments=report.segments and prints_segments)
                    where = name, len(corpus) + 1
                    rows = SegmentRows(*where, measured.statistics, measured.flags, of_metrics)
                    _print(reports.segment_lines(rows, meteor.parameters, output, style))
                    corpus.add(measured)
                    progress.scored()
                scores[name] = corpus.score()
    if resampled:
        comparison = compare_scores(scores, meteor, options, others)
    else:
        comparison = untested(scores, meteor, options)
        comparison = replace(comparison, metrics=untested_metrics(others, comparison.baseline))
    _print(reports.ending(comparison, output, style))
    if not report.quiet:
        _print_notes(comparison, systems, bounds=report.output is OutputFormat.text)
    if report.fail_under is not None:
        _check_reached(comparison, report.fail_under, report.percent)


def each_once(names: Sequence[str]) -> Sequence[str]:
    for name, times in Counter(names).items():
        if times > 1:
            raise ConfigurationError(f"{name} is given {times} times; give each system once")
    return names


Measure = Callable[[Segments], MeasuredSegments]


def _spark_batch() -> int:
    require("spark", "pyspark")
    from bolide.distributed.spark import PIECE

    return PIECE


@contextmanager
def _worker(meteor: Meteor, spark: str | None) -> Iterator[tuple[Measure, int]]:
    """What measures segments, and on how many threads."""
    if spark is None:
        yield meteor.measure, meteor.threads
        return
    from bolide.distributed.spark import cluster

    with cluster(spark, meteor) as running:
        yield running.measure, 1


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


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
    tell(f"{system}: {text}")


def _check_reached(comparison: Comparison, wanted: float, percent: bool) -> None:
    """Raises an error, which means exit code 1, if the score of a system is below --fail-under."""
    scores = {system.name: system.score.score * (100 if percent else 1) for system in comparison.systems}
    below = {name: score for name, score in scores.items() if not score >= wanted}
    if below:
        sys.stdout.flush()  # the scores come before the message
        found = ", ".join(f"{name} has {score:.6g}" for name, score in below.items())
        raise BolideError(f"below {wanted:g} (--fail-under): {found}")


def _wants_colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
