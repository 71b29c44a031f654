#include "align/beam/vector.hpp"

#ifdef BOLIDE_X86

#include <immintrin.h>

#define BOLIDE_TARGET BOLIDE_AVX2

namespace bolide {

namespace {

// Eight lanes in two registers. All numbers are below 2^63, except the bits of used words, which are never
// compared by size.
struct Vector {
  __m256i low, high;
};
// A lane has all bits set, or none.
using Mask = Vector;

BOLIDE_TARGET inline __m256i load_half(const std::uint64_t* at) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}
BOLIDE_TARGET inline void store_half(std::uint64_t* at, __m256i value) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(at), value);
}
BOLIDE_TARGET inline Vector load(const std::uint64_t* at) {
  return {load_half(at), load_half(at + 4)};
}
BOLIDE_TARGET inline void store(std::uint64_t* at, Vector value) {
  store_half(at, value.low);
  store_half(at + 4, value.high);
}
BOLIDE_TARGET inline Vector all(std::uint64_t value) {
  const __m256i half = _mm256_set1_epi64x(static_cast<long long>(value));
  return {half, half};
}
BOLIDE_TARGET inline Vector count_up() {
  return {_mm256_set_epi64x(3, 2, 1, 0), _mm256_set_epi64x(7, 6, 5, 4)};
}
// Four loads are faster than the instruction for it: on AMD's processors, and on those of Intel with a remedy
// against Downfall.
BOLIDE_TARGET inline __m128i gather_pair(const std::uint64_t* table, __m128i places) {
  const auto* numbers = reinterpret_cast<const double*>(table);
  const __m128d first = _mm_load_sd(numbers + _mm_cvtsi128_si64(places));
  return _mm_castpd_si128(_mm_loadh_pd(first, numbers + _mm_extract_epi64(places, 1)));
}
BOLIDE_TARGET inline __m256i gather_half(const std::uint64_t* table, __m256i places) {
  return _mm256_set_m128i(gather_pair(table, _mm256_extracti128_si256(places, 1)),
                          gather_pair(table, _mm256_castsi256_si128(places)));
}
BOLIDE_TARGET inline Vector gather(const std::uint64_t* table, Vector places) {
  return {gather_half(table, places.low), gather_half(table, places.high)};
}

BOLIDE_TARGET inline Vector add(Vector a, Vector b) {
  return {_mm256_add_epi64(a.low, b.low), _mm256_add_epi64(a.high, b.high)};
}
BOLIDE_TARGET inline Vector subtract(Vector a, Vector b) {
  return {_mm256_sub_epi64(a.low, b.low), _mm256_sub_epi64(a.high, b.high)};
}
BOLIDE_TARGET inline Vector bits_of_both(Vector a, Vector b) {
  return {_mm256_and_si256(a.low, b.low), _mm256_and_si256(a.high, b.high)};
}
BOLIDE_TARGET inline Vector bits_of_either(Vector a, Vector b) {
  return {_mm256_or_si256(a.low, b.low), _mm256_or_si256(a.high, b.high)};
}
template <int bits>
BOLIDE_TARGET inline Vector shift_left(Vector a) {
  return {_mm256_slli_epi64(a.low, bits), _mm256_slli_epi64(a.high, bits)};
}
template <int bits>
BOLIDE_TARGET inline Vector shift_right(Vector a) {
  return {_mm256_srli_epi64(a.low, bits), _mm256_srli_epi64(a.high, bits)};
}

BOLIDE_TARGET inline __m256i choose_half(__m256i mask, __m256i yes, __m256i no) {
  return _mm256_blendv_epi8(no, yes, mask);
}
BOLIDE_TARGET inline Vector choose(Mask mask, Vector yes, Vector no) {
  return {choose_half(mask.low, yes.low, no.low), choose_half(mask.high, yes.high, no.high)};
}
BOLIDE_TARGET inline Mask equal(Vector a, Vector b) {
  return {_mm256_cmpeq_epi64(a.low, b.low), _mm256_cmpeq_epi64(a.high, b.high)};
}
BOLIDE_TARGET inline Mask greater(Vector a, Vector b) {
  return {_mm256_cmpgt_epi64(a.low, b.low), _mm256_cmpgt_epi64(a.high, b.high)};
}
BOLIDE_TARGET inline Mask greater_keys(Vector a, Vector b) {
  return greater(a, b);
}
BOLIDE_TARGET inline Mask disjoint(Vector a, Vector b) {
  return equal(bits_of_both(a, b), all(0));
}
BOLIDE_TARGET inline Mask both(Mask a, Mask b) {
  return bits_of_both(a, b);
}
BOLIDE_TARGET inline Mask but_not(Mask a, Mask b) {
  return {_mm256_andnot_si256(b.low, a.low), _mm256_andnot_si256(b.high, a.high)};
}
BOLIDE_TARGET inline int lanes(__m256i mask) {
  return _mm256_movemask_pd(_mm256_castsi256_pd(mask));
}
BOLIDE_TARGET inline bool any(Mask mask) {
  return lanes(_mm256_or_si256(mask.low, mask.high)) != 0;
}
// The first `count` lanes.
BOLIDE_TARGET inline Mask first_lanes(std::size_t count) {
  return greater(all(count), count_up());
}
BOLIDE_TARGET inline Vector add_where(Mask mask, Vector a, Vector b) {
  return add(a, bits_of_both(mask, b));
}

