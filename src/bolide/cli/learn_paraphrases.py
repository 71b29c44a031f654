"""`bolide learn paraphrases`: Meteor's paraphrases from phrase tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from bolide._support.extras import require
from bolide.cli.input_options import check_folder, check_inputs, check_outputs
from bolide.cli.learn_options import ENGINE, MemoryOption, ThreadsOption
from bolide.cli.option_groups import REQUIRED, Panel, argument, flag, option
from bolide.cli.progress import bar, hidden
from bolide.cli.streams import tell
from bolide.errors import ConfigurationError

if TYPE_CHECKING:
    from bolide.learning.pivot import Filters

WORDS, FILTERS = Panel("Common words"), Panel("Filters")


class MergeMethod(str, Enum):
    mean = "mean"
    max = "max"


class QueryEngine(str, Enum):
    duckdb = "duckdb"
    spark = "spark"


@dataclass(frozen=True)
class CommonWordOptions:
    """Which words are common: phrases made of them only are dropped."""

    corpus: list[str] | None = WORDS.option(
        "FILE", "Tokenized text in the target language, to count words; repeat for several."
    )
    pivot_corpus: list[str] | None = WORDS.option(
        "FILE", "The same in the pivot language; one for each table."
    )
    common_words: Path | None = WORDS.option("FILE", "Common words, one per line, instead of a corpus.")
    pivot_common_words: list[Path] | None = WORDS.option(
        "FILE", "The same in the pivot language; one for each table."
    )
    min_frequency: float = WORDS.option(
        "NUMBER", "Words with a higher relative frequency are common words.", default=0.001
    )

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

    occurring_in: list[str] | None = FILTERS.option(
        "FILE", "Keep only paraphrases of phrases in this text; repeat for several."
    )
    min_probability: float = FILTERS.option(
        "NUMBER", "Minimum probability of table entries and of products.", default=0.001
    )
    min_final: float = FILTERS.option(
        "NUMBER", "Minimum probability of a paraphrase: the sum of products.", default=0.01
    )
    symbols: str | None = FILTERS.option(
        "CHARACTERS", "Drop phrases with one of these; default: all ASCII symbols."
    )
    symbols_as_words: bool = FILTERS.flag(
        "Allow symbols inside words, as in co-operation.", "--symbols-as-words"
    )
    keep_accumulation: bool = FILTERS.flag(
        "Keep pairs in which one phrase contains the other.", "--keep-accumulation"
    )
    merge: MergeMethod = FILTERS.flag(
        "With several tables: use the mean or the highest probability.", default=MergeMethod.mean
    )

    def filters(self) -> Filters:
        from bolide.learning.pivot import SYMBOLS, Filters

        symbols = SYMBOLS if self.symbols is None else self.symbols
        return Filters(
            self.min_probability, self.min_final, symbols, self.symbols_as_words, not self.keep_accumulation
        )


@dataclass(frozen=True)
class EngineOptions:
    "Engine that runs the query."

    engine: QueryEngine = ENGINE.flag("Engine that runs the query.", default=QueryEngine.duckdb)
    master: str | None = ENGINE.option("URL", "Master of Spark, for example local[2] or spark://HOST:7077.")
    threads: ThreadsOption = None
    memory: MemoryOption = None
    temporary: Path | None = ENGINE.option(
        "FOLDER", "Folder for data that does not fit in memory; default: that of the system."
    )

    def check(self) -> None:
        if self.master is not None and self.engine is not QueryEngine.spark:
            raise ConfigurationError("--master is for Spark: add --engine spark")
        check_folder(self.temporary)
        require("learning", "ibis", "pyarrow", "duckdb")
        if self.engine is QueryEngine.spark:
            require("spark", "pyspark")


def paraphrases(
    tables: list[str] = argument(
        "PHRASE_TABLE", "Phrase tables of Moses or cdec, or .parquet; one per pivot language."
    ),
    *,
    output: list[Path] = option(
        "FILE",
        "File to write: .gz (Meteor's format) or .parquet; repeat for both.",
        "--output",
        "-o",
        default=REQUIRED,
    ),
    common: CommonWordOptions,
    filtered: FilterOptions,
    run: EngineOptions,
    quiet: bool = flag("Print no sizes, and show no progress.", "--quiet", "-q"),
) -> None:
    """Make paraphrases from phrase tables by pivoting: phrases that have a translation in common.

    Prints the number of entries and pairs that each filter leaves.
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
        tell(note)
    with hidden(quiet), bar("making paraphrases"):
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
