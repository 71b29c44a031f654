"""Scores the rows of a polars table, as a series or in an expression:

    from bolide.compat.polars import meteor, score

    score(table, hypothesis="output", references="reference")
    table.with_columns(meteor("output", ["reference 1", "reference 2"]))

References are a column of texts, a column of lists of texts, or several columns.
"""

from __future__ import annotations

from collections.abc import Sequence

import bolide
from bolide._support.extras import extra
from bolide.compat.columns import TextColumn, named, scores

with extra("polars"):
    import polars as pl


def score(
    table: pl.DataFrame,
    hypothesis: str = "hypothesis",
    references: str | Sequence[str] = "reference",
    *,
    meteor: bolide.Meteor | None = None,
) -> pl.Series:
    """The score of each row, as a series of 64-bit floats. The default scorer is profile 1.5 for English."""
    names = named(table.columns, hypothesis, references)
    return _score([table.get_column(name) for name in names], meteor)


def meteor(
    hypothesis: str = "hypothesis",
    references: str | Sequence[str] = "reference",
    *,
    meteor: bolide.Meteor | None = None,
) -> pl.Expr:
    """The score of each row as an expression, for `select` and `with_columns`, also of lazy tables. All rows
    are scored in one call, on several threads."""
    names = [references] if isinstance(references, str) else list(references)
    return pl.map_batches(
        [hypothesis, *names],
        lambda columns: _score(columns, meteor),
        return_dtype=pl.Float64,
        is_elementwise=True,
    ).alias("meteor")


def _score(columns: Sequence[pl.Series], meteor: bolide.Meteor | None) -> pl.Series:
    first, *others = [TextColumn(each.name, each.is_null().to_numpy(), each.to_list()) for each in columns]
    return pl.Series("meteor", scores(first, others, meteor), dtype=pl.Float64)
