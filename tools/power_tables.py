"""Write core/score/power_tables.hpp: the constants of core/score/power.cpp. Run:

python tools/power_tables.py
"""

from __future__ import annotations

import struct
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

TABLE = Path(__file__).parent.parent / "core" / "score" / "power_tables.hpp"
INTERVALS = 128
FIRST = 0x3FE6_A000_0000_0000  # the bits of 0.70703125, the least mantissa
WIDTH = 1 << 45  # of an interval, as a difference of bits
GRID = 2**42  # first parts are multiples of 1 / GRID
HEADER = """\
// The constants of power.cpp, by tools/power_tables.py. `high` + `low` is the exact number, to about 2^-96.
#pragma once

#include <cstdint>

namespace bolide::power_tables {

struct LogarithmOfInverse {
  double inverse, high, low;  // c and -ln c
};
struct Root {
  double high, low;
};

// Mantissas begin at this number. An interval of mantissas is 2^45 wide (in units of the last bit).
inline constexpr std::int64_t first_mantissa = 0x%X;
"""


def mantissa(bits: int) -> Fraction:
    return Fraction(*struct.unpack("<d", struct.pack("<Q", bits))[0].as_integer_ratio())


def inverse(interval: int) -> Fraction:
    """A number c of few bits such that |c m - 1| <= 2^-7 for all mantissas m of the interval.

    The last bit of m is 2^-52, or 2^-53 below 1. c m - 1 is a multiple of 2^-60, so it is a double.
    """
    low, high = (mantissa(FIRST + (interval + k) * WIDTH) for k in (0, 1))
    unit = 256 if low >= 1 else 128
    c = Fraction(round(2 * unit / (low + high)), unit)
    if 1 in (low, high):  # so that logarithms of numbers next to 1 are exact in relation to their size
        c = Fraction(1)
    z = max(abs(c * low - 1), abs(c * high - 1))
    assert z <= Fraction(1, 128)
    assert c == 1 or abs(decimal(c).ln()) > decimal(z)  # ordered_sum needs it
    return c


def decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / number.denominator


def parts(number: Decimal, grid: int) -> tuple[str, str]:
    """The nearest multiple of 1 / grid, and the rest, as hexadecimal doubles."""
    high = float(round(number * grid)) / grid
    return high.hex(), float(number - Decimal(high)).hex()


def constant(name: str, value: str) -> str:
    return f"inline constexpr double {name} = {value};"


def content() -> str:
    with localcontext() as context:
        context.prec = 80
        ln2 = Decimal(2).ln()
        ln2_high, ln2_low = parts(ln2, GRID)
        step_high, step_low = parts(ln2 / INTERVALS, GRID)
        lines = [
            HEADER % FIRST,
            constant("ln2_high", ln2_high),
            constant("ln2_low", ln2_low),
            "// ln 2 / 128",
            constant("step_high", step_high),
            constant("step_low", step_low),
            constant("steps_per_unit", float(INTERVALS / ln2).hex()),
            "\n// clang-format off",
            f"inline constexpr LogarithmOfInverse logarithms[{INTERVALS}] = {{",
        ]
        for interval in range(INTERVALS):
            c = inverse(interval)
            high, low = parts(-decimal(c).ln(), GRID)
            lines.append(f"    {{{float(c).hex()}, {high}, {low}}},")
        lines += ["};", "\n// 2^(k / 128)", f"inline constexpr Root roots[{INTERVALS}] = {{"]
        for k in range(INTERVALS):
            root = (ln2 * k / INTERVALS).exp()
            lines.append(f"    {{{float(root).hex()}, {float(root - Decimal(float(root))).hex()}}},")
    lines += ["};", "// clang-format on", "\n}  // namespace bolide::power_tables"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLE.write_text(content(), encoding="ascii", newline="\n")
