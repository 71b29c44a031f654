// Several references as one: a hypothesis word may be matched in any of them.
//
// The alignment with one reference, the base, is counted as usual. A hypothesis word that it leaves
// unmatched, but the alignment with another reference matches, counts too, by the best (first) stage that
// matches it in any of them. It stands for a word that the base says otherwise: on the reference side one
// word more of the base counts as matched, as long as the base has unmatched words of that class, content or
// function. Two neighbours of the hypothesis are in one chunk if some alignment has them in one: both in the
// same match, or the second's match begins in the reference where the first's ended. With one reference
// nothing changes.
#pragma once

#include <cstdint>
#include <span>

#include "model.hpp"
#include "score/statistics_layout.hpp"

namespace bolide {

// The words of a sentence as statistics count them.
struct CountedWords {
  std::span<const std::int32_t> sizes;      // 1, or in characters
  std::span<const std::uint8_t> functions;  // 1 = function word
};

// Turns `row`, the statistics of the hypothesis with reference number `base`, into those with all references.
// `alignments` are the chosen matches with each reference. Throws std::invalid_argument if a match lies
// outside of the hypothesis, of the base, or of the stages.
void unite(const CountedWords& hypothesis, const CountedWords& base_words,
           std::span<const std::span<const Match>> alignments, std::size_t base, StatisticsLayout layout,
           std::int32_t* row);

}  // namespace bolide
