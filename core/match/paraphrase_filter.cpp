#include "match/paraphrase_filter.hpp"

#include <algorithm>
#include <bit>

#include "tables/phrase_table.hpp"

#ifdef BOLIDE_X86
#include <immintrin.h>
#endif
#ifdef BOLIDE_NEON
#include <arm_neon.h>
#endif

namespace bolide {

namespace {

// The number of a pair of adjacent words. A single word forms a pair with itself.
constexpr std::uint16_t pair_factor = 0x9E37;
std::uint32_t pair_of(std::uint32_t first, std::uint32_t second) {
  return first * pair_factor + second;
}

void insert(std::span<std::uint64_t> set, std::uint32_t number) {
  const std::size_t place = number & (64 * set.size() - 1);
  set[place / 64] |= std::uint64_t{1} << (place % 64);
}

// Inserts the words of a sentence, and its pairs of words.
template <typename InsertWord, typename InsertPair>
void insert_all(std::span<const std::int32_t> words, InsertWord insert_word, InsertPair insert_pair) {
  std::int32_t last = -1;
  for (const std::int32_t word : words) {
    if (word >= 0) {
      const auto number = static_cast<std::uint32_t>(word);
      insert_word(number);
      insert_pair(pair_of(number, number));
      // If the word before is not in the table, insert the pair of the word with itself again, which changes
      // nothing.
      insert_pair(pair_of(last >= 0 ? static_cast<std::uint32_t>(last) : number, number));
    }
    last = word;
  }
}

bool may_have(std::span<const std::uint64_t> set, std::uint32_t number) {
  const std::size_t place = number & (64 * set.size() - 1);
  return set[place / 64] >> (place % 64) & 1;
}

}  // namespace

ParaphraseFilter::ParaphraseFilter(Instructions instructions) : instructions_(instructions) {}

void ParaphraseFilter::set(std::span<const std::int32_t> words) {
  is_short_ = words.size() < many_words;
  if (is_short_ && instructions_ == Instructions::portable) {
    word_bytes_.fill(0);
    pair_bytes_.fill(0);
    insert_all(
        words, [&](std::uint32_t word) { word_bytes_[word % few_bits] = 1; },
        [&](std::uint32_t pair) { pair_bytes_[pair % few_bits] = 1; });
    return;
  }
  if (is_short_) {
    words_ = few_words_, pairs_ = few_pairs_;
  } else {
    many_words_.resize(many_bits / 64);
    many_pairs_.resize(many_bits / 64);
    words_ = many_words_, pairs_ = many_pairs_;
  }
  std::fill(words_.begin(), words_.end(), 0);
  std::fill(pairs_.begin(), pairs_.end(), 0);
  insert_all(
      words, [&](std::uint32_t word) { insert(words_, word); },
      [&](std::uint32_t pair) { insert(pairs_, pair); });
}

template <typename Number>
void ParaphraseFilter::list_one(std::span<const Number> entries, std::uint32_t number, const LeftPhrase& left,
                                std::vector<LikelyParaphrase>& found) const {
  const PhraseTable::Rights<Number> rights(entries.subspan(left.paraphrases), 0);
  const Number *firsts = rights.firsts(), *seconds = rights.seconds();
  for (std::uint32_t k = 0; k < rights.count(); ++k) {
    if (may_have(words_, firsts[k]) && may_have(pairs_, pair_of(firsts[k], seconds[k])))
      found.push_back({number, k});
  }
}

// Writes every paraphrase, and overwrites those that cannot occur: a branch could not be predicted, and the
// processor would not load the next paraphrases before it knows the result.
template <typename Number>
void ParaphraseFilter::list_portable(std::span<const Number> entries, std::span<const LeftPhrase> lefts,
                                     std::vector<LikelyParaphrase>& found) const {
  constexpr std::uint32_t at_a_time = 64;
  std::array<LikelyParaphrase, 4 * at_a_time> some;
  std::size_t size = 0;
  const auto move_to_found = [&] {
    found.insert(found.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(size));
    size = 0;
  };
  for (std::uint32_t number = 0; number < lefts.size(); ++number) {
    const PhraseTable::Rights<Number> rights(entries.subspan(lefts[number].paraphrases), 0);
    const Number *firsts = rights.firsts(), *seconds = rights.seconds();
    const std::uint32_t count = rights.count();
    for (std::uint32_t from = 0; from < count; from += at_a_time) {
      for (std::uint32_t k = from, end = std::min(count, from + at_a_time); k < end; ++k) {
        some[size] = {number, k};
        size += word_bytes_[firsts[k] % few_bits] & pair_bytes_[pair_of(firsts[k], seconds[k]) % few_bits];
      }
      if (size > some.size() - at_a_time) move_to_found();
    }
  }
  move_to_found();
}

template <typename Number>
void ParaphraseFilter::list_any(std::span<const Number> entries, std::span<const LeftPhrase> lefts,
                                std::vector<LikelyParaphrase>& found) const {
  if (is_short_ && instructions_ == Instructions::portable) return list_portable(entries, lefts, found);
  for (std::uint32_t k = 0; k < lefts.size(); ++k) list_one(entries, k, lefts[k], found);
}

void ParaphraseFilter::list(std::span<const std::uint32_t> entries, std::span<const LeftPhrase> lefts,
                            std::vector<LikelyParaphrase>& found) const {
  list_any(entries, lefts, found);
}

void ParaphraseFilter::list(std::span<const std::uint16_t> entries, std::span<const LeftPhrase> lefts,
                            std::vector<LikelyParaphrase>& found) const {
#ifdef BOLIDE_X86
  if (is_short_ && instructions_ == Instructions::avx512) return list_avx512(entries, lefts, found);
  if (is_short_ && instructions_ == Instructions::avx2) return list_avx2(entries, lefts, found);
#endif
#ifdef BOLIDE_NEON
  if (is_short_ && instructions_ == Instructions::neon) return list_neon(entries, lefts, found);
#endif
  list_any(entries, lefts, found);
}

#if defined(BOLIDE_X86) || defined(BOLIDE_NEON)

// Collects the lanes that may occur, as bits, and lists them later, so that no look-up waits for a branch
// that the processor cannot predict.
template <typename Bits, std::uint32_t bits_a_lane>
class MetLanes {
 public:
  explicit MetLanes(std::vector<LikelyParaphrase>& found) : found_(found) {}

