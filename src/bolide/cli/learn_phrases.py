"""`bolide learn phrases`: a phrase table from parallel text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from bolide.cli import learn_options as options


def phrases(
    source: options.Source,
    target: options.Target,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="NAME.parquet, or as Moses has it: NAME.gz or plain text."
        ),
    ],
    language: Annotated[
        str, typer.Option("--language", "-l", metavar="NAME", help="Language of TGT: code or name.")
    ],
    source_language: options.SourceLanguage = "en",
    source_column: options.SourceColumn = None,
    target_column: options.TargetColumn = None,
    input_format: options.InputFormat = None,
    tokenized: options.Tokenized = False,
    longest_sentence: options.LongestSentence = 100,
    aligner: options.Aligner = "fast-align",
    alignment: options.Links = None,
    longest_phrase: options.LongestPhrase = 7,
    work: options.WorkFolder = None,
    threads: options.Threads = None,
    memory: options.Memory = None,
) -> None:
    """Align words and extract phrase pairs, with probabilities and lexical weights in both directions.

    Killed and run again, it goes on where it was, in the folder of the work (FILE.learning).
    """
    from bolide.learning.language import LearningSettings, learn_phrases

    bitext = options.bitext(
        source, target, source_language, language, (source_column, target_column), input_format
    )
    settings = LearningSettings(
        aligner=aligner,
        longest_phrase=longest_phrase,
        longest_sentence=longest_sentence,
        tokenized=tokenized,
        links=alignment,
        threads=threads,
        memory=memory,
    )
    result = learn_phrases(bitext, output, work or output.with_name(f"{output.name}.learning"), settings)
    for doubt in result.doubts:
        print(f"bolide: {doubt}", file=sys.stderr)
    print(options.report(result))
