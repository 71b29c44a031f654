"""`bolide explain`: one segment, with its alignment and the arithmetic of its score."""

from __future__ import annotations

import os.path
import sys
from enum import Enum

from bolide._support.visible import json_text, visible
from bolide.cli.meteor_options import MeteorOptions, open_meteor
from bolide.cli.option_groups import REQUIRED, argument, as_text, flag, option


class ExplanationFormat(str, Enum):
    text = "text"
    json = "json"
    html = "html"


def explain(
    hypothesis: str = argument("TEXT", "The hypothesis itself, not a file."),
    *,
    reference: list[str] = option(
        "TEXT", "A reference; repeat the option for several.", "--reference", "-r", default=REQUIRED
    ),
    output: ExplanationFormat = flag(
        "Output format; html is a fragment of a page.", "--format", default=ExplanationFormat.text
    ),
    scorer: MeteorOptions,
) -> None:
    """Show how one segment is aligned, why its words match, and how its score is computed."""
    for name in filter(os.path.isfile, (hypothesis, *reference)):
        note = (
            f"bolide: {name} is a file, but explain takes a text; for files use bolide align or bolide xray"
        )
        print(visible(note), file=sys.stderr)
    meteor = open_meteor(scorer.choose())
    explanation = meteor.explain(as_text(hypothesis), [*map(as_text, reference)])
    if output is ExplanationFormat.json:
        print(json_text(explanation.to_dict(), indent=2))
    elif output is ExplanationFormat.html:
        print(explanation._repr_html_())
    else:
        from rich.console import Console

        Console(highlight=False, markup=False, emoji=False).print(explanation, soft_wrap=True)
