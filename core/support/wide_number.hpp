// A number of 128 bits, for compilers that have none (see compiler.hpp).
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace bolide {

// Unsigned; results are taken modulo 2^128. It has the operators that the core uses.
class WideNumber {
 public:
  WideNumber() = default;
  constexpr WideNumber(std::uint64_t number) : high_(0), low_(number) {}
  constexpr WideNumber(std::uint64_t high, std::uint64_t low) : high_(high), low_(low) {}

  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  constexpr explicit operator Number() const {
    return static_cast<Number>(low_);
  }

  friend constexpr auto operator<=>(const WideNumber&, const WideNumber&) = default;

  constexpr WideNumber operator~() const { return {~high_, ~low_}; }
  friend constexpr WideNumber operator&(WideNumber a, WideNumber b) {
    return {a.high_ & b.high_, a.low_ & b.low_};
  }
  friend constexpr WideNumber operator|(WideNumber a, WideNumber b) {
    return {a.high_ | b.high_, a.low_ | b.low_};
  }
  // By less than 128 bits. Shifts of 64-bit numbers by 64 bits are not defined, so there are two shifts.
  friend constexpr WideNumber operator<<(WideNumber a, std::size_t bits) {
    if (bits >= 64) return {a.low_ << (bits - 64), 0};
    return {a.high_ << bits | a.low_ >> 1 >> (63 - bits), a.low_ << bits};
  }
  friend constexpr WideNumber operator>>(WideNumber a, std::size_t bits) {
    if (bits >= 64) return {0, a.high_ >> (bits - 64)};
    return {a.high_ >> bits, a.low_ >> bits | a.high_ << 1 << (63 - bits)};
  }
  friend constexpr WideNumber operator+(WideNumber a, WideNumber b) {
    const std::uint64_t low = a.low_ + b.low_;
    return {a.high_ + b.high_ + (low < a.low_), low};
  }
  friend constexpr WideNumber operator-(WideNumber a, WideNumber b) {
    return {a.high_ - b.high_ - (a.low_ < b.low_), a.low_ - b.low_};
  }
  friend constexpr WideNumber operator*(WideNumber a, WideNumber b) {
    const WideNumber low = product(a.low_, b.low_);
    return {low.high_ + a.high_ * b.low_ + a.low_ * b.high_, low.low_};
  }

  constexpr WideNumber& operator&=(WideNumber other) { return *this = *this & other; }
  constexpr WideNumber& operator|=(WideNumber other) { return *this = *this | other; }
  constexpr WideNumber& operator+=(WideNumber other) { return *this = *this + other; }

 private:
  // The whole product of two numbers of 64 bits, from the products of their halves.
  static constexpr WideNumber product(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t half = 0xFFFFFFFF;
    const std::uint64_t low = (a & half) * (b & half);
    const std::uint64_t middle = (a >> 32) * (b & half) + (low >> 32);
    const std::uint64_t other_middle = (a & half) * (b >> 32) + (middle & half);
    return {(a >> 32) * (b >> 32) + (middle >> 32) + (other_middle >> 32), other_middle << 32 | (low & half)};
  }

  std::uint64_t high_, low_;  // in the order of comparison
};

}  // namespace bolide
