"""Options that the commands of `bolide learn` share, and their report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from bolide.cli.input_options import check_folder
from bolide.cli.option_groups import Panel, argument, info
from bolide.cli.streams import tell
from bolide.inputs.formats import FORMATS

if TYPE_CHECKING:
    from bolide.learning.language import Bitext, LearningResult, LearningSettings

CORPORA, ALIGNMENT, ENGINE = Panel("Corpora"), Panel("Alignment and phrases"), Panel("Engine")

MinFrequencyOption = Annotated[
    float, info("NUMBER", "Words with a higher relative frequency are function words.")
]
InputFormatOption = Annotated[
    str | None,
    CORPORA.info("NAME", f"Format: {', '.join(FORMATS)}; default: by the file name."),
]
TokenizedOption = Annotated[
    bool, CORPORA.info(None, "The corpora are tokenized: words separated by spaces.", "--tokenized")
]
ThreadsOption = Annotated[
    int | None, ENGINE.info("NUMBER", "Number of threads; default: all cores.", least=1)
]
MemoryOption = Annotated[
    str | None, ENGINE.info("SIZE", "Memory limit of DuckDB, such as 4GB; default: 80% of the memory.")
]


@dataclass(frozen=True)
class BitextOptions:
    """Parallel text."""

    source: str = argument("SRC", "Text in the pivot language, one sentence per line; may be compressed.")
    target: str = argument("TGT", "Translation of SRC, line by line.")
    source_language: str = CORPORA.option(
        "NAME", "Language of SRC: code or name; any code is allowed.", default="en"
    )
    source_column: str | None = CORPORA.option(
        "NAME", "Column of the text, if SRC is a table: its name, or its number."
    )
    target_column: str | None = CORPORA.option("NAME", "The same for TGT.")
    input_format: InputFormatOption = None
    tokenized: TokenizedOption = False
    longest_sentence: int = CORPORA.option(
        "NUMBER", "Leave out sentences with more words.", least=1, default=100
    )

    def read(self, target_language: str) -> Bitext:
        from bolide.learning.corpus import TextCorpus
        from bolide.learning.language import Bitext
        from bolide.resources.learned import learnable

        return Bitext(
            TextCorpus(self.source, self.source_column, self.input_format, "--source-column"),
            TextCorpus(self.target, self.target_column, self.input_format, "--target-column"),
            learnable(self.source_language),
            learnable(target_language),
        )


@dataclass(frozen=True)
class AlignmentOptions:
    """How words are aligned and phrases extracted."""

    aligner: str = ALIGNMENT.option("NAME", "Word aligner: fast-align, or eflomal.", default="fast-align")
    alignment: str | None = ALIGNMENT.option(
        "FILE", "Use an existing alignment, such as 0-0 1-2, one line per sentence pair.", "--alignment"
    )
    longest_phrase: int = ALIGNMENT.option("NUMBER", "Maximum number of words in a phrase.", default=7)


@dataclass(frozen=True)
class WorkOptions:
    """Where the work is done, and with how much of the machine."""

    work: Path | None = ENGINE.option("FOLDER", "Folder for the files of all steps.", "--work")
    threads: ThreadsOption = None
    memory: MemoryOption = None

    def folder(self, default: Path) -> Path:
        found = self.work or default
        check_folder(found)
        return found


def settings(
    texts: BitextOptions, aligned: AlignmentOptions, engine: WorkOptions, **others: Any
) -> LearningSettings:
    from bolide.learning.language import LearningSettings

    return LearningSettings(
        aligner=aligned.aligner,
        longest_phrase=aligned.longest_phrase,
        longest_sentence=texts.longest_sentence,
        tokenized=texts.tokenized,
        links=aligned.alignment,
        threads=engine.threads,
        memory=engine.memory,
        **others,
    )


def print_report(result: LearningResult) -> None:
    for doubt in result.doubts:
        tell(doubt)
    print(report(result))


def report(result: LearningResult) -> str:
    """A table of the steps: time, memory, and results."""
    rows = [("step", "seconds", "processor", "peak memory", "")]
    for record in result.records:
        seconds = f"{record.seconds:.1f}" + (" (before)" if record.kept else "")
        peak = f"{record.peak / 1e6:,.0f} MB"
        rows.append((record.step, seconds, f"{record.cpu:.1f}", peak, _counts(record.counts)))
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    return "\n".join(_line(row, widths) for row in rows)


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    step, *numbers, counts = row
    aligned = (f"{number:>{width}}" for number, width in zip(numbers, widths[1:], strict=True))
    return "  ".join((f"{step:<{widths[0]}}", *aligned, counts)).rstrip()


def _counts(counts: Any) -> str:
    numbers = {name: value for name, value in counts.items() if name not in ("doubt", "filters")}
    shown = (
        f"{value:,} {name.replace('_', ' ')}" if isinstance(value, int) else f"{name} {value}"
        for name, value in numbers.items()
        if value
    )
    return ", ".join(shown)
