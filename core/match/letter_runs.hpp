// Matches words that are left over after the alignment, by runs of letters that they have in common.
//
// This is what a stage of kind `letters` does. Its keys of a word are the letters of the word, in order. So a
// part of a compound, or another inflected form, counts for the letters that are shared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

// A word as numbers. Only the first `longest` letters of a word are used: longer words are mostly web
// addresses.
class Letters {
 public:
  static constexpr std::size_t longest = 32;

  explicit Letters(std::span<const std::int32_t> letters)
      : letters_(letters.first(letters.size() < longest ? letters.size() : longest)) {}
  std::int32_t size() const { return static_cast<std::int32_t>(letters_.size()); }
  std::int32_t operator[](std::int32_t k) const { return letters_[static_cast<std::size_t>(k)]; }

 private:
  std::span<const std::int32_t> letters_;
};

// A run of letters that two words have in common: where it begins in each, and its length.
struct CommonRun {
  std::int32_t one, two, length;
};
constexpr std::int32_t shortest_run = 2;

// The common runs of two words: the longest one, then in the same way those on its left and on its right in
// both words. Of equally long runs, the first in `one` is taken, then the first in `two`.
void find_common_runs(Letters one, Letters two, std::vector<CommonRun>& runs);
std::int32_t common_letters(Letters one, Letters two);

// How much of the size of a word counts if only some of its letters are common: the same share, rounded.
inline std::int32_t common_part(std::int32_t size, std::int32_t common, Letters word) {
  return static_cast<std::int32_t>((2 * std::int64_t{size} * common + word.size()) / (2 * word.size()));
}

// Adds matches of a `letters` stage to alignments. It reuses its memory for the next pair, so each thread
// needs its own.
class LetterMatcher {
 public:
  explicit LetterMatcher(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  // Adds matches of words that no match of `chosen` covers, the closest pairs first. `chosen` must ascend by
  // reference start, and it still does afterwards. Returns false if not all pairs were compared, because
  // there are too many: then each reference word is compared with the words near its own position.
  bool add(int stage, Words hypothesis, Words reference, std::vector<Match>& chosen);

 private:
  struct FreeWord {
    std::int32_t position;
    Letters letters;
    std::uint64_t twos;  // a set that has all its pairs of neighbouring letters
  };
  // Two words that share letters. Closeness is the share of common letters of both words together, plus a
  // fifth for each neighbour: a match that the pair would continue, or that would continue the pair.
  struct LetterPair {
    std::int32_t common, letters, neighbours, reference, hypothesis;
  };
  static bool is_closer(const LetterPair& a, const LetterPair& b);

  void find_free(int column, Words words, const std::vector<bool>& taken, std::vector<FreeWord>& free) const;
  void mark_taken(std::size_t hypothesis, std::size_t reference, const std::vector<Match>& chosen);
  void compare(const FreeWord& reference, const FreeWord& hypothesis);

  const Vocabulary& vocabulary_;
  std::vector<FreeWord> free_hypothesis_, free_reference_;
  std::vector<bool> taken_hypothesis_, taken_reference_;
  std::vector<std::int32_t> end_at_, start_at_;  // by position of the reference: where in the hypothesis
  std::vector<LetterPair> pairs_;
};

}  // namespace bolide
