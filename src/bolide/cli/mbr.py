"""`bolide mbr`: the hypotheses of n-best lists with the highest expected METEOR."""

from __future__ import annotations

from dataclasses import dataclass

from bolide.cli.input_options import check_inputs, check_outputs
from bolide.cli.meteor_options import open_meteor
from bolide.cli.nbest_options import OUTPUT, PANEL, NBestMeteorOptions, NBestOptions
from bolide.cli.option_groups import Panel
from bolide.cli.progress import QuietOption, bar, hidden
from bolide.cli.streams import print_line
from bolide.scoring.decision import KEEP, MbrPlan

EXPECTATION = Panel("Expected score")


@dataclass(frozen=True)
class MbrOptions:
    """What is expected, and how it is computed."""

    scale: float | None = EXPECTATION.option(
        "NUMBER",
        "The weight of a hypothesis is exp(NUMBER × model score). NUMBER is 1 / temperature. Default: all "
        "lines of a list have equal weights.",
    )
    weights: str | None = PANEL.option(
        "FILE",
        "Weights of the features, for model scores: format of Moses or Joshua, or plain numbers. Default: "
        "the scores in the lists.",
    )
    method: str = EXPECTATION.option(
        "NAME",
        "all: compare every hypothesis with the whole list. subset: compare it only with the most probable "
        "hypotheses (--keep). prune: do as subset, then compare the best ones (--keep) with the whole list.",
        default="all",
    )
    keep: int = EXPECTATION.option("NUMBER", "Number of hypotheses that subset and prune keep.", default=KEEP)

    def plan(self) -> MbrPlan:
        from bolide.mert.mbr import check_weighting

        plan = MbrPlan(self.method, self.keep)
        plan.check()
        check_weighting(self.scale, self.weights)
        check_inputs(self.weights)
        return plan


def mbr(
    *,
    scored: NBestMeteorOptions,
    decided: MbrOptions,
    output: str | None = OUTPUT.option(
        "FILE", "Write to this file; default: standard output.", "--output", "-o"
    ),
    quiet: QuietOption = False,
    lists: NBestOptions,
) -> None:
    """Print the hypothesis with the highest expected METEOR, for each sentence (minimum Bayes risk)."""
    from bolide._support.writing import atomic_text
    from bolide.mert.mbr import decide_posteriors, posteriors
    from bolide.mert.weights import Weights

    plan = decided.plan()
    choices = scored.choose()
    check_outputs(output)
    weights = None if decided.weights is None else Weights.read(decided.weights)
    with hidden(quiet):
        nbest = lists.read()
        found = list(posteriors(nbest, decided.scale, weights))
        scorer = open_meteor(choices)
        with bar("sentences", "steps") as progress:
            chosen = decide_posteriors(found, scorer, plan, progress=progress)
    if output is None:
        for choice in chosen:
            print_line(str(choice.candidate))
        return
    with atomic_text(output) as file:
        file.write("".join(f"{choice.candidate}\n" for choice in chosen))
