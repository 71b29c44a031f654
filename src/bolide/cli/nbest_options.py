"""The options that name n-best lists, references and objectives, shared by the commands that read them."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bolide.cli import options
from bolide.cli.options import in_place_of
from bolide.errors import ConfigurationError

if TYPE_CHECKING:
    from bolide.mert import MertObjective, NBest

PANEL = "Lists"


def of(panel: str, *names: str, metavar: str | None = None, text: str) -> Any:
    return typer.Option(*names, metavar=metavar, help=text, rich_help_panel=panel)


Reference = Annotated[
    list[str] | None,
    of(PANEL, "--reference", "-r", metavar="FILE", text="A reference a line; repeat for several references."),
]
ObjectiveName = Annotated[
    str | None,
    of(
        "Objective",
        metavar="NAME",
        text="meteor, meteor:TASK, meteor@PROFILE:TASK, bleu, ter, a weighted sum such as "
        "'bleu=0.5 ter=0.5', or ter-bleu/2. Default: meteor:tune; meteor, if --profile or --task say which.",
    ),
]


@dataclass(frozen=True)
class Lists:
    """Files of lists."""

    paths: list[str]
    sparse: bool

    def read(self, sentences: int | None = None) -> NBest:
        from bolide.mert import NBest

        if not self.paths:
            raise ConfigurationError("name n-best lists: --nbest FILE…")
        if self.paths.count("-") > 1:
            raise ConfigurationError("standard input can be read only once; save it to a file")
        return NBest.read(self.paths, sentences, sparse=self.sparse)


def _lists(
    lists: Annotated[
        list[str] | None,
        typer.Argument(metavar="LIST", help="N-best lists, `id ||| hypothesis ||| features ||| score`."),
    ] = None,
    nbest: Annotated[
        list[str] | None, of(PANEL, "--nbest", metavar="FILE", text="The same, as an option; - is stdin.")
    ] = None,
    sparse: Annotated[
        bool, of(PANEL, "--sparse", text="Features that a line leaves out are 0 there.")
    ] = False,
) -> Lists:
    return Lists([*(nbest or ()), *(lists or ())], sparse)


with_lists = in_place_of("lists", _lists)


@dataclass(frozen=True)
class Objectives:
    """Makes objectives, with the scorer's options."""

    given: dict[str, Any]

    def make(self, name: str | None, references: list[list[str]]) -> MertObjective:
        from bolide.mert.objectives import DEFAULT, METEOR, make_objective
        from bolide.scoring.meteor import Meteor

        default = inspect.signature(options._meteor).parameters["profile"].default
        told = self.given["task"] is not None or self.given["profile"] != default

        def make(profile: str | None, task: str | None) -> Meteor:
            chosen = {"profile": profile, "task": task}
            return options._meteor(**{**self.given, **{k: v for k, v in chosen.items() if v is not None}})

        name = name or (METEOR if told else DEFAULT)
        return make_objective(name, references, make=make, threads=self.given["threads"])


def _objectives(**given: Any) -> Objectives:
    given["weights"] = given.pop("module_weights")
    return Objectives(given)


def _renamed() -> inspect.Signature:
    """The scorer's options; but --weights are a decoder's here, and those of modules have another name."""
    signature = inspect.signature(options._meteor, eval_str=True)
    parameters = [
        p.replace(name="module_weights") if p.name == "weights" else p for p in signature.parameters.values()
    ]
    return signature.replace(parameters=parameters)


_objectives.__signature__ = _renamed()  # type: ignore[attr-defined]
with_objectives = in_place_of("objectives", _objectives)
