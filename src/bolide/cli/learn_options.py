"""Options that the commands of `bolide learn` share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from bolide.learning.language import Bitext, LearningResult

CORPORA, ALIGNMENT, ENGINE = "Corpora", "Alignment and phrases", "Engine"


def option(panel: str, *names: str, metavar: str | None = None, text: str, least: int | None = None) -> Any:
    return typer.Option(*names, metavar=metavar, help=text, rich_help_panel=panel, min=least)


Source = Annotated[
    str, typer.Argument(metavar="SRC", help="Text in the pivot language, a sentence a line; any compression.")
]
Target = Annotated[
    str, typer.Argument(metavar="TGT", help="Its translation into the language, line by line.")
]
SourceLanguage = Annotated[
    str, option(CORPORA, metavar="NAME", text="Language of SRC: code or name; any code will do.")
]
SourceColumn = Annotated[
    str | None,
    option(CORPORA, metavar="NAME", text="Column of SRC, if it is a table; a number if it has no names."),
]
TargetColumn = Annotated[str | None, option(CORPORA, metavar="NAME", text="The same of TGT.")]
InputFormat = Annotated[
    str | None,
    option(CORPORA, metavar="NAME", text="text, tsv, tsv-raw, csv, jsonl or parquet; default: by the names."),
]
Tokenized = Annotated[
    bool, option(CORPORA, "--tokenized", text="The corpora are words already, with spaces between them.")
]
LongestSentence = Annotated[
    int, option(CORPORA, metavar="NUMBER", least=1, text="Leave out sentences with more words.")
]
Aligner = Annotated[str, option(ALIGNMENT, metavar="NAME", text="fast-align, or eflomal.")]
Links = Annotated[
    str | None,
    option(
        ALIGNMENT, "--alignment", metavar="FILE", text="Links made elsewhere, such as 0-0 1-2, a line a pair."
    ),
]
LongestPhrase = Annotated[int, option(ALIGNMENT, metavar="NUMBER", text="Words of a phrase, at most.")]
MinFrequency = Annotated[
    float, typer.Option(metavar="NUMBER", help="A function word is more frequent than that, relatively.")
]
WorkFolder = Annotated[
    Path | None,
    option(ENGINE, "--work", metavar="FOLDER", text="Where steps are done, and kept."),
]
Threads = Annotated[
    int | None, option(ENGINE, metavar="NUMBER", least=1, text="Number of threads; default: all cores.")
]
Memory = Annotated[
    str | None, option(ENGINE, metavar="SIZE", text="Of DuckDB, such as 4GB; default: 80% of what there is.")
]


def bitext(
    source: str,
    target: str,
    source_language: str,
    target_language: str,
    columns: tuple[str | None, str | None],
    form: str | None,
) -> Bitext:
    from bolide.learning.corpus import TextCorpus
    from bolide.learning.language import Bitext
    from bolide.resources.learned import learnable

    return Bitext(
        TextCorpus(source, columns[0], form, "--source-column"),
        TextCorpus(target, columns[1], form, "--target-column"),
        learnable(source_language),
        learnable(target_language),
    )


def report(result: LearningResult) -> str:
    """A table of the steps: time, memory, and what came of them."""
    rows = [("step", "seconds", "processor", "peak memory", "")]
    for record in result.records:
        seconds = f"{record.seconds:.1f}" + (" (before)" if record.kept else "")
        peak = f"{record.peak / 1e6:,.0f} MB"
        rows.append((record.step, seconds, f"{record.cpu:.1f}", peak, _told(record.counts)))
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    return "\n".join(_line(row, widths) for row in rows)


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    step, *numbers, told = row
    aligned = (f"{number:>{width}}" for number, width in zip(numbers, widths[1:], strict=True))
    return "  ".join((f"{step:<{widths[0]}}", *aligned, told)).rstrip()


def _told(counts: Any) -> str:
    numbers = {name: value for name, value in counts.items() if name not in ("doubt", "filters")}
    shown = (
        f"{value:,} {name.replace('_', ' ')}" if isinstance(value, int) else f"{name} {value}"
        for name, value in numbers.items()
        if value
    )
    return ", ".join(shown)
