"""x ** y, rounded to the nearest double, by decimal numbers of growing precision."""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction

BEYOND = Fraction(2) ** 1024  # in the place of infinity


def power(x: float, y: float) -> float:
    """For finite x > 0 and finite y; if y >= 0, also for 0 and infinity."""
    if x in (0.0, math.inf):
        return 1.0 if y == 0.0 else x
    digits = 40
    while True:
        with localcontext(Context(prec=digits, Emin=MIN_EMIN, Emax=MAX_EMAX)):
            value = Decimal(x) ** Decimal(y)
            slack = value.scaleb(5 - digits)  # much more than the error of the decimal power
            low, high = float(value - slack), float(value + slack)
        if low == high:
            return low
        if is_power(middle(low, high), x, y):
            return low if fraction(low) / (fraction(high) - fraction(low)) % 2 == 0 else high
        digits *= 2


def fraction(number: float) -> Fraction:
    return BEYOND if math.isinf(number) else Fraction(number)


def middle(low: float, high: float) -> Fraction:
    return (fraction(low) + fraction(high)) / 2


def is_power(z: Fraction, x: float, y: float) -> bool:
    """Whether z = x ** y exactly. z and x are fractions with a power of two below the line."""
    exponent = Fraction(y)
    if exponent.denominator > 2048 or abs(exponent) > 2048:  # no power of an odd number is so short
        return False
    return z**exponent.denominator == Fraction(x) ** exponent.numerator
