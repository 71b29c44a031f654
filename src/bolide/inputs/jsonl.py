"""Reader of JSON Lines: each line is an object with named columns, a text, or a list of references.

References may be a text or a list of texts. Lines may have different columns of references.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bolide.errors import InputError
from bolide.inputs.files import shown
from bolide.inputs.table import (
    DOCUMENT,
    REFERENCE,
    Record,
    RecordColumns,
    Role,
    Table,
    Wanted,
    all_texts,
    one_text,
    pick,
    pick_one,
)
from bolide.inputs.text_files import read_lines

# Number of different sets of columns that are remembered.
LAYOUTS = 1 << 10


class JsonLines(Table):
    def records(self, wanted: Wanted) -> Iterator[Record]:
        unseen = set(wanted.references or ())  # a column may be missing in some lines, but not in all
        known: dict[tuple[str, ...], RecordColumns] = {}
        for number, line in enumerate(read_lines(self.name), 1):
            if not line or line.isspace():
                continue
            where = f"{shown(self.name)}, line {number}"
            value = parsed(where, line)
            if isinstance(value, dict):
                names = tuple(value)
                if names not in known:
                    if len(known) == LAYOUTS:
                        known.clear()
                    known[names] = _columns(where, names, wanted)
                    unseen.difference_update(known[names].references)
                record = known[names].record(value, where)
            else:
                record = _bare(value, where, wanted)
            if "\\u" in line:  # only an escape can contain a lone surrogate
                check_characters((record.hypothesis, record.document, *record.references), where)
            yield record
        for column in sorted(unseen):
            raise InputError(f"{shown(self.name)}: no line has the column '{column}'")


def _columns(where: str, names: Sequence[str], wanted: Wanted) -> RecordColumns:
    def one(role: Role, name: str | None) -> str | None:
        return None if name is None else pick_one(where, role, names, name)

    hypothesis = one(wanted.role, wanted.hypothesis)
    references: Sequence[str] = ()
    if wanted.references is not None:
        there = [name for name in wanted.references if name in names]
        references = there or pick(where, REFERENCE, names, wanted.references)
    return RecordColumns(hypothesis, references, one(DOCUMENT, wanted.document))


def _bare(value: Any, where: str, wanted: Wanted) -> Record:
    """Reads a line that is not an object: a hypothesis, or references."""
    if wanted.hypothesis or wanted.references or wanted.document is not None:
        raise InputError(f'{where}: has no columns; write an object such as {{"hyp": "…"}}')
    if wanted.hypothesis is not None and wanted.references is not None:
        example = '{"hyp": "…", "ref": "…"}'
        raise InputError(f"{where}: must be an object such as {example}, or give the references with -r")
    if wanted.hypothesis is not None:
        return Record(one_text(value, where, "the line"))
    return Record("", all_texts(value, where, "the line"))


def parsed(where: str, line: str) -> Any:
    """The value of a line."""
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        problem = f"{error.msg} at column {error.colno}"
    except RecursionError:
        problem = "nested too deeply"
    except ValueError as error:  # a number of too many digits
        problem = str(error)
    raise InputError(
        f"{where}: not JSON ({problem}); each line must be a complete JSON value (`jq -c .[]` converts an "
        "array to such lines)"
    )


def check_characters(texts: Iterable[str], where: str) -> None:
    """Fails if a text has a lone surrogate."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            half = f"\\u{ord(text[error.start]):04x}"
            raise InputError(
                f"{where}: {half} is half a character (a lone surrogate); remove it, or write both halves"
            ) from None
