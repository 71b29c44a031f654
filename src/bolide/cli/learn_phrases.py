"""`bolide learn phrases`: a phrase table from parallel text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from bolide.cli.input_options import check_outputs
from bolide.cli.learn_options import AlignmentOptions, BitextOptions, WorkOptions, print_report, settings
from bolide.cli.option_groups import option


def phrases(
    *,
    texts: BitextOptions,
    output: Annotated[
        Path,
        option("--output", "-o", metavar="FILE", text="NAME.parquet, or for Moses NAME.gz or plain text."),
    ],
    language: Annotated[
        str, option("--language", "-l", metavar="NAME", text="Language of TGT: code or name.")
    ],
    aligned: AlignmentOptions,
    engine: WorkOptions,
) -> None:
    """Align words and extract phrase pairs, with probabilities and lexical weights in both directions.

    After an interruption, the same command resumes in the work folder (FILE.learning).
    """
    from bolide.learning.language import learn_phrases

    check_outputs(output)
    bitext = texts.read(language)
    folder = engine.folder(output.with_name(f"{output.name}.learning"))
    print_report(learn_phrases(bitext, output, folder, settings(texts, aligned, engine)))
