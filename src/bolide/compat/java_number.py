"""Numbers as Java prints and reads them.

    >>> java_double(0.25), java_double(0.00025), java_double(3.0), java_double(float("nan"))
    ('0.25', '2.5E-4', '3.0', 'NaN')
    >>> java_whole(13), java_whole(12345678)
    ('13.0', '1.2345678E7')

The digits are the shortest that name the number, as in Python's repr (Java before 19 prints a digit too
many for some numbers above 1e17; nothing here grows so large); only the layout differs.
"""

from __future__ import annotations

import re

# Outside of [1e-3, 1e7) Java writes an exponent.
SMALLEST_PLAIN = 1e-3
LARGEST_PLAIN = 1e7
# Statistics are small whole numbers, printed by the million: those below this are looked up.
COMMON = tuple(f"{n}.0" for n in range(1000))
SPECIAL = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
# What Double.parseDouble accepts, hexadecimal numbers aside; a suffix f or d is allowed and means nothing.
DECIMAL = re.compile(r"[+-]?(NaN|Infinity|((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fFdD]?))", re.ASCII)


def java_double(number: float) -> str:
    """`Double.toString`."""
    if SMALLEST_PLAIN <= number < LARGEST_PLAIN or number == 0:
        return repr(number)
    text = repr(number)
    return SPECIAL.get(text) or _laid_out(text)


def java_whole(number: int) -> str:
    """`Double.toString` of a whole number."""
    return COMMON[number] if 0 <= number < len(COMMON) else java_double(float(number))


def parse_double(text: str) -> float:
    """`Double.parseDouble`; ValueError if it would refuse."""
    if not DECIMAL.fullmatch(text):
        raise ValueError(text)
    return float(text.rstrip("fFdD") if text[-1] in "fFdD" else text)


def _laid_out(text: str) -> str:
    """A repr in Java's layout: plain between the two bounds, one digit and an exponent elsewhere."""
    sign, text = ("-", text[1:]) if text.startswith("-") else ("", text)
    if SMALLEST_PLAIN <= float(text) < LARGEST_PLAIN:
        return sign + text
    mantissa, _, exponent = text.partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    leading_zeros = len(whole + fraction) - len(digits)
    power = len(whole) - leading_zeros - 1 + int(exponent or 0)
    return f"{sign}{digits[0]}.{digits[1:].rstrip('0') or '0'}E{power}"
