// Counts the statistics of an alignment. Everything after this is arithmetic on arrays (score.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model.hpp"
#include "score/statistics_layout.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

// What a row counts.
struct Counting {
  bool sizes = false;   // the sizes of words (see Vocabulary), not words
  bool breaks = false;  // chunks without the first one: the places where a chunk ends and another one begins
};

// How many words there are (or their sizes), and how many of them are function words.
struct WordCounts {
  std::int32_t all = 0, function = 0;
};
WordCounts count_words(const Vocabulary& vocabulary, Words words, Counting counting);

// A sentence with its words counted.
struct CountedWords {
  Words words;
  WordCounts counts;
};

// Fills a row of statistics. `chosen` must ascend by reference start.
void count_statistics(const Vocabulary& vocabulary, const CountedWords& hypothesis,
                      const CountedWords& reference, std::span<const Match> chosen, StatisticsLayout layout,
                      Counting counting, std::int32_t* row);
// The same, and counts the words of both sentences.
void count_statistics(const Vocabulary& vocabulary, Words hypothesis, Words reference,
                      std::span<const Match> chosen, StatisticsLayout layout, Counting counting,
                      std::int32_t* row);

// Appends the chunk number, from 0 on, of each chosen match. A chunk is a longest run of matches that are
// adjacent and in the same order in both sentences.
void number_chunks(std::span<const Match> chosen, std::vector<std::int32_t>& chunk_of);

}  // namespace bolide
