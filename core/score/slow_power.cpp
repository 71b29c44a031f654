#include "score/slow_power.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>

#include "score/fixed_point.hpp"

// x^y with fixed-point numbers of growing precision, until the rounding is certain (Ziv). For powers exactly
// in the middle between two doubles this would never end, so these are found first.
//
// Errors are counted in units of the fixed-point numbers, for up to 2^20 fraction bits.

namespace bolide {

namespace {

// mantissa * 2^exponent
struct Scaled {
  std::int64_t mantissa;
  int exponent;
};

// A finite double other than 0, with an odd mantissa.
Scaled exactly(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  const int biased = static_cast<int>(bits >> 52 & 0x7FF);
  auto mantissa = static_cast<std::int64_t>(bits & 0xF'FFFF'FFFF'FFFF);
  if (biased != 0) mantissa |= std::int64_t{1} << 52;
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
  return {(mantissa >> zeros) * (number < 0 ? -1 : 1), (biased == 0 ? 1 : biased) - 1075 + zeros};
}

// Rounds a positive number, times 2^exponent, to the nearest double; halves to the even one.
double nearest(FixedPoint number, std::int64_t exponent) {
  constexpr std::int64_t least = -1074;  // the exponent of the last bit of subnormal numbers
  const std::int64_t top = number.highest_bit() + exponent;
  if (top >= 1024) return std::numeric_limits<double>::infinity();
  // Two bits are kept behind the last bit: the half, and whether there is more.
  const std::int64_t last = std::max(top - 52, least);
  number.shift(exponent - last + 1);
  const std::uint64_t with_half = number.integer();
  std::uint64_t mantissa = with_half >> 1;
  const bool half = with_half % 2 != 0;
  if (half && (number.has_fraction() || mantissa % 2 != 0)) ++mantissa;
  // For normal numbers, the first bit of the mantissa adds 1 to the exponent. So does a carry.
  return std::bit_cast<double>((static_cast<std::uint64_t>(last - least) << 52) + mantissa);
}

// The root of a perfect square.
std::optional<std::int64_t> square_root(std::int64_t square) {
  std::int64_t root = 0;
  for (std::int64_t bit = std::int64_t{1} << 27; bit > 0; bit >>= 1)
    if ((root + bit) * (root + bit) <= square) root += bit;
  return root * root == square ? std::optional(root) : std::nullopt;
}

// x^y, if it has at most 54 bits. All doubles, and all numbers in the middle between two, are such numbers.
//
// Let x = m 2^e and y = n 2^-g with odd m and n. If x^y = M 2^E with odd M, then M^(2^g) = m^n and E 2^g = e
// n. Because n is odd, m must be a 2^g-th power, and e a multiple of 2^g. Then the root of x is taken g
// times. If m > 1, then n must be positive and so small that m^n has at most 54 bits.
std::optional<Scaled> short_power(Scaled x, Scaled y) {
  for (; y.exponent < 0; ++y.exponent) {
    const auto root = square_root(x.mantissa);
    if (!root || x.exponent % 2 != 0) return std::nullopt;
    x = {*root, x.exponent / 2};
  }
  // 3^34 has 54 bits. |y ln x| < 2000, so a power of two is raised to 2885 at most.
  constexpr std::int64_t most = 2885;
  if (y.exponent > 11 || y.mantissa > most || y.mantissa < -most) return std::nullopt;
  const std::int64_t times = y.mantissa * (std::int64_t{1} << y.exponent);
  if (x.mantissa > 1 && (times < 0 || times > 34)) return std::nullopt;
  std::int64_t mantissa = 1;
  for (std::int64_t k = 0; x.mantissa > 1 && k < times; ++k) {
    if (mantissa > (std::int64_t{1} << 54) / x.mantissa) return std::nullopt;
    mantissa *= x.mantissa;
  }
  return Scaled{mantissa, static_cast<int>(times) * x.exponent};
}

FixedPoint fixed(std::size_t limbs, double number) {
  FixedPoint result(limbs, 0);
  if (number == 0) return result;
  const auto [mantissa, exponent] = exactly(number);
  result = FixedPoint(limbs, mantissa);
  return result.shift(exponent);
}

// ln 2 = 2 (1/3 + 1/3^3/3 + 1/3^5/5 + …). Error: three units per term, fewer than 2^20 in all.
FixedPoint ln2(std::size_t limbs) {
  FixedPoint power(limbs, 2), sum(limbs, 0);
  power /= 3;
  for (FixedPoint::Limb k = 1; !power.is_zero(); k += 2, power /= 9) {
    FixedPoint term = power;
    sum += term /= k;
  }
  return sum;
}

// e^r for |r| < 1, by the series for r / 2^16, and 16 squarings.
// Error: three units per term of the series, fewer than 2^18. The squarings multiply it by at most 2^16 e.
// So it is below 2^36 units.
FixedPoint exponential(FixedPoint r) {
  constexpr int squarings = 16;
  r.shift(-squarings);
  FixedPoint sum(r.fraction_limbs(), 1), term = sum;
  for (FixedPoint::Limb k = 1;; ++k) {
    term *= r;
    term /= k;
    if (term.is_zero()) break;
    sum += term;
  }
  for (int k = 0; k < squarings; ++k) sum *= FixedPoint(sum);
  return sum;
}

// ln(1 + z) = z - z^2 / 2 + z^3 / 3 - … for small z. Error: three units per term, fewer than 2^20 in all.
FixedPoint logarithm_near_1(const FixedPoint& z) {
  FixedPoint power = z, sum(z.fraction_limbs(), 0);
  for (FixedPoint::Limb k = 1; !power.is_zero(); ++k) {
    FixedPoint term = power;
    term /= k;
    sum += k % 2 != 0 ? term : term.negate();
    power *= z;
  }
  return sum;
}

// y ln x. ln(mantissa) = log + ln(mantissa e^-log).
// Error: that of the exponential function, 2^37 after the multiplication by the mantissa, and 2^31 for
// exponent ln 2. So it is below |y| 2^38 units.
FixedPoint power_exponent(double mantissa, int exponent, double log, const Scaled& y,
                          const FixedPoint& ln_of_2) {
  const std::size_t limbs = ln_of_2.fraction_limbs();
  FixedPoint near_1 = exponential(fixed(limbs, -log));
  near_1 *= fixed(limbs, mantissa);
  near_1 -= FixedPoint(limbs, 1);
  FixedPoint sum = logarithm_near_1(near_1);
  sum += fixed(limbs, log);
  FixedPoint of_exponent(limbs, exponent);
  sum += of_exponent *= ln_of_2;
  // The mantissa of y has at most 53 bits, and |ln x| is below 745. The product fits into 95 bits.
  sum *= FixedPoint(limbs, y.mantissa);
  return sum.shift(y.exponent);
}

// The integer part of r / ln 2, or a neighbour. |r| is below 2000.
std::int64_t twos_in(FixedPoint r) {
  r.shift(20);
  constexpr std::int64_t per_ln2 = 1'549'082'005;  // 2^30 / ln 2
  return static_cast<std::int64_t>(r.integer()) * per_ln2 >> 50;
}

}  // namespace

double slow_power(double mantissa, int exponent, double log, double y) {
  const Scaled y_parts = exactly(y);
  Scaled x_parts = exactly(mantissa);
  x_parts.exponent += exponent;
  if (const auto found = short_power(x_parts, y_parts))
    return nearest(FixedPoint(2, found->mantissa), found->exponent);
  // |y| is below 2^y_bits.
  const int y_bits = std::bit_width(static_cast<std::uint64_t>(y_parts.mantissa < 0 ? -y_parts.mantissa
                                                                                    : y_parts.mantissa)) +
                     y_parts.exponent;
  for (std::size_t limbs = 8;; limbs *= 2) {
    const FixedPoint ln_of_2 = ln2(limbs);
    FixedPoint r = power_exponent(mantissa, exponent, log, y_parts, ln_of_2);
    const std::int64_t twos = twos_in(r);
    FixedPoint whole(limbs, twos);
    r -= whole *= ln_of_2;
    // Now 0 <= r < 0.7, nearly. The error of r is below |y| 2^38 + 2^32 units, and that of the power below
    // three times as much and 2^36 units, so below 2^(41 + y_bits) if y_bits > 0, and below 2^41 if not.
    const FixedPoint value = exponential(r);
    FixedPoint error(limbs, 1);
    error.shift(41 + std::max(y_bits, 0) - static_cast<std::int64_t>(error.fraction_bits()));
    FixedPoint least = value, most = value;
    least -= error;
    most += error;
    const double rounded = nearest(least, twos);
    if (rounded == nearest(most, twos)) return rounded;
  }
}

}  // namespace bolide