  void add(std::uint32_t left, std::size_t from, Bits met) {
    some_[size_] = {left, static_cast<std::uint32_t>(from), met};
    size_ += met != 0;
    if (size_ == some_.size()) list();
  }
  void list() {
    for (const auto& [left, from, lanes] : std::span(some_).first(size_)) {
      for (Bits met = lanes; met != 0; met &= met - 1)
        found_.push_back({left, from + static_cast<std::uint32_t>(std::countr_zero(met)) / bits_a_lane});
    }
    size_ = 0;
  }

 private:
  struct Some {
    std::uint32_t left, from;
    Bits met;
  };
  std::array<Some, 64> some_;
  std::size_t size_ = 0;
  std::vector<LikelyParaphrase>& found_;
};

// The functions below read whole vectors and ignore the lanes after the last second word. At the end of the
// entries there is no room for that, so list_one() is called.

#endif

#ifdef BOLIDE_X86

// A set is 32 numbers of 16 bits. Bits 4 to 8 of a number choose one of them, and bits 0 to 3 choose its bit.
BOLIDE_AVX512 static inline __mmask32 among(__m512i set, __m512i numbers) {
  const __m512i low = _mm512_and_si512(numbers, _mm512_set1_epi16(15));
  return _mm512_test_epi16_mask(_mm512_permutexvar_epi16(_mm512_srli_epi16(numbers, 4), set),
                                _mm512_sllv_epi16(_mm512_set1_epi16(1), low));
}

BOLIDE_AVX512 void ParaphraseFilter::list_avx512(std::span<const std::uint16_t> entries,
                                                 std::span<const LeftPhrase> lefts,
                                                 std::vector<LikelyParaphrase>& found) const {
  constexpr std::size_t lanes = 32;
  const __m512i words = _mm512_load_si512(few_words_.data()), pairs = _mm512_load_si512(few_pairs_.data()),
                factor = _mm512_set1_epi16(static_cast<short>(pair_factor));
  MetLanes<std::uint32_t, 1> met_lanes(found);
  for (std::uint32_t number = 0; number < lefts.size(); ++number) {
    const std::uint32_t start = lefts[number].paraphrases;
    const std::size_t count = entries[start];
    if (start + 1 + 2 * count + lanes > entries.size()) {
      met_lanes.list();
      list_one(entries, number, lefts[number], found);
      continue;
    }
    const std::uint16_t *firsts = &entries[start] + 1, *seconds = firsts + count;
    for (std::size_t from = 0; from < count; from += lanes) {
      const __m512i first = _mm512_loadu_si512(firsts + from), second = _mm512_loadu_si512(seconds + from);
      std::uint32_t met =
          among(words, first) & among(pairs, _mm512_add_epi16(_mm512_mullo_epi16(first, factor), second));
      met &= ~std::uint32_t{0} >> (lanes - std::min(count - from, lanes));
      met_lanes.add(number, from, met);
    }
  }
  met_lanes.list();
}

// With AVX2 a set has 256 bits, both halves combined by `or`. Bits 3 to 7 of a number choose a byte, and bits
// 0 to 2 choose its bit.
struct SetOf256 {
  __m256i lower, upper;
};

BOLIDE_AVX2 static inline __m256i load_256(const void* at) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(at));
}

