"""Options that the commands of `bolide learn` share, and their report."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bolide.cli.input_options import check_folder
from bolide.cli.option_groups import option

if TYPE_CHECKING:
    from bolide.learning.language import Bitext, LearningResult, LearningSettings

CORPORA, ALIGNMENT, ENGINE = "Corpora", "Alignment and phrases", "Engine"

MinFrequencyOption = Annotated[
    float, option(metavar="NUMBER", text="A function word has a relative frequency above this.")
]
InputFormatOption = Annotated[
    str | None,
    option(
        panel=CORPORA,
        metavar="NAME",
        text="text, tsv, tsv-raw, csv, jsonl or parquet; default: by the file names.",
    ),
]
TokenizedOption = Annotated[
    bool, option("--tokenized", panel=CORPORA, text="The corpora are tokenised: words separated by spaces.")
]
ThreadsOption = Annotated[
    int | None,
    option(panel=ENGINE, metavar="NUMBER", least=1, text="Number of threads; default: all cores."),
]
MemoryOption = Annotated[
    str | None,
    option(panel=ENGINE, metavar="SIZE", text="Memory of DuckDB, for example 4GB; default: 80% of all."),
]


@dataclass(frozen=True)
class BitextOptions:
    """Parallel text."""

    source: Annotated[
        str,
        typer.Argument(
            metavar="SRC", help="Text in the pivot language, one sentence per line; any compression."
        ),
    ]
    target: Annotated[
        str, typer.Argument(metavar="TGT", help="Its translation into the language, line by line.")
    ]
    source_language: Annotated[
        str, option(panel=CORPORA, metavar="NAME", text="Language of SRC: code or name; any code is allowed.")
    ] = "en"
    source_column: Annotated[
        str | None,
        option(
            panel=CORPORA,
            metavar="NAME",
            text="Column of SRC, if it is a table; its number if it has no name.",
        ),
    ] = None
    target_column: Annotated[str | None, option(panel=CORPORA, metavar="NAME", text="The same for TGT.")] = (
        None
    )
    input_format: InputFormatOption = None
    tokenized: TokenizedOption = False
    longest_sentence: Annotated[
        int, option(panel=CORPORA, metavar="NUMBER", least=1, text="Leave out sentences with more words.")
    ] = 100

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

    aligner: Annotated[str, option(panel=ALIGNMENT, metavar="NAME", text="fast-align, or eflomal.")] = (
        "fast-align"
    )
    alignment: Annotated[
        str | None,
        option(
            "--alignment",
            panel=ALIGNMENT,
            metavar="FILE",
            text="Use an existing alignment, such as 0-0 1-2, one line per sentence pair.",
        ),
    ] = None
    longest_phrase: Annotated[
        int, option(panel=ALIGNMENT, metavar="NUMBER", text="Largest number of words in a phrase.")
    ] = 7


@dataclass(frozen=True)
class WorkOptions:
    """Where the work is done, and with how much of the machine."""

    work: Annotated[
        Path | None,
        option("--work", panel=ENGINE, metavar="FOLDER", text="Folder in which all steps are done and kept."),
    ] = None
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
        print(f"bolide: {doubt}", file=sys.stderr)
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
