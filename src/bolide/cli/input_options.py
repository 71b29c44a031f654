"""The options that say what is scored, shared by the commands that read hypotheses and references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from bolide.cli.options import as_text, in_place_of
from bolide.errors import ConfigurationError
from bolide.inputs.assembly import InputSystem, read_systems
from bolide.inputs.files import STDIN
from bolide.inputs.options import InputOptions

PANEL = "Inputs"
FORMATS = "text, tsv, tsv-raw, csv, jsonl, parquet, sgml, xml"


def _option(*names: str, metavar: str | None = None, text: str) -> Any:
    return typer.Option(*names, metavar=metavar, help=text, rich_help_panel=PANEL)


Hypotheses = Annotated[
    list[str],
    typer.Argument(metavar="HYP", help="System outputs, a segment a line or a record; - is stdin."),
]


@dataclass(frozen=True)
class Inputs:
    """What the options say: the files of references, and how all files are to be read."""

    references: list[str]
    options: InputOptions

    def systems(self, hypotheses: list[str]) -> list[InputSystem]:
        if [*hypotheses, *self.references, self.options.docs].count(STDIN) > 1:
            raise ConfigurationError("standard input can be read only once; save it to a file")
        return read_systems(hypotheses, self.references, self.options)


def _inputs(
    reference: Annotated[
        list[str] | None,
        _option(
            *("--reference", "-r"),
            metavar="FILE",
            text="A reference; repeat the option for several. Without it HYP must have them too.",
        ),
    ] = None,
    input_format: Annotated[
        str | None,
        _option(metavar="NAME", text=f"Format of all files: {FORMATS}; default: by their names."),
    ] = None,
    reference_format: Annotated[
        str | None, _option(metavar="NAME", text="Format of the references, if it is another.")
    ] = None,
    hyp_column: Annotated[
        list[str] | None,
        _option(
            metavar="NAME",
            text="Column, or system in sgml and xml, to score; repeat for several. Default: hyp, hypothesis "
            "or prediction; all systems.",
        ),
    ] = None,
    ref_column: Annotated[
        list[str] | None,
        _option(
            metavar="NAME",
            text="Column of references, or translator; repeat for several. Default: ref, reference(s), "
            "ref1, ref2, …; all translators.",
        ),
    ] = None,
    refs_per_line: Annotated[
        bool, _option("--refs-per-line", text="A line has several references, with tabs between them.")
    ] = False,
    ref_separator: Annotated[
        str | None, _option(metavar="TEXT", text="What is between them instead; such as '|||'.")
    ] = None,
    drop_empty_references: Annotated[
        bool, _option("--drop-empty-references", text="An empty reference means that there is none.")
    ] = False,
    skip_unreferenced: Annotated[
        bool, _option("--skip-unreferenced", text="Leave out segments that have no reference.")
    ] = False,
    docs: Annotated[
        str | None, _option(metavar="FILE", text="The document of each segment, an id a line.")
    ] = None,
    doc_column: Annotated[
        str | None, _option(metavar="NAME", text="Column of the documents' ids; docid in sgml and xml.")
    ] = None,
) -> Inputs:
    separator = as_text(ref_separator) if ref_separator is not None else ("\t" if refs_per_line else None)
    return Inputs(
        reference or [],
        InputOptions(
            input_format=input_format,
            reference_format=reference_format,
            hyp_columns=tuple(map(as_text, hyp_column or ())),
            ref_columns=tuple(map(as_text, ref_column or ())),
            doc_column=None if doc_column is None else as_text(doc_column),
            docs=docs,
            ref_separator=separator,
            drop_empty_references=drop_empty_references,
            skip_unreferenced=skip_unreferenced,
        ),
    )


with_inputs = in_place_of("texts", _inputs)
