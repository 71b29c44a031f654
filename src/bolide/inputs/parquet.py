"""Reader of Parquet, with pyarrow. Texts are strings; references are strings or lists of strings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from bolide._support.extras import install
from bolide.errors import ConfigurationError, InputError
from bolide.inputs.files import OPENERS, STDIN, Stream, reason, shown
from bolide.inputs.line_reader import MOST
from bolide.inputs.table import (
    DOCUMENT,
    REFERENCE,
    Record,
    RecordColumns,
    Role,
    Table,
    Wanted,
    pick,
    pick_one,
)

ROWS = 256  # read at a time


class Parquet(Table):
    def records(self, wanted: Wanted) -> Iterator[Record]:
        with self._errors(), self._file() as file:
            schema = file.schema_arrow
            hypothesis = self._one(schema, wanted.role, wanted.hypothesis)
            document = self._one(schema, DOCUMENT, wanted.document)
            references = wanted.references
            several = [] if references is None else pick(self.name, REFERENCE, schema.names, references)
            for column in several:
                self._check_type(schema, column, REFERENCE)
            found = RecordColumns(hypothesis, several, document)
            columns = [column for column in (hypothesis, *several, document) if column is not None]
            # pyarrow would read a dot as a path into a structure.
            chosen = None if any("." in column for column in columns) else columns
            number = 0
            for batch in file.iter_batches(batch_size=ROWS, columns=chosen):
                if batch.nbytes > MOST:
                    raise InputError(
                        f"{shown(self.name)}, row {number + 1}: {ROWS} rows have more than {MOST:,} bytes"
                    )
                cells = {column: batch.column(column).to_pylist() for column in columns}
                for k in range(batch.num_rows):
                    number += 1
                    row = {column: values[k] for column, values in cells.items()}
                    yield found.record(row, f"{shown(self.name)}, row {number}")

    def _one(self, schema: Any, role: Role, name: str | None) -> str | None:
        if name is None:
            return None
        column = pick_one(self.name, role, schema.names, name)
        self._check_type(schema, column, role)
        return column

    def _check_type(self, schema: Any, column: str, role: Role) -> None:
        found = schema.field(column).type
        if not _fits(found, role):
            raise InputError(
                f"{shown(self.name)}: column '{column}' is of type {found}; {role.what} must be strings; "
                f"choose another with {role.option}, or convert it"
            )

    @contextmanager
    def _file(self) -> Iterator[Any]:
        """Opens the file. Parquet is read from its end: pipes and compressed files are read whole first."""
        arrow, parquet = _pyarrow()
        path = Path(self.name)
        if self.name != STDIN and path.suffix not in OPENERS and path.is_file():
            source: Any = self.name
        else:
            with Stream(self.name, whole=True) as stream:
                source = arrow.BufferReader(stream.read_all())
        with parquet.ParquetFile(source) as file:
            yield file

    @contextmanager
    def _errors(self) -> Iterator[None]:
        known: Any = (_pyarrow()[0].ArrowException, OSError, ValueError)
        try:
            yield
        except InputError:
            raise
        except known as error:
            raise InputError(f"cannot read {shown(self.name)} as Parquet: {reason(error)}") from None


def _fits(found: Any, role: Role) -> bool:
    types = _pyarrow()[0].types
    if types.is_dictionary(found):
        found = found.value_type
    if role is REFERENCE and (
        types.is_list(found) or types.is_large_list(found) or types.is_fixed_size_list(found)
    ):
        found = found.value_type
    if role is DOCUMENT and types.is_integer(found):
        return True
    view = getattr(types, "is_string_view", lambda _: False)  # since pyarrow 16
    return types.is_string(found) or types.is_large_string(found) or types.is_null(found) or view(found)


def _pyarrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise ConfigurationError(f"Parquet needs pyarrow; run: {install('parquet')}") from None
