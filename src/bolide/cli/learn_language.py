"""`bolide learn language`: from parallel text to an installed pack."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from bolide.cli import learn_options as options


def language(
    language: Annotated[
        str, typer.Argument(metavar="LANG", help="The language to learn: a code or a name; any code will do.")
    ],
    source: options.Source,
    target: options.Target,
    source_language: options.SourceLanguage = "en",
    source_column: options.SourceColumn = None,
    target_column: options.TargetColumn = None,
    input_format: options.InputFormat = None,
    tokenized: options.Tokenized = False,
    longest_sentence: options.LongestSentence = 100,
    min_frequency: options.MinFrequency = 0.001,
    aligner: options.Aligner = "fast-align",
    alignment: options.Links = None,
    phrases: Annotated[
        str | None,
        options.option(
            options.ALIGNMENT,
            metavar="FILE",
            text="A phrase table made elsewhere, of Moses or cdec, or .parquet; its words must be TGT's.",
        ),
    ] = None,
    longest_phrase: options.LongestPhrase = 7,
    work: options.WorkFolder = None,
    threads: options.Threads = None,
    memory: options.Memory = None,
) -> None:
    """Learn function words and paraphrases from parallel text, and install them as a language pack.

    Killed and run again, it goes on where it was. The folder of the work (LANG.learning) has function.words
    and paraphrase.gz too, as the Java release's option -new reads them.
    """
    from bolide.learning.language import LearningSettings, learn

    bitext = options.bitext(
        source, target, source_language, language, (source_column, target_column), input_format
    )
    settings = LearningSettings(
        aligner=aligner,
        longest_phrase=longest_phrase,
        longest_sentence=longest_sentence,
        min_frequency=min_frequency,
        tokenized=tokenized,
        links=alignment,
        table=phrases,
        threads=threads,
        memory=memory,
    )
    code = bitext.target_language.code
    result = learn(bitext, work or Path(f"{code}.learning"), settings)
    for doubt in result.doubts:
        print(f"bolide: {doubt}", file=sys.stderr)
    print(options.report(result))
    assert result.manifest is not None
    contents = ", ".join(f"{count:,} {label}" for label, count in result.manifest.counts.items() if count)
    print(f"{code}-learned installed ({result.manifest.hash}): {contents}")
