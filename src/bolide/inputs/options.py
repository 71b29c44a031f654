"""What may be said about inputs, and which format a file has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from bolide.errors import unknown
from bolide.inputs.files import OPENERS
from bolide.inputs.table import Table

# Where each format is read: a module of this package, imported when it is needed, and a class.
FORMATS = {
    "text": ("table", "PlainText"),
    "tsv": ("delimited", "Delimited"),
    "tsv-raw": ("delimited", "RawTsv"),
    "csv": ("delimited", "Csv"),
    "jsonl": ("jsonl", "JsonLines"),
    "parquet": ("parquet", "Parquet"),
    "sgml": ("sgml", "Sgml"),
    "xml": ("xml", "Xml"),
}
SUFFIXES = {
    **{f".{name}": name for name in ("tsv", "csv", "jsonl", "parquet", "sgml", "xml")},
    ".sgm": "sgml",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".pq": "parquet",
}


@dataclass(frozen=True)
class InputOptions:
    """How files are to be read.

    - `input_format`: of all files, whatever their names say; `reference_format`: of reference files.
    - `hyp_columns`: a system each; `ref_columns`; `doc_column`. In SGML and XML they are names of systems
      and of translators, and any `doc_column` is the document's id.
    - `docs`: a file with the document of each segment, a line each.
    - `ref_separator`: what separates the references inside of one text; without it a text is one reference.
    - `drop_empty_references`: an empty text means that there is no such reference.
    - `skip_unreferenced`: leave out segments without a reference, instead of an error.
    """

    input_format: str | None = None
    reference_format: str | None = None
    hyp_columns: tuple[str, ...] = ()
    ref_columns: tuple[str, ...] = ()
    doc_column: str | None = None
    docs: str | None = None
    ref_separator: str | None = None
    drop_empty_references: bool = False
    skip_unreferenced: bool = False

    def table(self, name: str) -> Table:
        """A file of hypotheses."""
        return table(name, self.input_format)

    def reference_tables(self, names: Sequence[str]) -> list[Table]:
        return [table(name, self.reference_format or self.input_format) for name in names]


def table(name: str, form: str | None = None) -> Table:
    """A file of that format, or of the one that its name says."""
    form = form or format_of(name)
    if form not in FORMATS:
        raise unknown("format of input", form, FORMATS)
    module, kind = FORMATS[form]
    made: Table = getattr(import_module(f"bolide.inputs.{module}"), kind)(name)
    return made


def format_of(name: str) -> str:
    """The format that a file's name says; text, if it says none.

    >>> format_of("newstest.sgm.gz"), format_of("system.txt")
    ('sgml', 'text')
    """
    path = Path(name)
    if path.suffix in OPENERS:
        path = path.with_suffix("")
    return SUFFIXES.get(path.suffix.lower(), "text")
