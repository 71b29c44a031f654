"""`bolide learn function-words`: the most frequent words of a language."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bolide.cli.input_options import check_inputs, check_outputs
from bolide.cli.learn_options import InputFormatOption, MinFrequencyOption, TokenizedOption
from bolide.cli.meteor_options import LanguageOption
from bolide.cli.option_groups import option
from bolide.errors import ConfigurationError

WORDFREQ = "wordfreq"


def function_words(
    corpora: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CORPUS", help="Texts, one per line or in a column of a table; any compression."
        ),
    ] = None,
    *,
    language: LanguageOption = "en",
    min_frequency: MinFrequencyOption = 0.001,
    source: Annotated[
        str | None,
        option("--from", metavar="NAME", text="Without a corpus: wordfreq, the frequencies of that package."),
    ] = None,
    column: Annotated[
        str | None, option(metavar="NAME", text="Column of a table; its number if it has no name.")
    ] = None,
    input_format: InputFormatOption = None,
    tokenized: TokenizedOption = False,
    output: Annotated[
        Path | None,
        option("--output", "-o", metavar="FILE", text="Write the words to this file, one per line."),
    ] = None,
) -> None:
    """List the words whose relative frequency is above 0.001, most frequent first."""
    from bolide._support.writing import atomic_path
    from bolide.learning import function_words as learning
    from bolide.learning.corpus import TextCorpus
    from bolide.resources.learned import learnable

    if source is not None and source != WORDFREQ:
        raise ConfigurationError(f"--from must be {WORDFREQ}, not '{source}'")
    if bool(corpora) == (source is not None):
        raise ConfigurationError("give corpora to count, or --from wordfreq, but not both")
    found = learnable(language)
    check_outputs(output)
    if source is not None:
        words = learning.from_wordfreq(found, min_frequency)
    else:
        names = corpora or []
        check_inputs(*names)
        texts = [TextCorpus(name, column, input_format) for name in names]
        words = learning.from_corpora(texts, None if tokenized else found, min_frequency)
    text = "".join(f"{word}\n" for word in words)
    if output is None:
        print(text, end="")
        return
    with atomic_path(output) as new:
        new.write_text(text, encoding="utf-8", newline="\n")
