"""The columns of statistics rows. The core defines them (core/score/statistics_layout.hpp)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bolide._core import StatisticsLayout
from bolide._support.arrays import Floats, Statistics


def columns(modules: Sequence[str]) -> tuple[str, ...]:
    """The names of the statistics columns for these modules.

    >>> columns(("exact",))[4]
    'exact_hypothesis_content'
    """
    return StatisticsLayout(modules).columns


def layout_of(statistics: Statistics | Floats) -> StatisticsLayout:
    """The layout of rows of which only the number of columns is known."""
    return StatisticsLayout.of_width(statistics.shape[-1])


def widened(statistics: Statistics, modules: int) -> Statistics:
    """The rows with columns for this many modules. The added modules have no matches."""
    layout = layout_of(statistics)
    missing = (modules - len(layout.stages)) * len(layout.STAGE_COLUMNS)
    return np.insert(statistics, [layout.chunks] * missing, 0, axis=1) if missing else statistics
