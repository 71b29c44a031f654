"""`bolide correlate`: how far metrics agree with people."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bolide.cli import options as of_meteor
from bolide.cli.input_options import Inputs, with_inputs
from bolide.cli.score import Format
from bolide.errors import ConfigurationError, InputError
from bolide.scoring.meteor import Meteor

if TYPE_CHECKING:
    from bolide.evaluation import Judgments, Scores, Texts

PEOPLE, METRICS, REPORT = "People", "Metrics", "Report"
Make = Callable[[str | None], Meteor]


@functools.wraps(of_meteor._meteor)
def _maker(**given: Any) -> Make:
    """Makes a scorer when it is needed: of the options, or of another profile or a signature."""

    def make(name: str | None = None) -> Meteor:
        if name is None:
            return of_meteor._meteor(**given)
        if "|" in name:
            chosen = {key: given[key] for key in ("stop_words", "synonyms", "resources", "threads")}
            return Meteor.from_signature(name, **chosen)
        return of_meteor._meteor(**{**given, "profile": name})

    return make


def _of(panel: str, *names: str, metavar: str | None = None, text: str) -> Any:
    return typer.Option(*names, metavar=metavar, help=text, rich_help_panel=panel)


@of_meteor.in_place_of("make", _maker)
@with_inputs
def correlate(
    make: Make,
    texts: Inputs,
    judgments: Annotated[
        str,
        typer.Argument(
            metavar="JUDGMENTS",
            help="What people said: WMT's CSV of rankings, TSV of pairs (segid, better, worse) or of ratings "
            "(system, segment, judge, score), .rank, .seg.score, .sys.score.",
        ),
    ],
    hypotheses: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="HYP",
            help="System outputs to score: a file for each, by its name; or a table of system, segid, hyp.",
        ),
    ] = None,
    judgments_format: Annotated[
        str | None,
        _of(
            PEOPLE,
            metavar="NAME",
            text="wmt-csv, pairs, rank, ratings, seg.score, sys.score; default: by name.",
        ),
    ] = None,
    language_pair: Annotated[
        str | None, _of(PEOPLE, metavar="PAIR", text="Of JUDGMENTS that have several; such as cs-en.")
    ] = None,
    system_map: Annotated[
        str | None,
        _of(PEOPLE, metavar="FILE", text="TSV of names: a system in JUDGMENTS, the same among the scores."),
    ] = None,
    normalize_ratings: Annotated[
        str, _of(PEOPLE, metavar="NAME", text="Per judge: none, z, or mitre (one distribution for all).")
    ] = "none",
    scores: Annotated[
        list[str] | None,
        _of(
            METRICS,
            metavar="FILE",
            text="Scores there are already: TSV of system, segid and metrics; .seg.score, .sys.score. "
            "Repeat for several.",
        ),
    ] = None,
    column: Annotated[
        list[str] | None,
        _of(METRICS, metavar="NAME", text="A metric of the TSV; repeat for several. Default: all."),
    ] = None,
    negate: Annotated[
        list[str] | None,
        _of(METRICS, metavar="NAME", text="A metric in FILE that is small where translations are good."),
    ] = None,
    metric: Annotated[
        list[str] | None,
        _of(
            METRICS,
            metavar="NAME",
            text="What to score HYP with: a profile, a signature, bleu, chrf, chrf++, ter, nist; behind a "
            "profile may stand :precision, :recall, :f1, :fmean. Repeat for several. Default: --profile.",
        ),
    ] = None,
    components: Annotated[
        bool, _of(METRICS, "--components", text="Precision, recall, F1 and Fmean of each METEOR too.")
    ] = False,
    ablate: Annotated[
        bool,
        _of(METRICS, "--ablate", text="Print the tables of the 2005 paper for HYP: parts, and modules."),
    ] = False,
    measure: Annotated[
        list[str] | None,
        _of(
            REPORT,
            metavar="NAME",
            text="kendall-wmt14, kendall-wmt12, pearson, spearman, kendall-b, weighted-pearson, accuracy; "
            "system-pearson, system-spearman, system-accuracy, soft-accuracy. Repeat for several. Default: "
            "those usual for such judgments.",
        ),
    ] = None,
    group: Annotated[
        str | None, _of(REPORT, metavar="NAME", text="none, system, or item; default: usual for the measure.")
    ] = None,
    confidence: Annotated[
        bool, _of(REPORT, "--confidence", text="Show 95% intervals (bootstrap of segments).")
    ] = False,
    test: Annotated[
        str,
        _of(REPORT, metavar="NAME", text="Test of differences: permutation, williams, or none."),
    ] = "none",
    permute: Annotated[
        str, _of(REPORT, metavar="UNIT", text="What a permutation swaps: inputs, both, or systems.")
    ] = "inputs",
    baseline: Annotated[
        str | None,
        _of(REPORT, metavar="NAME", text="The metric to test the others against; default: the first."),
    ] = None,
    samples: Annotated[int, _of(REPORT, metavar="NUMBER", text="Samples of test and intervals.")] = 1000,
    seed: Annotated[int, _of(REPORT, metavar="NUMBER", text="Seed of the samples.")] = 12345,
    write_seg_scores: Annotated[
        str | None,
        _of(REPORT, metavar="FOLDER", text="Write METRIC.seg.score and human.seg.score (mt-metrics-eval)."),
    ] = None,
    write_sys_scores: Annotated[
        str | None, _of(REPORT, metavar="FOLDER", text="The same for systems: METRIC.sys.score.")
    ] = None,
    write_judgments: Annotated[
        str | None,
        _of(
            REPORT,
            metavar="FILE",
            text="Write JUDGMENTS as .rank, .csv (WMT's) or .tsv.",
        ),
    ] = None,
    scatter: Annotated[
        str | None,
        _of(
            REPORT, metavar="FILE", text="Plot the first metric and people, a point a system: svg, png, pdf."
        ),
    ] = None,
    scatter_segments: Annotated[
        str | None, _of(REPORT, metavar="FILE", text="The same, a point a translation.")
    ] = None,
    ranking: Annotated[
        str | None,
        _of(REPORT, metavar="FILE", text="Plot the ranking of the systems, with intervals."),
    ] = None,
    output: Annotated[Format, _of(REPORT, "--format", text="How to print the results.")] = Format.text,
    width: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            min=0,
            max=17,
            help="Decimals; default: 3, all in json and tsv.",
            rich_help_panel=REPORT,
        ),
    ] = None,
) -> None:
    """Measure how far metrics agree with human judgments, and whether they differ in that."""
    from bolide import evaluation
    from bolide.evaluation import normalise, plots, tables, writing
    from bolide.evaluation.study import StudyOptions

    options = StudyOptions(tuple(measure or ()), group, confidence, test, permute, baseline, samples, seed)
    options.check()
    pictures = {"scatter": scatter, "scatter_segments": scatter_segments, "ranking": ranking}
    for wanted in filter(None, pictures.values()):
        plots.check_ending(wanted)
    folders = [Path(folder) for folder in (write_seg_scores, write_sys_scores) if folder]
    for folder in folders:
        if not folder.is_dir():
            raise ConfigurationError(f"{folder} is not a folder; make it first")
    if write_judgments is not None:
        writing.check_file(write_judgments, language_pair)
    people = evaluation.read_judgments(judgments, judgments_format, language_pair=language_pair)
    people = normalise.normalised(people, normalize_ratings)
    if system_map is not None:
        people = people.renamed(_names(system_map))
    if write_judgments is not None:
        writing.write_judgments(write_judgments, people, language_pair)
        if not hypotheses and not scores:
            return
    outputs = _texts(evaluation, hypotheses or [], texts, people)
    with _progress() as advance:
        if ablate:
            if outputs is None:
                raise ConfigurationError(
                    "--ablate scores texts: give system outputs (HYP) and --reference FILE"
                )
            _print_ablation(evaluation.ablate(make(None), outputs, people, advance), output.value, width)
            return
        found = [*_read(evaluation, scores or [], column or [], negate or [])]
        if outputs is not None:
            advance("scoring")
            found += _computed(evaluation, metric or [], components, outputs, make)
        if not found:
            raise ConfigurationError(
                "nothing to compare with people: give --scores FILE, or HYP and --reference"
            )
        study = evaluation.correlate(
            found, people, measures=measure, grouping=group, confidence=confidence, test=test, unit=permute,
            baseline=baseline, samples=samples, seed=seed, advance=advance,
        )  # fmt: skip
        _write(evaluation, found, people, write_seg_scores, write_sys_scores)
        for kind, path in pictures.items():
            if path is not None:
                advance(f"plotting {path}")
                plots.save(_chart(plots, kind, found[0], people, samples, seed), path)
    for line in tables.lines(study, output.value, width):
        print(line)


def _texts(evaluation: Any, hypotheses: Sequence[str], given: Inputs, people: Judgments) -> Texts | None:
    """The outputs of judged systems."""
    if not hypotheses:
        return None
    found: Texts = evaluation.read_texts(hypotheses, given.references, given.options)
    return found.only(people.systems)


def _computed(
    evaluation: Any, names: list[str], components: bool, outputs: Texts, make: Make
) -> list[Scores]:
    from bolide.evaluation.metrics import OTHERS, PARTS, meteor_scores

    parts = PARTS if components else ("score",)
    if not names:
        return meteor_scores(make(None), outputs, "METEOR", parts)
    wanted = []
    for name in names:
        several = components and name.lower() not in OTHERS and name.rpartition(":")[2] not in PARTS
        wanted += [f"{name}:{part}" for part in parts] if several else [name]
    found: list[Scores] = evaluation.compute(wanted, outputs, make)
    return found


def _read(
    evaluation: Any, files: Sequence[str], columns: Sequence[str], negated: Sequence[str]
) -> Iterator[Scores]:
    lower = [name.lower() for name in negated]
    known = set()
    for file in files:
        for each in evaluation.read_scores(file, columns):
            known.add(each.name.lower())
            yield each.negated() if each.name.lower() in lower else each
    for name in negated:
        if name.lower() not in known:
            raise InputError(
                f"--negate: there are no scores of '{name}'; there are: {', '.join(sorted(known))}"
            )


def _names(file: str) -> dict[str, str]:
    from bolide.inputs.text import read_lines

    found = {}
    for number, line in enumerate(read_lines(file), 1):
        fields = line.split("\t")
        if len(fields) != 2:
            raise InputError(f"{file}, line {number}: must be two names with a tab between them")
        found[fields[0]] = fields[1]
    return found


def _write(
    evaluation: Any, scores: Sequence[Scores], people: Judgments, segments: str | None, systems: str | None
) -> None:
    """Metrics as they came; people in the order of the first metric's segments."""
    human = evaluation.human_scores(people, scores[0])
    for each in (*scores, human):
        name = each.name.replace("/", "_").replace(":", "-")
        if segments is not None and each.values is not None:
            evaluation.write_seg_scores(Path(segments) / f"{name}.seg.score", each)
        if systems is not None:
            evaluation.write_sys_scores(Path(systems) / f"{name}.sys.score", each)


def _chart(plots: Any, kind: str, scores: Scores, people: Judgments, samples: int, seed: int) -> Any:
    if kind == "ranking":
        return plots.ranking(scores, people, samples, seed)
    return plots.scatter(scores, people, "system" if kind == "scatter" else "segment")


def _print_ablation(found: Any, output: str, width: int | None) -> None:
    from bolide.evaluation.tables import rounded

    if output == "json":
        print(json.dumps(rounded(found.to_dict(), width), indent=2, ensure_ascii=False))
        return
    for line in found.lines(output, width):
        print(line)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """What is being done, on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda what: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("reading") as status:
        yield lambda what: status.update(Text(what))  # not markup: names may have brackets
