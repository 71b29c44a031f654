"""`bolide learn paraphrases`: Meteor's paraphrases from phrase tables."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bolide._support.extras import require
from bolide.cli.input_options import check_folder, check_inputs, check_outputs
from bolide.cli.learn_options import ENGINE, MemoryOption, ThreadsOption
from bolide.cli.option_groups import option
from bolide.errors import ConfigurationError

if TYPE_CHECKING:
    from bolide.learning.pivot import Filters

WORDS, FILTERS = "Common words", "Filters"


class MergeMethod(str, Enum):
    mean = "mean"
    max = "max"


class QueryEngine(str, Enum):
    duckdb = "duckdb"
    spark = "spark"


@dataclass(frozen=True)
class CommonWordOptions:
    """Which words are common: phrases made of them only are dropped."""

    corpus: Annotated[
        list[str] | None,
        option(
            panel=WORDS,
            metavar="FILE",
            text="Tokenised text in the target language, to count words; repeat for several.",
        ),
    ] = None
    pivot_corpus: Annotated[
        list[str] | None,
        option(
            panel=WORDS, metavar="FILE", text="The same in the pivot language; with several tables, one each."
        ),
    ] = None
    common_words: Annotated[
        Path | None,
        option(panel=WORDS, metavar="FILE", text="Instead of a corpus: the words, one per line."),
    ] = None
    pivot_common_words: Annotated[
        list[Path] | None,
        option(
            panel=WORDS, metavar="FILE", text="The same in the pivot language; with several tables, one each."
        ),
    ] = None
    min_frequency: Annotated[
        float,
        option(panel=WORDS, metavar="NUMBER", text="A common word has a relative frequency above this."),
    ] = 0.001

    def check(self) -> None:
        check_inputs(
            *(self.corpus or ()), *(self.pivot_corpus or ()), self.common_words,
            *(self.pivot_common_words or ()),
        )  # fmt: skip

    def of_target(self) -> list[list[str]]:
        """The common words of the target language, if they are given."""
        lists = [self.common_words] if self.common_words else []
        return _common_words(lists, [self.corpus or []], self.min_frequency)

    def of_pivots(self, tables: int) -> list[list[str]]:
        """The common words of the pivot language, or of each one."""
        corpora = _per_table(self.pivot_corpus or [], tables)
        return _common_words(self.pivot_common_words or [], corpora, self.min_frequency)


@dataclass(frozen=True)
class FilterOptions:
    """Which paraphrases are kept."""

    occurring_in: Annotated[
        list[str] | None,
        option(
            panel=FILTERS,
            metavar="FILE",
            text="Keep only paraphrases of phrases in this text; repeat for several.",
        ),
    ] = None
    min_probability: Annotated[
        float,
        option(
            panel=FILTERS, metavar="NUMBER", text="Least probability of table entries and of their products."
        ),
    ] = 0.001
    min_final: Annotated[
        float,
        option(
            panel=FILTERS, metavar="NUMBER", text="Least probability of a paraphrase: the sum of products."
        ),
    ] = 0.01
    symbols: Annotated[
        str | None,
        option(
            panel=FILTERS,
            metavar="CHARACTERS",
            text="Drop phrases with one of these; default: all ASCII symbols.",
        ),
    ] = None
    symbols_as_words: Annotated[
        bool,
        option("--symbols-as-words", panel=FILTERS, text="Allow them inside words, as in co-operation."),
    ] = False
    keep_accumulation: Annotated[
        bool,
        option("--keep-accumulation", panel=FILTERS, text="Allow phrases that contain their paraphrase."),
    ] = False
    merge: Annotated[
        MergeMethod,
        option(panel=FILTERS, text="Of several tables: the mean probability, or the highest."),
    ] = MergeMethod.mean

    def filters(self) -> Filters:
        from bolide.learning.pivot import SYMBOLS, Filters

        symbols = SYMBOLS if self.symbols is None else self.symbols
        return Filters(
            self.min_probability, self.min_final, symbols, self.symbols_as_words, not self.keep_accumulation
        )


@dataclass(frozen=True)
class EngineOptions:
    """What runs the query."""

    engine: Annotated[QueryEngine, option(panel=ENGINE, text="What runs the query.")] = QueryEngine.duckdb
    master: Annotated[
        str | None,
        option(
            panel=ENGINE, metavar="URL", text="Master of Spark, for example local[2] or spark://HOST:7077."
        ),
    ] = None
    threads: ThreadsOption = None
    memory: MemoryOption = None
    temporary: Annotated[
        Path | None,
        option(
            panel=ENGINE,
            metavar="FOLDER",
            text="For data that does not fit in memory; default: the system's.",
        ),
    ] = None

    def check(self) -> None:
        if self.master is not None and self.engine is not QueryEngine.spark:
            raise ConfigurationError("--master is for Spark: add --engine spark")
        check_folder(self.temporary)
        require("learning", "ibis", "pyarrow", "duckdb")
        if self.engine is QueryEngine.spark:
            require("spark", "pyspark")


def paraphrases(
    tables: Annotated[
        list[str],
        typer.Argument(
            metavar="PHRASE_TABLE",
            help="Of Moses or cdec, plain or compressed, or .parquet; one per pivot language.",
        ),
    ],
    *,
    output: Annotated[
        list[Path],
        option(
            "--output", "-o", metavar="FILE", text="paraphrase.gz (Meteor's) or .parquet; repeat for both."
        ),
    ],
    common: CommonWordOptions,
    filtered: FilterOptions,
    run: EngineOptions,
    quiet: Annotated[bool, option("--quiet", "-q", text="Print no sizes.")] = False,
) -> None:
    """Make paraphrases from phrase tables by pivoting: phrases that have a translation in common.

    Prints how many entries, and pairs, each filter leaves.
    """
    from bolide.learning.paraphrases import check, learn

    run.check()
    common.check()
    check(tables, output, filtered.merge.value)
    check_inputs(*tables, *(filtered.occurring_in or ()))
    check_outputs(*output)
    filters = filtered.filters()
    words, pivots = common.of_target(), common.of_pivots(len(tables))
    if not (words and pivots) and not quiet:
        note = "without common words of both languages, phrases made of common words only are kept"
        print(f"bolide: {note}", file=sys.stderr)
    report = learn(
        tables,
        output,
        common_words=words[0] if words else (),
        pivot_common_words=pivots,
        occurring_in=filtered.occurring_in or (),
        filters=filters,
        merge=filtered.merge.value,
        engine=run.engine.value,
        master=run.master,
        threads=run.threads,
        memory=run.memory,
        temporary=run.temporary,
    )
    if not quiet:
        print(report.to_text())


def _per_table(corpora: Sequence[str], tables: int) -> list[list[str]]:
    """The corpora of each table."""
    if tables == 1 or not corpora:
        return [list(corpora)]
    if len(corpora) != tables:
        raise ConfigurationError(f"{tables} tables need {tables} --pivot-corpus, in the same order")
    return [[name] for name in corpora]


def _common_words(lists: Sequence[Path], corpora: Sequence[Sequence[str]], least: float) -> list[list[str]]:
    """The common words in each of the lists, or else of each of the corpora."""
    from bolide.learning.function_words import common_words

    if lists:
        return [_listed(path) for path in lists]
    return [common_words(names, least) for names in corpora if names]


def _listed(path: Path) -> list[str]:
    from bolide.resources.distribution import reading
    from bolide.resources.formats import function_words

    with reading(path):
        return function_words(path.read_bytes(), str(path))
