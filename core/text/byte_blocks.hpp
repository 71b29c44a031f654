// Finds bytes of a class in blocks of 64 bytes; the result for a block is one number with a bit per byte.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "support/compiler.hpp"

#ifdef BOLIDE_SSE2
#include <emmintrin.h>
#elif defined(BOLIDE_NEON)
#include <arm_neon.h>
#endif

namespace bolide {

using ByteBits = std::uint64_t;
constexpr std::size_t block_bytes = 64;

struct ByteRange {
  unsigned char first, last;
};

// Bit k is set if byte k of a block is in one of the ranges.
template <ByteRange... ranges>
ByteBits bytes_in(const char* at) {
  ByteBits bits = 0;
#ifdef BOLIDE_SSE2
  for (std::size_t k = 0; k < block_bytes; k += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + k));
    const auto is_in = [&](ByteRange range) {
      const auto all = [](int value) { return _mm_set1_epi8(static_cast<char>(value)); };
      const __m128i beyond =
          _mm_subs_epu8(_mm_sub_epi8(bytes, all(range.first)), all(range.last - range.first));
      return _mm_cmpeq_epi8(beyond, _mm_setzero_si128());
    };
    __m128i found = _mm_setzero_si128();
    ((found = _mm_or_si128(found, is_in(ranges))), ...);
    bits |= static_cast<ByteBits>(static_cast<unsigned>(_mm_movemask_epi8(found))) << k;
  }
#elif defined(BOLIDE_NEON)
  // One bit of each byte, in the order of the bytes. Pairwise addition collects eight bits in a byte.
  uint8x16_t found[4];
  const uint8x16_t bit = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
  for (std::size_t k = 0; k < 4; ++k) {
    const uint8x16_t bytes = vld1q_u8(reinterpret_cast<const unsigned char*>(at) + 16 * k);
    const auto is_in = [&](ByteRange range) {
      return vcleq_u8(vsubq_u8(bytes, vdupq_n_u8(range.first)),
                      vdupq_n_u8(static_cast<unsigned char>(range.last - range.first)));
    };
    uint8x16_t any = vdupq_n_u8(0);
    ((any = vorrq_u8(any, is_in(ranges))), ...);
    found[k] = vandq_u8(any, bit);
  }
  const uint8x16_t fours = vpaddq_u8(vpaddq_u8(found[0], found[1]), vpaddq_u8(found[2], found[3]));
  bits = vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(fours, fours)), 0);
#else
  for (std::size_t k = 0; k < block_bytes; ++k) {
    const auto byte = static_cast<unsigned char>(at[k]);
    bits |= static_cast<ByteBits>(((byte >= ranges.first && byte <= ranges.last) || ...)) << k;
  }
#endif
  return bits;
}

// Calls visit(start, bits) for each block of a text. The last block is filled up with spaces.
template <ByteRange... ranges, typename Visit>
void for_each_block(std::string_view text, Visit&& visit) {
  std::size_t start = 0;
  for (; text.size() - start >= block_bytes; start += block_bytes) {
    visit(start, bytes_in<ranges...>(text.data() + start));
  }
  if (start == text.size()) return;
  char rest[block_bytes];
  std::memset(rest, ' ', sizeof rest);
  std::memcpy(rest, text.data() + start, text.size() - start);
  visit(start, bytes_in<ranges...>(rest));
}

// Clears the lowest set bit of a number that is not 0, and returns its position.
inline std::size_t take_lowest(ByteBits& bits) {
  const auto lowest = static_cast<std::size_t>(std::countr_zero(bits));
  bits &= bits - 1;
  return lowest;
}

}  // namespace bolide
