"""The input format plain text, as a table: one record per line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bolide.errors import ConfigurationError
from bolide.inputs.files import shown
from bolide.inputs.table import DOCUMENT, HYPOTHESIS, REFERENCE, USUAL, Record, Role, Table, Wanted
from bolide.inputs.text_files import read_lines


class PlainText(Table):
    """Plain text: each line is a hypothesis, a reference or a document, as needed."""

    def systems(self, names: Sequence[str]) -> Sequence[str]:
        self._no_columns(HYPOTHESIS, names)
        return [USUAL]

    def records(self, wanted: Wanted) -> Iterator[Record]:
        self._no_columns(wanted.role, wanted.hypothesis)
        self._no_columns(REFERENCE, wanted.references)
        self._no_columns(DOCUMENT, wanted.document)
        for line in read_lines(self.name):
            if wanted.hypothesis is None:
                yield Record(references=(line,))
            else:
                yield Record(line)

    def _no_columns(self, role: Role, names: Sequence[str] | None) -> None:
        if names:
            raise ConfigurationError(
                f"{shown(self.name)} is plain text and has no columns for {role.option}; if it has another "
                "format, name it with --input-format"
            )
