// The phrases of a table's left side that occur in sentences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model.hpp"
#include "tables/phrase_table.hpp"

namespace bolide {

// Finds the left phrases of several sentences, given one after the other as words of the table (-1: not in
// it) and by where each ends. Appends them, by sentence, start and length, and where those of each sentence
// end.
void find_left_phrases(const PhraseTable& phrases, std::span<const std::int32_t> words,
                       std::span<const std::size_t> ends, std::vector<LeftPhrase>& found,
                       std::vector<std::size_t>& found_ends);

}  // namespace bolide
