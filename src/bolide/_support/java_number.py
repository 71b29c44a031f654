"""Formats and parses numbers as Java does.

>>> java_double(0.25), java_double(0.00025), java_double(3.0), java_double(float("nan"))
('0.25', '2.5E-4', '3.0', 'NaN')
>>> java_whole(13), java_whole(12345678)
('13.0', '1.2345678E7')
"""

from __future__ import annotations

import re

from bolide._core import java_double

__all__ = ["java_double", "java_whole", "parse_double"]

# Statistics are small integers, and millions are printed: small ones are looked up.
COMMON = tuple(f"{n}.0" for n in range(1000))
# What Double.parseDouble accepts, except for hexadecimal numbers. A suffix f or d has no meaning.
DECIMAL = re.compile(r"[+-]?(NaN|Infinity|((\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?[fFdD]?))", re.ASCII)


def java_whole(number: int) -> str:
    """`Double.toString` of an integer."""
    return COMMON[number] if 0 <= number < len(COMMON) else java_double(float(number))


def parse_double(text: str) -> float:
    """`Double.parseDouble`; ValueError if it would fail."""
    if not DECIMAL.fullmatch(text):
        raise ValueError(text)
    return float(text.rstrip("fFdD") if text[-1] in "fFdD" else text)
