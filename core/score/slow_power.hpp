// The second part of power.hpp: powers that double-double arithmetic cannot decide, because they are too
// close to the middle between two doubles, or too large or too small.
#pragma once

namespace bolide {

// x^y, correctly rounded, for x > 0 that is finite and not 1, finite y, and |y ln x| < 2000. `mantissa` is
// x / 2^exponent, between 0.7 and 1.42, and `log` is about its natural logarithm: the nearer, the faster.
double slow_power(double mantissa, int exponent, double log, double y);

}  // namespace bolide
