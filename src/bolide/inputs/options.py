"""Options for reading inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bolide.inputs.formats import table
from bolide.inputs.table import Table


@dataclass(frozen=True)
class InputOptions:
    """How to read files.

    - `input_format`: the format of all files, whatever their names; `reference_format`: that of reference
      files.
    - `hyp_columns`: one system per column; `ref_columns`; `doc_column`. In SGML and XML these are names of
      systems and of translators, and `doc_column` always is the document id.
    - `docs`: a file with one document id per line, one line per segment.
    - `ref_separator`: separates the references within one text. Without it a text is one reference.
    - `drop_empty_references`: an empty text is a missing reference.
    - `skip_unreferenced`: leave out segments without a reference instead of failing.
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
        """Opens a file of hypotheses."""
        return table(name, self.input_format)

    def reference_tables(self, names: Sequence[str]) -> list[Table]:
        return [table(name, self.reference_format or self.input_format) for name in names]