BOLIDE_AVX2 static inline SetOf256 folded(const std::uint64_t* set) {
  const __m256i both = _mm256_or_si256(load_256(set), load_256(set + 4));
  return {_mm256_permute2x128_si256(both, both, 0x00), _mm256_permute2x128_si256(both, both, 0x11)};
}

// Sets all bits of the lanes whose numbers are not in the set.
BOLIDE_AVX2 static inline __m256i lacks(const SetOf256& set, __m256i numbers) {
  const __m256i powers = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201)),
                place = _mm256_and_si256(_mm256_srli_epi16(numbers, 3), _mm256_set1_epi16(15)),
                byte = _mm256_blendv_epi8(_mm256_shuffle_epi8(set.lower, place),
                                          _mm256_shuffle_epi8(set.upper, place), numbers),
                bit = _mm256_shuffle_epi8(powers, _mm256_and_si256(numbers, _mm256_set1_epi16(7)));
  // Ignore the high byte of a lane, which is meaningless.
  return _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_and_si256(byte, bit), _mm256_set1_epi16(0xFF)),
                            _mm256_setzero_si256());
}

BOLIDE_AVX2 void ParaphraseFilter::list_avx2(std::span<const std::uint16_t> entries,
                                             std::span<const LeftPhrase> lefts,
                                             std::vector<LikelyParaphrase>& found) const {
  constexpr std::size_t lanes = 16;
  const SetOf256 words = folded(few_words_.data()), pairs = folded(few_pairs_.data());
  const __m256i factor = _mm256_set1_epi16(static_cast<short>(pair_factor));
  MetLanes<std::uint32_t, 2> met_lanes(found);
  for (std::uint32_t number = 0; number < lefts.size(); ++number) {
    const std::uint32_t start = lefts[number].paraphrases;
    const std::size_t count = entries[start];
    if (start + 1 + 2 * count + lanes > entries.size()) {
      met_lanes.list();
      list_one(entries, number, lefts[number], found);
      continue;
    }
    const std::uint16_t *firsts = &entries[start] + 1, *seconds = firsts + count;
    for (std::size_t from = 0; from < count; from += lanes) {
      const __m256i first = load_256(firsts + from), second = load_256(seconds + from),
                    pair = _mm256_add_epi16(_mm256_mullo_epi16(first, factor), second),
                    rejected = _mm256_or_si256(lacks(words, first), lacks(pairs, pair));
      // There are two bits per word. Keep one.
      std::uint32_t met = ~static_cast<std::uint32_t>(_mm256_movemask_epi8(rejected)) & 0x55555555;
      met &= ~std::uint32_t{0} >> 2 * (lanes - std::min(count - from, lanes));
      met_lanes.add(number, from, met);
    }
  }
  met_lanes.list();
}

