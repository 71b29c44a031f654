"""`bolide learn function-words`: the most frequent words of a language."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bolide.cli import learn_options as options
from bolide.errors import ConfigurationError

WORDFREQ = "wordfreq"


def function_words(
    corpora: Annotated[
        list[str] | None,
        typer.Argument(metavar="CORPUS", help="Texts, a line each or a column of a table; any compression."),
    ] = None,
    language: Annotated[
        str, typer.Option("--language", "-l", metavar="NAME", help="Language of the texts: code or name.")
    ] = "en",
    min_frequency: options.MinFrequency = 0.001,
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="NAME", help="Without a corpus: wordfreq, the package's frequencies."),
    ] = None,
    column: Annotated[
        str | None, typer.Option(metavar="NAME", help="Column of a table; a number if it has no names.")
    ] = None,
    input_format: options.InputFormat = None,
    tokenized: options.Tokenized = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write them there, one a line.")
    ] = None,
) -> None:
    """List the words whose relative frequency is above 0.001, the most frequent first."""
    from bolide._support.writing import atomic_path
    from bolide.learning import function_words as learning
    from bolide.learning.corpus import TextCorpus
    from bolide.resources.learned import learnable

    if source is not None and source != WORDFREQ:
        raise ConfigurationError(f"--from must be {WORDFREQ}, not '{source}'")
    if bool(corpora) == (source is not None):
        raise ConfigurationError("give corpora to count, or --from wordfreq, one of them")
    found = learnable(language)
    if source is not None:
        words = learning.from_wordfreq(found, min_frequency)
    else:
        texts = [TextCorpus(name, column, input_format) for name in corpora or ()]
        words = learning.from_corpora(texts, None if tokenized else found, min_frequency)
    text = "".join(f"{word}\n" for word in words)
    if output is None:
        print(text, end="")
        return
    with atomic_path(output) as new:
        new.write_text(text, encoding="utf-8", newline="\n")
