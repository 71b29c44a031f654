// The texts of a batch as sentences: normalised, split, their words numbered, their phrases found, each text
// once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "match.hpp"
#include "text.hpp"
#include "vocabulary.hpp"

namespace bolide {

// Told the words that the vocabulary lacks; must add them to it. Called on the calling thread, at most once.
using Analyse = std::function<void(std::span<const std::string_view>)>;

// Longest sentence that the search can align.
constexpr std::size_t longest_sentence = 100000;

class Sentences {
 public:
  // `rules` may be null: then texts are only split. References are often the same in
  // many pairs (several systems, n-best lists), so equal texts are worked on once.
  Sentences(std::span<const std::string_view> texts, const NormalizerRules* rules,
            std::span<const Stage> stages, Vocabulary& vocabulary, const Analyse& analyse, int threads);

  // Valid as long as this object; the vocabulary must be held for reading while words are looked up.
  Sentence operator[](std::size_t text) const;

 private:
  // Some texts that one thread works on; they share arrays, so that a text costs no allocation of its own.
  struct Block {
    // The texts as a phrase table sees them.
    struct Phrases {
      std::vector<std::int32_t> words;
      std::vector<LeftPhrase> left_phrases;
      std::vector<std::size_t> ends;
    };
    std::vector<std::int32_t> words;
    std::vector<std::size_t> word_ends;
    std::vector<Phrases> phrases;                              // for each phrase stage
    std::vector<PhraseSide> sides;                             // for each text and phrase stage
    std::vector<std::pair<std::size_t, std::string>> unknown;  // place in words, text
  };

  void number_texts(std::span<const std::string_view> texts);
  void tokenize(const NormalizerRules* rules, const Vocabulary& vocabulary, int threads);
  void learn_unknown(Vocabulary& vocabulary, const Analyse& analyse);
  void find_phrases(std::span<const Stage> stages, const Vocabulary& vocabulary, int threads);

  std::vector<std::string_view> distinct_;
  std::vector<std::uint32_t> number_of_;  // text -> its place in distinct_
  std::vector<Block> blocks_;
  std::size_t tables_ = 0;
};

}  // namespace bolide
