"""`bolide learn paraphrases`: Meteor's paraphrases from phrase tables."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from bolide.errors import ConfigurationError

WORDS, FILTERS, ENGINE = "Common words", "Filters", "Engine"


class Merge(str, Enum):
    mean = "mean"
    max = "max"


class Engine(str, Enum):
    duckdb = "duckdb"
    spark = "spark"


def _of(panel: str, *names: str, metavar: str | None = None, text: str, least: int | None = None) -> Any:
    return typer.Option(*names, metavar=metavar, help=text, rich_help_panel=panel, min=least)


def paraphrases(
    tables: Annotated[
        list[str],
        typer.Argument(
            metavar="PHRASE_TABLE",
            help="Of Moses or cdec, plain or compressed, or .parquet; one for each pivot language.",
        ),
    ],
    output: Annotated[
        list[Path],
        typer.Option(
            "--output", "-o", metavar="FILE", help="paraphrase.gz (Meteor's) or .parquet; repeat for both."
        ),
    ],
    corpus: Annotated[
        list[str] | None,
        _of(
            WORDS,
            metavar="FILE",
            text="Text in the target language to count words in, tokenised; repeatable.",
        ),
    ] = None,
    pivot_corpus: Annotated[
        list[str] | None,
        _of(WORDS, metavar="FILE", text="The same in the pivot language; with several tables, one for each."),
    ] = None,
    common_words: Annotated[
        Path | None, _of(WORDS, metavar="FILE", text="Instead of a corpus: the words, one a line.")
    ] = None,
    pivot_common_words: Annotated[
        list[Path] | None,
        _of(WORDS, metavar="FILE", text="The same in the pivot language; with several tables, one for each."),
    ] = None,
    min_frequency: Annotated[
        float, _of(WORDS, metavar="NUMBER", text="A word is common if it is more frequent than that.")
    ] = 0.001,
    occurring_in: Annotated[
        list[str] | None,
        _of(FILTERS, metavar="FILE", text="Keep only what paraphrases a phrase of this text; repeatable."),
    ] = None,
    min_probability: Annotated[
        float, _of(FILTERS, metavar="NUMBER", text="Of entries of the table, and of their products.")
    ] = 0.001,
    min_final: Annotated[
        float, _of(FILTERS, metavar="NUMBER", text="Of paraphrases, the sum of products.")
    ] = 0.01,
    symbols: Annotated[
        str | None,
        _of(FILTERS, metavar="CHARACTERS", text="No phrase may have one of them; default: all of ASCII's."),
    ] = None,
    symbols_as_words: Annotated[
        bool, _of(FILTERS, "--symbols-as-words", text="They may be parts of words, as in co-operation.")
    ] = False,
    keep_accumulation: Annotated[
        bool,
        _of(FILTERS, "--keep-accumulation", text="A phrase may contain its paraphrase, word for word."),
    ] = False,
    merge: Annotated[
        Merge, _of(FILTERS, text="Of several tables: the mean of probabilities, or the highest.")
    ] = Merge.mean,
    engine: Annotated[Engine, _of(ENGINE, text="What runs the query.")] = Engine.duckdb,
    master: Annotated[
        str | None, _of(ENGINE, metavar="URL", text="Of Spark: such as local[2] or spark://HOST:7077.")
    ] = None,
    threads: Annotated[
        int | None, _of(ENGINE, metavar="NUMBER", least=1, text="Of DuckDB; default: all cores.")
    ] = None,
    memory: Annotated[
        str | None,
        _of(ENGINE, metavar="SIZE", text="Such as 4GB; default: DuckDB's, 80% of what there is."),
    ] = None,
    temporary: Annotated[
        Path | None,
        _of(ENGINE, metavar="FOLDER", text="For what does not fit in memory; default: the system's."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no sizes.")] = False,
) -> None:
    """Make paraphrases from phrase tables by pivoting: two phrases with a translation in common.

    Prints how many entries, and pairs, each filter leaves.
    """
    from bolide.learning.paraphrases import learn
    from bolide.learning.pivot import SYMBOLS, Filters

    if master is not None and engine is not Engine.spark:
        raise ConfigurationError("--master is for Spark: add --engine spark")
    listed = SYMBOLS if symbols is None else symbols
    filters = Filters(min_probability, min_final, listed, symbols_as_words, not keep_accumulation)
    common = _words([common_words] if common_words else [], [corpus or []], min_frequency)
    pivots = _words(pivot_common_words or [], _each(pivot_corpus or [], len(tables)), min_frequency)
    if not (common and pivots) and not quiet:
        print("bolide: without common words of both sides, phrases made of them stay", file=sys.stderr)
    report = learn(
        tables,
        output,
        common_words=common[0] if common else (),
        pivot_common_words=pivots,
        occurring_in=occurring_in or (),
        filters=filters,
        merge=merge.value,
        engine=engine.value,
        master=master,
        threads=threads,
        memory=memory,
        temporary=temporary,
    )
    if not quiet:
        print(report.to_text())


def _each(corpora: Sequence[str], tables: int) -> list[list[str]]:
    """The corpora of each table."""
    if tables == 1 or not corpora:
        return [list(corpora)]
    if len(corpora) != tables:
        raise ConfigurationError(f"{tables} tables need {tables} --pivot-corpus, in their order")
    return [[name] for name in corpora]


def _words(lists: Sequence[Path], corpora: Sequence[Sequence[str]], frequency: float) -> list[list[str]]:
    """The common words of files that list them, or of corpora, for each that is given."""
    from bolide.learning.function_words import common_words

    if lists:
        return [_listed(path) for path in lists]
    return [common_words(names, frequency) for names in corpora if names]


def _listed(path: Path) -> list[str]:
    from bolide.resources.distribution import reading
    from bolide.resources.formats import function_words

    with reading(path):
        return function_words(path.read_bytes(), str(path))
