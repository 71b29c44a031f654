"""`bolide learn function-words`: the most frequent words of a language."""

from __future__ import annotations

from pathlib import Path

from bolide.cli.input_options import check_inputs, check_outputs
from bolide.cli.learn_options import InputFormatOption, MinFrequencyOption, TokenizedOption
from bolide.cli.meteor_options import LanguageOption
from bolide.cli.option_groups import argument, option
from bolide.cli.progress import QuietOption, hidden, reading
from bolide.cli.streams import print_line
from bolide.errors import ConfigurationError

WORDFREQ = "wordfreq"


def function_words(
    corpora: list[str] | None = argument(
        "CORPUS", "Texts, one per line or in a column of a table; may be compressed.", default=None
    ),
    *,
    language: LanguageOption = "en",
    min_frequency: MinFrequencyOption = 0.001,
    source: str | None = option(
        "NAME", "Use the frequencies of a package instead of a corpus: wordfreq.", "--from"
    ),
    column: str | None = option("NAME", "Column of the text in a table: its name, or its number."),
    input_format: InputFormatOption = None,
    tokenized: TokenizedOption = False,
    output: Path | None = option("FILE", "Write the words to this file, one per line.", "--output", "-o"),
    quiet: QuietOption = False,
) -> None:
    """List the function words of a language: its most frequent words."""
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
        with hidden(quiet), reading("counting words", names):
            words = learning.from_corpora(texts, None if tokenized else found, min_frequency)
    if output is None:
        for word in words:
            print_line(word)
        return
    with atomic_path(output) as new:
        new.write_text("".join(f"{word}\n" for word in words), encoding="utf-8", newline="\n")