#endif

#ifdef BOLIDE_NEON

namespace {

// A set is a table of 64 bytes. Bits 3 to 8 of a number choose a byte, and bits 0 to 2 choose its bit.
uint8x16x4_t table_of(const std::uint64_t* set) {
  const auto part = [&](int k) { return vreinterpretq_u8_u64(vld1q_u64(set + 2 * k)); };
  return {{part(0), part(1), part(2), part(3)}};
}

struct SixteenNumbers {
  uint16x8_t low, high;
};

// Sets all bits of the lanes whose numbers are in the set.
uint8x16_t among(uint8x16x4_t set, SixteenNumbers numbers) {
  const uint8x16_t place = vcombine_u8(vshrn_n_u16(numbers.low, 3), vshrn_n_u16(numbers.high, 3)),
                   lowest = vcombine_u8(vmovn_u16(numbers.low), vmovn_u16(numbers.high)),
                   byte = vqtbl4q_u8(set, vandq_u8(place, vdupq_n_u8(63))),
                   shift = vandq_u8(lowest, vdupq_n_u8(7));
  return vtstq_u8(byte, vshlq_u8(vdupq_n_u8(1), vreinterpretq_s8_u8(shift)));
}

// One bit of each lane, at a distance of four.
std::uint64_t bits_of(uint8x16_t lanes) {
  const uint8x8_t nibbles = vshrn_n_u16(vreinterpretq_u16_u8(lanes), 4);
  return vget_lane_u64(vreinterpret_u64_u8(nibbles), 0) & 0x1111111111111111;
}

}  // namespace

void ParaphraseFilter::list_neon(std::span<const std::uint16_t> entries, std::span<const LeftPhrase> lefts,
                                 std::vector<LikelyParaphrase>& found) const {
  constexpr std::size_t lanes = 16;
  const uint8x16x4_t words = table_of(few_words_.data()), pairs = table_of(few_pairs_.data());
  MetLanes<std::uint64_t, 4> met_lanes(found);
  for (std::uint32_t number = 0; number < lefts.size(); ++number) {
    const std::uint32_t start = lefts[number].paraphrases;
    const std::size_t count = entries[start];
    if (start + 1 + 2 * count + lanes > entries.size()) {
      met_lanes.list();
      list_one(entries, number, lefts[number], found);
      continue;
    }
    const std::uint16_t *firsts = &entries[start] + 1, *seconds = firsts + count;
    for (std::size_t from = 0; from < count; from += lanes) {
      const SixteenNumbers first = {vld1q_u16(firsts + from), vld1q_u16(firsts + from + 8)},
                           second = {vld1q_u16(seconds + from), vld1q_u16(seconds + from + 8)},
                           pair = {vmlaq_n_u16(second.low, first.low, pair_factor),
                                   vmlaq_n_u16(second.high, first.high, pair_factor)};
      std::uint64_t met = bits_of(vandq_u8(among(words, first), among(pairs, pair)));
      met &= ~std::uint64_t{0} >> 4 * (lanes - std::min(count - from, lanes));
      met_lanes.add(number, from, met);
    }
  }
  met_lanes.list();
}

#endif

}  // namespace bolide
