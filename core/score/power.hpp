// Powers with the same digits on every machine.
//
// The powers of C libraries differ in the last bit between systems and between CPUs. This one returns the
// double that is nearest to the exact power. It uses only additions, multiplications and comparisons of
// doubles, which IEEE 754 defines to the last bit, and integers. It needs no fused multiply-add and no long
// double, and it stays correct if the compiler fuses operations. The rounding mode must be "to nearest", and
// the compiler must not reorder additions (-ffast-math).
#pragma once

namespace bolide {

// x^y, correctly rounded. Special values are those of IEEE 754: x^0 and 1^y are 1, the power of a negative
// number is NaN unless y is an integer, and so on.
double power(double x, double y);

}  // namespace bolide
