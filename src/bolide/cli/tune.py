"""`bolide tune`: parameters whose scores agree with human judgments."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bolide._support import checks
from bolide._support.extras import require
from bolide._support.visible import visible
from bolide.cli.input_options import check_outputs
from bolide.cli.meteor_options import MeteorOptions, open_meteor, words
from bolide.cli.option_groups import Panel, argument
from bolide.cli.progress import QuietOption, bars, hidden
from bolide.errors import ConfigurationError

if TYPE_CHECKING:
    from bolide.scoring.meteor import Meteor
    from bolide.scoring.resolve import Choices
    from bolide.tuning.tuning import Plan, Tuned

SEARCH, OUTPUT, JAVA = Panel("Search"), Panel("Output"), Panel("Java Trainer")
REPORTS = (".md", ".html")


@dataclass(frozen=True)
class TuneSearchOptions:
    """What is optimized, and how."""

    objective: str = SEARCH.option(
        "NAME",
        "Agreement to maximize: tau, tau-wmt12 (ties are discordant), tau-item (mean over segments), "
        "pearson, weighted-pearson, spearman, kendall-b, kendall-c, or accuracy. A set may have its own.",
        default="tau",
    )
    search: str = SEARCH.option(
        "NAME", "Method: grid, coarse-to-fine, coordinate, or annealing.", default="coordinate"
    )
    fix: list[str] | None = SEARCH.option("NAME=NUMBER", "Keep a parameter or weight; repeat for several.")
    range_: list[str] | None = SEARCH.option(
        "NAME=LOW:HIGH:STEP", "Values of a parameter or weight; repeat for several.", "--range"
    )
    step: float = SEARCH.option("NUMBER", "Step of parameters and weights without --range.", default=0.05)
    near: str | None = SEARCH.option("NAME", "Profile to stay near (with --regularise); default: --profile.")
    regularise: float = SEARCH.option("NUMBER", "Penalty for the squared distance to --near.", default=0.0)
    plateau: float | None = SEARCH.option(
        "NUMBER", "With --search grid: choose the middle of all points that lose at most this.", default=None
    )
    lower_is_better: bool = SEARCH.flag(
        "Low ratings mean good translations (as with TER).", "--lower-is-better"
    )
    pool: str | None = SEARCH.option(
        "NAME",
        "Weight of data sets: judgments (their number of judgments), or sets (all equal). Default: "
        "judgments; sets if they have different measures, or weights.",
    )
    folds: str | None = SEARCH.option("NAME", "Cross-validate by language-pair, test-set, field, or set.")
    seed: int = SEARCH.option("NUMBER", "Seed of the random numbers.", default=1)
    checkpoint: str | None = SEARCH.option(
        "FILE", "Save the state to this file, and resume from it if it exists."
    )

    def plan(self, threads: int | None) -> Plan:
        from bolide.tuning.tuning import Plan

        plan = Plan(
            self.objective,
            self.search,
            {name: _numbers(f"--fix {name}", text)[0] for name, text in _pairs("--fix", self.fix)},
            {name: _span(name, text) for name, text in _pairs("--range", self.range_)},
            self.step,
            self.regularise,
            self.plateau,
            self.pool,
            -1 if self.lower_is_better else 1,
            self.seed,
            threads,
        )
        plan.check(self.folds)
        return plan


@dataclass(frozen=True)
class TuneOutputOptions:
    """What is written."""

    output: str | None = OUTPUT.option("FILE.toml", "Write the profile to this file.", "--output", "-o")
    universal: bool = OUTPUT.flag(
        "Write a profile for all languages, not only for --language.", "--universal"
    )
    report: str | None = OUTPUT.option("FILE", "Write a report: .html (with plots) or .md.")
    plots: bool = OUTPUT.flag("Also add plots to a .md report.", "--plots")
    points: str | None = OUTPUT.option("FILE", "Write all evaluated points: .tsv or .parquet.")

    def check(self, checkpoint: str | None) -> None:
        if self.output is not None and not self.output.endswith(".toml"):
            raise ConfigurationError(f"a profile is a file NAME.toml, not '{self.output}'")
        if self.report is not None and not self.report.endswith(REPORTS):
            raise ConfigurationError(f"a report is a file {' or '.join(REPORTS)}, not '{self.report}'")
        if self.points is not None and checkpoint is not None:
            raise ConfigurationError("--points cannot be combined with --checkpoint: leave one of them out")
        check_outputs(self.output, self.report, self.points, checkpoint)
        if self.draws:
            require("plots", "altair", "vl_convert")

    @property
    def draws(self) -> bool:
        """Whether the report has plots."""
        return self.report is not None and (self.plots or self.report.endswith(".html"))


@dataclass(frozen=True)
class TrainerOptions:
    """The Trainer of the Java release."""

    java: str | None = JAVA.option("FOLDER", "Print what Java's Trainer prints for this folder.")
    java_task: str = JAVA.option("NAME", "rank, segcor, or spearman.", default="rank")
    initial: str | None = JAVA.option("NUMBERS", "First point of the grid (Java's -i).")
    final: str | None = JAVA.option("NUMBERS", "Last point of the grid (Java's -f).")
    steps: str | None = JAVA.option("NUMBERS", "Steps of the grid (Java's -s).")

    def lines(self, scorer: MeteorOptions) -> Iterator[str]:
        from bolide.java.trainer import FINAL, INITIAL, STEPS, Grid, lines

        assert self.java is not None
        grid = [
            default if text is None else _numbers(f"--{name}", text)
            for name, text, default in (
                ("initial", self.initial, INITIAL),
                ("final", self.final, FINAL),
                ("steps", self.steps, STEPS),
            )
        ]
        return lines(
            self.java, self.java_task, Grid(*grid), language=scorer.language,
            modules=words(scorer.modules), threads=scorer.threads,
        )  # fmt: skip


def tune(
    sets: str | None = argument(
        "SETS", "TOML file of data sets: judgments with texts or statistics.", default=None
    ),
    *,
    searched: TuneSearchOptions,
    written: TuneOutputOptions,
    trainer: TrainerOptions,
    quiet: QuietOption = False,
    scorer: MeteorOptions,
) -> None:
    """Find the parameters whose scores agree best with human judgments."""
    if trainer.java is not None:
        if sets is not None:
            raise ConfigurationError("Java's Trainer reads a folder: leave out SETS or --java")
        for line in trainer.lines(scorer):
            print(line)
        return
    if sets is None:
        raise ConfigurationError("name a file of data sets, such as sets.toml, or --java FOLDER")
    written.check(searched.checkpoint)
    with hidden(quiet):
        tuned, meteor = _run(sets, searched, written, scorer)
    _print_table(tuned)
    if written.report is not None:
        _write_report(written.report, tuned, written.draws)
    if written.output is not None:
        _write_profile(written, tuned, meteor, scorer.profile, sets)
    if sys.stderr.isatty() and not quiet:
        for file in filter(None, (written.report, written.output, written.points)):
            print(visible(f"{file} written"), file=sys.stderr)


def _run(
    sets: str, searched: TuneSearchOptions, written: TuneOutputOptions, scorer: MeteorOptions
) -> tuple[Tuned, Meteor]:
    from bolide._support.folders import user_folder
    from bolide.tuning.objectives import Objective
    from bolide.tuning.points import check_file, writing
    from bolide.tuning.sets import read_sets
    from bolide.tuning.space import Space
    from bolide.tuning.tuning import point_of, tune

    plan = searched.plan(scorer.threads)
    choices = scorer.choose()
    modules = choices.settings.modules
    space = Space.of(modules, fixed=plan.fixed, ranges=plan.ranges, step=plan.step)
    near = None
    if searched.near is not None:
        near = point_of(scorer.choose(profile=searched.near).settings.parameters)
    if written.points is not None:
        check_file(written.points)
    listed = read_sets(sets)
    listed.check(plan.objective, plan.pool)
    others = {each: _other(scorer, choices, *each) for each in listed.scorers}
    judged = listed.judgments()  # before a language pack is opened
    meteor = open_meteor(choices)
    opened = {each: open_meteor(own) for each, own in others.items()}
    with ExitStack() as stack:
        progress = stack.enter_context(bars())
        data = listed.read(meteor, user_folder("cache") / "statistics", opened, judged, progress)
        watch = None
        if written.points is not None:
            shown = Objective(data, plan.objective, pool=plan.pool, sign=plan.sign)
            watch = stack.enter_context(writing(written.points, space, shown))
        tuned = tune(
            data, modules, meteor.parameters, plan,
            near=near,
            folds=searched.folds,
            watch=watch,
            checkpoint=searched.checkpoint,
            progress=progress,
        )  # fmt: skip
    return tuned, meteor


def _other(scorer: MeteorOptions, main: Choices, language: str, modules: Sequence[str]) -> Choices:
    """The scorer of sets with another language, or fewer modules. All modules are among the tuned ones."""
    weights = dict(zip(main.settings.modules, main.settings.parameters.weights, strict=True))
    for module in modules:
        checks.choice("module of a set", module, weights)
    own = modules or list(weights)
    return scorer.choose(
        language=language or scorer.language,
        modules=" ".join(own),
        module_weights=" ".join(str(weights[module]) for module in own),
    )


def _print_table(tuned: Tuned) -> None:
    from bolide.comparison.reports.parts import text
    from bolide.tuning.report import parts

    for line in text(parts(tuned)[: 3 if tuned.folds else 2]):
        print(line)


def _write_report(path: str, tuned: Tuned, drawn: bool) -> None:
    from bolide._support.writing import atomic_text
    from bolide.comparison.reports.parts import html, markdown
    from bolide.tuning.report import parts

    pictures = []
    if drawn:
        from bolide.tuning.plots import svgs

        pictures = svgs(tuned)
    title = f"Tuning to {tuned.problem.objective.name}"
    if path.endswith(".html"):
        text = html(parts(tuned, pictures), title)
    else:
        stem = Path(path).with_suffix("")
        for name, svg in pictures:
            with atomic_text(f"{stem}.{name}.svg") as file:
                file.write(svg)
        paths = [(name, f"{stem.name}.{name}.svg") for name, _ in pictures]
        text = markdown(parts(tuned, paths), title)
    with atomic_text(path) as file:
        file.write(text)


def _write_profile(written: TuneOutputOptions, tuned: Tuned, meteor: Meteor, profile: str, sets: str) -> None:
    from bolide import profiles
    from bolide._support.writing import atomic_text
    from bolide.tuning.profile_file import profile_text

    assert written.output is not None
    parent = str(Path(profile).resolve()) if profile.endswith(".toml") else profile
    note = (
        f"bolide tune {Path(sets).name}: {tuned.problem.objective.name} {tuned.overall_after:.4f}, "
        f"{tuned.overall_before:.4f} before; {tuned.plan.search}, {tuned.found.compared:,} points."
    )
    language = "any" if written.universal else meteor.settings.language.code
    settings, inherited = meteor.settings, profiles.get(profile)
    text = profile_text(
        tuned.parameters,
        tuple(meteor.modules),
        inherits=parent,
        language=language,
        notes=[note],
        settings={
            name: value
            for name in ("unit", "references", "normalize", "aligner", "search_weights")
            if (value := getattr(settings, name)) != getattr(inherited, name)
        },
    )
    with atomic_text(written.output) as file:
        file.write(text)


def _pairs(name: str, given: list[str] | None) -> Iterator[tuple[str, str]]:
    for text in given or ():
        key, equals, value = text.partition("=")
        if not equals:
            raise ConfigurationError(f"{name} needs a name and a value, such as alpha=0.85, not '{text}'")
        yield key.strip(), value.strip()


def _span(name: str, text: str) -> tuple[float, float, float]:
    numbers = _numbers(f"--range {name}", text.replace(":", " "))
    if len(numbers) != 3:
        raise ConfigurationError(f"--range {name} needs LOW:HIGH:STEP, such as 0:2:0.05, not '{text}'")
    return numbers[0], numbers[1], numbers[2]


def _numbers(name: str, text: str) -> list[float]:
    try:
        found = [float(word) for word in words(text) or ()]
    except ValueError:
        found = []
    if not found:
        raise ConfigurationError(f"{name} must be numbers, not '{text}'")
    return found
