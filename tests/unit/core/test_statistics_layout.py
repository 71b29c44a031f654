"""The columns of statistics rows."""

from __future__ import annotations

import pytest

from bolide._core import StatisticsLayout

# The order of the columns is part of the public interface: other programs store, send and read rows.
EXPECTED = (
    "hypothesis_length",
    "reference_length",
    "hypothesis_function_words",
    "reference_function_words",
    "exact_hypothesis_content",
    "exact_reference_content",
    "exact_hypothesis_function",
    "exact_reference_function",
    "stem_hypothesis_content",
    "stem_reference_content",
    "stem_hypothesis_function",
    "stem_reference_function",
    "chunks",
    "hypothesis_matches",
    "reference_matches",
)
NAMED = [name for name in EXPECTED if not name.startswith(("exact", "stem"))]


def test_columns_are_in_order() -> None:
    layout = StatisticsLayout(["exact", "stem"])
    assert layout.columns == EXPECTED
    assert layout.width == len(EXPECTED)
    assert layout.stages == ("exact", "stem")


@pytest.mark.parametrize("stages", [[], ["a"], ["a", "b", "c", "d"]])
@pytest.mark.parametrize("name", NAMED)
def test_indices_are_those_of_the_names(stages: list[str], name: str) -> None:
    layout = StatisticsLayout(stages)
    assert layout.columns.index(name) == getattr(layout, name)


def test_columns_of_stages() -> None:
    layout = StatisticsLayout(["exact", "stem"])
    for number, stage in enumerate(layout.stages):
        names = tuple(f"{stage}_{column}" for column in StatisticsLayout.STAGE_COLUMNS)
        assert layout.columns[layout.stage(number)] == names
    both = layout.columns[layout.stage(0)] + layout.columns[layout.stage(1)]
    assert layout.columns[layout.all_stages] == both
    with pytest.raises(IndexError):
        layout.stage(2)


def test_layout_of_a_width() -> None:
    assert StatisticsLayout.of_width(7).stages == ()
    assert StatisticsLayout.is_width(7) and StatisticsLayout.is_width(15)
    layout = StatisticsLayout.of_width(15)
    assert layout.stages == ("stage1", "stage2")
    assert layout.width == 15


@pytest.mark.parametrize("width", [0, 3, 6, 8, 10, 12])
def test_width_that_is_none(width: int) -> None:
    assert not StatisticsLayout.is_width(width)
    with pytest.raises(ValueError, match="columns of statistics"):
        StatisticsLayout.of_width(width)
