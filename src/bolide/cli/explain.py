"""`bolide explain`: one segment, with its alignment and the arithmetic of its score."""

from __future__ import annotations

import json
from enum import Enum
from typing import Annotated

import typer

from bolide.cli.meteor_options import MeteorOptions, open_meteor
from bolide.cli.option_groups import as_text, option


class ExplanationFormat(str, Enum):
    text = "text"
    json = "json"
    html = "html"


def explain(
    hypothesis: Annotated[str, typer.Argument(metavar="TEXT", help="The hypothesis itself, not a file.")],
    *,
    reference: Annotated[
        list[str],
        option("--reference", "-r", metavar="TEXT", text="A reference; repeat the option for several."),
    ],
    output: Annotated[
        ExplanationFormat, option("--format", text="Output format; html: a part of a page.")
    ] = ExplanationFormat.text,
    scorer: MeteorOptions,
) -> None:
    """Show how one segment is aligned, why its words match, and how its score is computed."""
    meteor = open_meteor(scorer.choose())
    explanation = meteor.explain(as_text(hypothesis), [*map(as_text, reference)])
    if output is ExplanationFormat.json:
        print(json.dumps(explanation.to_dict(), ensure_ascii=False, indent=2))
    elif output is ExplanationFormat.html:
        print(explanation._repr_html_())
    else:
        from rich.console import Console

        Console(highlight=False, markup=False, emoji=False).print(explanation, soft_wrap=True)
