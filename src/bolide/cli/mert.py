"""`bolide mert`: weights of a decoder, tuned on n-best lists."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from bolide._support.progress import bars
from bolide.cli.nbest_options import (
    PANEL,
    Lists,
    ObjectiveName,
    Objectives,
    Reference,
    of,
    with_lists,
    with_objectives,
)
from bolide.errors import ConfigurationError

if TYPE_CHECKING:
    from bolide.comparison.reports.parts import ReportPart
    from bolide.mert import MertObjective, MertPlan, Weights

SEARCH, DECODER, OUTPUT = "Search", "Decoder", "Output"
REPORTS = (".md", ".html", ".json")


@with_objectives
@with_lists
def mert(
    objectives: Objectives,
    lists: Lists,
    weights: Annotated[
        str,
        of(PANEL, metavar="FILE", text="Initial weights: of Moses (moses.ini too), of Joshua, or numbers."),
    ],
    reference: Reference = None,
    objective: ObjectiveName = None,
    method: Annotated[
        str, of(SEARCH, metavar="NAME", text="mert (Och's line search), mira (batch MIRA), or pro.")
    ] = "mert",
    seed: Annotated[
        int, of(SEARCH, metavar="NUMBER", text="Of random starts, directions, orders, samples.")
    ] = 1,
    restarts: Annotated[
        int, of(SEARCH, metavar="NUMBER", text="Of mert: random starts beside the initial weights.")
    ] = 20,
    directions: Annotated[
        int, of(SEARCH, metavar="NUMBER", text="Of mert: random directions beside the coordinates.")
    ] = 8,
    fix: Annotated[
        list[str] | None, of(SEARCH, metavar="FEATURE", text="Keep its initial weight; repeat for several.")
    ] = None,
    bound: Annotated[
        list[str] | None,
        of(SEARCH, metavar="FEATURE=LOW:HIGH", text="Bounds of a weight (either may be left out); repeat."),
    ] = None,
    epochs: Annotated[int, of(SEARCH, metavar="NUMBER", text="Of mira.")] = 60,
    aggressiveness: Annotated[
        float, of(SEARCH, "--aggressiveness", metavar="NUMBER", text="Of mira: C, the largest step.")
    ] = 0.01,
    rounds: Annotated[int, of(SEARCH, metavar="NUMBER", text="Of pro: how often pairs are drawn.")] = 10,
    decoder: Annotated[
        str | None,
        of(
            DECODER,
            metavar="COMMAND",
            text="Decode, merge, tune, until lists stop growing. The shell runs COMMAND with a file of "
            "weights for {weights}; it writes its list to {nbest}, or to standard output. {run} is the "
            "number of the run.",
        ),
    ] = None,
    work: Annotated[
        str | None,
        of(DECODER, metavar="FOLDER", text="Lists and weights of all runs; after a kill, go on from there."),
    ] = None,
    runs: Annotated[int, of(DECODER, metavar="NUMBER", text="At most so many runs.")] = 20,
    output: Annotated[
        str | None, of(OUTPUT, "--output", "-o", metavar="FILE", text="Write the weights there.")
    ] = None,
    form: Annotated[
        str,
        of(OUTPUT, metavar="NAME", text="Form of the weights, also for a decoder: moses, joshua, or plain."),
    ] = "moses",
    report: Annotated[
        str | None, of(OUTPUT, metavar="FILE", text="Write all that came out: .md, .html, or .json.")
    ] = None,
) -> None:
    """Tune the weights of a decoder on its n-best lists: to METEOR, BLEU, TER, or a sum of them."""
    from bolide._support import checks
    from bolide.mert import MertPlan, Weights, read_references
    from bolide.mert.weights import FORMS

    checks.choice("form", form, FORMS)
    _check(decoder, work, report, output)
    plan = MertPlan(
        method,
        seed,
        restarts,
        directions,
        epochs=epochs,
        c=aggressiveness,
        rounds=rounds,
        fixed=tuple(fix or ()),
        bounds=dict(_bound(text) for text in bound or ()),
    )
    plan.check()
    initial = Weights.read(weights)
    if not reference:
        raise ConfigurationError("name a file of references: --reference FILE")
    references = read_references(reference)
    made, threads = objectives.make(objective, references), objectives.given["threads"]
    found: tuple[str, dict[str, Any], list[ReportPart]]
    if decoder is None:
        found = _tune(lists, references, initial, made, plan, threads, form)
    else:
        checks.positive("runs", runs)
        found = _loop(decoder, work or "", runs, lists, references, initial, made, plan, threads, form)
    _show(*found, output, report)


def _check(decoder: str | None, work: str | None, report: str | None, output: str | None) -> None:
    """Now, not after an hour."""
    for path in filter(None, (report, output)):
        if not Path(path).parent.is_dir():
            raise ConfigurationError(f"cannot write {path}: there is no folder {Path(path).parent}")
    if report is not None and not report.endswith(REPORTS):
        raise ConfigurationError(f"a report is a file {', '.join(REPORTS)}, not '{report}'")
    if (decoder is None) != (work is None):
        raise ConfigurationError("--decoder and --work go together: the folder keeps what each run made")


def _bound(text: str) -> tuple[str, tuple[float, float]]:
    name, equals, span = text.rpartition("=")
    low, colon, high = span.partition(":")
    try:
        if not equals or not colon:
            raise ValueError
        return name, (float(low or "-inf"), float(high or "inf"))
    except ValueError:
        raise ConfigurationError(f"--bound needs FEATURE=LOW:HIGH, such as LM0=0:1, not '{text}'") from None


def _tune(
    lists: Lists,
    references: Any,
    initial: Weights,
    objective: MertObjective,
    plan: MertPlan,
    threads: int | None,
    form: str,
) -> tuple[str, dict[str, Any], list[ReportPart]]:
    from bolide.mert import tune
    from bolide.mert.report import parts, to_dict

    nbest = lists.read(len(references))
    with bars() as progress:
        tuned = tune(
            nbest, references, initial, objective=objective, plan=plan, threads=threads, progress=progress
        )
    data = to_dict(tuned)
    return tuned.weights.text(form, tuned.problem.layout), data, parts(data)


def _loop(
    command: str,
    folder: str,
    runs: int,
    lists: Lists,
    references: Any,
    initial: Weights,
    objective: MertObjective,
    plan: MertPlan,
    threads: int | None,
    form: str,
) -> tuple[str, dict[str, Any], list[ReportPart]]:
    from bolide.mert.decoder import Decoder, decode_and_tune
    from bolide.mert.report import parts, run_part

    with bars() as progress:
        found = decode_and_tune(
            Decoder(command, form), folder, references, initial, objective, plan, lists=lists.paths,
            sparse=lists.sparse, most_runs=runs, threads=threads, progress=progress,
        )  # fmt: skip
    data = {**found.report, "runs": found.runs, "converged": found.converged}
    return (
        found.weights.text(form, found.layout),
        data,
        [run_part(found.runs, data["objective"]), *parts(data)],
    )


def _show(
    weights: str, data: dict[str, Any], parts: list[ReportPart], output: str | None, report: str | None
) -> None:
    from bolide._support.writing import atomic_text
    from bolide.comparison.reports import parts as formatted

    for line in formatted.text(parts):
        print(line)
    for signature in data["signatures"]:
        print(signature)
    if report is not None:
        title = f"Tuned to {data['objective']}"
        with atomic_text(report) as file:
            if report.endswith(".json"):
                file.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")
            else:
                write = formatted.html if report.endswith(".html") else formatted.markdown
                file.write(write(parts, title))
    if output is not None:
        with atomic_text(output) as file:
            file.write(weights)
