"""Phrase tables: pairs of phrases with their probabilities, as text with `|||` or as Parquet.

    source ||| target ||| p(s|t) lex(s|t) p(t|s) lex(t|s) ||| 0-0 1-1 ||| 648 1177 130

This is a line of Moses: phrases, probabilities and lexical weights in both directions, aligned words, and the
counts of the target, the source, and both (130/648 is p(s|t)). Everything after the third score is optional.
Grammars of cdec can be read, too (phrase_table_text.py).

Tables are processed in batches, so they may be larger than memory. The columns are those of `COLUMNS`. A
Parquet file from another program needs only those of `REQUIRED`. `line` is the line of a pair in the text
file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from bolide._support.extras import extra
from bolide._support.writing import atomic_path
from bolide.errors import ConfigurationError, InputError
from bolide.inputs.files import OPENERS, STDIN, reason, shown
from bolide.learning import phrase_table_text as text

TEXT, NUMBER, INTEGER = "string", "float64", "int64"
COLUMNS = {
    "source": TEXT,
    "target": TEXT,
    "p_source_given_target": NUMBER,
    "lex_source_given_target": NUMBER,
    "p_target_given_source": NUMBER,
    "lex_target_given_source": NUMBER,
    "alignment": TEXT,
    "count_source": NUMBER,
    "count_target": NUMBER,
    "count_joint": NUMBER,
    "line": INTEGER,
}
REQUIRED = ("source", "target", "p_source_given_target", "p_target_given_source")
PARQUET = ".parquet"
# Rows of a Parquet row group: enough for good compression, few enough for several threads.
GROUP = 1 << 18


def is_parquet(name: str) -> bool:
    return Path(name).suffix == PARQUET


def batches(name: str) -> Iterator[Any]:
    """Yields a table in Arrow record batches with all columns; missing columns are null. Errors name the file
    and the line."""
    with extra("learning"):
        import pyarrow
    if is_parquet(name):
        yield from _parquet_batches(name)
        return
    types = schema()
    for first, columns in text.blocks(name):
        count = len(columns["source"])
        columns.setdefault("line", np.arange(first, first + count))
        arrays = [_array(columns.get(field.name), field.type, count) for field in types]
        yield pyarrow.record_batch(arrays, schema=types)


def write(rows: Iterable[Any], place: str | Path) -> int:
    """Writes record batches or tables to a file, atomically, and returns the number of pairs. The suffix
    decides: Parquet, or the format of Moses, plain or compressed."""
    place = Path(place)
    if place.suffix not in (PARQUET, *text.WRITERS) and place.suffix in OPENERS:
        raise ConfigurationError(f"cannot write {place}: choose {', '.join(text.WRITERS)} or {PARQUET}")
    with atomic_path(place) as new:
        return (_write_parquet if is_parquet(place.name) else text.write)(rows, new)


def convert(name: str, place: str | Path) -> int:
    """Writes a table as Parquet or as text, and returns the number of pairs."""
    return write(batches(name), place)


def check(name: str) -> None:
    """Fails early if a Parquet table lacks a column."""
    with _opened(name) as file:
        _present(name, file.schema_arrow)


def schema() -> Any:
    with extra("learning"):
        import pyarrow
    return pyarrow.schema([(name, getattr(pyarrow, kind)()) for name, kind in COLUMNS.items()])


def _array(values: Any, kind: Any, count: int) -> Any:
    """An Arrow array. NaN and missing values become null."""
    import pyarrow

    if values is None:
        return pyarrow.nulls(count, kind)
    return values if isinstance(values, pyarrow.Array) else pyarrow.array(values, kind, from_pandas=True)


def _parquet_batches(name: str) -> Iterator[Any]:
    import pyarrow

    types = schema()
    with _opened(name) as file:
        present = _present(name, file.schema_arrow)
        number = 0
        for batch in file.iter_batches(columns=present):
            for column in REQUIRED[:2]:
                if batch.column(column).null_count:
                    raise InputError(f"{name}, after row {number}: column '{column}' has an empty row")
            arrays = [
                batch.column(field.name).cast(field.type)
                if field.name in present
                else pyarrow.nulls(batch.num_rows, field.type)
                for field in types
            ]
            yield pyarrow.record_batch(arrays, schema=types)
            number += batch.num_rows


def _present(name: str, found: Any) -> list[str]:
    """The columns of `COLUMNS` that a file has."""
    for column in REQUIRED:
        if column not in found.names:
            raise InputError(
                f"{name} has no column '{column}'; a phrase table needs {', '.join(REQUIRED)}; "
                f"this file has {', '.join(found.names)}"
            )
    return [column for column in COLUMNS if column in found.names]


@contextmanager
def _opened(name: str) -> Iterator[Any]:
    with extra("learning"):
        import pyarrow
        from pyarrow import parquet
    if name == STDIN:
        raise ConfigurationError("a Parquet phrase table cannot be read from standard input; save it first")
    known: Any = (pyarrow.ArrowException, OSError)
    try:
        with parquet.ParquetFile(name) as file:
            yield file
    except known as error:
        raise InputError(f"cannot read {shown(name)} as Parquet: {reason(error)}") from None


def _write_parquet(rows: Iterable[Any], path: Path) -> int:
    import pyarrow
    from pyarrow import parquet

    types, count = schema(), 0
    with parquet.ParquetWriter(path, types, compression="zstd") as writer:
        for group in _groups(rows):
            table = pyarrow.Table.from_batches(group, types)
            writer.write_table(table, row_group_size=GROUP)
            count += table.num_rows
    return count


def _groups(rows: Iterable[Any]) -> Iterator[list[Any]]:
    """Collects record batches into row groups."""
    group: list[Any] = []
    for each in rows:
        group += each.to_batches() if hasattr(each, "to_batches") else [each]
        if sum(batch.num_rows for batch in group) >= GROUP:
            yield group
            group = []
    if group:
        yield group
