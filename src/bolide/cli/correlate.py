"""`bolide correlate`: how well metrics agree with human judgments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bolide._support.progress import Progress
from bolide._support.visible import json_text
from bolide.cli.input_options import TextOptions, check_outputs
from bolide.cli.meteor_options import MeteorOptions, open_meteor
from bolide.cli.option_groups import Panel, argument
from bolide.cli.progress import QuietOption, hidden, status
from bolide.cli.report_options import OutputFormat, decimals
from bolide.errors import ConfigurationError, InputError
from bolide.inputs.text_files import read_lines

if TYPE_CHECKING:
    from bolide.evaluation import JudgedTexts, Judgments, Scores, Study, Texts
    from bolide.evaluation.study import StudyOptions

JUDGMENTS, METRICS, REPORT = Panel("Judgments"), Panel("Metrics"), Panel("Report")


@dataclass(frozen=True)
class JudgmentOptions:
    """How the file of judgments is read."""

    judgments_format: str | None = JUDGMENTS.option(
        "NAME",
        "Format: wmt-csv, pairs, rank, ratings, seg.score, sys.score, jsonl; default: by the file name.",
    )
    language_pair: str | None = JUDGMENTS.option(
        "PAIR", "Language pair to use, if JUDGMENTS has several, such as cs-en."
    )
    system_map: str | None = JUDGMENTS.option(
        "FILE", "TSV with the names of systems in JUDGMENTS and in the scores."
    )
    normalize_ratings: str = JUDGMENTS.option(
        "NAME", "How to normalize ratings of each judge: none, z, or mitre.", default="none"
    )
    where: list[str] | None = JUDGMENTS.option(
        "KEY=VALUE", "JSON Lines: keep only lines with this value; or KEY!=VALUE. Repeat for several."
    )
    human: list[str] | None = JUDGMENTS.option(
        "NAME", "JSON Lines: a named human score; repeat for the mean of several. Default: all."
    )
    own_references: str | None = JUDGMENTS.option(
        "NAME",
        "JSON Lines: a text that is one of its own references: keep (default), drop (leave it out), or "
        "remove (from its references).",
    )

    def read(self, file: str) -> Judgments:
        from bolide.evaluation import normalised, read_judgments

        found = read_judgments(file, self.judgments_format, language_pair=self.language_pair)
        found = normalised(found, self.normalize_ratings)
        return found if self.system_map is None else found.renamed(_read_names(self.system_map))

    def have_texts(self, file: str) -> bool:
        """Whether a file of judgments has the texts, too."""
        from bolide.evaluation.judged_texts import is_judged_texts

        found = is_judged_texts(file, self.judgments_format)
        chosen = {
            "--where": self.where,
            "--human": self.human,
            "--own-references": self.own_references,
        }
        for name, given in {} if found else chosen.items():
            if given:
                raise ConfigurationError(f"{name} is for judgments in JSON Lines with texts, not for {file}")
        return found

    def read_texts(self, file: str) -> JudgedTexts:
        from bolide.evaluation import read_judged_texts

        if not self.have_texts(file):
            raise ConfigurationError(
                f"{file} is not JSON Lines (.jsonl): give only such files, or --judgments-format jsonl"
            )
        return read_judged_texts(
            file,
            where=self.where or (),
            human=self.human or (),
            own_references=self.own_references or "keep",
        ).normalised(self.normalize_ratings)


@dataclass(frozen=True)
class MetricOptions:
    """What is compared with the judgments."""

    scores: list[str] | None = METRICS.option(
        "FILE",
        "Existing scores: TSV of system, segid and metrics; .seg.score, .sys.score. Repeat for several.",
    )
    column: list[str] | None = METRICS.option(
        "NAME", "A metric of the TSV; repeat for several. Default: all."
    )
    negate: list[str] | None = METRICS.option("NAME", "A metric of --scores for which smaller is better.")
    metric: list[str] | None = METRICS.option(
        "NAME",
        "Metric to score HYP with: a profile, PROFILE:TASK, a signature, bleu, chrf, chrf++, ter, nist, "
        "rouge-l, rouge-l-stem. A METEOR may be followed by :precision, :recall, :f1, :fmean. Repeat for "
        "several. Default: --profile.",
    )
    components: bool = METRICS.flag(
        "Also measure precision, recall, F1 and Fmean of each METEOR.", "--components"
    )
    ablate: bool = METRICS.flag("Print the tables of the 2005 paper for HYP.", "--ablate")

    def read(self) -> Iterator[Scores]:
        """The existing scores."""
        from bolide.evaluation import read_scores

        negated = [name.lower() for name in self.negate or ()]
        known = set()
        for file in self.scores or ():
            for each in read_scores(file, self.column or ()):
                known.add(each.name.lower())
                yield each.negated() if each.name.lower() in negated else each
        for name in self.negate or ():
            if name.lower() not in known:
                raise InputError(
                    f"--negate: there are no scores of '{name}'; there are: {', '.join(sorted(known))}"
                )

    def choose(self, scorer: MeteorOptions) -> Callable[[Texts, Progress], list[Scores]]:
        """The metrics, checked without opening a language pack. The result scores texts."""
        from bolide.evaluation import compute, meteor_scores
        from bolide.evaluation.metrics import PARTS, named_scorers

        parts = PARTS if self.components else ("score",)
        if not self.metric:
            choices = scorer.choose()
            return lambda texts, show: meteor_scores(open_meteor(choices), texts, "METEOR", parts, show)
        chosen = {name: scorer.choose_named(name) for name in named_scorers(self.metric)}
        names = [each for name in self.metric for each in self._with_components(name)]
        return lambda texts, show: compute(names, texts, lambda name: chosen[name](), show)

    def _with_components(self, name: str) -> list[str]:
        from bolide.evaluation.metrics import OTHERS, PARTS

        if not self.components or name.lower() in OTHERS or name.rpartition(":")[2] in PARTS:
            return [name]
        return [f"{name}:{part}" for part in PARTS]


@dataclass(frozen=True)
class MeasureOptions:
    """How agreement is measured and tested."""

    measure: list[str] | None = REPORT.option(
        "NAME",
        "kendall-wmt14, kendall-wmt12, pearson, spearman, kendall-b, kendall-c, weighted-pearson, "
        "accuracy; system-pearson, system-spearman, system-accuracy, soft-accuracy. Repeat for several. "
        "Default: those that are usual for the judgments.",
    )
    group: str | None = REPORT.option(
        "NAME", "How to average: none, system, or item; default: depends on the measure."
    )
    confidence: bool = REPORT.flag("Show 95% intervals (bootstrap of segments).", "--confidence")
    test: str = REPORT.option("NAME", "Test of differences: permutation, williams, or none.", default="none")
    permute: str = REPORT.option(
        "UNIT", "What the permutation test swaps: inputs, both, or systems.", default="inputs"
    )
    baseline: str | None = REPORT.option("NAME", "Metric to test the others against; default: the first.")
    samples: int = REPORT.option("NUMBER", "Samples for the test and the intervals.", default=1000)
    seed: int = REPORT.option("NUMBER", "Seed of the samples.", default=12345)

    def options(self) -> StudyOptions:
        from bolide.evaluation.study import StudyOptions

        found = StudyOptions(
            tuple(self.measure or ()), self.group, self.confidence, self.test, self.permute, self.baseline,
            self.samples, self.seed,
        )  # fmt: skip
        found.check()
        return found


@dataclass(frozen=True)
class CorrelateOutputOptions:
    """What is written and printed."""

    write_seg_scores: str | None = REPORT.option(
        "FOLDER", "Write METRIC.seg.score and human.seg.score (mt-metrics-eval)."
    )
    write_sys_scores: str | None = REPORT.option("FOLDER", "The same for systems: METRIC.sys.score.")
    write_judgments: str | None = REPORT.option("FILE", "Write JUDGMENTS as .rank, .csv (WMT's) or .tsv.")
    scatter: str | None = REPORT.option(
        "FILE", "Plot the first metric against the judgments, one point per system: svg, png, pdf."
    )
    scatter_segments: str | None = REPORT.option("FILE", "The same, with one point per translation.")
    ranking: str | None = REPORT.option("FILE", "Plot the ranking of the systems, with intervals.")
    output: OutputFormat = REPORT.flag("Output format.", "--format", default=OutputFormat.text)
    width: int | None = decimals(3, REPORT)

    @property
    def pictures(self) -> dict[str, str]:
        named = {"scatter": self.scatter, "scatter_segments": self.scatter_segments, "ranking": self.ranking}
        return {kind: path for kind, path in named.items() if path is not None}

    def check(self, language_pair: str | None) -> None:
        from bolide.evaluation import plots, writing

        for path in self.pictures.values():
            plots.check_file(path)
        for folder in filter(None, (self.write_seg_scores, self.write_sys_scores)):
            if not Path(folder).is_dir():
                raise ConfigurationError(f"{folder} is not a folder; create it first")
            check_outputs(f"{folder}/scores")
        if self.write_judgments is not None:
            writing.check_file(self.write_judgments, language_pair)
        check_outputs(self.write_judgments, *self.pictures.values())


def correlate(
    judgments: str = argument(
        "JUDGMENTS",
        "Human judgments: WMT's CSV of rankings, TSV of pairs (segid, better, worse) or of ratings "
        "(system, segment, judge, score), .rank, .seg.score, .sys.score; or JSON Lines with texts.",
    ),
    hypotheses: list[str] | None = argument(
        "HYP",
        "System outputs to score: one file per system, named after it; or a table of system, segid, hyp. "
        "After JSON Lines with texts: more such files, one per data set.",
        default=None,
    ),
    *,
    people: JudgmentOptions,
    metrics: MetricOptions,
    measured: MeasureOptions,
    written: CorrelateOutputOptions,
    quiet: QuietOption = False,
    texts: TextOptions,
    scorer: MeteorOptions,
) -> None:
    """Measure how well metrics agree with human judgments, and test whether metrics differ."""
    from bolide.evaluation import ablate, read_texts, tables
    from bolide.evaluation.writing import write_judgments

    options = measured.options()
    written.check(people.language_pair)
    choices, score = scorer.choose(), metrics.choose(scorer)
    if people.have_texts(judgments):
        _check_no_texts(people, metrics, written, texts, several=bool(hypotheses))
        with hidden(quiet):
            _correlate_sets([judgments, *(hypotheses or ())], people, score, written, options)
        return
    said = people.read(judgments)
    if written.write_judgments is not None:
        write_judgments(written.write_judgments, said, people.language_pair)
        if not hypotheses and not metrics.scores:
            return
    outputs = None
    if hypotheses:
        outputs = read_texts(hypotheses, texts.references, texts.options()).only(said.systems)
    with hidden(quiet), status() as show:
        if metrics.ablate:
            if outputs is None:
                raise ConfigurationError(
                    "--ablate scores texts: give system outputs (HYP) and --reference FILE"
                )
            _print_ablation(ablate(open_meteor(choices), outputs, said, _titles(show)), written)
            return
        found = [*metrics.read()]
        if outputs is not None:
            found += score(outputs, show)
        if not found:
            raise ConfigurationError(
                "nothing to compare with the judgments: give --scores FILE, or HYP and --reference"
            )
        study = _study(found, said, written, options, show)
    for line in tables.lines(study, written.output.value, written.width):
        print(line)


def _study(
    found: Sequence[Scores],
    said: Judgments,
    written: CorrelateOutputOptions,
    options: StudyOptions,
    show: Progress,
) -> Study:
    """Compares metrics with judgments, and writes what was asked for."""
    from bolide.evaluation import correlate

    study = correlate(
        found, said, measures=options.measures, grouping=options.grouping, confidence=options.confidence,
        test=options.test, unit=options.unit, baseline=options.baseline, samples=options.samples,
        seed=options.seed, advance=_titles(show),
    )  # fmt: skip
    _write_scores(found, said, written)
    _write_plots(found[0], said, written, options, show)
    return study


def _check_no_texts(
    people: JudgmentOptions,
    metrics: MetricOptions,
    written: CorrelateOutputOptions,
    texts: TextOptions,
    *,
    several: bool,
) -> None:
    """Fails if an option has no meaning for judgments with texts."""
    useless = {
        "--language-pair": people.language_pair if written.write_judgments is None else None,
        "--system-map": people.system_map,
        "--scores": metrics.scores,
        "--ablate": metrics.ablate,
        "--reference": texts.references,
    }
    single = {
        "--write-judgments": written.write_judgments,
        "--write-seg-scores": written.write_seg_scores,
        "--write-sys-scores": written.write_sys_scores,
        **{f"--{kind.replace('_', '-')}": path for kind, path in written.pictures.items()},
    }
    for name, given in useless.items():
        if given:
            raise ConfigurationError(f"{name} cannot be combined with judgments in JSON Lines with texts")
    for name, given in single.items():
        if given and several:
            raise ConfigurationError(f"{name} is for one data set: give one file")


def _correlate_sets(
    files: Sequence[str],
    people: JudgmentOptions,
    score: Callable[[Texts, Progress], list[Scores]],
    written: CorrelateOutputOptions,
    options: StudyOptions,
) -> None:
    """The study of each file of judgments with texts."""
    from bolide.evaluation import StudySets, tables
    from bolide.evaluation.measures import OF_SYSTEMS
    from bolide.evaluation.study_sets import set_names
    from bolide.evaluation.writing import write_judgments

    names = set_names(files)
    sets = [people.read_texts(file) for file in files]
    for judged in sets:
        judged.check(options.measures)
    systems = any(name in OF_SYSTEMS for name in options.measures)
    if written.write_judgments is not None:
        write_judgments(written.write_judgments, sets[0].judgments, people.language_pair)
    studies = {}
    with status() as show:
        for name, judged in zip(names, sets, strict=True):
            found = judged.score(_of_set(name, score, show), systems=systems)
            own = replace(options, measures=options.measures or judged.measures)
            studies[name] = _study(found, judged.judgments, written, own, show)
    if len(studies) == 1:
        lines = tables.lines(studies[names[0]], written.output.value, written.width)
    else:
        lines = StudySets(studies).lines(written.output.value, written.width)
    for line in lines:
        print(line)


def _titles(show: Progress) -> Callable[[str], None]:
    return lambda what: show(what, 0, None)


def _of_set(
    name: str, score: Callable[[Texts, Progress], list[Scores]], show: Progress
) -> Callable[[Texts], list[Scores]]:
    """What scores the texts of one of several data sets."""
    return lambda texts: score(texts, lambda what, done, total: show(f"{name}: {what}", done, total))


def _read_names(file: str) -> dict[str, str]:
    found = {}
    for number, line in enumerate(read_lines(file, whole=True), 1):
        fields = line.split("\t")
        if len(fields) != 2:
            raise InputError(f"{file}, line {number}: must be two names with a tab between them")
        found[fields[0]] = fields[1]
    return found


def _write_scores(scores: Sequence[Scores], people: Judgments, written: CorrelateOutputOptions) -> None:
    """Writes the metrics as they are, and the judgments in the order of the first metric's segments."""
    from bolide.evaluation import human_scores, write_seg_scores, write_sys_scores

    for each in (*scores, human_scores(people, scores[0])):
        name = each.name.replace("/", "_").replace(":", "-")
        if written.write_seg_scores is not None and each.values is not None:
            write_seg_scores(Path(written.write_seg_scores) / f"{name}.seg.score", each)
        if written.write_sys_scores is not None:
            write_sys_scores(Path(written.write_sys_scores) / f"{name}.sys.score", each)


def _write_plots(
    scores: Scores,
    people: Judgments,
    written: CorrelateOutputOptions,
    options: StudyOptions,
    show: Progress,
) -> None:
    from bolide.evaluation import plots

    for kind, path in written.pictures.items():
        show(f"plotting {path}", 0, None)
        if kind == "ranking":
            chart = plots.ranking(scores, people, options.samples, options.seed)
        else:
            chart = plots.scatter(scores, people, "system" if kind == "scatter" else "segment")
        plots.save(chart, path)


def _print_ablation(found: Any, written: CorrelateOutputOptions) -> None:
    from bolide.comparison.reports.data import plain

    if written.output is OutputFormat.json:
        print(json_text(plain(found.to_dict(), written.width), indent=2))
        return
    for line in found.lines(written.output.value, written.width):
        print(line)
