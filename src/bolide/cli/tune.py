"""`bolide tune`: parameters that agree with people."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bolide._support.progress import bars
from bolide.cli import options
from bolide.errors import ConfigurationError, InputError

if TYPE_CHECKING:
    from bolide.tuning.tuning import Tuned

SEARCH, OUTPUT, JAVA = "Search", "Output", "Java's Trainer"
REPORTS = (".md", ".html")


def _of(panel: str, *names: str, metavar: str | None = None, text: str) -> Any:
    return typer.Option(*names, metavar=metavar, help=text, rich_help_panel=panel)


@functools.wraps(options._meteor)
def _options(**given: Any) -> dict[str, Any]:
    """Those of the scorer, which is made when it is needed."""
    return given


@options.in_place_of("given", _options)
def tune(
    given: dict[str, Any],
    sets: Annotated[
        str | None,
        typer.Argument(metavar="SETS", help="TOML file of data sets: judgments with texts or statistics."),
    ] = None,
    objective: Annotated[
        str,
        _of(
            SEARCH,
            metavar="NAME",
            text="tau, tau-wmt12 (ties discordant), pearson, weighted-pearson, spearman, or accuracy.",
        ),
    ] = "tau",
    search: Annotated[
        str, _of(SEARCH, metavar="NAME", text="grid, coarse-to-fine, coordinate, or annealing.")
    ] = "coordinate",
    fix: Annotated[
        list[str] | None,
        _of(SEARCH, metavar="NAME=NUMBER", text="Keep a parameter or weight; repeat for several."),
    ] = None,
    range_: Annotated[
        list[str] | None,
        _of(SEARCH, "--range", metavar="NAME=LOW:HIGH:STEP", text="The values of one; repeat for several."),
    ] = None,
    step: Annotated[float, _of(SEARCH, metavar="NUMBER", text="Between values of the others.")] = 0.05,
    near: Annotated[
        str | None,
        _of(SEARCH, metavar="NAME", text="Stay near to the parameters of a profile; default: --profile."),
    ] = None,
    regularise: Annotated[
        float, _of(SEARCH, metavar="NUMBER", text="How much the squared distance to them costs.")
    ] = 0.0,
    lower_is_better: Annotated[
        bool, _of(SEARCH, "--lower-is-better", text="Ratings are low where translations are good (TER).")
    ] = False,
    pool: Annotated[
        str, _of(SEARCH, metavar="NAME", text="Data sets count by their judgments, or as sets, all the same.")
    ] = "judgments",
    folds: Annotated[
        str | None,
        _of(SEARCH, metavar="NAME", text="Cross-validation by language-pair, test-set, or set."),
    ] = None,
    seed: Annotated[int, _of(SEARCH, metavar="NUMBER", text="Of random starts and steps.")] = 1,
    checkpoint: Annotated[
        str | None, _of(SEARCH, metavar="FILE", text="Save what is done there, and go on from it.")
    ] = None,
    output: Annotated[
        str | None, _of(OUTPUT, "--output", "-o", metavar="FILE.toml", text="Write the profile there.")
    ] = None,
    universal: Annotated[
        bool, _of(OUTPUT, "--universal", text="The profile serves all languages, not only --language.")
    ] = False,
    report: Annotated[
        str | None, _of(OUTPUT, metavar="FILE", text="Write a report: .html (with plots) or .md.")
    ] = None,
    plots: Annotated[bool, _of(OUTPUT, "--plots", text="Draw the shape around the optimum.")] = False,
    points: Annotated[
        str | None, _of(OUTPUT, metavar="FILE", text="Write all points looked at: .tsv or .parquet.")
    ] = None,
    java: Annotated[
        str | None, _of(JAVA, metavar="FOLDER", text="Print what Java's Trainer prints for this folder.")
    ] = None,
    java_task: Annotated[str, _of(JAVA, metavar="NAME", text="rank, segcor, or spearman.")] = "rank",
    initial: Annotated[
        str | None, _of(JAVA, metavar="NUMBERS", text="First point of the grid (Java's -i).")
    ] = None,
    final: Annotated[str | None, _of(JAVA, metavar="NUMBERS", text="Last point (Java's -f).")] = None,
    steps: Annotated[str | None, _of(JAVA, metavar="NUMBERS", text="Steps (Java's -s).")] = None,
) -> None:
    """Find the parameters whose scores agree best with human judgments."""
    if java is not None:
        if sets is not None:
            raise ConfigurationError("Java's Trainer reads a folder: leave out SETS or --java")
        _print_java(java, java_task, (initial, final, steps), given)
        return
    if sets is None:
        raise ConfigurationError("name a file of data sets, such as sets.toml, or --java FOLDER")
    _check_files(output, report, points, checkpoint)
    from bolide.tuning.tuning import Plan

    plan = Plan(
        objective,
        search,
        dict(_pairs("--fix", fix)),
        {name: _span(name, text) for name, text in _texts("--range", range_)},
        step,
        regularise,
        pool,
        -1 if lower_is_better else 1,
        seed,
        given["threads"],
    )
    tuned, modules, meteor = _run(given, sets, plan, near, folds, points, checkpoint)
    _print_table(tuned)
    if report is not None:
        _write_report(report, tuned, plots or report.endswith(".html"))
    if output is not None:
        _write_profile(output, tuned, modules, meteor, given["profile"], universal, sets)
    if sys.stderr.isatty():
        for written in filter(None, (report, output, points)):
            print(f"{written} written", file=sys.stderr)


def _check_files(output: str | None, report: str | None, points: str | None, checkpoint: str | None) -> None:
    """Now, not after an hour."""
    if output is not None and not output.endswith(".toml"):
        raise ConfigurationError(f"a profile is a file NAME.toml, not '{output}'")
    if report is not None and not report.endswith(REPORTS):
        raise ConfigurationError(f"a report is a file {' or '.join(REPORTS)}, not '{report}'")
    if points is not None and checkpoint is not None:
        raise ConfigurationError("points are written in one run: leave out --points or --checkpoint")
    for file in filter(None, (output, report, points, checkpoint)):
        if not Path(file).parent.is_dir():
            raise InputError(f"cannot write {file}: there is no folder {Path(file).parent}")


def _run(
    given: dict[str, Any],
    sets: str,
    plan: Any,
    near: str | None,
    folds: str | None,
    points: str | None,
    checkpoint: str | None,
) -> tuple[Tuned, tuple[str, ...], Any]:
    import platformdirs

    from bolide.tuning.objectives import Objective
    from bolide.tuning.points import writing
    from bolide.tuning.sets import read_sets
    from bolide.tuning.space import Space
    from bolide.tuning.tuning import point_of, tune

    meteor = options._meteor(**given)
    cache = Path(platformdirs.user_cache_dir("bolide")) / "statistics"
    data = read_sets(sets, meteor, cache)
    modules = tuple(meteor.modules)
    prior = None if near is None else point_of(options._meteor(**{**given, "profile": near}).parameters)
    with ExitStack() as stack:
        watch = None
        if points is not None:
            space = Space.of(modules, fixed=plan.fixed, ranges=plan.ranges, step=plan.step)
            shown = Objective(data, plan.objective, pool=plan.pool, sign=plan.sign)
            watch = stack.enter_context(writing(points, space, shown))
        progress = stack.enter_context(bars())
        tuned = tune(
            data,
            modules,
            meteor.parameters,
            plan,
            near=prior,
            folds=folds,
            watch=watch,
            checkpoint=checkpoint,
            progress=progress,
        )
    return tuned, modules, meteor


def _print_table(tuned: Tuned) -> None:
    from bolide.comparison.reports.parts import text
    from bolide.tuning.report import parts

    for line in text(parts(tuned)[: 3 if tuned.folds else 2]):
        print(line)


def _write_report(path: str, tuned: Tuned, drawn: bool) -> None:
    from bolide._support.writing import atomic_text
    from bolide.tuning.report import html, markdown

    pictures = []
    if drawn:
        from bolide.tuning.plots import svgs

        pictures = svgs(tuned)
    title = f"Tuning to {tuned.plan.objective}"
    if path.endswith(".html"):
        text = html(tuned, title, pictures)
    else:
        stem = Path(path).with_suffix("")
        for name, svg in pictures:
            with atomic_text(f"{stem}.{name}.svg") as file:
                file.write(svg)
        text = markdown(tuned, title, [(name, f"{stem.name}.{name}.svg") for name, _ in pictures])
    with atomic_text(path) as file:
        file.write(text)


def _write_profile(
    path: str, tuned: Tuned, modules: Sequence[str], meteor: Any, profile: str, universal: bool, sets: str
) -> None:
    from bolide._support.writing import atomic_text
    from bolide.tuning.profile_file import profile_text

    parent = str(Path(profile).resolve()) if profile.endswith(".toml") else profile
    notes = [
        f"bolide tune {Path(sets).name}: {tuned.plan.objective} {tuned.overall_after:.4f}, "
        f"{tuned.overall_before:.4f} before; {tuned.plan.search}, {tuned.found.evaluated:,} points."
    ]
    language = "any" if universal else meteor.settings.language.code
    text = profile_text(tuned.parameters, modules, inherits=parent, language=language, notes=notes)
    with atomic_text(path) as file:
        file.write(text)


def _print_java(folder: str, task: str, grid: tuple[str | None, ...], given: dict[str, Any]) -> None:
    from bolide.java.trainer import FINAL, INITIAL, STEPS, Grid, lines

    names = ("--initial", "--final", "--steps")
    numbers = [
        default if text is None else _numbers(name, text)
        for name, text, default in zip(names, grid, (INITIAL, FINAL, STEPS), strict=True)
    ]
    modules = options._words(given["modules"])
    for line in lines(
        folder, task, Grid(*numbers), language=given["language"], modules=modules, threads=given["threads"]
    ):
        print(line)


def _texts(option: str, given: list[str] | None) -> Iterator[tuple[str, str]]:
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise ConfigurationError(f"{option} needs a name and a value, such as alpha=0.85, not '{text}'")
        yield name.strip(), value.strip()


def _pairs(option: str, given: list[str] | None) -> Iterator[tuple[str, float]]:
    for name, value in _texts(option, given):
        yield name, _numbers(f"{option} {name}", value)[0]


def _span(name: str, text: str) -> tuple[float, float, float]:
    numbers = _numbers(f"--range {name}", text.replace(":", " "))
    if len(numbers) != 3:
        raise ConfigurationError(f"--range {name} needs LOW:HIGH:STEP, such as 0:2:0.05, not '{text}'")
    return numbers[0], numbers[1], numbers[2]


def _numbers(option: str, text: str) -> list[float]:
    try:
        found = [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        found = []
    if not found:
        raise ConfigurationError(f"{option} must be numbers, not '{text}'")
    return found
