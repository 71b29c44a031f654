"""Scores the rows of a pandas table:

    from bolide.compat.pandas import score

    table["meteor"] = score(table, hypothesis="output", references="reference")

References are a column of texts, a column of lists of texts, or several columns.
"""

from __future__ import annotations

from collections.abc import Sequence

import bolide
from bolide._support.extras import extra
from bolide.compat.columns import TextColumn, named, scores

with extra("pandas"):
    import pandas as pd


def score(
    table: pd.DataFrame,
    hypothesis: str = "hypothesis",
    references: str | Sequence[str] = "reference",
    *,
    meteor: bolide.Meteor | None = None,
) -> pd.Series[float]:
    """The score of each row, as a series with the index of the table. The default scorer is profile 1.5 for
    English."""
    columns = [table[name] for name in named(list(table.columns), hypothesis, references)]
    first, *others = [TextColumn(str(each.name), each.isna().to_numpy(), each.tolist()) for each in columns]
    return pd.Series(scores(first, others, meteor), index=table.index, name="meteor")
