"""`bolide stem`: the stems that the metric compares."""

from __future__ import annotations

from typing import Annotated

import typer

from bolide import _core, inputs, stemmers


def stem(
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE", help="Default: standard input.")] = None,
    language: Annotated[str, typer.Option("--language", "-l", help="Language of the text: code or name.")] = "en",
) -> None:
    """Replace every word by its stem, line by line. Words are what white space separates."""
    stems = stemmers.get(language)
    for name in files or [inputs.STDIN]:
        for line in inputs.lines(name):
            print(" ".join(stems(_core.split(line.lower()))))
