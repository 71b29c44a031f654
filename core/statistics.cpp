#include "statistics.hpp"

#include <algorithm>

namespace bolide {

namespace {

struct Counter {
  const Vocabulary& vocabulary;
  bool characters;

  // Adds the words' number (or characters) to the content or the function column.
  void add(Words words, std::int32_t* content, std::int32_t* function) const {
    for (std::int32_t word : words) {
      const WordType& type = vocabulary.type(word);
      *(type.function ? function : content) += characters ? type.length : 1;
    }
  }
};

// A chunk goes on if the next match starts, on both sides, where the last one ended.
bool continues(const Match& last, const Match& next) {
  return next.reference_start == last.reference_start + last.reference_length &&
         next.hypothesis_start == last.hypothesis_start + last.hypothesis_length;
}

}  // namespace

std::int32_t number_chunks(std::span<const Match> chosen, std::vector<std::int32_t>& chunk_of) {
  std::int32_t chunks = 0;
  chunk_of.clear();
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (k == 0 || !continues(chosen[k - 1], chosen[k])) ++chunks;
    chunk_of.push_back(chunks - 1);
  }
  return chunks;
}

void count_statistics(const Vocabulary& vocabulary, Words hypothesis, Words reference,
                      std::span<const Match> chosen, int stages, bool characters, std::int32_t* row) {
  std::fill(row, row + statistics_columns(stages), 0);
  const Counter counter{vocabulary, characters};
  std::int32_t content = 0;
  counter.add(hypothesis, &content, row + 2);
  row[0] = content + row[2];
  content = 0;
  counter.add(reference, &content, row + 3);
  row[1] = content + row[3];

  std::int32_t* totals = row + 4 + 4 * stages;  // chunks, hypothesis word matches, reference word matches
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const Match& match = chosen[k];
    std::int32_t* stage = row + 4 + 4 * match.stage;
    counter.add(hypothesis.subspan(match.hypothesis_start, match.hypothesis_length), stage + 0, stage + 2);
    counter.add(reference.subspan(match.reference_start, match.reference_length), stage + 1, stage + 3);
    totals[0] += k == 0 || !continues(chosen[k - 1], match);
    totals[1] += match.hypothesis_length;
    totals[2] += match.reference_length;
  }
}

}  // namespace bolide
