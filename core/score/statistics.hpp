// Alignment -> counts. Everything after this is arithmetic on an array (score.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model.hpp"
#include "score/statistics_layout.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

// Fills a row of statistics. `chosen` must ascend by reference start. With `characters`, lengths and stage
// counts are in characters.
void count_statistics(const Vocabulary& vocabulary, Words hypothesis, Words reference,
                      std::span<const Match> chosen, StatisticsLayout layout, bool characters,
                      std::int32_t* row);

// Chunk number (0-based) of each chosen match; returns the number of chunks.
std::int32_t number_chunks(std::span<const Match> chosen, std::vector<std::int32_t>& chunk_of);

}  // namespace bolide
