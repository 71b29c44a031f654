// Finds pairs of words in a sentence pair whose word vectors are close.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

// Takes all pairs with a cosine at or above the threshold, the nearest first, and drops pairs that share a
// word with a nearer pair. If cosines are equal, the first reference position comes first, then the first
// hypothesis position. A word takes part only if its sentence has it more often than the other sentence:
// other words have equal partners, which are matched by the exact stage. The object reuses its memory for the
// next sentence pair.
class NearPairs {
 public:
  // (reference position, hypothesis position), by reference position.
  using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;
  static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);

  // Must be called before `find`. Returns how many pairs `find` would compare without a cap.
  std::size_t prepare(const Vocabulary& vocabulary, int column, Words hypothesis, Words reference,
                      const Vectors& vectors);
  // With a cap, each reference word is compared only with this many hypothesis words before its position, and
  // this many after it.
  const Pairs& find(const Vectors& vectors, std::size_t cap = unlimited);

 private:
  struct WordPlace {
    std::int64_t identity;
    std::int32_t position, row;  // row is -1 for a word without vector
  };
  struct NearSide {
    std::vector<WordPlace> places;        // first all words, by identity; then those that take part
    std::vector<std::int32_t> positions;  // of the words that take part, ascending
    std::vector<float> unit;  // their vectors, scaled to unit length and padded to `stride` numbers
  };
  struct NearPair {
    float cosine;
    std::int32_t reference, hypothesis;  // numbers among the words that take part
  };

  void place(const Vocabulary& vocabulary, int column, Words words, const Vectors& vectors, NearSide& side);
  void gather(const Vectors& vectors, NearSide& side) const;

  NearSide hypothesis_, reference_;
  std::vector<NearPair> near_;
  std::vector<std::int32_t> partner_;
  std::vector<bool> taken_;
  Pairs found_;
};

// The cosine of two rows, computed as in `find`; NaN if a row has length 0.
float cosine(const Vectors& vectors, std::size_t a, std::size_t b);

}  // namespace bolide
