// The vector search with NEON, which all 64-bit ARM processors have.
#include "align/beam/vector.hpp"

#ifdef BOLIDE_NEON

#include <arm_neon.h>

namespace bolide {

namespace {

using Pair = uint64x2_t;

inline Pair load_pair(const std::uint64_t* at) {
  return vld1q_u64(at);
}
inline void store_pair(std::uint64_t* at, Pair value) {
  vst1q_u64(at, value);
}
inline Pair both_lanes(std::uint64_t value) {
  return vdupq_n_u64(value);
}
inline std::uint64_t first_lane(Pair v) {
  return vgetq_lane_u64(v, 0);
}
inline std::uint64_t second_lane(Pair v) {
  return vgetq_lane_u64(v, 1);
}
inline Pair pair_of(const std::uint64_t* first, const std::uint64_t* second) {
  return vld1q_lane_u64(second, vld1q_dup_u64(first), 1);
}

inline Pair add(Pair a, Pair b) {
  return vaddq_u64(a, b);
}
inline Pair subtract(Pair a, Pair b) {
  return vsubq_u64(a, b);
}
inline Pair bits_of_both(Pair a, Pair b) {
  return vandq_u64(a, b);
}
inline Pair bits_of_either(Pair a, Pair b) {
  return vorrq_u64(a, b);
}
inline Pair bits_of_first_only(Pair a, Pair b) {
  return vbicq_u64(a, b);
}
template <int bits>
inline Pair shift_left(Pair a) {
  return vshlq_n_u64(a, bits);
}
template <int bits>
inline Pair shift_right(Pair a) {
  return vshrq_n_u64(a, bits);
}

inline Pair choose(Pair mask, Pair yes, Pair no) {
  return vbslq_u64(mask, yes, no);
}
inline Pair equal(Pair a, Pair b) {
  return vceqq_u64(a, b);
}
inline Pair greater(Pair a, Pair b) {
  return vcgtq_u64(a, b);
}
inline Pair greater_keys(Pair a, Pair b) {
  return greater(a, b);
}
inline Pair smaller(Pair a, Pair b) {
  return vreinterpretq_u64_u32(vminq_u32(vreinterpretq_u32_u64(a), vreinterpretq_u32_u64(b)));
}
inline Pair disjoint(Pair a, Pair b) {
  return vceqzq_u64(vandq_u64(a, b));
}
inline bool is_any(Pair mask) {
  return vmaxvq_u32(vreinterpretq_u32_u64(mask)) != 0;
}
// Appends the chosen lanes, and overwrites one number after the new end.
inline std::uint64_t* append(std::uint64_t* end, Pair chosen, Pair values) {
  vst1q_lane_u64(end, values, 0);
  end += first_lane(chosen) & 1;
  vst1q_lane_u64(end, values, 1);
  return end + (second_lane(chosen) & 1);
}

// NEON has no minimum of 64-bit integers: see vector.hpp.
inline Pair smaller_keys(Pair a, Pair b) {
  return vreinterpretq_u64_f64(vminq_f64(vreinterpretq_f64_u64(a), vreinterpretq_f64_u64(b)));
}
inline Pair larger_keys(Pair a, Pair b) {
  return vreinterpretq_u64_f64(vmaxq_f64(vreinterpretq_f64_u64(a), vreinterpretq_f64_u64(b)));
}
inline Pair swap_lanes(Pair v) {
  return vextq_u64(v, v, 1);
}
inline Pair first_lanes_of(Pair a, Pair b) {
  return vtrn1q_u64(a, b);
}
inline Pair second_lanes_of(Pair a, Pair b) {
  return vtrn2q_u64(a, b);
}

}  // namespace

}  // namespace bolide

#include "align/beam/pairs.hpp"

template class bolide::VectorBeam<bolide::Instructions::neon, 1>;
template class bolide::VectorBeam<bolide::Instructions::neon, 2>;

#endif
