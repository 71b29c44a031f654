#include "align/beam/vector.hpp"

#ifdef BOLIDE_X86

#include <immintrin.h>

#define BOLIDE_TARGET BOLIDE_AVX512

namespace bolide {

namespace {

using Vector = __m512i;
using Mask = __mmask8;

BOLIDE_TARGET inline Vector load(const std::uint64_t* at) {
  return _mm512_loadu_si512(at);
}
BOLIDE_TARGET inline void store(std::uint64_t* at, Vector value) {
  _mm512_storeu_si512(at, value);
}
BOLIDE_TARGET inline Vector all(std::uint64_t value) {
  return _mm512_set1_epi64(static_cast<long long>(value));
}
BOLIDE_TARGET inline Vector count_up() {
  return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
}
BOLIDE_TARGET inline __m128i gather_pair(const std::uint64_t* table, __m128i places) {
  const auto* numbers = reinterpret_cast<const double*>(table);
  const __m128d first = _mm_load_sd(numbers + _mm_cvtsi128_si64(places));
  return _mm_castpd_si128(_mm_loadh_pd(first, numbers + _mm_extract_epi64(places, 1)));
}
template <int half>
BOLIDE_TARGET inline __m256i gather_half(const std::uint64_t* table, Vector places) {
  const __m256i some = _mm512_extracti64x4_epi64(places, half);
  return _mm256_set_m128i(gather_pair(table, _mm256_extracti128_si256(some, 1)),
                          gather_pair(table, _mm256_castsi256_si128(some)));
}
BOLIDE_TARGET inline Vector gather(const std::uint64_t* table, Vector places) {
  return _mm512_inserti64x4(_mm512_castsi256_si512(gather_half<0>(table, places)),
                            gather_half<1>(table, places), 1);
}

BOLIDE_TARGET inline Vector add(Vector a, Vector b) {
  return _mm512_add_epi64(a, b);
}
BOLIDE_TARGET inline Vector subtract(Vector a, Vector b) {
  return _mm512_sub_epi64(a, b);
}
BOLIDE_TARGET inline Vector bits_of_both(Vector a, Vector b) {
  return _mm512_and_si512(a, b);
}
BOLIDE_TARGET inline Vector bits_of_either(Vector a, Vector b) {
  return _mm512_or_si512(a, b);
}
template <int bits>
BOLIDE_TARGET inline Vector shift_left(Vector a) {
  return _mm512_slli_epi64(a, bits);
}
template <int bits>
BOLIDE_TARGET inline Vector shift_right(Vector a) {
  return _mm512_srli_epi64(a, bits);
}
BOLIDE_TARGET inline Vector smaller(Vector a, Vector b) {
  return _mm512_min_epu64(a, b);
}
BOLIDE_TARGET inline Vector smaller_keys(Vector a, Vector b) {
  return smaller(a, b);
}

BOLIDE_TARGET inline Mask equal(Vector a, Vector b) {
  return _mm512_cmpeq_epi64_mask(a, b);
}
BOLIDE_TARGET inline Mask greater(Vector a, Vector b) {
  return _mm512_cmpgt_epu64_mask(a, b);
}
BOLIDE_TARGET inline Mask greater_keys(Vector a, Vector b) {
  return greater(a, b);
}
BOLIDE_TARGET inline Mask disjoint(Vector a, Vector b) {
  return _mm512_testn_epi64_mask(a, b);
}
BOLIDE_TARGET inline Mask both(Mask a, Mask b) {
  return a & b;
}
BOLIDE_TARGET inline Mask but_not(Mask a, Mask b) {
  return a & static_cast<Mask>(~b);
}
BOLIDE_TARGET inline bool any(Mask mask) {
  return mask != 0;
}
// The first `count` lanes.
BOLIDE_TARGET inline Mask first_lanes(std::size_t count) {
  return static_cast<Mask>(count >= 8 ? 0xFF : (1u << count) - 1);
}
BOLIDE_TARGET inline Vector choose(Mask mask, Vector yes, Vector no) {
  return _mm512_mask_mov_epi64(no, mask, yes);
}
BOLIDE_TARGET inline Vector add_where(Mask mask, Vector a, Vector b) {
  return _mm512_mask_add_epi64(a, mask, a, b);
}
// Appends the chosen lanes, and overwrites up to eight numbers after the new end.
BOLIDE_TARGET inline std::uint64_t* append(std::uint64_t* end, Mask chosen, Vector values) {
  _mm512_storeu_si512(end, _mm512_maskz_compress_epi64(chosen, values));
  return end + __builtin_popcount(chosen);
}

BOLIDE_TARGET inline Vector reverse(Vector v) {
  return _mm512_permutexvar_epi64(_mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7), v);
}
// Puts the smaller number of each lane of `v` and `other` into the lanes that are not in `second`, and the
// larger into the others.
BOLIDE_TARGET inline Vector order_lanes(Vector v, Vector other, Mask second) {
  return _mm512_mask_max_epu64(smaller(v, other), second, v, other);
}
template <int permutation, int second>
BOLIDE_TARGET inline Vector order_at_distance(Vector v) {
  return order_lanes(v, _mm512_permutex_epi64(v, permutation), second);
}
// The last steps of a bitonic merge, within a vector: distances 4, 2 and 1.
BOLIDE_TARGET inline Vector order_within(Vector v) {
  v = order_lanes(v, _mm512_shuffle_i64x2(v, v, 0x4E), 0xF0);
  return order_at_distance<0xB1, 0xAA>(order_at_distance<0x4E, 0xCC>(v));
}

// Puts the smaller number of each lane into `a` and the larger into `b`.
BOLIDE_TARGET inline void order(Vector& a, Vector& b) {
  const Vector first = smaller(a, b);
  b = _mm512_max_epu64(a, b);
  a = first;
}
// Applies a network to vectors.
template <int vectors, const auto& network>
BOLIDE_TARGET inline void order_columns(Vector* v) {
  BOLIDE_UNROLL(32)
  for (const auto& [a, b] : network) order(v[a], v[b]);
}

// For sort.hpp.
using Register = Vector;
constexpr int register_lanes = 8;
BOLIDE_TARGET inline Register load_register(const std::uint64_t* at) {
  return load(at);
}
BOLIDE_TARGET inline void store_register(std::uint64_t* at, Register value) {
  store(at, value);
}
template <int group>
BOLIDE_TARGET inline Register reverse_groups(Register v) {
  if constexpr (group == 2) return _mm512_permutex_epi64(v, 0xB1);
  if constexpr (group == 4) return _mm512_permutex_epi64(v, 0x1B);
  return reverse(v);
}
template <int group>
BOLIDE_TARGET inline Register order_group(Register v) {
  if constexpr (group == 8) v = order_at_distance<0x4E, 0xCC>(order_lanes(v, reverse(v), 0xF0));
  if constexpr (group == 4) v = order_at_distance<0x1B, 0xCC>(v);
  return order_at_distance<0xB1, 0xAA>(v);
}
template <int group>
BOLIDE_TARGET inline void order_groups(Register& a, Register& b) {
  a = order_group<group>(a);
  b = order_group<group>(b);
}

}  // namespace

}  // namespace bolide

#include "align/beam/vector_search.hpp"

template class bolide::VectorBeam<bolide::Instructions::avx512, 1>;
template class bolide::VectorBeam<bolide::Instructions::avx512, 2>;

#endif
