"""The power of the core: the nearest double, for all arguments."""

from __future__ import annotations

import math
import runpy
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support import core_testing
from tests.support.oracle import power as oracle

ROOT = Path(__file__).parents[3]
GENERATOR = ROOT / "tools" / "power_tables.py"
INFINITY = math.inf
positive = st.floats(min_value=0, exclude_min=True, allow_infinity=False)


def power(x: float, y: float) -> float:
    return float(core_testing.power(np.array([x]), np.array([y]))[0])


def same(a: float, b: float) -> bool:
    """Whether the bits are the same, or both numbers are NaN."""
    return struct.pack("<d", a) == struct.pack("<d", b) or (math.isnan(a) and math.isnan(b))


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        (math.nan, 0.0, 1.0),
        (math.nan, 1.0, math.nan),
        (0.5, math.nan, math.nan),
        (1.0, math.nan, 1.0),
        (1.0, INFINITY, 1.0),
        (-1.0, -INFINITY, 1.0),
        (0.0, 2.0, 0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, 3.0, -0.0),
        (-0.0, -3.0, -INFINITY),
        (0.0, -0.5, INFINITY),
        (0.0, 0.0, 1.0),
        (0.0, INFINITY, 0.0),
        (0.0, -INFINITY, INFINITY),
        (0.5, INFINITY, 0.0),
        (0.5, -INFINITY, INFINITY),
        (2.0, INFINITY, INFINITY),
        (-2.0, -INFINITY, 0.0),
        (INFINITY, 0.1, INFINITY),
        (INFINITY, -0.1, 0.0),
        (-INFINITY, 3.0, -INFINITY),
        (-INFINITY, 0.5, INFINITY),
        (-INFINITY, -3.0, -0.0),
        (-2.0, 3.0, -8.0),
        (-2.0, 2.0, 4.0),
        (-2.0, -1.0, -0.5),
        (-2.0, 0.5, math.nan),
        (-1.5, 2.0**53, INFINITY),
        (-1.5, 2.0**53 - 1, -INFINITY),
        (-0.5, 1e300, 0.0),
        (1.5, 1e300, INFINITY),
        (1.5, -1e300, 0.0),
    ],
)
def test_special_values(x: float, y: float, expected: float) -> None:
    assert same(power(x, y), expected)


@given(st.integers(1, 100_000), st.integers(0, 100_000), st.floats(0, 10))
def test_fragmentations(chunks: int, more: int, beta: float) -> None:
    fragmentation = chunks / ((2 * chunks + more) / 2)
    assert power(fragmentation, beta) == oracle.power(fragmentation, beta)


@given(positive, st.floats(-800, 800))
@example(5e-324, 1.0)
@example(5e-324, -711.0)
@example(1.7976931348623157e308, 1.0)
def test_all_sizes_of_results(x: float, logarithm: float) -> None:
    """Results from 0 to infinity, subnormal ones included."""
    y = logarithm / (math.log(x) or 1.0)
    if math.isfinite(y):
        assert power(x, y) == oracle.power(x, y)


@given(positive, st.floats(-745, -708))
def test_subnormal_results(x: float, logarithm: float) -> None:
    if abs(math.log(x)) > 1e-9:
        y = logarithm / math.log(x)
        assert power(x, y) == oracle.power(x, y)


@given(st.integers(-(2**40), 2**40), st.floats(-(2.0**52), 2.0**52))
def test_next_to_1(steps: int, y: float) -> None:
    x = 1 + steps * 2.0**-52
    assert power(x, y) == oracle.power(x, y)


@given(st.integers(1, 2**20), st.sampled_from([0.5, 0.25, 0.75, 1.5, 2.0, 2.5, 3.0, 0.125, -0.5, -2.0]))
@example(1, 0.5)
def test_next_to_the_middle_of_two_numbers(steps: int, y: float) -> None:
    """(1 + s)^y = 1 + y s + y (y - 1) s^2 / 2 + …, where 1 + y s is often in the middle, and s^2 is tiny."""
    for x in (1 + steps * 2.0**-52, 1 - steps * 2.0**-53):
        assert power(x, y) == oracle.power(x, y)


# Powers with 54 bits are exactly in the middle of two doubles: (number of roots, exponent): largest base.
MIDDLES = {(0, 2): 134217727, (0, 3): 262143, (0, 4): 11585, (0, 5): 1782, (1, 3): 262143, (2, 5): 1782}


@pytest.mark.parametrize(("roots", "exponent"), MIDDLES)
@given(data=st.data(), scale=st.integers(-200, 200))
def test_the_middle_of_two_numbers(roots: int, exponent: int, data: st.DataObject, scale: int) -> None:
    largest = MIDDLES[roots, exponent]
    base = data.draw(st.integers(round(2 ** (53 / exponent)), largest).filter(lambda number: number % 2 == 1))
    assert (base**exponent).bit_length() == 54
    x = math.ldexp(base ** (2**roots), scale * 2**roots if exponent < 5 else 0)
    found = power(x, exponent / 2**roots)
    assert found == oracle.power(x, exponent / 2**roots)
    assert found == float(base**exponent) * 2.0 ** (scale * exponent if exponent < 5 else 0)


@given(st.integers(1, 2**26), st.integers(-1200, -1040))
def test_subnormal_squares(base: int, twice: int) -> None:
    """Exact powers that are subnormal, or in the middle of two subnormal numbers."""
    x = math.ldexp(base, twice // 2)
    assert power(x, 2.0) == x * x == oracle.power(x, 2.0)


@given(st.integers(-2200, 2200), st.integers(-6, 0))
def test_powers_of_two(exponent: int, roots: int) -> None:
    y = exponent * 2.0**roots
    assert power(2.0, y) == oracle.power(2.0, y)
    assert power(0.25, y / 2) == oracle.power(2.0, -y)


@pytest.mark.parametrize(("x", "y"), [(3.0, 33.0), (3.0, 34.0), (81.0, 8.5), (0.25, 0.5), (2.0, -1075.0)])
def test_exact_powers(x: float, y: float) -> None:
    assert power(x, y) == oracle.power(x, y)


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [(2.0, 0.5, 1.4142135623730951), (10.0, 22.0, 1e22), (0.1, 3.0, 0.0010000000000000002)],
)
def test_known_powers(x: float, y: float, expected: float) -> None:
    """0.1 is a little more than a tenth, so that its cube is more than the double 0.001."""
    assert power(x, y) == oracle.power(x, y) == expected


def test_arrays_of_equal_length() -> None:
    with pytest.raises(ValueError, match="as many exponents"):
        core_testing.power(np.ones(2), np.ones(3))


@pytest.mark.skipif(not GENERATOR.is_file(), reason="needs the sources")
def test_tables_are_those_of_the_script() -> None:
    script = runpy.run_path(str(GENERATOR))
    assert script["TABLE"].read_text(encoding="ascii") == script["content"]()
