"""Readers of TSV and CSV.

The first line names the columns, unless all columns are chosen by number. A field in quotation marks may hold
tabs and line ends; a quotation mark inside it is doubled. In raw TSV quotation marks have no meaning.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence

from bolide._support.plurals import counted
from bolide.errors import InputError
from bolide.inputs.files import shown
from bolide.inputs.table import DOCUMENT, REFERENCE, Record, Table, Wanted, pick, pick_one
from bolide.inputs.text_files import read_lines

# Longest field, in characters; longer than any segment that can be scored. The csv module has one limit for
# all readers (131,072). It is never restored, because that would be a race between threads.
LONGEST = 1 << 26


def allow_long_fields() -> None:
    """Lets the csv module read fields of any length that bolide accepts. Every reader calls this first.
    Otherwise, what it accepts would depend on what was read before."""
    csv.field_size_limit(max(LONGEST, csv.field_size_limit()))


class Delimited(Table):
    """TSV with quoted fields where necessary, as spreadsheets and pandas write it."""

    delimiter = "\t"

    def records(self, wanted: Wanted) -> Iterator[Record]:
        rows = self.rows()
        columns: list[str] | None = None
        if not _numbered(wanted):
            columns = [column.strip() for column in next(rows, (1, [""]))[1]]
            if columns == [""]:
                raise InputError(f"{shown(self.name)}, line 1: must name the columns, but is empty")
        hypothesis = references = document = None
        for number, row in rows:
            if columns is None:
                columns = [str(k) for k in range(1, len(row) + 1)]
            if len(row) != len(columns):
                raise InputError(
                    f"{shown(self.name)}, line {number}: the first line has "
                    f"{counted(len(columns), 'fields')}, this line has {len(row)}; {self.remedy}"
                )
            if references is None:
                hypothesis, references, document = self._positions(columns, wanted)
            yield Record(
                "" if hypothesis is None else row[hypothesis],
                [row[k] for k in references],
                "" if document is None else row[document],
            )
        if references is None and columns is not None:  # no records; check the names anyway
            self._positions(columns, wanted)

    def _positions(self, columns: Sequence[str], wanted: Wanted) -> tuple[int | None, list[int], int | None]:
        one = {
            role: None if name is None else columns.index(pick_one(self.name, role, columns, name))
            for role, name in ((wanted.role, wanted.hypothesis), (DOCUMENT, wanted.document))
        }
        names = wanted.references
        several = [] if names is None else pick(self.name, REFERENCE, columns, names)
        return one[wanted.role], [columns.index(name) for name in several], one[DOCUMENT]

    remedy = (
        'a field with tabs, line ends or quotation marks needs quotation marks: "a ""b"" c". If quotation '
        "marks are ordinary characters, use --input-format tsv-raw"
    )

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yields rows, each with the number of its first line."""
        allow_long_fields()
        number, length = 1, 0

        def lines() -> Iterator[str]:
            nonlocal length
            for line in read_lines(self.name):
                length += len(line)
                if length > LONGEST:
                    where = f"{shown(self.name)}, line {number}"
                    raise InputError(f"{where}: a row of more than {LONGEST:,} characters; {self.remedy}")
                yield f"{line}\n"

        reader = csv.reader(lines(), delimiter=self.delimiter, strict=True)
        while True:
            number, length = reader.line_num + 1, 0
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                where = f"{shown(self.name)}, line {number}"
                raise InputError(f"{where}: cannot be split into fields ({error}); {self.remedy}") from None
            if reader.line_num > number:
                self._check_lines(number, row)
            if row:  # else an empty line
                yield number, row

    def _check_lines(self, number: int, row: list[str]) -> None:
        """Checks a row of several lines. A quotation mark that is ordinary text opens a field that runs to
        the next quotation mark, across other fields and rows."""
        for field in row:
            ends = field.count("\n")
            if ends and self.delimiter == "\t" and "\t" in field:
                raise InputError(
                    f"{shown(self.name)}, line {number}: a quotation mark opens a field of {ends + 1} lines "
                    "that holds tabs too; say --input-format tsv-raw if quotation marks are ordinary "
                    "characters, or remove the tabs from the field"
                )
            number += ends


class Csv(Delimited):
    """CSV: separated by commas."""

    delimiter = ","
    remedy = 'a field with commas, line ends or quotation marks needs quotation marks: "a ""b"" c"'


class RawTsv(Delimited):
    """TSV without quoting: one record per line, fields separated by tabs."""

    remedy = "fields must not hold tabs or line ends"

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        for number, line in enumerate(read_lines(self.name), 1):
            yield number, line.split("\t")


def _numbered(wanted: Wanted) -> bool:
    names = [wanted.hypothesis, *(wanted.references or ()), wanted.document]
    given = [name for name in names if name is not None]
    usual = wanted.references == ()
    return bool(given) and not usual and all(name.isdecimal() for name in given)
