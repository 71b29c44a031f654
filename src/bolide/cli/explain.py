"""`bolide explain`: one segment, with its alignment and the arithmetic of its score."""

from __future__ import annotations

import os.path
import shlex
from dataclasses import dataclass
from enum import Enum

from bolide._support.plurals import counted
from bolide._support.visible import json_text
from bolide.cli.input_options import TextOptions
from bolide.cli.meteor_options import MeteorOptions, open_meteor
from bolide.cli.option_groups import argument, as_text, flag, option
from bolide.cli.streams import tell
from bolide.errors import ConfigurationError, InputError
from bolide.explanation.explanation import explain as explained
from bolide.inputs.assembly import InputSystem
from bolide.inputs.files import shown
from bolide.inputs.segments import Segments, one_segment


class ExplanationFormat(str, Enum):
    text = "text"
    json = "json"
    html = "html"


@dataclass(frozen=True)
class ExplainedTexts(TextOptions):
    """Texts; or, with the number of a segment, files."""

    reference: list[str] | None = option(
        "TEXT", "A reference, or with --segment its file; repeat the option for several.", "--reference", "-r"
    )


def explain(
    hypothesis: str = argument("TEXT", "The hypothesis itself or, with --segment, its file."),
    *,
    texts: ExplainedTexts,
    segment: int | None = option(
        "NUMBER", "Explain this segment of files, for example 17.", "--segment", "-n"
    ),
    output: ExplanationFormat = flag(
        "Output format; html is a fragment of a page.", "--format", default=ExplanationFormat.text
    ),
    scorer: MeteorOptions,
) -> None:
    """Show how one segment is aligned, why its words match, and how its score is computed.

    Example: bolide explain "The cats sat." -r "The cat sat."

    The same for line 17 of files: bolide explain system.txt -r reference.txt --segment 17
    """
    choices = scorer.choose()
    if segment is None:
        found = _texts(hypothesis, texts)
        explanation = explained(open_meteor(choices), found)
    else:
        if segment < 1:
            raise ConfigurationError(f"--segment must be a number from 1 on, not {segment}")
        system = texts.system(hypothesis)
        with system.naming():
            found = _numbered(system, segment)
            explanation = explained(open_meteor(choices), found)
    if output is ExplanationFormat.json:
        print(json_text(explanation.to_dict(), indent=2))
    elif output is ExplanationFormat.html:
        print(explanation._repr_html_())
    else:
        from rich.console import Console

        Console(highlight=False, markup=False, emoji=False).print(explanation, soft_wrap=True)


def _texts(hypothesis: str, texts: ExplainedTexts) -> Segments:
    """The texts themselves. Fails if they are names of files."""
    if not texts.references:
        raise ConfigurationError("the reference is missing: give it with --reference TEXT (-r)")
    files = [*filter(os.path.isfile, (hypothesis, *texts.references))]
    if len(files) == 1 + len(texts.references):
        options = " ".join(f"-r {shlex.quote(name)}" for name in texts.references)
        raise ConfigurationError(
            f"{' and '.join(files)} are files, but explain takes texts. For one segment of files write: "
            f"bolide explain {shlex.quote(hypothesis)} {options} --segment 1"
        )
    for name in files:
        tell(f"{name} is a file, but explain takes a text; for files add --segment NUMBER")
    return one_segment(as_text(hypothesis), [*map(as_text, texts.references)])


def _numbered(system: InputSystem, number: int) -> Segments:
    """One segment of a file."""
    count = 0
    for batch in system.segments():
        if number < count + len(batch) + 1:
            return batch.batches(1)[number - count - 1]
        count += len(batch)
    raise InputError(
        f"{shown(system.table.name)} has {counted(count, 'segments')}; there is no segment {number}"
    )
