"""`bolide align`: the alignment of every segment."""

from __future__ import annotations

from dataclasses import asdict
from enum import Enum

from bolide._support.visible import json_text, visible
from bolide.cli.input_options import TextOptions, begun, check_texts
from bolide.cli.meteor_options import MeteorOptions, open_meteor
from bolide.cli.option_groups import argument, flag
from bolide.scoring.alignment import Alignment
from bolide.scoring.resolve import needs_download


class AlignmentFormat(str, Enum):
    text = "text"
    json = "json"


def align(
    hypothesis: str = argument("HYP", "System output, one segment per line or record; - is stdin."),
    *,
    texts: TextOptions,
    output: AlignmentFormat = flag(
        "Output format; json: one object per line.", "--format", default=AlignmentFormat.text
    ),
    scorer: MeteorOptions,
) -> None:
    """Show how the words of each hypothesis are matched to its best reference."""
    show = _json if output is AlignmentFormat.json else _text
    choices = scorer.choose()
    system = texts.system(hypothesis)
    if needs_download(choices):
        check_texts([system])
    batches = begun(system.segments())
    meteor = open_meteor(choices)
    with system.naming():
        for batch in batches:
            for number, alignment in enumerate(meteor.align_all(batch), batch.first):
                print(show(number, alignment))


def _json(number: int, alignment: Alignment) -> str:
    return json_text({"segment": number, **asdict(alignment)})


def _text(number: int, alignment: Alignment) -> str:
    note = "" if alignment.optimal else "  not proven optimal"
    rows = [
        f"segment {number}  {alignment.score.score:.4f}{note}",
        "  hypothesis  " + visible(" ".join(alignment.hypothesis)),
        "  reference   " + visible(" ".join(alignment.reference)),
    ]
    for match in alignment.matches:
        hypothesis, reference = (visible(" ".join(words)) for words in alignment.phrases(match))
        rows.append(
            f"  {match.module:10}  chunk {match.chunk + 1:<3}  "
            f"{match.hypothesis_start}:{match.hypothesis_length} {hypothesis}  =  "
            f"{match.reference_start}:{match.reference_length} {reference}"
        )
    return "\n".join(rows)
