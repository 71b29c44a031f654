// Vectors of eight lanes in four registers of two lanes each. sse2.cpp and neon.cpp include this file after
// their type `Pair` and its functions; vector_search.hpp follows.
#pragma once

#include "align/beam/vector.hpp"

// Every processor of the architecture has these instructions.
#define BOLIDE_TARGET

namespace bolide {

namespace {

struct Vector {
  Pair part[4];
};
// A lane has all bits set, or none.
using Mask = Vector;

// Applies a function to each register.
template <typename Function>
inline Vector each(Function function) {
  return {{function(0), function(1), function(2), function(3)}};
}

inline Vector load(const std::uint64_t* at) {
  return each([&](int k) { return load_pair(at + 2 * k); });
}
inline void store(std::uint64_t* at, Vector value) {
  for (int k = 0; k < 4; ++k) store_pair(at + 2 * k, value.part[k]);
}
inline Vector all(std::uint64_t value) {
  const Pair pair = both_lanes(value);
  return {{pair, pair, pair, pair}};
}
inline Vector count_up() {
  static constexpr std::uint64_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};
  return load(numbers);
}
inline Vector gather(const std::uint64_t* table, Vector places) {
  return each([&](int k) {
    return pair_of(table + first_lane(places.part[k]), table + second_lane(places.part[k]));
  });
}

inline Vector add(Vector a, Vector b) {
  return each([&](int k) { return add(a.part[k], b.part[k]); });
}
inline Vector subtract(Vector a, Vector b) {
  return each([&](int k) { return subtract(a.part[k], b.part[k]); });
}
inline Vector bits_of_both(Vector a, Vector b) {
  return each([&](int k) { return bits_of_both(a.part[k], b.part[k]); });
}
inline Vector bits_of_either(Vector a, Vector b) {
  return each([&](int k) { return bits_of_either(a.part[k], b.part[k]); });
}
template <int bits>
inline Vector shift_left(Vector a) {
  return each([&](int k) { return shift_left<bits>(a.part[k]); });
}
template <int bits>
inline Vector shift_right(Vector a) {
  return each([&](int k) { return shift_right<bits>(a.part[k]); });
}

inline Vector choose(Mask mask, Vector yes, Vector no) {
  return each([&](int k) { return choose(mask.part[k], yes.part[k], no.part[k]); });
}
inline Mask equal(Vector a, Vector b) {
  return each([&](int k) { return equal(a.part[k], b.part[k]); });
}
inline Mask greater(Vector a, Vector b) {
  return each([&](int k) { return greater(a.part[k], b.part[k]); });
}
inline Mask greater_keys(Vector a, Vector b) {
  return each([&](int k) { return greater_keys(a.part[k], b.part[k]); });
}
inline Mask disjoint(Vector a, Vector b) {
  return each([&](int k) { return disjoint(a.part[k], b.part[k]); });
}
inline Mask both(Mask a, Mask b) {
  return bits_of_both(a, b);
}
inline Mask but_not(Mask a, Mask b) {
  return each([&](int k) { return bits_of_first_only(a.part[k], b.part[k]); });
}
inline bool any(Mask mask) {
  return is_any(
      bits_of_either(bits_of_either(mask.part[0], mask.part[1]), bits_of_either(mask.part[2], mask.part[3])));
}
// The first `count` lanes.
inline Mask first_lanes(std::size_t count) {
  return greater(all(count), count_up());
}
inline Vector add_where(Mask mask, Vector a, Vector b) {
  return add(a, bits_of_both(mask, b));
}
// Appends the chosen lanes, and overwrites one number after the new end.
inline std::uint64_t* append(std::uint64_t* end, Mask chosen, Vector values) {
  for (int k = 0; k < 4; ++k) end = append(end, chosen.part[k], values.part[k]);
  return end;
}

// Puts the smaller number of each lane into `a` and the larger into `b`.
inline void order(Pair& a, Pair& b) {
  const Pair first = smaller_keys(a, b);
  b = larger_keys(a, b);
  a = first;
}
inline void order(Vector& a, Vector& b) {
  for (int k = 0; k < 4; ++k) order(a.part[k], b.part[k]);
}
// Applies a network to vectors: to one register of each vector at a time, because SSE2 has only 16 registers.
template <int vectors, const auto& network>
inline void order_columns(Vector* v) {
  for (int part = 0; part < 4; ++part) {
    Pair column[vectors];
    for (int k = 0; k < vectors; ++k) column[k] = v[k].part[part];
    BOLIDE_UNROLL(32)
    for (const auto& [a, b] : network) order(column[a], column[b]);
    for (int k = 0; k < vectors; ++k) v[k].part[part] = column[k];
  }
}
inline Vector smaller_keys(Vector a, Vector b) {
  return each([&](int k) { return smaller_keys(a.part[k], b.part[k]); });
}
inline Vector smaller(Vector a, Vector b) {
  return each([&](int k) { return smaller(a.part[k], b.part[k]); });
}
inline Vector reverse(Vector v) {
  return each([&](int k) { return swap_lanes(v.part[3 - k]); });
}
// Orders the two lanes of each of two registers.
inline void order_pairs(Pair& a, Pair& b) {
  Pair first = first_lanes_of(a, b), second = second_lanes_of(a, b);
  order(first, second);
  a = first_lanes_of(first, second);
  b = second_lanes_of(first, second);
}
// The last steps of a bitonic merge, within a vector: distances 4, 2 and 1.
inline Vector order_within(Vector v) {
  order(v.part[0], v.part[2]);
  order(v.part[1], v.part[3]);
  order(v.part[0], v.part[1]);
  order(v.part[2], v.part[3]);
  order_pairs(v.part[0], v.part[1]);
  order_pairs(v.part[2], v.part[3]);
  return v;
}

// For sort.hpp.
using Register = Pair;
constexpr int register_lanes = 2;
inline Register load_register(const std::uint64_t* at) {
  return load_pair(at);
}
inline void store_register(std::uint64_t* at, Register value) {
  store_pair(at, value);
}
template <int>
inline Register reverse_groups(Register v) {
  return swap_lanes(v);
}
template <int>
inline void order_groups(Register& a, Register& b) {
  order_pairs(a, b);
}

}  // namespace

}  // namespace bolide

#include "align/beam/vector_search.hpp"
