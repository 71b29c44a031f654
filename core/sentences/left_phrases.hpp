// Finds the left phrases of a phrase table that occur in sentences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model.hpp"
#include "tables/phrase_table.hpp"

namespace bolide {

// `words` are several sentences, one after the other, as words of the table (-1: not in the table); `ends`
// are where each sentence ends. Appends the left phrases to `found`, sorted by sentence, start and length,
// and where those of each sentence end to `found_ends`.
void find_left_phrases(const PhraseTable& phrases, std::span<const std::int32_t> words,
                       std::span<const std::size_t> ends, std::vector<LeftPhrase>& found,
                       std::vector<std::size_t>& found_ends);

}  // namespace bolide
