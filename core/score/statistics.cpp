#include "score/statistics.hpp"

#include <algorithm>

namespace bolide {

namespace {

struct Counter {
  const Vocabulary& vocabulary;
  bool characters;

  // The number of words (or characters), and of those in function words.
  struct Counts {
    std::int32_t all = 0, function = 0;
  };
  // Without a branch: which words are function words nobody could foretell.
  Counts count(Words words) const {
    Counts counts;
    for (std::int32_t word : words) {
      const WordType& type = vocabulary.type(word);
      const std::int32_t size = characters ? type.length : 1;
      counts.all += size;
      counts.function += type.function ? size : 0;
    }
    return counts;
  }
  void add(Words words, std::int32_t* content, std::int32_t* function) const {
    const Counts counts = count(words);
    *content += counts.all - counts.function;
    *function += counts.function;
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
  const auto [hypothesis_words, hypothesis_function] = counter.count(hypothesis);
  const auto [reference_words, reference_function] = counter.count(reference);
  row[0] = hypothesis_words, row[1] = reference_words;
  row[2] = hypothesis_function, row[3] = reference_function;

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
