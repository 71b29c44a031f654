"""Scores columns of texts in tables. Shared by pandas, polars and Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

import bolide
from bolide.errors import InputError
from bolide.formula.statistics import scores as formula_scores
from bolide.inputs.segments import Segments, by_segment


@dataclass(frozen=True)
class TextColumn:
    """The values of a column, and which values are missing."""

    name: str
    missing: npt.NDArray[np.bool_]
    values: list[Any]

    def checked(self) -> list[Any]:
        if len(rows := np.flatnonzero(self.missing)):
            raise InputError(
                f"column '{self.name}' has no text in {len(rows)} of {len(self.values)} rows (the first is "
                f'row {rows[0]}, counted from 0); drop them, or fill them with "" for an empty text'
            )
        return self.values

    def texts(self) -> list[str]:
        values = self.checked()
        for row, value in enumerate(values):
            if not isinstance(value, str):
                raise self._wrong(row, value, "a text")
        return values

    def groups(self) -> list[list[str]]:
        """The values as lists of texts. A single text becomes a list of one."""
        groups = [[value] if isinstance(value, str) else value for value in self.checked()]
        for row, group in enumerate(groups):
            if not _is_list(group):
                raise self._wrong(row, group, "a text or a list of texts")
            if not len(group):
                raise self._wrong(row, group, "a text or a list of at least one text")
            for text in group:
                if not isinstance(text, str):
                    raise self._wrong(row, text, "a text or a list of texts")
        return [list(group) for group in groups]

    def _wrong(self, row: int, value: object, wanted: str) -> InputError:
        return InputError(f"column '{self.name}', row {row} (counted from 0): {value!r} is not {wanted}")


def _is_list(value: object) -> bool:
    """Whether a value is like a list. Mappings and sets are not: they have other contents, or no order."""
    has_items = hasattr(value, "__len__") and hasattr(value, "__iter__")
    return has_items and not isinstance(value, (bytes, Mapping, Set))


def named(table: Sequence[str], hypothesis: str, references: str | Sequence[str]) -> list[str]:
    """The names of the columns to read, hypotheses first. They must exist in the table, once each."""
    names = [hypothesis, *([references] if isinstance(references, str) else references)]
    for name in names:
        if name not in table:
            raise InputError(f"there is no column '{name}'; there are: {' '.join(map(str, table))}")
        if (times := table.count(name)) > 1:
            raise InputError(f"there are {times} columns '{name}'; rename or drop all but the one to read")
    return names


def scores(
    hypotheses: TextColumn, references: list[TextColumn], meteor: bolide.Meteor | None
) -> npt.NDArray[np.float64]:
    """The score of each row."""
    if not references:
        raise InputError("no column of references; name at least one")
    scorer = _default() if meteor is None else meteor
    measured = scorer.measure(segments_of(hypotheses, references))
    return formula_scores(measured.statistics, scorer.parameters)


def segments_of(hypotheses: TextColumn, references: Sequence[TextColumn]) -> Segments:
    """The segments in columns."""
    rows = zip(*(column.groups() for column in references), strict=True)
    return by_segment(hypotheses.texts(), [list(chain.from_iterable(row)) for row in rows])


@lru_cache(maxsize=1)
def _default() -> bolide.Meteor:
    return bolide.Meteor()
