// The vector search with SSE2, which all 64-bit x86 processors have: it is the portable search there.
#include "align/beam/vector.hpp"

#ifdef BOLIDE_SSE2

#include <emmintrin.h>

namespace bolide {

namespace {

using Pair = __m128i;

inline Pair load_pair(const std::uint64_t* at) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}
inline void store_pair(std::uint64_t* at, Pair value) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(at), value);
}
inline Pair both_lanes(std::uint64_t value) {
  return _mm_set1_epi64x(static_cast<long long>(value));
}
inline Pair swap_lanes(Pair v) {
  return _mm_shuffle_epi32(v, 0x4E);
}
inline std::uint64_t first_lane(Pair v) {
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(v));
}
inline std::uint64_t second_lane(Pair v) {
  return first_lane(swap_lanes(v));
}
inline Pair pair_of(const std::uint64_t* first, const std::uint64_t* second) {
  const __m128d low = _mm_load_sd(reinterpret_cast<const double*>(first));
  return _mm_castpd_si128(_mm_loadh_pd(low, reinterpret_cast<const double*>(second)));
}

inline Pair add(Pair a, Pair b) {
  return _mm_add_epi64(a, b);
}
inline Pair subtract(Pair a, Pair b) {
  return _mm_sub_epi64(a, b);
}
inline Pair bits_of_both(Pair a, Pair b) {
  return _mm_and_si128(a, b);
}
inline Pair bits_of_either(Pair a, Pair b) {
  return _mm_or_si128(a, b);
}
inline Pair bits_of_first_only(Pair a, Pair b) {
  return _mm_andnot_si128(b, a);
}
template <int bits>
inline Pair shift_left(Pair a) {
  return _mm_slli_epi64(a, bits);
}
template <int bits>
inline Pair shift_right(Pair a) {
  return _mm_srli_epi64(a, bits);
}

inline Pair choose(Pair mask, Pair yes, Pair no) {
  return _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no));
}
// SSE2 compares numbers of up to 32 bits. Of small numbers, the lower half of a lane is enough.
inline Pair lower_halves(Pair mask) {
  return _mm_shuffle_epi32(mask, 0xA0);
}
inline Pair equal(Pair a, Pair b) {
  return lower_halves(_mm_cmpeq_epi32(a, b));
}
inline Pair greater(Pair a, Pair b) {
  return lower_halves(_mm_cmpgt_epi32(a, b));
}
inline Pair smaller(Pair a, Pair b) {
  return _mm_min_epi16(a, b);
}
inline Pair disjoint(Pair a, Pair b) {
  const __m128i halves = _mm_cmpeq_epi32(_mm_and_si128(a, b), _mm_setzero_si128());
  return _mm_and_si128(halves, _mm_shuffle_epi32(halves, 0xB1));
}
inline bool is_any(Pair mask) {
  return _mm_movemask_epi8(mask) != 0;
}
// Appends the chosen lanes, and overwrites one number after the new end.
inline std::uint64_t* append(std::uint64_t* end, Pair chosen, Pair values) {
  const auto lanes = static_cast<unsigned>(_mm_movemask_pd(_mm_castsi128_pd(chosen)));
  _mm_storel_pd(reinterpret_cast<double*>(end), _mm_castsi128_pd(values));
  end += lanes & 1;
  _mm_storeh_pd(reinterpret_cast<double*>(end), _mm_castsi128_pd(values));
  return end + (lanes >> 1);
}

// SSE2 cannot compare 64-bit integers: see vector.hpp.
inline Pair greater_keys(Pair a, Pair b) {
  return _mm_castpd_si128(_mm_cmpgt_pd(_mm_castsi128_pd(a), _mm_castsi128_pd(b)));
}
inline Pair smaller_keys(Pair a, Pair b) {
  return _mm_castpd_si128(_mm_min_pd(_mm_castsi128_pd(a), _mm_castsi128_pd(b)));
}
inline Pair larger_keys(Pair a, Pair b) {
  return _mm_castpd_si128(_mm_max_pd(_mm_castsi128_pd(a), _mm_castsi128_pd(b)));
}
inline Pair first_lanes_of(Pair a, Pair b) {
  return _mm_unpacklo_epi64(a, b);
}
inline Pair second_lanes_of(Pair a, Pair b) {
  return _mm_unpackhi_epi64(a, b);
}

}  // namespace

}  // namespace bolide

#include "align/beam/pairs.hpp"

template class bolide::VectorBeam<bolide::Instructions::portable, 1>;
template class bolide::VectorBeam<bolide::Instructions::portable, 2>;

#endif
