"""Scores for the rows of a pandas table:

    from bolide.compat.pandas import score

    table["meteor"] = score(table, hypothesis="output", references="reference")

References are a column of texts, a column of lists of texts, or several columns.
"""

from __future__ import annotations

from collections.abc import Sequence

import bolide
from bolide.compat.columns import Column, scores
from bolide.compat.extras import extra

with extra("pandas"):
    import pandas as pd


def score(
    table: pd.DataFrame,
    hypothesis: str = "hypothesis",
    references: str | Sequence[str] = "reference",
    *,
    meteor: bolide.Meteor | None = None,
) -> pd.Series[float]:
    """The score of each row, a series with the table's index; by `meteor`, or by profile 1.5 for English."""
    names = [references] if isinstance(references, str) else list(references)
    columns = [
        Column(name, table[name].isna().to_numpy(), table[name].tolist()) for name in (hypothesis, *names)
    ]
    return pd.Series(scores(columns[0], columns[1:], meteor), index=table.index, name="meteor")
