// Binary fixed-point numbers of any precision, for slow_power.cpp. Simple, not fast.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bolide {

// A number between -2^95 and 2^95, in two's complement. It is a multiple of its unit, 2^-fraction_bits. An
// operation that is not exact has an error below one unit. Both operands must have the same precision.
class FixedPoint {
 public:
  using Limb = std::uint32_t;
  static constexpr std::size_t limb_bits = 32, integer_limbs = 3;

  // An integer.
  FixedPoint(std::size_t fraction_limbs, std::int64_t value) : limbs_(fraction_limbs + integer_limbs) {
    const Limb sign = value < 0 ? ~Limb{0} : 0;
    const auto bits = static_cast<std::uint64_t>(value);
    limbs_[fraction_limbs] = static_cast<Limb>(bits);
    limbs_[fraction_limbs + 1] = static_cast<Limb>(bits >> limb_bits);
    limbs_[fraction_limbs + 2] = sign;
  }

  std::size_t fraction_limbs() const { return limbs_.size() - integer_limbs; }
  std::size_t fraction_bits() const { return fraction_limbs() * limb_bits; }
  bool negative() const { return limbs_.back() >> (limb_bits - 1) != 0; }
  bool is_zero() const {
    return std::all_of(limbs_.begin(), limbs_.end(), [](Limb limb) { return limb == 0; });
  }

  FixedPoint& operator+=(const FixedPoint& other) {
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < limbs_.size(); ++k) {
      carry += std::uint64_t{limbs_[k]} + other.limbs_[k];
      limbs_[k] = static_cast<Limb>(carry);
      carry >>= limb_bits;
    }
    return *this;
  }
  FixedPoint& negate() {
    std::uint64_t carry = 1;
    for (Limb& limb : limbs_) {
      carry += static_cast<Limb>(~limb);
      limb = static_cast<Limb>(carry);
      carry >>= limb_bits;
    }
    return *this;
  }
  FixedPoint& operator-=(FixedPoint other) { return *this += other.negate(); }

  // Rounds towards zero.
  FixedPoint& operator*=(const FixedPoint& other) {
    const bool minus = negative() != other.negative();
    const std::vector<Limb> a = magnitude(), b = other.magnitude();
    std::vector<Limb> product(a.size() + b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      std::uint64_t carry = 0;
      for (std::size_t j = 0; j < b.size(); ++j) {
        carry += std::uint64_t{a[i]} * b[j] + product[i + j];
        product[i + j] = static_cast<Limb>(carry);
        carry >>= limb_bits;
      }
      product[i + b.size()] = static_cast<Limb>(carry);
    }
    std::copy_n(product.begin() + static_cast<std::ptrdiff_t>(fraction_limbs()), limbs_.size(),
                limbs_.begin());
    return minus ? negate() : *this;
  }
  // Rounds towards zero.
  FixedPoint& operator/=(Limb divisor) {
    const bool minus = negative();
    limbs_ = magnitude();
    std::uint64_t rest = 0;
    for (std::size_t k = limbs_.size(); k-- > 0;) {
      rest = rest << limb_bits | limbs_[k];
      limbs_[k] = static_cast<Limb>(rest / divisor);
      rest %= divisor;
    }
    return minus ? negate() : *this;
  }
  // Multiplies by 2^bits; rounds down.
  FixedPoint& shift(std::int64_t bits) {
    const std::vector<Limb> old = limbs_;
    const Limb sign = negative() ? ~Limb{0} : 0;
    const auto limb = [&](std::int64_t k) {
      return k < 0 ? 0 : k < static_cast<std::int64_t>(old.size()) ? old[static_cast<std::size_t>(k)] : sign;
    };
    const auto width = static_cast<std::int64_t>(limb_bits);
    const std::int64_t whole = bits >= 0 ? bits / width : -((-bits + width - 1) / width);
    const std::int64_t part = bits - whole * width;  // 0 to 31
    for (std::int64_t k = 0; k < static_cast<std::int64_t>(old.size()); ++k) {
      const std::uint64_t both = std::uint64_t{limb(k - whole)} << limb_bits | limb(k - whole - 1);
      limbs_[static_cast<std::size_t>(k)] = static_cast<Limb>(both >> (width - part));
    }
    return *this;
  }

  // Where the highest bit of a positive number is: the number is at least 2^place, and below 2^(place + 1).
  std::int64_t highest_bit() const {
    std::size_t top = limbs_.size() - 1;
    while (limbs_[top] == 0) --top;
    return static_cast<std::int64_t>(top * limb_bits +
                                     static_cast<std::size_t>(std::bit_width(limbs_[top]))) -
           1 - static_cast<std::int64_t>(fraction_bits());
  }
  // The bits from 2^63 to 2^0, and whether there are lower ones.
  std::uint64_t integer() const {
    return std::uint64_t{limbs_[fraction_limbs() + 1]} << limb_bits | limbs_[fraction_limbs()];
  }
  bool has_fraction() const {
    const auto end = limbs_.begin() + static_cast<std::ptrdiff_t>(fraction_limbs());
    return std::any_of(limbs_.begin(), end, [](Limb limb) { return limb != 0; });
  }

 private:
  std::vector<Limb> magnitude() const {
    FixedPoint copy = *this;
    if (negative()) copy.negate();
    return copy.limbs_;
  }

  std::vector<Limb> limbs_;  // the lowest first
};

}  // namespace bolide
