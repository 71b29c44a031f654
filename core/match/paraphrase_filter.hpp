// A filter that finds the paraphrases that may occur in a sentence. matcher.cpp then looks up whether they
// do.
//
// A sentence has about 25 left phrases, each with several paraphrases, and hardly any of them occurs in the
// other sentence. The filter rejects nearly all others by their first word and by their first two words. It
// looks up the last bits of word numbers in sets. As bits, such a set fits into a register, so that vector
// code looks up 16 or 32 numbers at a time. The portable code has a byte for each number.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model.hpp"
#include "support/instructions.hpp"

namespace bolide {

// A paraphrase that may occur: the number of its left phrase, and its number among the paraphrases of that
// phrase.
struct LikelyParaphrase {
  std::uint32_t left, right;
};

class ParaphraseFilter {
 public:
  // `instructions` is an available set.
  explicit ParaphraseFilter(Instructions instructions = best_instructions());
  ParaphraseFilter(const ParaphraseFilter&) = delete;
  ParaphraseFilter& operator=(const ParaphraseFilter&) = delete;

  // Sets the sentence, given as numbers of words in the table (-1: the word is not in the table).
  void set(std::span<const std::int32_t> words);

  // Appends the paraphrases of these left phrases that may occur, in order. All that occur are among them.
  void list(std::span<const std::uint16_t> entries, std::span<const LeftPhrase> lefts,
            std::vector<LikelyParaphrase>& found) const;
  void list(std::span<const std::uint32_t> entries, std::span<const LeftPhrase> lefts,
            std::vector<LikelyParaphrase>& found) const;

 private:
  template <typename Number>
  void list_one(std::span<const Number> entries, std::uint32_t number, const LeftPhrase& left,
                std::vector<LikelyParaphrase>& found) const;
  template <typename Number>
  void list_portable(std::span<const Number> entries, std::span<const LeftPhrase> lefts,
                     std::vector<LikelyParaphrase>& found) const;
  template <typename Number>
  void list_any(std::span<const Number> entries, std::span<const LeftPhrase> lefts,
                std::vector<LikelyParaphrase>& found) const;
  void list_avx2(std::span<const std::uint16_t> entries, std::span<const LeftPhrase> lefts,
                 std::vector<LikelyParaphrase>& found) const;
  void list_avx512(std::span<const std::uint16_t> entries, std::span<const LeftPhrase> lefts,
                   std::vector<LikelyParaphrase>& found) const;
  void list_neon(std::span<const std::uint16_t> entries, std::span<const LeftPhrase> lefts,
                 std::vector<LikelyParaphrase>& found) const;

  static constexpr std::size_t few_bits = 512, many_bits = 1 << 16;
  static constexpr std::size_t many_words = 256;  // sentences of this length or more use many bits
  using Few = std::array<std::uint64_t, few_bits / 64>;
  using Bytes = std::array<std::uint8_t, few_bits>;
  Instructions instructions_;
  bool is_short_ = true;  // the sentence has less than many_words
  alignas(64) Few few_words_{};
  alignas(64) Few few_pairs_{};
  Bytes word_bytes_{}, pair_bytes_{};
  std::vector<std::uint64_t> many_words_, many_pairs_;
  std::span<std::uint64_t> words_ = few_words_, pairs_ = few_pairs_;
};

}  // namespace bolide
