"""`bolide normalize`: the text as the metric sees it."""

from __future__ import annotations

from typing import Annotated

import typer

from bolide import inputs
from bolide.metric import Meteor


def normalize(
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE", help="Default: standard input.")] = None,
    language: Annotated[str, typer.Option("--language", "-l", help="Language of the text: code or name.")] = "en",
    normalize: Annotated[
        str, typer.Option(help="keep-punctuation, no-punctuation, lower, or none.")
    ] = "keep-punctuation",
) -> None:
    """Normalise, tokenise and lower-case text, line by line."""
    meteor = Meteor(language=language, modules=["exact"], normalize=normalize)
    for name in files or [inputs.STDIN]:
        for line in inputs.lines(name):
            print(meteor.normalized(line))
