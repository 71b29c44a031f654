"""`bolide mert`: weights of a decoder, tuned on n-best lists."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bolide._support import checks
from bolide.cli.input_options import check_folder, check_inputs, check_outputs
from bolide.cli.nbest_options import OUTPUT, PANEL, NBestOptions, ObjectiveOptions
from bolide.cli.option_groups import REQUIRED, Panel
from bolide.cli.progress import QuietOption, bars, hidden
from bolide.errors import ConfigurationError

if TYPE_CHECKING:
    from bolide.comparison.reports.parts import ReportPart
    from bolide.mert import MertPlan, Weights
    from bolide.mert.decoder import Decoder

SEARCH, DECODER = Panel("Search"), Panel("Decoder")
REPORTS = (".md", ".html", ".json")


@dataclass(frozen=True)
class MertSearchOptions:
    """How weights are searched for."""

    method: str = SEARCH.option(
        "NAME", "Method: mert (Och's line search), mira (batch MIRA), or pro.", default="mert"
    )
    seed: int = SEARCH.option("NUMBER", "Seed of the random numbers.", default=1)
    restarts: int = SEARCH.option(
        "NUMBER", "mert: number of random starts, besides the initial weights.", default=20
    )
    directions: int = SEARCH.option(
        "NUMBER", "mert: number of random directions, besides the coordinates.", default=8
    )
    fix: list[str] | None = SEARCH.option("FEATURE", "Keep the initial weight; repeat for several.")
    bound: list[str] | None = SEARCH.option(
        "FEATURE=LOW:HIGH", "Bounds of a weight; LOW or HIGH may be left out; repeat for several."
    )
    epochs: int = SEARCH.option("NUMBER", "mira: number of epochs.", default=60)
    aggressiveness: float = SEARCH.option(
        "NUMBER", "mira: C, the largest step.", "--aggressiveness", default=0.01
    )
    rounds: int = SEARCH.option("NUMBER", "pro: number of times that pairs are drawn.", default=10)

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

    decoder: str | None = DECODER.option(
        "COMMAND",
        "Run a decoder, merge its lists and tune, until the lists stop growing. COMMAND is a shell "
        "command. {weights} in it becomes a file of weights, {nbest} the file for the list "
        "(default: standard output), and {run} the number of the run.",
    )
    work: str | None = DECODER.option(
        "FOLDER", "Folder for all lists and weights. After an interruption, the same command resumes."
    )
    runs: int = DECODER.option("NUMBER", "Maximum number of runs.", default=20)

    def check(self) -> None:
        if (self.decoder is None) != (self.work is None):
            raise ConfigurationError("--decoder needs --work FOLDER, and --work needs --decoder COMMAND")
        checks.whole("runs", self.runs)
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

    output: str | None = OUTPUT.option("FILE", "Write the weights to this file.", "--output", "-o")
    form: str = OUTPUT.option(
        "NAME", "Format of the weights, also for the decoder: moses, joshua, or plain.", default="moses"
    )
    report: str | None = OUTPUT.option("FILE", "Write a report: .md, .html, or .json.")

    def check(self) -> None:
        from bolide.mert.weights import FORMS

        checks.choice("form", self.form, FORMS)
        check_outputs(self.report, self.output)
        if self.report is not None and not self.report.endswith(REPORTS):
            raise ConfigurationError(f"a report is a file {', '.join(REPORTS)}, not '{self.report}'")


def mert(
    *,
    weights: str = PANEL.option(
        "FILE",
        "Initial weights: format of Moses (also moses.ini) or Joshua, or plain numbers.",
        default=REQUIRED,
    ),
    scored: ObjectiveOptions,
    searched: MertSearchOptions,
    decoded: DecoderOptions,
    written: MertOutputOptions,
    quiet: QuietOption = False,
    lists: NBestOptions,
) -> None:
    """Tune the weights of a decoder on its n-best lists, to METEOR, BLEU, TER or a weighted sum."""
    from bolide.mert import Weights, tune
    from bolide.mert.decoder import decode_and_tune
    from bolide.mert.report import parts, run_part, to_dict

    written.check()
    decoded.check()
    plan = searched.plan()
    make_objective = scored.choose_objective()
    initial = Weights.read(weights)
    references = scored.read_references()
    with hidden(quiet), bars() as progress:
        if decoded.work is None:
            nbest = lists.read(len(references))
            tuned = tune(
                nbest, references, initial, objective=make_objective(references), plan=plan,
                threads=scored.threads, progress=progress,
            )  # fmt: skip
            data, found, layout = to_dict(tuned), tuned.weights, tuned.problem.layout
            tables = parts(data)
        else:
            decoder = decoded.read(written.form, initial, lists)
            loop = decode_and_tune(
                decoder, decoded.work, references, initial, make_objective(references), plan,
                lists=lists.paths, sparse=lists.sparse, most_runs=decoded.runs, threads=scored.threads,
                progress=progress,
            )  # fmt: skip
            data = {**loop.report, "runs": loop.runs, "converged": loop.converged}
            found, layout = loop.weights, loop.layout
            tables = [run_part(loop.runs, data["objective"]), *parts(data)]
    _show(found.text(written.form, layout), data, tables, written)


def _show(weights: str, data: dict[str, Any], tables: list[ReportPart], written: MertOutputOptions) -> None:
    from bolide._support.writing import atomic_text
    from bolide.comparison.reports import parts as formatted

    for line in (*formatted.text(tables), *data["signatures"]):
        print(line)
    if (report := written.report) is not None:
        with atomic_text(report) as file:
            if report.endswith(".json"):
                file.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")
            else:
                write = formatted.html if report.endswith(".html") else formatted.markdown
                file.write(write(tables, f"Tuned to {data['objective']}"))
    if written.output is not None:
        with atomic_text(written.output) as file:
            file.write(weights)


def _bound(text: str) -> tuple[str, tuple[float, float]]:
    name, equals, span = text.rpartition("=")
    low, colon, high = span.partition(":")
    try:
        if not equals or not colon:
            raise ValueError
        return name, (float(low or "-inf"), float(high or "inf"))
    except ValueError:
        raise ConfigurationError(f"--bound needs FEATURE=LOW:HIGH, such as LM0=0:1, not '{text}'") from None
