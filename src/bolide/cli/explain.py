"""`bolide explain`: one segment, drawn and computed line by line."""

from __future__ import annotations

import json
from enum import Enum
from typing import Annotated

import typer

from bolide.cli.options import as_text, with_meteor
from bolide.scoring.meteor import Meteor


class Format(str, Enum):
    text = "text"
    json = "json"
    html = "html"


@with_meteor
def explain(
    meteor: Meteor,
    hypothesis: Annotated[str, typer.Argument(metavar="TEXT", help="The hypothesis itself, not a file.")],
    reference: Annotated[
        list[str],
        typer.Option("--reference", "-r", metavar="TEXT", help="A reference; repeat the option for several."),
    ],
    output: Annotated[
        Format, typer.Option("--format", help="How to print; html: a part of a page.")
    ] = Format.text,
) -> None:
    """Show how one segment is aligned, why its words match, and how its score is computed."""
    explanation = meteor.explain(as_text(hypothesis), [*map(as_text, reference)])
    if output is Format.json:
        print(json.dumps(explanation.to_dict(), ensure_ascii=False, indent=2))
    elif output is Format.html:
        print(explanation._repr_html_())
    else:
        from rich.console import Console

        Console(highlight=False, markup=False, emoji=False).print(explanation, soft_wrap=True)
