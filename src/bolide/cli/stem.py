"""`bolide stem`: the stems that the metric compares."""

from __future__ import annotations

from typing import Annotated

import typer

from bolide import _core, inputs, languages, stemmers
from bolide.errors import ConfigurationError


def stem(
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE", help="Default: standard input.")] = None,
    language: Annotated[str, typer.Option("--language", "-l", help="Language of the text: code or name.")] = "en",
) -> None:
    """Replace every word by its stem, line by line. Words are what white space separates."""
    chosen = languages.get(language)
    if chosen.stemmer is None:
        having = ", ".join(other.code for other in languages.every() if other.stemmer)
        raise ConfigurationError(f"there is no stemmer for language '{chosen.code}', only for: {having}")
    stems = stemmers.get(chosen.code)
    for name in files or [inputs.STDIN]:
        for line in inputs.lines(name):
            print(" ".join(stems(_core.split(line.lower()))))
