"""`bolide mert`: weights of a decoder, tuned on n-best lists."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from bolide._support import checks
from bolide._support.progress import bars
from bolide.cli.input_options import check_folder, check_inputs, check_outputs
from bolide.cli.nbest_options import OUTPUT, PANEL, NBestOptions, ObjectiveOptions
from bolide.cli.option_groups import option
from bolide.errors import ConfigurationError

if TYPE_CHECKING:
    from bolide.comparison.reports.parts import ReportPart
    from bolide.mert import MertPlan, TunedWeights, Weights
    from bolide.mert.decoder import Decoder, Loop

SEARCH, DECODER = "Search", "Decoder"
REPORTS = (".md", ".html", ".json")


@dataclass(frozen=True)
class MertSearchOptions:
    """How weights are searched for."""

    method: Annotated[
        str,
        option(
            panel=SEARCH,
            metavar="NAME",
            text="Method: mert (Och's line search), mira (batch MIRA), or pro.",
        ),
    ] = "mert"
    seed: Annotated[
        int,
        option(panel=SEARCH, metavar="NUMBER", text="Seed of random starts, directions, orders, samples."),
    ] = 1
    restarts: Annotated[
        int,
        option(
            panel=SEARCH, metavar="NUMBER", text="mert: number of random starts, besides the initial weights."
        ),
    ] = 20
    directions: Annotated[
        int,
        option(
            panel=SEARCH,
            metavar="NUMBER",
            text="mert: number of random directions, besides the coordinates.",
        ),
    ] = 8
    fix: Annotated[
        list[str] | None,
        option(panel=SEARCH, metavar="FEATURE", text="Keep the initial weight; repeat for several."),
    ] = None
    bound: Annotated[
        list[str] | None,
        option(
            panel=SEARCH,
            metavar="FEATURE=LOW:HIGH",
            text="Bounds of a weight, either of which may be left out; repeat for several.",
        ),
    ] = None
    epochs: Annotated[int, option(panel=SEARCH, metavar="NUMBER", text="mira: number of epochs.")] = 60
    aggressiveness: Annotated[
        float,
        option("--aggressiveness", panel=SEARCH, metavar="NUMBER", text="mira: C, the largest step."),
    ] = 0.01
    rounds: Annotated[
        int, option(panel=SEARCH, metavar="NUMBER", text="pro: number of times that pairs are drawn.")
    ] = 10

    def plan(self) -> MertPlan:
        from bolide.mert import MertPlan

        plan = MertPlan(
            self.method,
            self.seed,
            self.restarts,
            self.directions,
            epochs=self.epochs,
            c=self.aggressiveness,
            rounds=self.rounds,
            fixed=tuple(self.fix or ()),
            bounds=dict(_bound(text) for text in self.bound or ()),
        )
        plan.check()
        return plan


@dataclass(frozen=True)
class DecoderOptions:
    """The decoder that makes new lists, and the form of its weights."""

    decoder: Annotated[
        str | None,
        option(
            panel=DECODER,
            metavar="COMMAND",
            text="Decode, merge and tune until the lists stop growing. The shell runs COMMAND with a file of "
            "weights for {weights}; it writes its list to {nbest}, or to standard output. {run} is the "
            "number of the run.",
        ),
    ] = None
    work: Annotated[
        str | None,
        option(
            panel=DECODER,
            metavar="FOLDER",
            text="Folder for the lists and weights of all runs. It resumes there after an interruption.",
        ),
    ] = None
    runs: Annotated[int, option(panel=DECODER, metavar="NUMBER", text="Largest number of runs.")] = 20

    def check(self) -> None:
        if (self.decoder is None) != (self.work is None):
            raise ConfigurationError("--decoder and --work go together: the folder keeps the runs")
        checks.positive("runs", self.runs)
        check_folder(self.work)

    def read(self, form: str, initial: Weights, lists: NBestOptions) -> Decoder:
        """The decoder. Raises an error if it cannot use these weights and lists."""
        from bolide.mert.decoder import Decoder, check

        assert self.decoder is not None
        decoder = Decoder(self.decoder, form)
        check(decoder, initial, lists.paths)
        check_inputs(*lists.paths)
        return decoder


@dataclass(frozen=True)
class MertOutputOptions:
    """What is written."""

    output: Annotated[
        str | None,
        option("--output", "-o", panel=OUTPUT, metavar="FILE", text="Write the weights to this file."),
    ] = None
    form: Annotated[
        str,
        option(
            panel=OUTPUT,
            metavar="NAME",
            text="Form of the weights, also for a decoder: moses, joshua, or plain.",
        ),
    ] = "moses"
    report: Annotated[
        str | None, option(panel=OUTPUT, metavar="FILE", text="Write a report: .md, .html, or .json.")
    ] = None

    def check(self) -> None:
        from bolide.mert.weights import FORMS

        checks.choice("form", self.form, FORMS)
        check_outputs(self.report, self.output)
        if self.report is not None and not self.report.endswith(REPORTS):
            raise ConfigurationError(f"a report is a file {', '.join(REPORTS)}, not '{self.report}'")


class MertOutcome(NamedTuple):
    """The text of the weights, the data of the report, and its tables."""

    weights: str
    data: dict[str, Any]
    parts: list[ReportPart]


def mert(
    *,
    weights: Annotated[
        str,
        option(
            panel=PANEL,
            metavar="FILE",
            text="Initial weights, as of Moses (also moses.ini) or Joshua, or plain numbers.",
        ),
    ],
    scored: ObjectiveOptions,
    searched: MertSearchOptions,
    decoded: DecoderOptions,
    written: MertOutputOptions,
    lists: NBestOptions,
) -> None:
    """Tune the weights of a decoder on its n-best lists: to METEOR, BLEU, TER, or a sum of them."""
    from bolide.mert import Weights, tune
    from bolide.mert.decoder import decode_and_tune

    written.check()
    decoded.check()
    plan = searched.plan()
    make_objective = scored.choose_objective()
    initial = Weights.read(weights)
    references = scored.read_references()
    with bars() as progress:
        if decoded.work is None:
            nbest = lists.read(len(references))
            tuned = tune(
                nbest, references, initial, objective=make_objective(references), plan=plan,
                threads=scored.threads, progress=progress,
            )  # fmt: skip
            found = _outcome_of_lists(tuned, written.form)
        else:
            decoder = decoded.read(written.form, initial, lists)
            loop = decode_and_tune(
                decoder, decoded.work, references, initial, make_objective(references), plan,
                lists=lists.paths, sparse=lists.sparse, most_runs=decoded.runs, threads=scored.threads,
                progress=progress,
            )  # fmt: skip
            found = _outcome_of_loop(loop, written.form)
    _show(found, written)


def _outcome_of_lists(tuned: TunedWeights, form: str) -> MertOutcome:
    from bolide.mert.report import parts, to_dict

    data = to_dict(tuned)
    return MertOutcome(tuned.weights.text(form, tuned.problem.layout), data, parts(data))


def _outcome_of_loop(loop: Loop, form: str) -> MertOutcome:
    from bolide.mert.report import parts, run_part

    data = {**loop.report, "runs": loop.runs, "converged": loop.converged}
    tables = [run_part(loop.runs, data["objective"]), *parts(data)]
    return MertOutcome(loop.weights.text(form, loop.layout), data, tables)


def _show(found: MertOutcome, written: MertOutputOptions) -> None:
    from bolide._support.writing import atomic_text
    from bolide.comparison.reports import parts as formatted

    for line in (*formatted.text(found.parts), *found.data["signatures"]):
        print(line)
    if (report := written.report) is not None:
        with atomic_text(report) as file:
            if report.endswith(".json"):
                file.write(json.dumps(found.data, indent=2, ensure_ascii=False) + "\n")
            else:
                write = formatted.html if report.endswith(".html") else formatted.markdown
                file.write(write(found.parts, f"Tuned to {found.data['objective']}"))
    if written.output is not None:
        with atomic_text(written.output) as file:
            file.write(found.weights)


def _bound(text: str) -> tuple[str, tuple[float, float]]:
    name, equals, span = text.rpartition("=")
    low, colon, high = span.partition(":")
    try:
        if not equals or not colon:
            raise ValueError
        return name, (float(low or "-inf"), float(high or "inf"))
    except ValueError:
        raise ConfigurationError(f"--bound needs FEATURE=LOW:HIGH, such as LM0=0:1, not '{text}'") from None
