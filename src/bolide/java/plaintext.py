"""Scores plain text, one segment per line. Works in batches, so memory does not grow with the files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TextIO

from bolide._support.arrays import Floats, Integers, Statistics
from bolide.errors import InputError, SegmentError
from bolide.formula.statistics import evaluate
from bolide.inputs.read_ahead import worked_ahead
from bolide.java import files, output
from bolide.java.options import JavaOptions
from bolide.java.settings import JavaSettings, reference_count, resources_for
from bolide.scoring.corpus import Corpus


def score(options: JavaOptions, settings: JavaSettings, stdout: TextIO, stderr: TextIO) -> None:
    """Scores the two files."""
    count = reference_count(options)
    output_file = None
    files.check(options.test, options.reference, count, may_be_empty=options.statistics)
    if options.alignments:
        from bolide._support.writing import atomic_text, check_target  # only then: it takes time to load

        check_target(f"{options.prefix}-align.out")
        output_file = atomic_text(f"{options.prefix}-align.out")
    meteor = settings.meteor(resources_for(options, settings))
    corpus, done = Corpus(meteor.settings), 0
    with ExitStack() as stack:
        alignments = None if output_file is None else stack.enter_context(output_file)
        stack.enter_context(_naming_lines(options, count))
        if not (options.quiet or options.statistics):
            stdout.write(output.header(settings, "plaintext"))
        batches = files.segments(options.test, options.reference, count)
        for segments, measured in worked_ahead(meteor.measure, batches, meteor.threads):
            corpus.add(measured)
            rows = measured.statistics
            values = evaluate(rows, meteor.parameters)
            _print_segments(options, done + 1, rows, values, stdout, stderr)
            if alignments is not None:
                found = enumerate(zip(meteor.align_all(segments), values.tolist(), strict=True), done + 1)
                alignments.writelines(output.alignment([k], *pair) for k, pair in found)
            done += len(segments)
        if not options.statistics:
            if not done:
                raise files.empty(options.test, options.reference)
            row = corpus.statistics
            _print_system(options, settings, row, evaluate(row, meteor.parameters), stdout)
    if not options.quiet:  # with -q, standard error has the scores
        stderr.write(output.bounded(options.test, corpus.partial().bounded))


@contextmanager
def _naming_lines(options: JavaOptions, count: int) -> Iterator[None]:
    """Turns errors about a segment into errors about a line of one of the files."""
    try:
        yield
    except SegmentError as error:
        name, line = options.test, error.segment
        if error.reference:
            name, line = options.reference, (error.segment - 1) * count + error.reference
        raise InputError(f"{name}, line {line}: {error.problem}") from None


def _print_segments(
    options: JavaOptions, first: int, rows: Statistics, values: Floats, stdout: TextIO, stderr: TextIO
) -> None:
    if options.statistics:
        stdout.write(output.statistics_lines(rows))
    elif options.quiet and not options.verbose:
        stderr.write(output.score_lines(values))
    else:
        stdout.write(output.segment_lines(first, values, verbose=options.verbose))


def _print_system(
    options: JavaOptions, settings: JavaSettings, row: Integers, values: Floats, stdout: TextIO
) -> None:
    if options.quiet:
        stdout.write(output.score_lines(values))
    else:
        stdout.write("\nSystem level statistics:\n\n")
        stdout.write(output.system(row, values[0].tolist(), settings))
