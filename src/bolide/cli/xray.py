"""`bolide xray`: why systems got their scores, as a report, as a figure, or in the terminal."""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from bolide.cli import options
from bolide.cli.input_options import Inputs, with_inputs
from bolide.cli.score import Test, each_once, progress
from bolide.comparison import significance
from bolide.comparison.compare import ComparisonOptions
from bolide.errors import ConfigurationError, InputError, ResourceError
from bolide.inputs.files import check_readable, shown
from bolide.inputs.options import format_of, table
from bolide.inputs.segments import Segments
from bolide.inputs.table import USUAL, Wanted

if TYPE_CHECKING:
    from bolide.scoring.meteor import Meteor
    from bolide.xray import Segment, Xray

FIGURES = "Figures"


class Style(str, Enum):
    matrix = "matrix"
    ribbons = "ribbons"


def _of_figures(*names: str, metavar: str | None = None, text: str) -> Any:
    return typer.Option(*names, metavar=metavar, help=text, rich_help_panel=FIGURES)


@functools.wraps(options._meteor)
def _scorer(**given: Any) -> dict[str, Any]:
    """Its options: Java's files can be shown without a scorer, if none can be made."""
    return given


@options.in_place_of("scorer", _scorer)
@with_inputs
def xray(
    scorer: dict[str, Any],
    texts: Inputs,
    hypotheses: Annotated[
        list[str],
        typer.Argument(
            metavar="HYP",
            help="System outputs, a segment a line or a record; or alignments that Java wrote (*-align.out).",
        ),
    ],
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="The report, .html; or the figure.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--source", "-s", metavar="FILE", help="What was translated, to be shown too."),
    ] = None,
    source_column: Annotated[
        str, typer.Option(metavar="NAME", help="Its column, if it is no plain text.")
    ] = "src",
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title of the report.")] = None,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Browse the segments in this terminal instead.")
    ] = False,
    test: Annotated[Test, typer.Option(help="Paired test of differences.")] = Test.bootstrap,
    samples: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="Samples of test and intervals; default: 1000, for randomization 10000."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the samples.")] = significance.SEED,
    figure: Annotated[
        str | None,
        _of_figures(
            metavar="NAME",
            text="A figure instead of the report, .svg, .png or .pdf: scores, cumulative, lengths, "
            "differences, matches, ranking (.json too), or alignment:NUMBER of that segment (.tex too).",
        ),
    ] = None,
    figure_system: Annotated[
        list[str] | None,
        _of_figures(metavar="HYP", text="Of an alignment: the system; repeat for two. Default: the first."),
    ] = None,
    figure_reference: Annotated[
        int | None, _of_figures(metavar="NUMBER", text="Of an alignment: the reference. Default: the best.")
    ] = None,
    figure_style: Annotated[Style | None, _of_figures(text="Of an alignment. Default: matrix.")] = None,
) -> None:
    """Show why systems got their scores: every alignment, what it is made of, and how systems differ.

    The report is one file that any browser opens: searched, filtered, compared, printed, without a network.
    """
    from bolide.xray.files import check_output, segment_of, write_figure, write_report
    from bolide.xray.terminal import browse, check_terminal

    if terminal == (output is not None):
        raise ConfigurationError("give either a file for the report, --output FILE.html (-o), or --terminal")
    if output is not None:
        check_output(output, figure)
    elif figure is not None:
        raise ConfigurationError("a figure goes into a file: --output FILE.svg (-o)")
    else:
        check_terminal()
    details = figure_system, figure_reference, figure_style
    if details != (None, None, None) and (figure is None or segment_of(figure) is None):
        raise ConfigurationError("--figure-system, -reference and -style are for --figure alignment:NUMBER")
    chosen: Any = test.value
    if source is not None:
        check_readable([source], [])
    compared = ComparisonOptions(test=chosen, samples=samples, seed=seed)
    found = _xray(scorer, texts, hypotheses, compared, title)
    if source is not None:
        found = replace(found, segments=_sources(source, source_column, found.segments))
    for note in found.notes:
        print(f"bolide: {note}", file=sys.stderr)
    if output is None:
        browse(found)
    elif figure is None:
        write_report(found, output)
    else:
        reference = None if figure_reference is None else figure_reference - 1
        style = (figure_style or Style.matrix).value
        write_figure(found, figure, output, systems=figure_system, reference=reference, style=style)


def _xray(
    scorer: dict[str, Any], texts: Inputs, files: list[str], compared: ComparisonOptions, title: str | None
) -> Xray:
    """The X-ray of texts, or of files that Java wrote."""
    from bolide.java.alignments import is_alignments

    written = [name for name in files if is_alignments(name)]
    if not written:
        return _of_texts(options._meteor(**scorer), texts, files, compared, title)
    if others := [name for name in files if name not in written]:
        raise ConfigurationError(
            f"{written[0]} has alignments that Java wrote, {shown(others[0])} has not: show them apart"
        )
    if texts.references or texts.options.docs:
        raise ConfigurationError(
            f"{written[0]} has references and documents of its own: leave out --reference and --docs"
        )
    return _of_java(scorer, files, texts.options.hyp_columns, compared, title)


def _of_texts(
    meteor: Meteor, texts: Inputs, files: list[str], compared: ComparisonOptions, title: str | None
) -> Xray:
    from bolide.xray.from_texts import XrayBuilder
    from bolide.xray.names import labels

    systems = texts.systems(files)
    names = each_once([system.name for system in systems])
    compared.check(names)
    builder = XrayBuilder(meteor)
    for system, label in zip(systems, labels(names), strict=True):
        with progress(system.name) as advance, system.naming():
            segments = _together(list(system.segments()))
            builder.add(label, segments, system.name)
            advance(len(segments))
    return builder.xray(compared, title=title)


def _together(batches: Sequence[Segments]) -> Segments:
    """Batches of segments as one."""
    hypotheses = [*chain.from_iterable(batch.hypotheses for batch in batches)]
    references = [*chain.from_iterable(batch.references for batch in batches)]
    documents = [*chain.from_iterable(batch.documents or () for batch in batches)]
    counts = np.concatenate([batch.counts for batch in batches])
    return Segments(hypotheses, references, counts, batches[0].pretokenized, documents=documents or None)


def _of_java(
    scorer: dict[str, Any],
    files: list[str],
    wanted: Sequence[str],
    compared: ComparisonOptions,
    title: str | None,
) -> Xray:
    from bolide.xray.from_java import of_java

    compared.check(each_once(files))
    try:
        meteor = options._meteor(**scorer)
    except ResourceError as error:
        print(f"bolide: {error}", file=sys.stderr)
        return of_java(files, wanted=wanted, title=title)
    return of_java(files, meteor, compared, wanted=wanted, title=title)


def _sources(name: str, column: str, segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """The segments with what was translated, from a file."""
    from bolide.xray.assembly import with_sources

    wanted = Wanted(USUAL if format_of(name) == "text" else column)
    found = [record.hypothesis for record in table(name).records(wanted)]
    try:
        return with_sources(segments, found)
    except InputError as error:
        raise InputError(f"{shown(name)}: {error}") from None
