"""The options that name n-best lists, references and objectives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from bolide.cli.meteor_options import MeteorOptions, open_meteor
from bolide.cli.option_groups import Panel, argument, option
from bolide.errors import ConfigurationError

if TYPE_CHECKING:
    from bolide.mert import MertObjective, NBest
    from bolide.scoring.meteor import Meteor

    MakeObjective = Callable[[list[list[str]]], MertObjective]  # for these references

PANEL, OUTPUT = Panel("N-best lists"), Panel("Output")


@dataclass(frozen=True)
class NBestOptions:
    """Files of n-best lists."""

    lists: list[str] | None = argument(
        "LIST", "N-best lists, `id ||| hypothesis ||| features ||| score`.", default=None
    )
    nbest: list[str] | None = PANEL.option("FILE", "N-best list, instead of LIST; - is stdin.", "--nbest")
    sparse: bool = PANEL.flag("A feature that a line does not have is 0.", "--sparse")

    @property
    def paths(self) -> list[str]:
        return [*(self.nbest or ()), *(self.lists or ())]

    def read(self, sentences: int | None = None) -> NBest:
        from bolide.mert import NBest

        if not self.paths:
            raise ConfigurationError("n-best lists are missing: give LIST or --nbest FILE")
        if self.paths.count("-") > 1:
            raise ConfigurationError("standard input can be read only once; save it to a file")
        return NBest.read(self.paths, sentences, sparse=self.sparse)


@dataclass(frozen=True)
class NBestMeteorOptions(MeteorOptions):
    """The options of a scorer of n-best lists. Here --weights are those of the decoder."""

    weights_option: ClassVar[str] = "--module-weights"
    module_weights: str | None = option(
        "NUMBERS", "One weight per module, for example '1.0 0.6 0.8 0.6'.", "--module-weights"
    )


@dataclass(frozen=True)
class ObjectiveOptions(NBestMeteorOptions):
    """The objective, with the options of its scorer."""

    reference: list[str] | None = PANEL.option(
        "FILE", "References, one per line; repeat the option for several.", "--reference", "-r"
    )
    objective: str | None = Panel("Objective").option(
        "NAME",
        "meteor, meteor:TASK, meteor@PROFILE:TASK, bleu, ter, a weighted sum such as 'bleu=0.5 "
        "ter=0.5', or ter-bleu/2. Default: meteor if --profile or --task is given, else meteor:tune.",
    )

    def read_references(self) -> list[list[str]]:
        from bolide.mert import read_references

        if not self.reference:
            raise ConfigurationError("references are missing: give them with --reference FILE (-r)")
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
