"""Phrase tables: pairs of phrases with their probabilities, as text with `|||` or as Parquet.

    source ||| target ||| p(s|t) lex(s|t) p(t|s) lex(t|s) ||| 0-0 1-1 ||| 648 1177 130

This is a line of Moses: phrases, the probabilities and lexical weights in both directions, the words that are
aligned, and how often the target, the source, and both were seen (the target first: 130/648 is p(s|t)). All
behind the third score may be missing. A grammar of cdec is read too (phrase_table_text.py).

Everything is done in batches, so that a table may be larger than memory. The columns are those of `COLUMNS`;
a Parquet file of others needs only those of `REQUIRED`. `line` is where a pair stood in its text.
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
# Rows of a group in Parquet: enough for compression to pay, few enough for several threads.
GROUP = 1 << 18


def is_parquet(name: str) -> bool:
    return Path(name).suffix == PARQUET


def batches(name: str) -> Iterator[Any]:
    """The table in Arrow record batches with all columns, null where the file has none of it. An error tells
    the file and the line."""
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
    """Writes record batches, or tables, as Parquet or as lines of Moses, whichever the file's name says (and
    compressed, if it says so); how many pairs. The file is there when it is whole."""
    place = Path(place)
    if place.suffix not in (PARQUET, *text.WRITERS) and place.suffix in OPENERS:
        raise ConfigurationError(f"cannot write {place}: choose {', '.join(text.WRITERS)} or {PARQUET}")
    with atomic_path(place) as new:
        return (_write_parquet if is_parquet(place.name) else text.write)(rows, new)


def convert(name: str, place: str | Path) -> int:
    """Writes the table once more, as Parquet or as text; how many pairs."""
    return write(batches(name), place)


def check(name: str) -> None:
    """An error now, if a table of Parquet lacks what is needed."""
    with _opened(name) as file:
        _present(name, file.schema_arrow)


def schema() -> Any:
    with extra("learning"):
        import pyarrow
    return pyarrow.schema([(name, getattr(pyarrow, kind)()) for name, kind in COLUMNS.items()])


def _array(values: Any, kind: Any, count: int) -> Any:
    """NaN and what is not there become null."""
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
                    raise InputError(f"{name}, after row {number}: column '{column}' has a row without text")
            arrays = [
                batch.column(field.name).cast(field.type)
                if field.name in present
                else pyarrow.nulls(batch.num_rows, field.type)
                for field in types
            ]
            yield pyarrow.record_batch(arrays, schema=types)
            number += batch.num_rows


def _present(name: str, found: Any) -> list[str]:
    """The columns that a file has, of ours."""
    for column in REQUIRED:
        if column not in found.names:
            raise InputError(
                f"{name} has no column '{column}'; a phrase table has {', '.join(REQUIRED)}; "
                f"this file has {', '.join(found.names)}"
            )
    return [column for column in COLUMNS if column in found.names]


@contextmanager
def _opened(name: str) -> Iterator[Any]:
    with extra("learning"):
        import pyarrow
        from pyarrow import parquet
    if name == STDIN:
        raise ConfigurationError("a phrase table of Parquet cannot come from standard input; save it first")
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
    """Record batches, as many together as make a group."""
    group: list[Any] = []
    for each in rows:
        group += each.to_batches() if hasattr(each, "to_batches") else [each]
        if sum(batch.num_rows for batch in group) >= GROUP:
            yield group
            group = []
    if group:
        yield group
