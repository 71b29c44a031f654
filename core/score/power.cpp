#include "score/power.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "score/power_tables.hpp"
#include "score/slow_power.hpp"

// x^y = exp(y ln x). Both functions are computed as unevaluated sums of two doubles ("double-double"), which
// have about 106 bits. Then the rounding test of Ziv follows: the largest possible error is added and
// subtracted. If both give the same rounded number, it is the result. If not (about once in 20,000 calls),
// slow_power computes it. In the comments, u = 2^-53 is the largest relative error of an
// operation.

namespace bolide {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// high + low, with |low| much smaller than |high|.
struct DoubleDouble {
  double high, low;
};

double absolute(double a) {
  return a < 0 ? -a : a;
}

// a + b exactly (Dekker), if a = 0 or |a| >= |b|.
DoubleDouble ordered_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// a + b exactly (Knuth).
DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b, of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

// The upper 26 bits of a double. The product of two such numbers is exact.
double upper(double a) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) & 0xFFFF'FFFF'F800'0000);
}

// a * b (Dekker). The lower parts have 27 bits, so only their product is rounded: the error is below
// 2^-104 |a b|. All other products are exact, so it does not matter if the compiler fuses them with
// additions.
DoubleDouble exact_product(double a, double b) {
  const double a1 = upper(a), b1 = upper(b), a2 = a - a1, b2 = b - b1;
  const double product = a * b;
  return {product, (((a1 * b1 - product) + a1 * b2) + a2 * b1) + a2 * b2};
}

// x = mantissa * 2^exponent, with a mantissa between 0.707 and 1.415.
struct Split {
  double mantissa;
  int exponent;
  std::size_t interval;  // of the table of logarithms
};

Split split(double x) {
  int shift = 0;
  if (x < std::numeric_limits<double>::min()) x *= 0x1p54, shift = 54;  // a subnormal number
  const auto bits = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(x));
  const std::int64_t offset = bits - power_tables::first_mantissa;
  const std::int64_t exponent = offset >> 52;
  return {std::bit_cast<double>(bits - (exponent << 52)), static_cast<int>(exponent) - shift,
          static_cast<std::size_t>(offset >> 45 & 127)};
}

struct Logarithm {
  DoubleDouble value;
  double error;  // a bound
};

// ln x = exponent ln 2 - ln c + ln(1 + z), where c is about 1 / mantissa and z = c mantissa - 1. c has so few
// bits that z is exact; |z| <= 2^-7. The first parts of ln 2 and ln c are multiples of 2^-42, so `head` is
// exact. For mantissas next to 1, c = 1.
//
// Error: z^3 / 3 - z^4 / 4 + … - z^11 / 11 is rounded seven times, which is below 2.4 u |z|^3. The rest of
// the series is below 2^-66 |z|^3. All other terms are exact, or smaller than 2^-36 |ln x| before they are
// rounded: fewer than eight roundings, so below 2^-86 |ln x| together.
Logarithm logarithm(const Split& x) {
  const auto& [inverse, table_high, table_low] = power_tables::logarithms[x.interval];
  const double upper_mantissa = upper(x.mantissa);
  const double z = (upper_mantissa * inverse - 1.0) + (x.mantissa - upper_mantissa) * inverse;
  const DoubleDouble square = exact_product(z, z);
  const double s = square.high, cube = z * s;
  const double series =
      cube * ((1.0 / 3 - z * (1.0 / 4)) +
              s * ((1.0 / 5 - z * (1.0 / 6)) +
                   s * ((1.0 / 7 - z * (1.0 / 8)) + s * ((1.0 / 9 - z * (1.0 / 10)) + s * (1.0 / 11)))));
  const double head = x.exponent * power_tables::ln2_high + table_high;
  const double tail = x.exponent * power_tables::ln2_low + table_low;
  const DoubleDouble first = ordered_sum(head, z);
  const DoubleDouble second = ordered_sum(first.high, -0.5 * s);
  const double rest = ((first.low + second.low) + (tail - 0.5 * square.low)) + series;
  const DoubleDouble value = ordered_sum(second.high, rest);
  return {value, 3 * 0x1p-53 * absolute(cube) + 0x1p-86 * absolute(value.high)};
}

