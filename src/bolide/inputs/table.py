"""The common interface of all input formats: a table of records.

A record has a hypothesis, references and a document, or some of these. They are chosen by name: columns in
TSV, CSV, JSONL and Parquet; systems and translators in SGML and XML. Without names, columns with the usual
names are chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bolide.errors import InputError
from bolide.inputs.files import shown


@dataclass(frozen=True, eq=False)
class Role:
    """A role of a column: its name in messages, the option that chooses it, and its usual names."""

    what: str
    option: str
    usual: re.Pattern[str]
    examples: str


HYPOTHESIS = Role(
    "hypotheses",
    "--hyp-column",
    re.compile(r"hyp|hypothes[ie]s|predictions?", re.IGNORECASE),
    "hyp, hypothesis or prediction",
)
REFERENCE = Role(
    "references",
    "--ref-column",
    re.compile(r"ref(erence)?s?[-_ .]?\d*", re.IGNORECASE),
    "ref, reference, references or ref1, ref2, …",
)
DOCUMENT = Role(
    "documents", "--doc-column", re.compile(r"doc(ument)?[-_ ]?(id)?", re.IGNORECASE), "doc or docid"
)

# Stands for the column with a usual name.
USUAL = ""
# Document and segment, in formats that have both.
SegmentKey = tuple[str, str]


@dataclass(frozen=True)
class Wanted:
    """The columns to read; None for none. `role` is the role of the first column in messages."""

    hypothesis: str | None = None
    references: tuple[str, ...] | None = None
    document: str | None = None
    role: Role = HYPOTHESIS


class Record(NamedTuple):
    """The parts of a segment that a file has."""

    hypothesis: str = ""
    references: Sequence[str] = ()
    document: str = ""
    key: SegmentKey | None = None


class Table:
    """A file with named columns."""

    keyed = False  # whether records have keys, by which several files are matched

    def __init__(self, name: str) -> None:
        self.name = name

    def systems(self, names: Sequence[str]) -> Sequence[str]:
        """The columns of hypotheses: the named ones, or the one with a usual name."""
        return names or [USUAL]

    def records(self, wanted: Wanted) -> Iterator[Record]:
        raise NotImplementedError


def pick(name: str, role: Role, columns: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """The chosen columns: the named ones, or those with usual names."""
    there = f"its columns are: {', '.join(columns)}"
    for column in wanted:
        if column not in columns:
            raise InputError(f"{shown(name)} has no column '{column}'; {there}")
    found = list(wanted) or [column for column in columns if role.usual.fullmatch(column)]
    if not found:
        raise InputError(
            f"{shown(name)} has no column of {role.what} ({role.examples}); {there}; "
            f"choose one with {role.option}"
        )
    for column in found:
        if columns.count(column) > 1:
            raise InputError(f"{shown(name)} has several columns '{column}'; {there}; rename them")
    return found


def pick_one(name: str, role: Role, columns: Sequence[str], wanted: str) -> str:
    """The chosen column; an error if there are several."""
    found = pick(name, role, columns, [wanted] if wanted else [])
    if len(found) > 1:
        raise InputError(
            f"{shown(name)} has several columns that could be the {role.what}: {', '.join(found)}; "
            f"choose one with {role.option}"
        )
    return found[0]


class RecordColumns(NamedTuple):
    """The chosen columns of a format whose cells are Python values."""

    hypothesis: str | None
    references: Sequence[str]
    document: str | None

    def record(self, cells: Mapping[str, Any], where: str) -> Record:
        """The record with these cells."""
        hypothesis, references, document = self
        return Record(
            "" if hypothesis is None else one_text(cells[hypothesis], where, hypothesis),
            [text for column in references for text in all_texts(cells[column], where, column)],
            "" if document is None else an_id(cells[document], where, document),
        )


# Names of Python types in messages.
KINDS = {bool: "true or false", int: "a number", float: "a number", dict: "an object", list: "a list"}


def one_text(value: Any, where: str, column: str) -> str:
    """The text of a cell that must have exactly one."""
    if isinstance(value, str):
        return value
    if value is None:
        raise InputError(f'{where}: {column} has no value; write "" for an empty text')
    kind = KINDS.get(type(value), type(value).__name__)
    raise InputError(f"{where}: {column} is {kind}, not a text; write it in quotes")


def all_texts(value: Any, where: str, column: str) -> list[str]:
    """The texts of a cell that may have any number of them."""
    if value is None:
        return []
    if isinstance(value, list):
        return [one_text(text, where, column) for text in value if text is not None]
    return [one_text(value, where, column)]


def an_id(value: Any, where: str, column: str) -> str:
    """The id of a document: a text or a number."""
    return str(value) if type(value) is int else one_text(value, where, column)
