"""Learns paraphrases from phrase tables, with the method and filters of Meteor's tables (pivot.py).

    report = learn(["phrase-table.gz"], "paraphrase.gz", common_words=…, pivot_common_words=…)

Tables of several pivot languages are merged. With "mean", the probability of a pair is the mean over the
tables, with 0 for a table without the pair (Bannard and Callison-Burch, 2005). With "max" it is the highest,
so that all pairs of a single table are kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import Any, Protocol

from bolide import _core
from bolide._support import checks
from bolide._support.extras import extra
from bolide._support.writing import atomic_path
from bolide.errors import ConfigurationError, LearningError
from bolide.inputs.text_files import read_lines
from bolide.learning import engines, phrase_table, pivot
from bolide.learning.engines import Engine
from bolide.learning.phrase_table_text import open_to_write, write_lines
from bolide.learning.pivot import COMMON, DOUBT, SYMBOL, USABLE, Filters, PivotPairs

MERGES = ("mean", "max")
METEOR, PARQUET = ".gz", ".parquet"
LINES = 1 << 14  # lines of a text at a time


@dataclass(frozen=True)
class FilterRow:
    """The numbers before and after one filter."""

    filter: str
    unit: str
    before: int
    after: int


@dataclass(frozen=True)
class FilterReport:
    """The numbers after each filter, and the number of paraphrases."""

    rows: tuple[FilterRow, ...]

    @property
    def paraphrases(self) -> int:
        return self.rows[-1].after

    def to_text(self) -> str:
        cells = [("filter", "of", "before", "after")]
        cells += [(row.filter, row.unit, f"{row.before:,}", f"{row.after:,}") for row in self.rows]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = []
        for label, unit, before, after in cells:
            numbers = f"{before:>{widths[2]}}  {after:>{widths[3]}}"
            lines.append(f"{label:<{widths[0]}}  {unit:<{widths[1]}}  {numbers}")
        return "\n".join(lines)


def learn(
    tables: str | Path | Sequence[str | Path],
    outputs: str | Path | Sequence[str | Path],
    *,
    common_words: Iterable[str] = (),
    pivot_common_words: Iterable[str] | Sequence[Iterable[str]] = (),
    occurring_in: Sequence[str | Path] = (),
    filters: Filters | None = None,
    merge: str = "mean",
    engine: str = "duckdb",
    master: str | None = None,
    threads: int | None = None,
    memory: str | None = None,
    temporary: str | Path | None = None,
) -> FilterReport:
    """Learns the paraphrases of the target language of phrase tables. Writes them to each of the outputs, in
    Meteor's format (`.gz`) or Parquet (`.parquet`), sorted by bytes.

    - `tables`: files of Moses or cdec, plain or compressed, or Parquet.
    - `common_words`, `pivot_common_words`: of the target language and of the pivot language; with several
      tables, one list per table.
    - `occurring_in`: texts; the left phrase must occur in one of them. Texts and words must be tokenized like
      the tables.
    - `engine`: "duckdb", which uses at most `memory` ("4GB") and spills to the folder `temporary`; or
      "spark", with the running session or a new one at `master`.
    """
    names, places = _several(tables), [Path(place) for place in _several(outputs)]
    filters = filters or Filters()
    check(names, places, merge)
    common, pivots = frozenset(common_words), _pivots(pivot_common_words, len(names))
    with engines.opened(
        engine, master=master, threads=threads, memory=memory, temporary=temporary
    ) as running:
        tallies = Tallies(filters)
        found = [
            _sides(running, name, number, (common, pivots[number]), tallies)
            for number, name in enumerate(names)
        ]
        if occurring_in:
            text = running.read(_text(occurring_in, running.folder / "text.parquet"))
            found = [_occurring(running, number, pair, text, tallies) for number, pair in enumerate(found)]
        pairs = PivotPairs([left for left, _ in found], [right for _, right in found], filters, merge)
        return _write(running, pairs, places, tallies)


class Tallies:
    """The numbers before and after each filter, summed over tables."""

    def __init__(self, filters: Filters) -> None:
        self.filters = filters
        self._rows: dict[str, FilterRow] = {}

    def add(self, label: str, unit: str, before: int, after: int) -> None:
        old = self._rows.get(label, FilterRow(label, unit, 0, 0))
        self._rows[label] = FilterRow(label, unit, old.before + before, old.after + after)

    def report(self) -> FilterReport:
        return FilterReport(tuple(self._rows.values()))


def _sides(
    engine: Engine, name: str, number: int, common: tuple[Collection[str], Collection[str]], tallies: Tallies
) -> tuple[Any, Any]:
    """The usable entries of a table, as left and as right sides."""
    import ibis

    filters = tallies.filters
    table = _table(engine, name, number)
    before = engine.value(table.count())
    kept = engine.keep(pivot.entries(table, *common, filters), f"entries_{number}")
    faults = {row["fault"]: row["n"] for row in engine.value(kept.group_by("fault").agg(n=ibis._.count()))}
    for label, fault in (
        (f"probability below {filters.min_probability:g}", None),
        ("a symbol in a phrase", SYMBOL),
        ("common words only", COMMON),
    ):
        after = sum(faults.values()) if fault is None else before - faults.get(fault, 0)
        tallies.add(label, "entries", before, after)
        before = after
    if not faults.get(USABLE):
        raise LearningError(
            f"no entry of {name} is left after the filters. Is there enough text? The filters:\n"
            f"{tallies.report().to_text()}"
        )
    return pivot.sides(kept, filters)


def _table(engine: Engine, name: str, number: int) -> Any:
    """A table with the columns for pivoting."""
    import ibis

    path = Path(name)
    if phrase_table.is_parquet(name):
        phrase_table.check(name)
    else:
        path = engine.folder / f"table-{number}.parquet"
        phrase_table.convert(name, path)
    table = engine.read(path)
    if "line" not in table.columns:
        table = table.mutate(line=ibis.null("int64"))
    wanted = ["source", "target", "p_source_given_target", "p_target_given_source", "line"]
    lacking = engine.value(table.p_source_given_target.isnull().any())
    if lacking and "count_joint" not in table.columns:
        raise LearningError(f"{name} has neither p(s|t) nor count_joint in each row")
    return (pivot.with_probabilities(table) if lacking else table).select(*wanted)


def _occurring(
    engine: Engine, number: int, pair: tuple[Any, Any], text: Any, tallies: Tallies
) -> tuple[Any, Any]:
    left, right = pair
    longest = engine.value(pivot.word_count(left.phrase).max()) or 1
    kept = engine.keep(pivot.occurring(left, text, longest), f"occurring_{number}")
    counts = (engine.value(side.count()) for side in (left, kept))
    tallies.add("left phrase not in the text", "left sides", *counts)
    return kept, right


def _write(engine: Engine, pairs: PivotPairs, places: Sequence[Path], tallies: Tallies) -> FilterReport:
    import ibis
    import pyarrow.compute as compute

    filters = tallies.filters
    parts = engine.parts(max(engine.value(left.count()) for left in pairs.lefts))
    sums = engine.keep_all([pairs.part(number, parts).sums for number in range(parts)], "sums")
    met = sum(engine.value(pairs.met(table)) or 0 for table in range(len(pairs.lefts)))
    (total,) = engine.value(sums.agg(pairs=ibis._.count(), products=ibis._.products.sum()))
    products = total["products"] or 0
    tallies.add(f"the same phrase, or a product below {filters.min_probability:g}", "products", met, products)
    tallies.add("products of a pair added up", "pairs", products, total["pairs"])
    final = sums.filter(sums.p >= pivot.number(filters.min_final - DOUBT))
    final = final.mutate(accumulated=pivot.accumulates(final)).order_by("phrase", "paraphrase")
    undecided = _in_doubt(engine, pairs, sums) if len(pairs.lefts) == 1 else {}
    enough = left = 0
    with ExitStack() as stack:
        writers = [stack.enter_context(_writer(place)) for place in places]
        for batch in engine.batches(final):
            sufficient = _sufficient(batch, filters.min_final, undecided)
            accumulated = compute.invert(sufficient.column("accumulated"))
            kept = sufficient.filter(accumulated) if filters.accumulation else sufficient
            enough, left = enough + sufficient.num_rows, left + kept.num_rows
            for writer in writers:
                writer.write(kept)
    tallies.add(f"sum below {filters.min_final:g}", "pairs", total["pairs"], enough)
    tallies.add("word accumulation", "pairs", enough, left)
    return tallies.report()


def _in_doubt(engine: Engine, pairs: PivotPairs, sums: Any) -> dict[tuple[str, str], float]:
    """Pairs whose exact sum and whose sum in the order of the file, as in Parex, are on different sides of
    the minimum; with the latter sum."""
    least = pairs.filters.min_final
    found = {}
    rows = (row for batch in engine.batches(pairs.doubtful(sums)) for row in batch.to_pylist())
    for pair, own in groupby(rows, lambda row: (row["phrase"], row["paraphrase"])):
        exact, total = 0.0, 0.0
        for row in own:
            total += row["p"]
            exact = row["sum"]
        if (exact >= least) != (total >= least):
            found[pair] = total
    return found


def _sufficient(batch: Any, least: float, undecided: dict[tuple[str, str], float]) -> Any:
    import pyarrow
    import pyarrow.compute as compute

    p = batch.column("p")
    if undecided:
        rows = zip(*(batch.column(name).to_pylist() for name in ("phrase", "paraphrase", "p")), strict=True)
        p = pyarrow.array([undecided.get((left, right), exact) for left, right, exact in rows])
        batch = batch.set_column(batch.schema.get_field_index("p"), "p", p)
    return batch.filter(compute.greater_equal(p, least))


# ---- input ---------------------------------------------------------------------------------------


def _several(given: str | Path | Sequence[str | Path]) -> list[str]:
    return [str(given)] if isinstance(given, (str, Path)) else [str(each) for each in given]


def _pivots(given: Iterable[Any], tables: int) -> list[Collection[str]]:
    """The common words of the pivot language of each table."""
    listed = list(given)
    if all(isinstance(word, str) for word in listed):
        return [frozenset(listed)] * tables
    if len(listed) != tables:
        raise ConfigurationError(
            f"there are {len(listed)} lists of common words of pivot languages for {tables} tables"
        )
    return [frozenset(words) for words in listed]


def check(names: Sequence[str], places: Sequence[Path], merge: str) -> None:
    """Raises an error if there is no such merge, or if a file could not be written."""
    if not names or not places:
        raise ConfigurationError("give a phrase table, and a file to write paraphrases to")
    checks.choice("merge", merge, MERGES)
    for place in places:
        if place.suffix not in (METEOR, PARQUET):
            raise ConfigurationError(
                f"the name of a file of paraphrases must end in {METEOR} (Meteor's format) or {PARQUET}, "
                f"not '{place.name}'"
            )
        if not place.parent.is_dir():
            raise ConfigurationError(f"cannot write {place}: there is no folder {place.parent}")


def _text(names: Sequence[str | Path], place: Path) -> Path:
    """Writes the lines of texts as Parquet, with single spaces between words."""
    import pyarrow
    from pyarrow import parquet

    schema = pyarrow.schema([("text", pyarrow.string())])
    with parquet.ParquetWriter(place, schema) as writer:
        for name in map(str, names):
            lines = read_lines(name)
            while tidy := [" ".join(_core.split(line)) for line in islice(lines, LINES)]:
                writer.write_table(pyarrow.table([pyarrow.array(tidy, pyarrow.string())], schema))
    return place


# ---- output --------------------------------------------------------------------------------------


class Writer(Protocol):
    def write(self, batch: Any) -> None: ...


class _MeteorWriter:
    """Meteor's format: three lines per pair with probability, phrase and paraphrase."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, batch: Any) -> None:
        import pyarrow.compute as compute

        texts = (batch.column(name).cast("string") for name in ("p", "phrase", "paraphrase"))
        write_lines(self._stream, compute.binary_join_element_wise(*texts, "\n"))


class _ParquetWriter:
    def __init__(self, writer: Any, schema: Any) -> None:
        self._writer, self._schema = writer, schema

    def write(self, batch: Any) -> None:
        import pyarrow

        names = ["probability" if name == "p" else name for name in batch.schema.names]
        table = pyarrow.Table.from_batches([batch.rename_columns(names)])
        self._writer.write_table(table.select(self._schema.names).cast(self._schema))


@contextmanager
def _writer(place: Path) -> Iterator[Writer]:
    with atomic_path(place) as new:
        if place.suffix == METEOR:
            with open_to_write(new) as stream:
                yield _MeteorWriter(stream)
        else:
            with extra("learning"):
                import pyarrow
                from pyarrow import parquet
            fields = [("phrase", pyarrow.string()), ("paraphrase", pyarrow.string())]
            schema = pyarrow.schema(
                [*fields, ("probability", pyarrow.float64()), ("products", pyarrow.int64())]
            )
            with parquet.ParquetWriter(new, schema, compression="zstd") as writer:
                yield _ParquetWriter(writer, schema)