struct Exponential {
  DoubleDouble value;
  int exponent;   // the result is value * 2^exponent
  double factor;  // about value; errors are multiples of it
};

// e^r = 2^(k / 128) e^t, where k is an integer and |t| <= 2^-8.5. |r| must be below 709, so that k has 17
// bits. Then k step_high is exact, and so is its difference from r.
//
// Error, relative to 2^(k / 128): t is exact to 2^-77. t^2 / 2 + … is below 2^-18.06, and six roundings of it
// add 6.1 * 2^-71.06. The rest of the series is below 2^-83. Together below 2^-68.4.
Exponential exponential(const DoubleDouble& r) {
  const double steps = r.high * power_tables::steps_per_unit;
  const int k = static_cast<int>(steps < 0 ? steps - 0.5 : steps + 0.5);
  const auto [t, t_low] = exact_sum(r.high - k * power_tables::step_high, r.low - k * power_tables::step_low);
  const double square = t * t;
  const double series = square * ((0.5 + t * (1.0 / 6)) + square * ((1.0 / 24 + t * (1.0 / 120)) +
                                                                    square * (1.0 / 720 + t * (1.0 / 5040))));
  const auto& [root, root_low] = power_tables::roots[static_cast<std::size_t>(k & 127)];
  const DoubleDouble product = exact_product(root, t);
  const DoubleDouble sum = ordered_sum(root, product.high);
  const double rest =
      ((sum.low + product.low) + (root_low + root_low * t)) + root * (series + (t_low + t_low * t));
  return {ordered_sum(sum.high, rest), k >> 7, root};
}

// x^y for x > 0 that is finite and not 1, and y that is finite and not 0.
double finite_power(double x, double y) {
  const Split parts = split(x);
  const Logarithm log = logarithm(parts);
  const double estimate = y * log.value.high;
  if (absolute(estimate) < 0x1p-60) return 1;
  if (estimate > 1000) return infinity;
  if (estimate < -1000) return 0;
  if (absolute(estimate) < 708) {  // the result is a normal number
    const DoubleDouble product = exact_product(y, log.value.high);
    const auto [value, exponent, factor] =
        exponential(ordered_sum(product.high, product.low + y * log.value.low));
    const double error = factor * (0x1p-68 + 1.01 * absolute(y) * log.error);
    const double least = value.high + (value.low - error), most = value.high + (value.low + error);
    if (least == most) {
      const auto scale = static_cast<std::uint64_t>(static_cast<std::int64_t>(exponent)) << 52;
      return std::bit_cast<double>(std::bit_cast<std::uint64_t>(least) + scale);
    }
  }
  const Logarithm of_mantissa = logarithm({parts.mantissa, 0, parts.interval});
  return slow_power(parts.mantissa, parts.exponent, of_mantissa.value.high, y);
}

bool is_integer(double y) {
  return absolute(y) >= 0x1p53 || static_cast<double>(static_cast<std::int64_t>(y)) == y;
}

bool is_odd(double y) {
  return absolute(y) < 0x1p53 && is_integer(y) && static_cast<std::int64_t>(y) % 2 != 0;
}

// x^y for x >= 0 and y that is not 0.
double absolute_power(double x, double y) {
  if (x == 1) return 1;
  if (x == 0) return y > 0 ? 0 : infinity;
  if (absolute(y) == infinity) return (x > 1) == (y > 0) ? infinity : 0;
  if (x == infinity) return y > 0 ? infinity : 0;
  return finite_power(x, y);
}

}  // namespace

double power(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return x + y;  // NaN
  if (x > 0) return absolute_power(x, y);
  if (x < 0 && x != -infinity && !is_integer(y)) return std::numeric_limits<double>::quiet_NaN();
  const bool negative = std::bit_cast<std::uint64_t>(x) >> 63 != 0 && is_odd(y);
  const double result = absolute_power(-x, y);
  return negative ? -result : result;
}

}  // namespace bolide
