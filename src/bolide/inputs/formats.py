"""The input formats: their names, the names of their files, and opening a file in its format."""

from __future__ import annotations

from importlib import import_module

from bolide._support import checks
from bolide.inputs.files import uncompressed
from bolide.inputs.table import Table

# The module of this package and the class that read each format. Modules are imported when needed.
FORMATS = {
    "text": ("plain_text", "PlainText"),
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


def table(name: str, form: str | None = None) -> Table:
    """Opens a file in a format. Without one, the name of the file decides."""
    form = form or format_of(name)
    checks.choice("input format", form, FORMATS)
    module, kind = FORMATS[form]
    made: Table = getattr(import_module(f"bolide.inputs.{module}"), kind)(name)
    return made


def format_of(name: str) -> str:
    """The format that the name of a file implies; by default text.

    >>> format_of("newstest.sgm.gz"), format_of("system.txt")
    ('sgml', 'text')
    """
    return SUFFIXES.get(uncompressed(name).suffix.lower(), "text")
