// Several references together.
//
// The option references="union": a hypothesis word may be matched in any of several references.
// The alignment with one reference, the base, is counted as usual. A hypothesis word that is unmatched there
// but matched in another reference counts too, by the first stage that matches it in any reference. For each
// such word, one more word of the base counts as matched on the reference side, as long as the base has
// unmatched words of the same class (content or function words). Two neighbouring words of the hypothesis are
// in one chunk if one of the alignments has them in one chunk. With one reference, nothing changes.
//
// The option references="pool": the statistics of all references are added up, as with "all". But a
// hypothesis word that is matched with any reference counts as matched with each of them, by the first stage
// that matches it. So precision compares with all references together, and recall with each of them. Chunks
// and matches stay sums.
#pragma once

#include <cstdint>
#include <span>

#include "model.hpp"
#include "score/statistics_layout.hpp"

namespace bolide {

// The words of a sentence, as they are counted in statistics.
struct WordSizes {
  std::span<const std::int32_t> sizes;      // 1, or their sizes
  std::span<const std::uint8_t> functions;  // 1 = function word
};

// Changes `row`, the statistics of the hypothesis with reference number `base`, into those with all
// references. `alignments` are the chosen matches with each reference. Throws std::invalid_argument if a
// match lies outside of the hypothesis, the base, or the stages.
void unite(const WordSizes& hypothesis, const WordSizes& base_words,
           std::span<const std::span<const Match>> alignments, std::size_t base, StatisticsLayout layout,
           std::int32_t* row);

// Changes `row`, the summed statistics of the hypothesis with all references, into those of the pool.
void pool(const WordSizes& hypothesis, std::span<const std::span<const Match>> alignments,
          StatisticsLayout layout, std::int64_t* row);

}  // namespace bolide
