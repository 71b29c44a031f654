"""Replacements for what some compilers and systems do not have."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support import core_testing

MASK = 2**128 - 1
OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b & MASK,
    "-": lambda a, b: a - b & MASK,
    "*": lambda a, b: a * b & MASK,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "&~": lambda a, b: a & ~b,
    "<": lambda a, b: a < b,
    "==": lambda a, b: a == b,
}
SHIFTS: dict[str, Callable[[int, int], int]] = {
    "<<": lambda a, bits: a << bits & MASK,
    ">>": lambda a, bits: a >> bits,
}
# Halves with few or many bits carry more often than random ones.
half = st.integers(0, 2**64 - 1) | st.sampled_from([0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1])
wide = st.builds(lambda high, low: high << 64 | low, half, half)


def compute(operation: str, left: int, right: int) -> int:
    high, low = core_testing.wide_operation(operation, divmod(left, 2**64), divmod(right, 2**64))
    return high << 64 | low


@pytest.mark.parametrize("operation", OPERATIONS)
@given(wide, wide)
def test_wide_numbers(operation: str, left: int, right: int) -> None:
    for other in (right, left):
        assert compute(operation, left, other) == OPERATIONS[operation](left, other)


@pytest.mark.parametrize("operation", SHIFTS)
@given(wide)
def test_wide_shifts(operation: str, number: int) -> None:
    for bits in range(128):
        assert compute(operation, number, bits) == SHIFTS[operation](number, bits)


@given(st.floats(min_value=5e-324, allow_nan=False, allow_infinity=False))
@example(1.7976931348623157e308)
@example(2.0**-1022)
@example(0.1)
@example(1.0)
def test_shortest_decimal(number: float) -> None:
    shown = core_testing.shortest_decimal(number, plain=False)
    digits = shown.split("e")[0]
    assert float(shown) == number
    assert digits.replace(".", "") == significant(number)
    assert digits[1:2] in ("", ".")


def test_powers_of_two() -> None:
    """Doubles below a power are closer together than those above it."""
    for power in range(-1074, 1024):
        shown = core_testing.shortest_decimal(2.0**power, plain=False)
        assert float(shown) == 2.0**power
        assert shown.split("e")[0].replace(".", "") == significant(2.0**power), power


def significant(number: float) -> str:
    """The digits of `repr`, without zeros at the ends."""
    return repr(number).split("e")[0].replace(".", "").strip("0")


@given(st.floats(min_value=1e-3, max_value=1e7, exclude_max=True))
@example(1234567.0)
@example(100.0)
@example(0.001)
def test_plain_decimal(number: float) -> None:
    shown = core_testing.shortest_decimal(number, plain=True)
    assert shown.removesuffix(".0") == repr(number).removesuffix(".0")
