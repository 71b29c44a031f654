"""The outer loop: decode, merge and tune until the lists stop growing.

All results are written to a folder, atomically, so that the same command resumes after an interruption:

    settings.json      what the loop depends on; another decoder, objective or data is refused
    run1.weights       the weights of run 1: the initial ones
    run1.moses         the same in the format of the decoder
    run1.nbest         the list of the decoder
    run1.log           other output of the decoder
    run1.json          the report of tuning; run2.weights has the tuned weights
    lock               locked while a process works in the folder

Searches are deterministic: an interrupted loop ends with the same weights.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from bolide._support import platform
from bolide._support.locking import locked_work
from bolide._support.progress import Progress, no_progress
from bolide._support.writing import atomic_path, atomic_text
from bolide.errors import BolideError, ConfigurationError, InputError
from bolide.mert.features import FeatureLayout
from bolide.mert.lists import Merger
from bolide.mert.metrics import ReferenceTexts
from bolide.mert.objectives import MertObjective
from bolide.mert.problem import TextCounts
from bolide.mert.report import to_dict
from bolide.mert.tuning import MertPlan, tune
from bolide.mert.weights import Weights

MOST_RUNS = 20
# Placeholders in a command: the file of weights, the file to write the list to, the number of the run.
WEIGHTS, NBEST, RUN = "{weights}", "{nbest}", "{run}"
PLACEHOLDER = re.compile("|".join(map(re.escape, (WEIGHTS, NBEST, RUN))))
SHOWN = 5  # number of log lines shown if a decoder fails


class DecoderError(BolideError):
    """A decoder that failed."""


@dataclass(frozen=True)
class Decoder:
    """A shell command. It reads weights from the file `{weights}`, in the format `form`, and writes a list to
    `{nbest}`, or to standard output if the command has no `{nbest}`."""

    command: str
    form: str = "moses"

    def __post_init__(self) -> None:
        if WEIGHTS not in self.command:
            raise ConfigurationError(f"the command of the decoder must contain {WEIGHTS}, a file of weights")

    def run(self, weights: Path, nbest: Path, log: Path, number: int) -> None:
        """Runs the command. The list appears only when the decoder has succeeded."""
        # Every attempt has its own path: a decoder that outlived a kill may still write to its path.
        with atomic_path(nbest) as new:
            values = {WEIGHTS: str(weights), NBEST: str(new), RUN: str(number)}
            # In one pass: the name of the folder may look like a placeholder.
            command = PLACEHOLDER.sub(lambda found: platform.quoted(values[found[0]]), self.command)
            self._call(command, new, log)

    def _call(self, command: str, partial: Path, log: Path) -> None:
        with log.open("wb") as output, partial.open("wb") as found:
            process = subprocess.Popen(
                command,
                shell=True,
                stdin=subprocess.DEVNULL,
                stdout=output if NBEST in self.command else found,
                stderr=output,
                **platform.own_group(),
            )
            try:
                code = platform.wait(process)
            except BaseException:
                platform.end_group(process)  # the shell and its children
                raise
        if code:
            last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-SHOWN:]
            raise DecoderError(
                f"the decoder ended with exit code {code}; {log} ends with: {' / '.join(last)}"
            )
        if not partial.stat().st_size:
            where = NBEST if NBEST in self.command else "standard output"
            raise DecoderError(f"the decoder wrote no list to {where}; {log} has its messages")


@dataclass(frozen=True)
class Loop:
    """The result: weights, the report of the last tuning, the results of each run, and whether the lists
    stopped growing."""

    weights: Weights
    layout: FeatureLayout
    report: dict[str, Any]
    runs: tuple[dict[str, Any], ...]
    converged: bool


def check(decoder: Decoder, weights: Weights, lists: Sequence[str]) -> None:
    """Raises an error if this decoder cannot be tuned with these initial weights and lists."""
    if "-" in lists:
        raise ConfigurationError(
            "lists from standard input cannot be read again after an interruption; save them to a file"
        )
    if decoder.form == "plain" and not weights.is_plain:
        raise ConfigurationError(
            "a decoder that reads plain numbers needs initial weights without names, in its order"
        )


def decode_and_tune(
    decoder: Decoder,
    folder: str | os.PathLike[str],
    references: ReferenceTexts,
    weights: Weights,
    objective: MertObjective,
    plan: MertPlan | None = None,
    *,
    lists: Sequence[str] = (),
    sparse: bool = False,
    most_runs: int = MOST_RUNS,
    threads: int | None = None,
    progress: Progress = no_progress,
) -> Loop:
    """Runs the decoder and tunes until it finds no new hypotheses, or `most_runs` times. Existing `lists` are
    merged with those of the decoder."""
    plan = plan or MertPlan()
    plan.check()
    check(decoder, weights, lists)
    merged = Merger(len(references), sparse=sparse)
    for path in lists:
        merged.read(path)
    settings = _settings(decoder, references, weights, objective, plan)
    settings["lists"] = [_digest(Path(path).read_bytes()) for path in lists]
    settings["sparse"] = sparse
    with _LoopFolder(Path(folder)).opened(settings, weights.text()) as work:
        run = _LoopRun(decoder, work, references, objective, plan, merged, threads, progress)
        return run.loop(most_runs)


@dataclass(frozen=True)
class _LoopRun:
    """A loop in its folder. `merged` has all hypotheses so far."""

    decoder: Decoder
    work: _LoopFolder
    references: ReferenceTexts
    objective: MertObjective
    plan: MertPlan
    merged: Merger
    threads: int | None
    progress: Progress

    def loop(self, most_runs: int) -> Loop:
        counted = TextCounts(self.objective, len(self.references))
        runs: list[dict[str, Any]] = []
        for number in range(1, most_runs + 1):
            weights = self.work.weights(number)
            new = self._decoded(number, weights)
            if not new and runs:
                runs.append({"run": number, "new": 0, "hypotheses": len(self.merged), "report": None})
                return Loop(weights, self.merged.nbest().layout, runs[-2]["report"], tuple(runs), True)
            runs.append(self.work.known(number) or self._tuned(number, weights, new, counted))
        last = self.work.weights(most_runs + 1)
        return Loop(last, self.merged.nbest().layout, runs[-1]["report"], tuple(runs), False)

    def _decoded(self, number: int, weights: Weights) -> int:
        """Decodes, unless it is done. Returns the number of new hypotheses."""
        nbest = self.work.path(number, "nbest")
        if not nbest.exists():
            self.progress(f"decoding, run {number}", 0, 1)
            self.work.decode(self.decoder, number, weights.text(self.decoder.form, self.merged.layout))
            self.progress(f"decoding, run {number}", 1, 1)
        return self.merged.read(str(nbest))

    def _tuned(self, number: int, weights: Weights, new: int, counted: TextCounts) -> dict[str, Any]:
        nbest = self.merged.nbest()
        tuned = tune(
            nbest,
            self.references,
            weights,
            objective=self.objective,
            plan=replace(self.plan, seed=self.plan.seed + number - 1),
            starts=[nbest.vector(self.work.weights(earlier)) for earlier in range(1, number)],
            counted=counted,
            threads=self.threads,
            progress=self.progress,
        )
        given = self.work.weights(1) if number > 1 else None
        row = {"run": number, "new": new, "hypotheses": len(nbest), "report": to_dict(tuned, given)}
        self.work.finish(number, row, tuned.weights)
        return row


def _settings(
    decoder: Decoder, references: ReferenceTexts, weights: Weights, objective: MertObjective, plan: MertPlan
) -> dict[str, Any]:
    """What the result depends on, by names for messages."""
    return {
        "decoder": asdict(decoder),
        "references": _digest(json.dumps([list(each) for each in references]).encode()),
        "initial weights": weights.text(),
        "objective": [objective.formula(), *(metric.signature() for _, metric in objective.terms)],
        "plan": json.loads(json.dumps(asdict(plan))),
    }


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class _LoopFolder:
    """The folder of a loop."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, number: int, kind: str) -> Path:
        return self._folder / f"run{number}.{kind}"

    def weights(self, number: int) -> Weights:
        return Weights.read(str(self.path(number, "weights")))

    @contextmanager
    def opened(self, settings: dict[str, Any], weights: str) -> Iterator[_LoopFolder]:
        """Creates the folder, or checks that it belongs to the same loop. Other processes are kept out."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot create the folder {self._folder}: {error.strerror}") from None
        with locked_work(self._folder):
            self._begin(settings, weights)
            yield self

    def _begin(self, wanted: dict[str, Any], weights: str) -> None:
        settings, initial = self._folder / "settings.json", self.path(1, "weights")
        if settings.exists():
            found = self._read(settings)
            different = [name for name in wanted if found.get(name) != wanted[name]]
            if different:
                raise ConfigurationError(
                    f"{self._folder} belongs to a loop with other {', other '.join(different)}; "
                    "name another folder, or delete it"
                )
        elif initial.exists():
            raise ConfigurationError(f"{self._folder} has other files; name another folder")
        else:
            self._write(settings, json.dumps(wanted, indent=2))
        if not initial.exists():  # a new loop, or one that was killed here
            self._write(initial, weights)

    def decode(self, decoder: Decoder, number: int, weights: str) -> None:
        given = self.path(number, decoder.form)
        self._write(given, weights)
        decoder.run(given, self.path(number, "nbest"), self.path(number, "log"), number)

    def known(self, number: int) -> dict[str, Any] | None:
        """The result of a run, if it has finished."""
        if not self.path(number + 1, "weights").exists():
            return None
        return self._read(self.path(number, "json"))

    def finish(self, number: int, row: dict[str, Any], weights: Weights) -> None:
        """Saves the result of a run. The weights are written last: they mark the run as finished."""
        self._write(self.path(number, "json"), json.dumps(row, indent=2))
        self._write(self.path(number + 1, "weights"), weights.text())

    @staticmethod
    def _write(path: Path, text: str) -> None:
        with atomic_text(path) as file:
            file.write(text)

    @staticmethod
    def _read(path: Path) -> dict[str, Any]:
        try:
            found: object = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(found, dict):
                raise ValueError("it is not a JSON object")
        except (OSError, ValueError, RecursionError) as error:
            raise InputError(f"{path} is damaged ({error}); delete its folder and start again") from None
        return found
