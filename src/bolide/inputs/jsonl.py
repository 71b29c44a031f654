"""JSON lines: an object a line, with columns by name; or just a text, or a list of references.

References may be a text or a list of texts, and need not be the same columns in every line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from bolide.errors import InputError
from bolide.inputs.files import shown
from bolide.inputs.table import (
    DOCUMENT,
    HYPOTHESIS,
    REFERENCE,
    Record,
    Role,
    Table,
    Wanted,
    all_texts,
    an_id,
    one_text,
    pick,
    pick_one,
)
from bolide.inputs.text import lines

Value = TypeVar("Value")


class JsonLines(Table):
    def records(self, wanted: Wanted) -> Iterator[Record]:
        unseen = set(wanted.references or ())  # a column may be absent from lines, but not from all
        for number, line in enumerate(lines(self.name), 1):
            if line and not line.isspace():
                where = f"{shown(self.name)}, line {number}"
                record = _record(_parsed(where, line), where, wanted, unseen)
                if "\\u" in line:  # only an escape can bring in half a character
                    _check_characters(record, where)
                yield record
        for column in sorted(unseen):
            raise InputError(f"{shown(self.name)}: no line has the column '{column}'")


def _record(value: Any, where: str, wanted: Wanted, unseen: set[str]) -> Record:
    if not isinstance(value, dict):
        return _bare(value, where, wanted)
    columns = list(value)

    def cell(role: Role, name: str | None, read: Callable[[Any, str, str], Value], none: Value) -> Value:
        if name is None:
            return none
        column = name if name and name in value else pick_one(where, role, columns, name)
        return read(value[column], where, column)

    return Record(
        cell(HYPOTHESIS, wanted.hypothesis, one_text, ""),
        _references(value, where, wanted.references, unseen),
        cell(DOCUMENT, wanted.document, an_id, ""),
    )


def _references(
    value: dict[str, Any], where: str, names: tuple[str, ...] | None, unseen: set[str]
) -> list[str]:
    if names is None:
        return []
    columns = [name for name in names if name in value] or pick(where, REFERENCE, list(value), names)
    unseen.difference_update(columns)
    return [text for column in columns for text in all_texts(value[column], where, column)]


def _bare(value: Any, where: str, wanted: Wanted) -> Record:
    """A line that is not an object: the one thing that is asked for."""
    if wanted.hypothesis or wanted.references or wanted.document is not None:
        raise InputError(f'{where}: has no columns; an object such as {{"hyp": "…"}} has')
    if wanted.hypothesis is not None and wanted.references is not None:
        example = '{"hyp": "…", "ref": "…"}'
        raise InputError(f"{where}: must be an object such as {example}, or give the references with -r")
    if wanted.hypothesis is not None:
        return Record(one_text(value, where, "the line"))
    return Record("", all_texts(value, where, "the line"))


def _parsed(where: str, line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        problem = f"{error.msg} at column {error.colno}"
    except RecursionError:
        problem = "nested too deeply"
    except ValueError as error:  # a number of too many digits
        problem = str(error)
    raise InputError(
        f"{where}: not JSON ({problem}); each line must be a whole JSON value (of an array over several "
        "lines, `jq -c .[]` makes such lines)"
    )


def _check_characters(record: Record, where: str) -> None:
    for text in (record.hypothesis, record.document, *record.references):
        try:
            text.encode()
        except UnicodeEncodeError as error:
            half = f"\\u{ord(text[error.start]):04x}"
            raise InputError(
                f"{where}: {half} is half a character (a lone surrogate); remove it, or write both halves"
            ) from None
