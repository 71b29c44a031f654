// Alignment -> counts. Everything after this is arithmetic on an array (score.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

// Columns: hypothesis length, reference length, hypothesis function words, reference function words; for each
// stage hypothesis content, reference content, hypothesis function, reference function matches; chunks,
// hypothesis word matches, reference word matches.
constexpr int statistics_columns(int stages) {
  return 7 + 4 * stages;
}

// `chosen` must ascend by reference start. With `characters`, lengths and stage counts are in characters.
void count_statistics(const Vocabulary& vocabulary, Words hypothesis, Words reference,
                      std::span<const Match> chosen, int stages, bool characters, std::int32_t* row);

// Chunk number (0-based) of each chosen match; returns the number of chunks.
std::int32_t number_chunks(std::span<const Match> chosen, std::vector<std::int32_t>& chunk_of);

}  // namespace bolide
