// Which paraphrases may occur in a sentence.
//
// A sentence has some 25 left phrases, each with several paraphrases, of which hardly one occurs in the other
// sentence. Nearly all are rejected by their first word, and by their first two together: both are looked up
// in sets of bits by their last bits, so small that a set fits into a register; 16 or 32 are looked up at a
// time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model.hpp"
#include "support/instructions.hpp"

namespace bolide {

// A paraphrase that may occur: its left phrase, and its number among the paraphrases of that.
struct LikelyParaphrase {
  std::uint32_t left, right;
};

class ParaphraseFilter {
 public:
  // `instructions` is an available set.
  explicit ParaphraseFilter(Instructions instructions = best_instructions());
  ParaphraseFilter(const ParaphraseFilter&) = delete;
  ParaphraseFilter& operator=(const ParaphraseFilter&) = delete;

  // The sentence in which paraphrases are to occur, as words of the table (-1: not in it).
  void set(std::span<const std::int32_t> words);

  // Appends, in order, the paraphrases of these left phrases that may occur. None that does is left out.
  void list(std::span<const std::uint16_t> entries, std::span<const LeftPhrase> lefts,
            std::vector<LikelyParaphrase>& found) const;
  void list(std::span<const std::uint32_t> entries, std::span<const LeftPhrase> lefts,
            std::vector<LikelyParaphrase>& found) const;

 private:
  template <typename Number>
  void list_one(std::span<const Number> entries, std::uint32_t number, const LeftPhrase& left,
                std::vector<LikelyParaphrase>& found) const;
  void list_avx2(std::span<const std::uint16_t> entries, std::span<const LeftPhrase> lefts,
                 std::vector<LikelyParaphrase>& found) const;
  void list_avx512(std::span<const std::uint16_t> entries, std::span<const LeftPhrase> lefts,
                   std::vector<LikelyParaphrase>& found) const;

  static constexpr std::size_t few_bits = 512, many_bits = 1 << 16;
  static constexpr std::size_t many_words = 256;  // from so many on, many bits
  using Few = std::array<std::uint64_t, few_bits / 64>;
  Instructions instructions_;
  alignas(64) Few few_words_{};
  alignas(64) Few few_pairs_{};
  std::vector<std::uint64_t> many_words_, many_pairs_;
  std::span<std::uint64_t> words_ = few_words_, pairs_ = few_pairs_;
};

}  // namespace bolide
