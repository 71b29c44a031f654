"""`bolide rerank`: what weights choose among the hypotheses of n-best lists."""

from __future__ import annotations

from typing import Annotated

from bolide.cli.nbest_options import PANEL, Lists, of, with_lists


@with_lists
def rerank(
    lists: Lists,
    weights: Annotated[str, of(PANEL, metavar="FILE", text="Weights: of Moses, of Joshua, or numbers.")],
    all_: Annotated[
        bool, of("Output", "--all", text="Print whole lists, best first, with the new scores.")
    ] = False,
) -> None:
    """Print the hypothesis of each sentence that has the highest model score by the weights."""
    from bolide.mert.rerank import ranked, reranked
    from bolide.mert.weights import Weights

    nbest, given = lists.read(), Weights.read(weights)
    for line in ranked(nbest, given) if all_ else reranked(nbest, given):
        print(line)