// For each choice of lanes of a half: the permutation of its eight 32-bit parts that moves the chosen lanes
// to the front.
alignas(32) constexpr auto front = [] {
  std::array<std::array<std::uint32_t, 8>, 16> table{};
  for (std::uint32_t chosen = 0; chosen < 16; ++chosen) {
    std::size_t place = 0;
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      if (chosen >> lane & 1) {
        table[chosen][place++] = 2 * lane;
        table[chosen][place++] = 2 * lane + 1;
      }
    }
  }
  return table;
}();
BOLIDE_TARGET inline std::uint64_t* append_half(std::uint64_t* end, int chosen, __m256i values) {
  const auto* order = reinterpret_cast<const __m256i*>(front[static_cast<std::size_t>(chosen)].data());
  store_half(end, _mm256_permutevar8x32_epi32(values, _mm256_load_si256(order)));
  return end + __builtin_popcount(static_cast<unsigned>(chosen));
}
// Appends the chosen lanes, and overwrites up to eight numbers after the new end.
BOLIDE_TARGET inline std::uint64_t* append(std::uint64_t* end, Mask chosen, Vector values) {
  end = append_half(end, lanes(chosen.low), values.low);
  return append_half(end, lanes(chosen.high), values.high);
}

// AVX2 has no minimum of 64-bit integers: see vector.hpp.
BOLIDE_TARGET inline __m256i smaller_half(__m256i a, __m256i b) {
  return _mm256_castpd_si256(_mm256_min_pd(_mm256_castsi256_pd(a), _mm256_castsi256_pd(b)));
}
BOLIDE_TARGET inline __m256i larger_half(__m256i a, __m256i b) {
  return _mm256_castpd_si256(_mm256_max_pd(_mm256_castsi256_pd(a), _mm256_castsi256_pd(b)));
}
// Puts the smaller number of each lane into `a` and the larger into `b`.
BOLIDE_TARGET inline void order(__m256i& a, __m256i& b) {
  const __m256i first = smaller_half(a, b);
  b = larger_half(a, b);
  a = first;
}
BOLIDE_TARGET inline void order(Vector& a, Vector& b) {
  order(a.low, b.low);
  order(a.high, b.high);
}
// Applies a network to vectors.
template <int vectors, const auto& network>
BOLIDE_TARGET inline void order_columns(Vector* v) {
  BOLIDE_UNROLL(32)
  for (const auto& [a, b] : network) order(v[a], v[b]);
}
BOLIDE_TARGET inline Vector smaller_keys(Vector a, Vector b) {
  return {smaller_half(a.low, b.low), smaller_half(a.high, b.high)};
}
BOLIDE_TARGET inline Vector smaller(Vector a, Vector b) {
  return choose(greater(a, b), b, a);
}
BOLIDE_TARGET inline Vector reverse(Vector v) {
  return {_mm256_permute4x64_epi64(v.high, 0x1B), _mm256_permute4x64_epi64(v.low, 0x1B)};
}
template <int permutation, int second>
BOLIDE_TARGET inline __m256i order_at_distance(__m256i v) {
  const __m256i other = _mm256_permute4x64_epi64(v, permutation);
  return _mm256_blend_epi32(smaller_half(v, other), larger_half(v, other), second);
}
// The last steps of a bitonic merge, within a vector: distances 4, 2 and 1.
BOLIDE_TARGET inline Vector order_within(Vector v) {
  order(v.low, v.high);
  v.low = order_at_distance<0xB1, 0xCC>(order_at_distance<0x4E, 0xF0>(v.low));
  v.high = order_at_distance<0xB1, 0xCC>(order_at_distance<0x4E, 0xF0>(v.high));
  return v;
}

// For sort.hpp.
using Register = __m256i;
constexpr int register_lanes = 4;
BOLIDE_TARGET inline Register load_register(const std::uint64_t* at) {
  return load_half(at);
}
BOLIDE_TARGET inline void store_register(std::uint64_t* at, Register value) {
  store_half(at, value);
}
template <int group>
BOLIDE_TARGET inline Register reverse_groups(Register v) {
  if constexpr (group == 2) return _mm256_shuffle_epi32(v, 0x4E);
  return _mm256_permute4x64_epi64(v, 0x1B);
}
BOLIDE_TARGET inline void order_pairs(Register& a, Register& b) {
  Register first = _mm256_unpacklo_epi64(a, b), second = _mm256_unpackhi_epi64(a, b);
  order(first, second);
  a = _mm256_unpacklo_epi64(first, second);
  b = _mm256_unpackhi_epi64(first, second);
}
template <int group>
BOLIDE_TARGET inline void order_groups(Register& a, Register& b) {
  if constexpr (group == 4) {
    Register first = _mm256_permute2x128_si256(a, b, 0x20),
             second = reverse_groups<2>(_mm256_permute2x128_si256(a, b, 0x31));
    order(first, second);
    order_pairs(first, second);
    a = _mm256_permute2x128_si256(first, second, 0x20);
    b = _mm256_permute2x128_si256(first, second, 0x31);
  } else {
    order_pairs(a, b);
  }
}

}  // namespace

}  // namespace bolide

#include "align/beam/vector_search.hpp"

template class bolide::VectorBeam<bolide::Instructions::avx2, 1>;
template class bolide::VectorBeam<bolide::Instructions::avx2, 2>;

#endif
