"""`bolide xray`: why systems got their scores, as a report, as a figure, or in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bolide._support.labels import chosen_labels, without_folder
from bolide._support.progress import amount
from bolide.cli.annotation_options import AnnotationOptions
from bolide.cli.input_options import TextOptions, check_inputs
from bolide.cli.meteor_options import MeteorOptions, open_meteor, words_only
from bolide.cli.option_groups import Panel, argument, flag, option
from bolide.cli.other_metric_options import OtherMetricOptions
from bolide.cli.progress import bar, hidden
from bolide.cli.report_options import SamplesOption, SeedOption, SystemTest
from bolide.cli.score import each_once
from bolide.cli.streams import print_line, tell
from bolide.comparison import significance
from bolide.comparison.compare import ComparisonOptions
from bolide.errors import ConfigurationError, InputError, ResourceError, unknown
from bolide.inputs.files import can_be_read_again, shown
from bolide.inputs.formats import format_of, table
from bolide.inputs.segments import Segments
from bolide.inputs.table import USUAL, Wanted
from bolide.scoring.resolve import needs_download

if TYPE_CHECKING:
    from bolide.xray.model import Xray

FIGURES = Panel("Figures")
KEYED = ("sgml", "xml")  # formats whose segments are in documents


class FigureStyle(str, Enum):
    matrix = "matrix"
    ribbons = "ribbons"


@dataclass(frozen=True)
class FigureOptions:
    """Which figure to write instead of a report."""

    figure: str | None = FIGURES.option(
        "NAME",
        "Write a figure instead of the report, as .svg, .png or .pdf: scores, cumulative, lengths, "
        "differences, scatter, matches, ranking (also .json), or alignment:NUMBER, such as alignment:17 for "
        "segment 17 (also .tex).",
    )
    figure_system: list[str] | None = FIGURES.option(
        "HYP", "System of the alignment; repeat for two. Default: the first."
    )
    figure_reference: int | None = FIGURES.option("NUMBER", "Reference of the alignment. Default: the best.")
    figure_style: FigureStyle | None = FIGURES.flag("Style of the alignment. Default: matrix.", default=None)

    def check(self) -> None:
        from bolide.xray.files import segment_of

        details = self.figure_system, self.figure_reference, self.figure_style
        if details != (None, None, None) and (self.figure is None or segment_of(self.figure) is None):
            raise ConfigurationError(
                "--figure-system, --figure-reference and --figure-style need --figure alignment:NUMBER"
            )

    def check_texts(self, segments: Segments, names: Sequence[str], files: Sequence[str]) -> None:
        """Raises an error, before anything is scored, if these texts lack what the figure shows."""
        from bolide.xray import figures, plots
        from bolide.xray.files import segment_of

        if self.figure is None:
            return
        if (number := segment_of(self.figure)) is None:
            plots.check_count(self.figure, len(files))
            return
        systems = self.figure_system or files[:1]
        figures.check_parts(number - 1, len(segments), len(systems))
        for name in systems:
            if name not in (*names, *files, *without_folder(files)):
                raise unknown("system", name, names)
        count = int(segments.counts[number - 1])
        if self.figure_reference is not None and not 1 <= self.figure_reference <= count:
            raise InputError(
                f"segment {number} has no reference {self.figure_reference} (--figure-reference): "
                f"it has {count}"
            )

    def write(self, xray: Xray, output: str) -> None:
        from bolide.xray.files import write_figure

        assert self.figure is not None
        reference = None if self.figure_reference is None else self.figure_reference - 1
        style = (self.figure_style or FigureStyle.matrix).value
        systems = self.figure_system
        write_figure(xray, self.figure, output, systems=systems, reference=reference, style=style)


def xray(
    hypotheses: list[str] = argument(
        "HYP", "System outputs, one segment per line or record; or alignments written by Java (*-align.out)."
    ),
    *,
    output: str | None = option(
        "FILE", "File to write: the report (.html), or the figure.", "--output", "-o"
    ),
    source: str | None = option("FILE", "Source text, to show it in the report.", "--source", "-s"),
    source_column: str = option("NAME", "Column of the source text, if the file is a table.", default="src"),
    title: str | None = option("TEXT", "Title of the report."),
    names: str | None = option(
        "A,B", "Names of the systems. Default: the file names, without their common parts."
    ),
    open_: bool = flag("Open the file, for example in a browser.", "--open"),
    quiet: bool = flag("Show no progress, and do not say what was written.", "--quiet", "-q"),
    terminal: bool = flag("Browse the segments in the terminal instead of writing a report.", "--terminal"),
    test: SystemTest = flag("Paired test of differences.", default=SystemTest.bootstrap),
    samples: SamplesOption = None,
    seed: SeedOption = significance.SEED,
    figures: FigureOptions,
    annotations: AnnotationOptions,
    others: OtherMetricOptions,
    texts: TextOptions,
    scorer: MeteorOptions,
) -> None:
    """Show why systems got their scores: all alignments, parts of the scores, and differences.

    The report is one HTML file, which needs no network. You can search, filter and print it.
    """
    from bolide.xray.files import write_report
    from bolide.xray.terminal import browse

    _check_destination(output, terminal, figures, opened=open_)
    annotations.check(source=source is not None)
    others.check()
    sources = None if source is None else _read_sources(source, source_column)
    tested = ComparisonOptions(test=test.value, samples=samples, seed=seed)
    with hidden(quiet):
        found = _XrayRequest(
            hypotheses, source, sources, title, names, tested, figures, annotations, others, texts, scorer
        ).xray()
    for note in found.notes:
        tell(note)
    if output is None:
        browse(found)
        return
    if figures.figure is None:
        write_report(found, output)
    else:
        figures.write(found, output)
    if not quiet:
        how = "" if open_ or figures.figure is not None else ": open it in a browser, or add --open"
        print_line(f"{output} written ({amount(Path(output).stat().st_size, 'bytes')}){how}")
    if open_:
        _open(Path(output))


def _open(path: Path) -> None:
    import webbrowser

    address = path.absolute().as_uri()
    if not webbrowser.open(address):
        tell(f"no browser found; open {address} yourself")


def _check_destination(output: str | None, terminal: bool, figures: FigureOptions, *, opened: bool) -> None:
    from bolide.xray.files import check_output
    from bolide.xray.terminal import check_terminal

    if terminal == (output is not None):
        raise ConfigurationError("give either a file for the report, --output FILE.html (-o), or --terminal")
    if opened and output is None:
        raise ConfigurationError("--open needs a file: --output FILE.html (-o)")
    if output is not None:
        check_output(output, figures.figure)
    elif figures.figure is not None:
        raise ConfigurationError("a figure needs a file: --output FILE.svg (-o)")
    else:
        check_terminal()
    figures.check()


@dataclass(frozen=True)
class _XrayRequest:
    """What the command shows: files, and all that belongs to them."""

    files: list[str]
    source: str | None
    sources: list[str] | None
    title: str | None
    names: str | None
    tested: ComparisonOptions
    figures: FigureOptions
    annotations: AnnotationOptions
    others: OtherMetricOptions
    texts: TextOptions
    scorer: MeteorOptions

    def xray(self) -> Xray:
        """The X-ray of texts, or of alignments that Java wrote."""
        from bolide.java.alignments import is_alignments
        from bolide.xray.assembly import with_sources

        written = [name for name in self.files if is_alignments(name)]
        if written:
            self._check_java(written)
            found = self._of_java()
        else:
            found = self._of_texts()
        with self._naming_source():
            return replace(found, segments=with_sources(found.segments, self.sources))

    def _of_texts(self) -> Xray:
        from bolide.xray.assembly import check_sources
        from bolide.xray.from_texts import XrayBuilder

        choices = self.scorer.choose()
        systems = self._with_documents().systems(self.files)
        given = each_once([system.name for system in systems])
        chosen = chosen_labels(self.names, given)
        self.tested.check(chosen)
        segments = _together(list(systems[0].segments()))
        if self.sources is not None:
            with self._naming_source():
                check_sources(self.sources, len(segments))
        self.figures.check_texts(segments, chosen, given)
        known = self.annotations.read(len(segments), chosen, self.sources)
        scores = self.others.read(chosen, given, len(segments))
        if needs_download(choices):
            checked = XrayBuilder(words_only(choices), known)
            checked.check(chosen[0], segments)
            for system, label in zip(systems[1:], chosen[1:], strict=True):
                if all(map(can_be_read_again, system.files)):
                    with system.naming():
                        checked.check(label, _together(list(system.segments())))
        builder = XrayBuilder(open_meteor(choices), known, metrics=self.others.names, scores=scores)
        for system, label in zip(systems, chosen, strict=True):
            with bar(shown(system.name)), system.naming():
                if system is not systems[0]:
                    segments = _together(list(system.segments()))
                builder.add(label, segments, system.name)
        return builder.xray(self.tested, title=self.title)

    def _with_documents(self) -> TextOptions:
        """The options of the texts; the documents of WMT's files are always read."""
        texts = self.texts
        if texts.docs is None and texts.doc_column is None:
            form = texts.input_format or format_of(self.files[0])
            return replace(texts, doc_column="docid" if form in KEYED else None)
        return texts

    def _check_java(self, written: list[str]) -> None:
        from bolide.xray import WORDS_ONLY

        if rest := [name for name in self.files if name not in written]:
            raise ConfigurationError(
                f"{written[0]} has alignments written by Java, {shown(rest[0])} has not: show them separately"
            )
        if self.texts.references or self.texts.docs:
            raise ConfigurationError(
                f"{written[0]} has its own references and documents: leave out --reference and --docs"
            )
        if self.others.names:
            raise ConfigurationError(f"{written[0]}: {WORDS_ONLY} (--scores)")

    def _of_java(self) -> Xray:
        """Without a language pack, it has no arithmetic and no reasons."""
        from bolide.xray.from_java import of_java

        self.tested.check(each_once(self.files))
        choices = self.scorer.choose()
        about: dict[str, Any] = {"wanted": self.texts.columns, "title": self.title, "names": self.names}
        read = partial(self.annotations.read, sources=self.sources)
        about |= {"annotations": read, "scores": self.others.read}
        try:
            meteor = open_meteor(choices)
        except ResourceError as error:
            tell(str(error))
            return of_java(self.files, **about)
        return of_java(self.files, meteor, self.tested, **about)

    @contextmanager
    def _naming_source(self) -> Iterator[None]:
        """Adds the name of the source file to errors."""
        try:
            yield
        except InputError as error:
            raise InputError(f"{shown(self.source or '')}: {error}") from None


def _together(batches: Sequence[Segments]) -> Segments:
    """Joins batches of segments."""
    hypotheses = [*chain.from_iterable(batch.hypotheses for batch in batches)]
    references = [*chain.from_iterable(batch.references for batch in batches)]
    documents = [*chain.from_iterable(batch.documents or () for batch in batches)]
    counts = np.concatenate([batch.counts for batch in batches])
    return Segments(hypotheses, references, counts, batches[0].pretokenized, documents=documents or None)


def _read_sources(name: str, column: str) -> list[str]:
    check_inputs(name)
    wanted = Wanted(USUAL if format_of(name) == "text" else column)
    return [record.hypothesis for record in table(name).records(wanted)]
