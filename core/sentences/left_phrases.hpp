// Looks up paraphrases, first step: finds the left phrases of a paraphrase table that occur in sentences. In
// the second step, `phrase_pass` (match/matcher.cpp) looks for their right phrases in the other sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model.hpp"
#include "tables/phrase_table.hpp"

namespace bolide {

// It reuses its memory for the next call, so each thread needs its own.
class LeftPhraseFinder {
 public:
  // `words` are several sentences, one after the other, as words of the table (-1: not in the table); `ends`
  // are where each sentence ends. Appends the left phrases to `found`, sorted by sentence, start and length,
  // and where those of each sentence end to `found_ends`.
  void find(const PhraseTable& phrases, std::span<const std::int32_t> words,
            std::span<const std::size_t> ends, std::vector<LeftPhrase>& found,
            std::vector<std::size_t>& found_ends);

 private:
  // The beginning of a left phrase that occurs in a sentence.
  struct Beginning {
    PhraseTable::Node node;
    std::uint32_t start, last;  // the positions of its first and its last word
  };

  std::vector<Beginning> beginnings_;    // of all lengths, the longest last
  std::vector<std::int32_t> following_;  // the next word of the sentence, or -1
  std::vector<std::size_t> places_;
};

}  // namespace bolide
