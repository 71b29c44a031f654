"""`bolide score`: scores of one or more systems against the same references."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, fields
from enum import Enum
from typing import Annotated, Any

import typer

from bolide import _core, inputs
from bolide.cli.options import References, with_meteor
from bolide.errors import InputError
from bolide.metric import Meteor
from bolide.pipeline import worked_ahead
from bolide.score import CorpusScore

# Fields of a score that the outputs show.
SHOWN = ("score", "precision", "recall", "f1", "fmean", "penalty", "chunks", "matches", "bounded", "unproven")


FLAGS = {"bounded": _core.BOUNDED, "unproven": _core.UNPROVEN}


class Format(str, Enum):
    text = "text"
    json = "json"
    tsv = "tsv"


@with_meteor
def score(
    meteor: Meteor,
    hypotheses: Annotated[
        list[str], typer.Argument(metavar="HYP", help="System outputs, a segment a line; - is stdin.")
    ],
    reference: References,
    segments: Annotated[
        bool, typer.Option("--segments", help="Show the score of every segment too.")
    ] = False,
    output: Annotated[Format, typer.Option("--format", help="How to print the scores.")] = Format.text,
) -> None:
    """Score system outputs against references.

    Files may be compressed (.gz, .bz2, .xz, .zst).
    """
    inputs.check_readable(hypotheses, reference)
    results = []
    for name in hypotheses:
        with progress(name) as advance, inputs.naming_lines(name, reference):
            results.append(_score_file(meteor, name, reference, segments, advance))
    PRINTERS[output](results)


@dataclass(frozen=True)
class System:
    """What was found out about one file: its score and, if asked for, those of its segments."""

    name: str
    score: CorpusScore
    segments: list[float] | None
    flags: list[int]  # of the segments: _core.BOUNDED, _core.UNPROVEN


def _score_file(meteor: Meteor, name: str, references: list[str], keep: bool, advance: Any) -> System:
    corpus = meteor.corpus()
    kept: list[float] = []
    flags: list[int] = []
    batches = inputs.segments(name, references)
    for segments, (statistics, found) in worked_ahead(meteor.best, batches, meteor.threads):
        corpus.add_statistics(segments, statistics, found)
        if keep:
            kept += meteor.score(statistics).tolist()
            flags += found.tolist()
        advance(len(statistics))
    score = corpus.score()
    if not score.segment_count:
        files = ", ".join(map(inputs.shown, [name, *references]))
        raise InputError(f"nothing to score: these files are empty: {files}")
    return System(name, score, kept if keep else None, flags)


def _print_text(systems: list[System]) -> None:
    width = max(len(system.name) for system in systems)
    for system in systems:
        for number, value in enumerate(system.segments or (), 1):
            print(f"{system.name}\t{number}\t{value:.6f}")
        score = system.score
        print(
            f"{system.name:{width}}  METEOR {score.score:.4f}  "
            f"P {score.precision:.4f}  R {score.recall:.4f}  "
            f"Fmean {score.fmean:.4f}  penalty {score.penalty:.4f}  segments {score.segment_count}"
        )
    for signature in dict.fromkeys(system.score.signature for system in systems):
        print(signature)
    for system in systems:
        if count := system.score.bounded:
            what, whose = ("segment", "its score is") if count == 1 else ("segments", "their scores are")
            note = f"{count} {what} met the bound of the alignment: {whose} approximate"
            print(f"bolide: {system.name}: {note}", file=sys.stderr)
        if count := system.score.unproven:
            note = f"{count} of {system.score.segment_count} alignments are not proven optimal"
            print(f"bolide: {system.name}: {note}", file=sys.stderr)


def _print_tsv(systems: list[System]) -> None:
    print("system", "segment", *SHOWN, "signature", sep="\t")
    for system in systems:
        for number, value in enumerate(system.segments or (), 1):
            met = {name: int(system.flags[number - 1] & flag > 0) for name, flag in FLAGS.items()}
            known = {"score": value, **met}
            print(system.name, number, *(known.get(field, "") for field in SHOWN), "", sep="\t")
        score = system.score
        print(system.name, "", *(getattr(score, field) for field in SHOWN), score.signature, sep="\t")


def _print_json(systems: list[System]) -> None:
    json.dump({"systems": list(map(_json, systems))}, sys.stdout, indent=2, ensure_ascii=False)
    print()


def _json(system: System) -> dict[str, Any]:
    skipped = ("segments", "statistics")
    values = {f.name: getattr(system.score, f.name) for f in fields(system.score) if f.name not in skipped}
    listed: dict[str, Any] = {}
    if system.segments is not None:
        listed = {"segments": system.segments}
        for name, flag in FLAGS.items():
            listed[f"{name}_segments"] = [k for k, flags in enumerate(system.flags, 1) if flags & flag]
    return {"system": system.name, **values, "matches": system.score.matches, **listed}


PRINTERS = {Format.text: _print_text, Format.tsv: _print_tsv, Format.json: _print_json}


@contextmanager
def _bar(name: str) -> Iterator[Any]:
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(inputs.shown(name), total=None)
        yield lambda count: bar.advance(task, count)


def progress(name: str) -> Any:
    """A progress bar on a terminal, nothing elsewhere; gives a function to call with each batch's size."""
    return _bar(name) if sys.stderr.isatty() else nullcontext(lambda count: None)
