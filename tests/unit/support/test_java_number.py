"""Numbers as Java prints and reads them."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bolide._support.java_number import java_double, java_whole, parse_double

# The output of `Double.toString` (Java 17).
PRINTED = {
    0.0: "0.0",
    1.0: "1.0",
    0.1: "0.1",
    0.001: "0.001",
    0.0010000000000000002: "0.0010000000000000002",
    0.0009999999999999998: "9.999999999999998E-4",
    0.00025: "2.5E-4",
    1e-05: "1.0E-5",
    1.2345678901234567e-12: "1.2345678901234567E-12",
    123.0: "123.0",
    9999999.0: "9999999.0",
    9999999.999999998: "9999999.999999998",
    10000000.0: "1.0E7",
    12345678.0: "1.2345678E7",
    123456789.125: "1.23456789125E8",
    1e16: "1.0E16",
    1.5e300: "1.5E300",
    2.2250738585072014e-308: "2.2250738585072014E-308",
    math.inf: "Infinity",
    -math.inf: "-Infinity",
    -0.5: "-0.5",
    -1e-4: "-1.0E-4",
}


@pytest.mark.parametrize(("number", "text"), PRINTED.items())
def test_java_double(number: float, text: str) -> None:
    assert java_double(number) == text


def test_nan_and_negative_zero() -> None:
    assert java_double(math.nan) == "NaN"
    assert java_double(-0.0) == "-0.0"


@given(st.floats(allow_nan=False))
@example(5e-324)
def test_what_is_printed_names_the_number(number: float) -> None:
    text = java_double(number)
    assert math.isinf(number) or float(text) == number
    assert "e" not in text


@given(st.floats(min_value=1e-3, max_value=9999999.0))
def test_plain_numbers_have_no_exponent(number: float) -> None:
    assert java_double(number) == repr(number)


@given(st.floats(min_value=1e7, max_value=1e16) | st.floats(min_value=1e-300, max_value=9.99e-4))
def test_others_have_one_digit_before_the_point(number: float) -> None:
    mantissa, _, exponent = java_double(number).partition("E")
    assert int(exponent) != 0
    assert mantissa[1] == "."
    assert mantissa[0] in "123456789"


@given(st.integers(min_value=0, max_value=10**12))
def test_whole_numbers_are_doubles(number: int) -> None:
    assert java_whole(number) == java_double(float(number))


@pytest.mark.parametrize(
    ("text", "number"),
    {
        "1": 1.0,
        ".5": 0.5,
        "2.": 2.0,
        "+3": 3.0,
        "-1e-3": -0.001,
        "0.1f": 0.1,
        "1d": 1.0,
        "1E2D": 100.0,
    }.items(),
)
def test_parse(text: str, number: float) -> None:
    assert parse_double(text) == number


@pytest.mark.parametrize("text", ["", "a", "1,5", "1_0", "0x10", "inf", "nan", "1e", "--1", "1ff", "٣", " 1"])
def test_refuse(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_double(text)
