"""`bolide rerank`: the hypotheses that given weights choose from n-best lists."""

from __future__ import annotations

from bolide.cli.nbest_options import OUTPUT, PANEL, NBestOptions
from bolide.cli.option_groups import REQUIRED
from bolide.cli.streams import print_line


def rerank(
    *,
    weights: str = PANEL.option(
        "FILE", "Weights: format of Moses or Joshua, or plain numbers.", default=REQUIRED
    ),
    all_: bool = OUTPUT.flag("Print whole lists, best hypothesis first, with the new scores.", "--all"),
    lists: NBestOptions,
) -> None:
    """Print the hypothesis with the highest model score, for each sentence."""
    from bolide.mert.rerank import ranked, reranked
    from bolide.mert.weights import Weights

    nbest, given = lists.read(), Weights.read(weights)
    for line in ranked(nbest, given) if all_ else reranked(nbest, given):
        print_line(line)
