"""The options that say which texts are scored, and the checks of files before anything slow starts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, TypeVar

from bolide._support.writing import check_target
from bolide.cli.option_groups import Argument, Panel, as_text, option
from bolide.errors import ConfigurationError, InputError, OutputError
from bolide.inputs.assembly import InputSystem, read_systems
from bolide.inputs.files import STDIN, can_be_read_again, check_readable
from bolide.inputs.formats import FORMATS
from bolide.inputs.options import InputOptions
from bolide.inputs.text_files import read_lines

Item = TypeVar("Item")
PANEL = Panel("Inputs")
HypothesesArgument = Annotated[
    list[str],
    Argument("HYP", "System outputs, one segment per line or record; - is stdin."),
]


@dataclass(frozen=True)
class TextOptions:
    """The files of references, and how all files are read."""

    reference: list[str] | None = option(
        "FILE",
        "References; repeat the option for several. Without it HYP must contain them.",
        "--reference",
        "-r",
    )
    input_format: str | None = PANEL.option(
        "NAME", f"Format of all files: {', '.join(FORMATS)}; default: by the file name."
    )
    reference_format: str | None = PANEL.option("NAME", "Format of the references, if it is different.")
    hyp_column: list[str] | None = PANEL.option(
        "NAME",
        "Column to score, or system in sgml and xml; repeat for several. Default: hyp, hypothesis "
        "or prediction; in sgml and xml all systems.",
    )
    ref_column: list[str] | None = PANEL.option(
        "NAME",
        "Column of references, or translator in sgml and xml; repeat for several. Default: ref, "
        "reference(s), ref1, ref2, …; in sgml and xml all translators.",
    )
    refs_per_line: bool = PANEL.flag(
        "A line contains several references, separated by tabs.", "--refs-per-line"
    )
    ref_separator: str | None = PANEL.option("TEXT", "Separator to use instead of tabs, for example '|||'.")
    drop_empty_references: bool = PANEL.flag("Ignore empty references.", "--drop-empty-references")
    skip_unreferenced: bool = PANEL.flag("Leave out segments without a reference.", "--skip-unreferenced")
    docs: str | None = PANEL.option("FILE", "Document of each segment: one document id per line.")
    doc_column: str | None = PANEL.option("NAME", "Column of the document ids; docid in sgml and xml.")

    @property
    def references(self) -> list[str]:
        return self.reference or []

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns, or systems, to score."""
        return tuple(map(as_text, self.hyp_column or ()))

    def options(self) -> InputOptions:
        separator = "\t" if self.refs_per_line else None
        return InputOptions(
            input_format=self.input_format,
            reference_format=self.reference_format,
            hyp_columns=self.columns,
            ref_columns=tuple(map(as_text, self.ref_column or ())),
            doc_column=None if self.doc_column is None else as_text(self.doc_column),
            docs=self.docs,
            ref_separator=separator if self.ref_separator is None else as_text(self.ref_separator),
            drop_empty_references=self.drop_empty_references,
            skip_unreferenced=self.skip_unreferenced,
        )

    def systems(self, hypotheses: list[str]) -> list[InputSystem]:
        """The systems in these files. Raises an error if a file cannot be read."""
        if [*hypotheses, *self.references, self.docs].count(STDIN) > 1:
            raise ConfigurationError("standard input can be read only once; save it to a file")
        return read_systems(hypotheses, self.references, self.options())

    def system(self, hypotheses: str) -> InputSystem:
        """The only system in a file."""
        found, *others = self.systems([hypotheses])
        if others:
            names = ", ".join(other.column for other in (found, *others))
            raise InputError(f"{hypotheses} has several systems: {names}; choose one with --hyp-column")
        return found


def check_inputs(*names: str | Path | None) -> None:
    """Raises an error if one of the files cannot be read."""
    check_readable([str(name) for name in names if name is not None], [])


def check_texts(systems: Iterable[InputSystem]) -> None:
    """Reads all texts of the systems, for the errors in them. Standard input and pipes can be read only once:
    they are left for later."""
    for system in systems:
        if all(map(can_be_read_again, system.files)):
            for _ in system.segments():
                pass


def check_lines(names: Iterable[str]) -> None:
    """The same for lines of text."""
    for name in filter(can_be_read_again, names):
        for _ in read_lines(name):
            pass


def check_outputs(*names: str | Path | None) -> None:
    """Raises an error now, not after an hour, if one of the files could not be written."""
    for name in names:
        if name is not None:
            check_target(name)


def check_folder(name: str | Path | None) -> None:
    """Raises an error if files could not be written to the folder, which need not exist."""
    if name is None:
        return
    path = Path(name).absolute()
    existing = next(each for each in (path, *path.parents) if each.exists())
    if not existing.is_dir():
        raise OutputError(f"cannot make the folder {name}: {existing} is a file")
    if not os.access(existing, os.W_OK):
        raise OutputError(f"cannot write to the folder {name}: {existing} is not writable")


def begun(items: Iterator[Item]) -> Iterator[Item]:
    """The same items, with the first one read now: an error in it comes before anything slow."""
    return chain([next(items)], items)
