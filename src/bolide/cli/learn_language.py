"""`bolide learn language`: from parallel text to an installed pack."""

from __future__ import annotations

from pathlib import Path

from bolide.cli.learn_options import (
    ALIGNMENT,
    AlignmentOptions,
    BitextOptions,
    MinFrequencyOption,
    WorkOptions,
    print_report,
    settings,
)
from bolide.cli.option_groups import argument
from bolide.cli.progress import QuietOption, hidden


def language(
    language: str = argument("LANG", "The language to learn: code or name; any code is allowed."),
    *,
    texts: BitextOptions,
    min_frequency: MinFrequencyOption = 0.001,
    aligned: AlignmentOptions,
    phrases: str | None = ALIGNMENT.option(
        "FILE", "Use an existing phrase table (Moses, cdec or .parquet), tokenized as TGT is."
    ),
    engine: WorkOptions,
    quiet: QuietOption = False,
) -> None:
    """Learn function words and paraphrases from parallel text, and install them as a language pack.

    After an interruption, the same command resumes. The work folder (LANG.learning) also has
    function.words and paraphrase.gz, which option -new of the Java release reads.
    """
    from bolide.learning.language import learn

    bitext = texts.read(language)
    chosen = settings(texts, aligned, engine, min_frequency=min_frequency, table=phrases)
    code = bitext.target_language.code
    folder = engine.folder(Path(f"{code}.learning"))
    with hidden(quiet):
        result = learn(bitext, folder, chosen)
    print_report(result)
    assert result.manifest is not None
    contents = ", ".join(f"{count:,} {label}" for label, count in result.manifest.counts.items() if count)
    print(f"{code}-learned installed ({result.manifest.hash}): {contents}")
