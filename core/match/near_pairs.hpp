// Words whose vectors are close: the pairs of a sentence pair that a table of word vectors calls related.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

// Finds the related pairs of two sentences: of all pairs at or above the threshold the nearest first, and of
// those only pairs that share no word with a nearer one; at equal cosines the first reference position, then
// the first hypothesis position. A word takes part if its own sentence has it more often than the other: the
// others have equal partners, which belong to the exact stage. Keeps its memory from pair to pair.
class NearPairs {
 public:
  // (reference position, hypothesis position), by reference position.
  using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;
  static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);

  // How many pairs `find` would compare without a cap. Must be asked before it.
  std::size_t prepare(const Vocabulary& vocabulary, int column, Words hypothesis, Words reference,
                      const Vectors& vectors);
  // With a cap each reference word is compared only with so many words of the hypothesis before its own
  // position, and so many behind it.
  const Pairs& find(const Vectors& vectors, std::size_t cap = unlimited);

 private:
  struct WordPlace {
    std::int64_t identity;
    std::int32_t position, row;  // row is -1 for a word without vector
  };
  struct NearSide {
    std::vector<WordPlace> places;        // first all words, by identity; then those taking part
    std::vector<std::int32_t> positions;  // of the words taking part, ascending
    std::vector<float> unit;              // their vectors, scaled, each padded to `stride` numbers
  };
  struct NearPair {
    float cosine;
    std::int32_t reference, hypothesis;  // numbers within the sides
  };

  void place(const Vocabulary& vocabulary, int column, Words words, const Vectors& vectors, NearSide& side);
  void gather(const Vectors& vectors, NearSide& side) const;

  NearSide hypothesis_, reference_;
  std::vector<NearPair> near_;
  std::vector<std::int32_t> partner_;
  std::vector<bool> taken_;
  Pairs found_;
};

// The cosine of two rows, computed as `find` does; NaN if one has no length.
float cosine(const Vectors& vectors, std::size_t a, std::size_t b);

}  // namespace bolide
