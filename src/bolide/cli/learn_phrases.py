"""`bolide learn phrases`: a phrase table from parallel text."""

from __future__ import annotations

from pathlib import Path

from bolide.cli.input_options import check_outputs
from bolide.cli.learn_options import AlignmentOptions, BitextOptions, WorkOptions, print_report, settings
from bolide.cli.option_groups import REQUIRED, option
from bolide.cli.progress import QuietOption, hidden


def phrases(
    *,
    texts: BitextOptions,
    output: Path = option(
        "FILE",
        "File to write: .parquet, or .gz or plain text as in Moses.",
        "--output",
        "-o",
        default=REQUIRED,
    ),
    language: str = option("NAME", "Language of TGT: code or name.", "--language", "-l", default=REQUIRED),
    aligned: AlignmentOptions,
    engine: WorkOptions,
    quiet: QuietOption = False,
) -> None:
    """Align words and extract phrase pairs, with probabilities and lexical weights in both directions.

    After an interruption, the same command resumes in the work folder (FILE.learning).
    """
    from bolide.learning.language import learn_phrases

    check_outputs(output)
    bitext = texts.read(language)
    folder = engine.folder(output.with_name(f"{output.name}.learning"))
    with hidden(quiet):
        result = learn_phrases(bitext, output, folder, settings(texts, aligned, engine))
    print_report(result)
