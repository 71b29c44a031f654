"""`bolide rerank`: the hypotheses that given weights choose from n-best lists."""

from __future__ import annotations

from typing import Annotated

from bolide.cli.nbest_options import OUTPUT, PANEL, NBestOptions
from bolide.cli.option_groups import option


def rerank(
    *,
    weights: Annotated[
        str, option(panel=PANEL, metavar="FILE", text="Weights, as of Moses or Joshua, or plain numbers.")
    ],
    all_: Annotated[
        bool,
        option("--all", panel=OUTPUT, text="Print whole lists, best hypothesis first, with the new scores."),
    ] = False,
    lists: NBestOptions,
) -> None:
    """Print the hypothesis of each sentence that has the highest model score."""
    from bolide.mert.rerank import ranked, reranked
    from bolide.mert.weights import Weights

    nbest, given = lists.read(), Weights.read(weights)
    for line in ranked(nbest, given) if all_ else reranked(nbest, given):
        print(line)
