#include "align/beam/vector.hpp"

#ifdef BOLIDE_NEON

#include <arm_neon.h>

// Every processor of this architecture has NEON.
#define BOLIDE_TARGET

namespace bolide {

namespace {

// Eight lanes in four registers.
struct Vector {
  uint64x2_t part[4];
};
// A lane has all bits set, or none.
using Mask = Vector;

// Applies a function to each register.
template <typename Function>
inline Vector each(Function function) {
  return {{function(0), function(1), function(2), function(3)}};
}

inline Vector load(const std::uint64_t* at) {
  return each([&](int k) { return vld1q_u64(at + 2 * k); });
}
inline void store(std::uint64_t* at, Vector value) {
  for (int k = 0; k < 4; ++k) vst1q_u64(at + 2 * k, value.part[k]);
}
inline Vector all(std::uint64_t value) {
  return each([&](int) { return vdupq_n_u64(value); });
}
inline Vector count_up() {
  static constexpr std::uint64_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};
  return load(numbers);
}
inline Vector gather(const std::uint64_t* table, Vector places) {
  return each([&](int k) {
    const uint64x2_t first = vld1q_dup_u64(table + vgetq_lane_u64(places.part[k], 0));
    return vld1q_lane_u64(table + vgetq_lane_u64(places.part[k], 1), first, 1);
  });
}

inline Vector add(Vector a, Vector b) {
  return each([&](int k) { return vaddq_u64(a.part[k], b.part[k]); });
}
inline Vector subtract(Vector a, Vector b) {
  return each([&](int k) { return vsubq_u64(a.part[k], b.part[k]); });
}
inline Vector bits_of_both(Vector a, Vector b) {
  return each([&](int k) { return vandq_u64(a.part[k], b.part[k]); });
}
inline Vector bits_of_either(Vector a, Vector b) {
  return each([&](int k) { return vorrq_u64(a.part[k], b.part[k]); });
}
template <int bits>
inline Vector shift_left(Vector a) {
  return each([&](int k) { return vshlq_n_u64(a.part[k], bits); });
}
template <int bits>
inline Vector shift_right(Vector a) {
  return each([&](int k) { return vshrq_n_u64(a.part[k], bits); });
}

inline Vector choose(Mask mask, Vector yes, Vector no) {
  return each([&](int k) { return vbslq_u64(mask.part[k], yes.part[k], no.part[k]); });
}
inline Mask equal(Vector a, Vector b) {
  return each([&](int k) { return vceqq_u64(a.part[k], b.part[k]); });
}
inline Mask greater(Vector a, Vector b) {
  return each([&](int k) { return vcgtq_u64(a.part[k], b.part[k]); });
}
inline Mask disjoint(Vector a, Vector b) {
  return each([&](int k) { return vceqzq_u64(vandq_u64(a.part[k], b.part[k])); });
}
inline Mask both(Mask a, Mask b) {
  return bits_of_both(a, b);
}
inline Mask but_not(Mask a, Mask b) {
  return each([&](int k) { return vbicq_u64(a.part[k], b.part[k]); });
}
inline bool any(Mask mask) {
  const uint64x2_t found =
      vorrq_u64(vorrq_u64(mask.part[0], mask.part[1]), vorrq_u64(mask.part[2], mask.part[3]));
  return vmaxvq_u32(vreinterpretq_u32_u64(found)) != 0;
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
  for (int k = 0; k < 4; ++k) {
    vst1q_lane_u64(end, values.part[k], 0);
    end += vgetq_lane_u64(chosen.part[k], 0) & 1;
    vst1q_lane_u64(end, values.part[k], 1);
    end += vgetq_lane_u64(chosen.part[k], 1) & 1;
  }
  return end;
}

// NEON has no minimum of 64-bit integers: see vector.hpp.
inline uint64x2_t smaller_part(uint64x2_t a, uint64x2_t b) {
  return vreinterpretq_u64_f64(vminq_f64(vreinterpretq_f64_u64(a), vreinterpretq_f64_u64(b)));
}
inline uint64x2_t larger_part(uint64x2_t a, uint64x2_t b) {
  return vreinterpretq_u64_f64(vmaxq_f64(vreinterpretq_f64_u64(a), vreinterpretq_f64_u64(b)));
}
// Puts the smaller number of each lane into `a` and the larger into `b`.
inline void order_parts(uint64x2_t& a, uint64x2_t& b) {
  const uint64x2_t first = smaller_part(a, b);
  b = larger_part(a, b);
  a = first;
}
inline void order(Vector& a, Vector& b) {
  for (int k = 0; k < 4; ++k) order_parts(a.part[k], b.part[k]);
}
inline Vector smaller_keys(Vector a, Vector b) {
  return each([&](int k) { return smaller_part(a.part[k], b.part[k]); });
}
inline Vector smaller(Vector a, Vector b) {
  return choose(greater(a, b), b, a);
}
inline uint64x2_t swap_lanes(uint64x2_t v) {
  return vextq_u64(v, v, 1);
}
inline Vector reverse(Vector v) {
  return each([&](int k) { return swap_lanes(v.part[3 - k]); });
}
// Orders the two lanes of each of two registers.
inline void order_pairs(uint64x2_t& a, uint64x2_t& b) {
  uint64x2_t first = vtrn1q_u64(a, b), second = vtrn2q_u64(a, b);
  order_parts(first, second);
  a = vzip1q_u64(first, second);
  b = vzip2q_u64(first, second);
}
// The last steps of a bitonic merge, within a vector: distances 4, 2 and 1.
inline Vector order_within(Vector v) {
  order_parts(v.part[0], v.part[2]);
  order_parts(v.part[1], v.part[3]);
  order_parts(v.part[0], v.part[1]);
  order_parts(v.part[2], v.part[3]);
  order_pairs(v.part[0], v.part[1]);
  order_pairs(v.part[2], v.part[3]);
  return v;
}

// Sorts four lanes in two registers: first pairs, then all.
inline void sort_four(uint64x2_t& a, uint64x2_t& b) {
  order_pairs(a, b);
  b = swap_lanes(b);
  order_parts(a, b);
  order_pairs(a, b);
}
// Sorts all lanes: two sorted fours are merged.
inline Vector sort_within(Vector v) {
  sort_four(v.part[0], v.part[1]);
  sort_four(v.part[2], v.part[3]);
  const uint64x2_t third = swap_lanes(v.part[3]);
  v.part[3] = swap_lanes(v.part[2]);
  v.part[2] = third;
  return order_within(v);
}

// Moves lane i of vector k to lane k of vector i.
inline void transpose(Vector* v) {
  Vector moved[8];
  for (int i = 0; i < 8; i += 2) {
    for (int k = 0; k < 4; ++k) {
      moved[i].part[k] = vtrn1q_u64(v[2 * k].part[i / 2], v[2 * k + 1].part[i / 2]);
      moved[i + 1].part[k] = vtrn2q_u64(v[2 * k].part[i / 2], v[2 * k + 1].part[i / 2]);
    }
  }
  for (int i = 0; i < 8; ++i) v[i] = moved[i];
}

}  // namespace

}  // namespace bolide

#include "align/beam/vector_search.hpp"

template class bolide::VectorBeam<bolide::Instructions::neon, 1>;
template class bolide::VectorBeam<bolide::Instructions::neon, 2>;

#endif
