"""`bolide align`: the alignment of every segment."""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import Enum
from typing import Annotated

import typer

from bolide.cli.input_options import Inputs, with_inputs
from bolide.cli.options import with_meteor
from bolide.errors import InputError
from bolide.scoring.alignment import Alignment
from bolide.scoring.meteor import Meteor


class Format(str, Enum):
    text = "text"
    json = "json"


@with_meteor
@with_inputs
def align(
    meteor: Meteor,
    texts: Inputs,
    hypothesis: Annotated[
        str, typer.Argument(metavar="HYP", help="System output, a segment a line or a record; - is stdin.")
    ],
    output: Annotated[
        Format, typer.Option("--format", help="How to print; json: an object a line.")
    ] = Format.text,
) -> None:
    """Show how the words of each hypothesis are matched to its best reference."""
    show = _json if output is Format.json else _text
    system, *others = texts.systems([hypothesis])
    if others:
        names = ", ".join(other.column for other in (system, *others))
        raise InputError(f"{hypothesis} has several systems: {names}; choose one with --hyp-column")
    with system.naming():
        for batch in system.segments():
            for number, alignment in enumerate(meteor.align_all(batch), batch.first):
                print(show(number, alignment))


def _json(number: int, alignment: Alignment) -> str:
    return json.dumps({"segment": number, **asdict(alignment)}, ensure_ascii=False)


def _text(number: int, alignment: Alignment) -> str:
    note = "" if alignment.optimal else "  not proven optimal"
    rows = [
        f"segment {number}  {alignment.score.score:.4f}{note}",
        "  hypothesis  " + " ".join(alignment.hypothesis),
        "  reference   " + " ".join(alignment.reference),
    ]
    for match in alignment.matches:
        ours = alignment.hypothesis[match.hypothesis_start : match.hypothesis_start + match.hypothesis_length]
        theirs = alignment.reference[match.reference_start : match.reference_start + match.reference_length]
        rows.append(
            f"  {match.module:10}  chunk {match.chunk + 1:<3}  "
            f"{match.hypothesis_start}:{match.hypothesis_length} {' '.join(ours)}  =  "
            f"{match.reference_start}:{match.reference_length} {' '.join(theirs)}"
        )
    return "\n".join(rows)
