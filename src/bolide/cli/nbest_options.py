"""The options that name n-best lists, references and objectives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from bolide.cli.meteor_options import MeteorOptions, open_meteor
from bolide.cli.option_groups import option
from bolide.errors import ConfigurationError

if TYPE_CHECKING:
    from bolide.mert import MertObjective, NBest
    from bolide.scoring.meteor import Meteor

    MakeObjective = Callable[[list[list[str]]], MertObjective]  # for these references

PANEL, OUTPUT = "N-best lists", "Output"


@dataclass(frozen=True)
class NBestOptions:
    """Files of n-best lists."""

    lists: Annotated[
        list[str] | None,
        typer.Argument(metavar="LIST", help="N-best lists, `id ||| hypothesis ||| features ||| score`."),
    ] = None
    nbest: Annotated[
        list[str] | None,
        option("--nbest", panel=PANEL, metavar="FILE", text="The same, as an option; - is stdin."),
    ] = None
    sparse: Annotated[
        bool, option("--sparse", panel=PANEL, text="Features that a line leaves out are 0 there.")
    ] = False

    @property
    def paths(self) -> list[str]:
        return [*(self.nbest or ()), *(self.lists or ())]

    def read(self, sentences: int | None = None) -> NBest:
        from bolide.mert import NBest

        if not self.paths:
            raise ConfigurationError("name n-best lists: --nbest FILE…")
        if self.paths.count("-") > 1:
            raise ConfigurationError("standard input can be read only once; save it to a file")
        return NBest.read(self.paths, sentences, sparse=self.sparse)


@dataclass(frozen=True)
class ObjectiveOptions(MeteorOptions):
    """The objective, with the options of its scorer. Here --weights are those of the decoder."""

    weights_option: ClassVar[str] = "--module-weights"
    module_weights: Annotated[
        str | None,
        option(
            "--module-weights",
            metavar="NUMBERS",
            text="One weight per module, for example '1.0 0.6 0.8 0.6'.",
        ),
    ] = None
    reference: Annotated[
        list[str] | None,
        option(
            *("--reference", "-r"),
            panel=PANEL,
            metavar="FILE",
            text="References, one per line; repeat the option for several.",
        ),
    ] = None
    objective: Annotated[
        str | None,
        option(
            panel="Objective",
            metavar="NAME",
            text="meteor, meteor:TASK, meteor@PROFILE:TASK, bleu, ter, a weighted sum such as 'bleu=0.5 "
            "ter=0.5', or ter-bleu/2. Default: meteor if --profile or --task is given, else meteor:tune.",
        ),
    ] = None

    def read_references(self) -> list[list[str]]:
        from bolide.mert import read_references

        if not self.reference:
            raise ConfigurationError("name a file of references: --reference FILE")
        return read_references(self.reference)

    def choose_objective(self) -> MakeObjective:
        """The objective, checked without opening a language pack. The result opens it."""
        from bolide.mert.objectives import DEFAULT, METEOR, make_objective, named_scorers

        given = self.task is not None or self.profile != MeteorOptions.profile
        name = self.objective or (METEOR if given else DEFAULT)
        choices = {
            (profile, task): self.choose(profile=profile or self.profile, task=task or self.task)
            for profile, task in named_scorers(name)
        }

        def make(profile: str | None, task: str | None) -> Meteor:
            return open_meteor(choices[profile, task])

        return lambda references: make_objective(name, references, make=make, threads=self.threads)
