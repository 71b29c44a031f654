"""`bolide score`: scores of one or more systems against the same references."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import fields
from enum import Enum
from typing import Annotated, Any

import numpy as np
import typer

from bolide import inputs
from bolide.cli.options import with_meteor
from bolide.metric import Meteor
from bolide.score import CorpusScore, Floats

# Fields of a score that the outputs show.
SHOWN = ("score", "precision", "recall", "f1", "fmean", "penalty", "chunks", "matches")


class Format(str, Enum):
    text = "text"
    json = "json"
    tsv = "tsv"


@with_meteor
def score(
    meteor: Meteor,
    hypotheses: Annotated[list[str], typer.Argument(metavar="HYP", help="System outputs, a segment a line; - is stdin.")],
    reference: Annotated[list[str], typer.Option("--reference", "-r", help="Reference file; repeat for several.")],
    segments: Annotated[bool, typer.Option("--segments", help="Show the score of every segment too.")] = False,
    output: Annotated[Format, typer.Option("--format", help="How to print the scores.")] = Format.text,
) -> None:
    """Score system outputs against references.

    Files may be compressed (.gz, .bz2, .xz, .zst).
    """
    results = []
    for name in hypotheses:
        with progress(name) as advance:
            results.append((name, *_score_file(meteor, name, reference, segments, advance)))
    PRINTERS[output](results)


def _score_file(
    meteor: Meteor, name: str, references: list[str], keep: bool, advance: Any
) -> tuple[CorpusScore, Floats | None]:
    corpus = meteor.corpus()
    kept = []
    for batch in inputs.segments(name, references):
        statistics = corpus.add(batch)
        if keep:
            kept.append(meteor.score(statistics))
        advance(len(batch))
    return corpus.score(), np.concatenate([np.zeros(0), *kept]) if keep else None


Results = list[tuple[str, CorpusScore, Floats | None]]


def _print_text(results: Results) -> None:
    width = max(len(name) for name, _, _ in results)
    for name, result, scores in results:
        for number, value in enumerate([] if scores is None else scores, 1):
            print(f"{name}\t{number}\t{value:.6f}")
        print(
            f"{name:{width}}  METEOR {result.score:.4f}  "
            f"P {result.precision:.4f}  R {result.recall:.4f}  Fmean {result.fmean:.4f}  penalty {result.penalty:.4f}  "
            f"segments {result.segment_count}"
        )
    print(results[0][1].signature)
    _note_bounded(results)


def _note_bounded(results: Results) -> None:
    for name, result, _ in results:
        if result.bounded:
            print(f"bolide: {name}: {result.bounded} segments met the alignment's bound", file=sys.stderr)


def _print_tsv(results: Results) -> None:
    print("system", "segment", *SHOWN, "signature", sep="\t")
    for name, result, scores in results:
        for number, value in enumerate([] if scores is None else scores.tolist(), 1):
            print(name, number, repr(value), *[""] * len(SHOWN), sep="\t")
        print(name, "", *(repr(getattr(result, field)) for field in SHOWN), result.signature, sep="\t")


def _print_json(results: Results) -> None:
    json.dump({"systems": [_json(*result) for result in results]}, sys.stdout, indent=2, ensure_ascii=False)
    print()


def _json(name: str, result: CorpusScore, scores: Floats | None) -> dict[str, Any]:
    skipped = ("segments", "statistics")
    values = {f.name: getattr(result, f.name) for f in fields(result) if f.name not in skipped}
    listed = {} if scores is None else {"segments": scores.tolist()}
    return {"system": name, **values, "matches": result.matches, **listed}


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
