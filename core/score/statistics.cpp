#include "score/statistics.hpp"

#include <algorithm>

#include "match/letter_runs.hpp"

namespace bolide {

void number_chunks(std::span<const Match> chosen, std::vector<std::int32_t>& chunk_of) {
  std::int32_t chunk = 0;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (k > 0 && !continues(chosen[k - 1], chosen[k])) ++chunk;
    chunk_of.push_back(chunk);
  }
}

// Without branches, because it cannot be predicted which words are function words.
WordCounts count_words(const Vocabulary& vocabulary, Words words, Counting counting) {
  WordCounts counts;
  for (std::int32_t word : words) {
    const WordType& type = vocabulary.type(word);
    const std::int32_t size = counting.sizes ? type.size : 1;
    counts.all += size;
    counts.function += type.function ? size : 0;
  }
  return counts;
}

void count_statistics(const Vocabulary& vocabulary, Words hypothesis, Words reference,
                      std::span<const Match> chosen, StatisticsLayout layout, Counting counting,
                      std::int32_t* row) {
  count_statistics(vocabulary, {hypothesis, count_words(vocabulary, hypothesis, counting)},
                   {reference, count_words(vocabulary, reference, counting)}, chosen, layout, counting, row);
}

void count_statistics(const Vocabulary& vocabulary, const CountedWords& hypothesis,
                      const CountedWords& reference, std::span<const Match> chosen, StatisticsLayout layout,
                      Counting counting, std::int32_t* row) {
  std::fill(row, row + layout.width(), 0);
  const auto store_counts = [&](const CountedWords& sentence, TextSide side) {
    row[layout.length(side)] = sentence.counts.all;
    row[layout.function_words(side)] = sentence.counts.function;
  };
  store_counts(hypothesis, hypothesis_side);
  store_counts(reference, reference_side);

  const auto add_words = [&](Words words, std::size_t stage, TextSide side) {
    for (std::int32_t word : words) {
      const WordType& type = vocabulary.type(word);
      row[type.function ? layout.function(stage, side) : layout.content(stage, side)] +=
          counting.sizes ? type.size : 1;
    }
    row[layout.word_matches(side)] += static_cast<std::int32_t>(words.size());
  };
  // Of words that share only some letters, these letters count.
  const auto add_letters = [&](std::int32_t word, std::int32_t other, int stage, TextSide side) {
    const auto letters = [&, column = vocabulary.columns(stage).reference](std::int32_t each) {
      return Letters(vocabulary.keys(column, each));
    };
    const WordType& type = vocabulary.type(word);
    const std::int32_t common = side == hypothesis_side ? common_letters(letters(word), letters(other))
                                                        : common_letters(letters(other), letters(word));
    const auto number = static_cast<std::size_t>(stage);
    row[type.function ? layout.function(number, side) : layout.content(number, side)] +=
        common_part(type.size, common, letters(word));
    ++row[layout.word_matches(side)];
  };
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const Match& match = chosen[k];
    const Words ours = hypothesis.words.subspan(match.hypothesis_start, match.hypothesis_length),
                theirs = reference.words.subspan(match.reference_start, match.reference_length);
    if (counting.sizes && vocabulary.kind(match.stage) == StageKind::letters) {
      add_letters(ours.front(), theirs.front(), match.stage, hypothesis_side);
      add_letters(theirs.front(), ours.front(), match.stage, reference_side);
    } else {
      add_words(ours, static_cast<std::size_t>(match.stage), hypothesis_side);
      add_words(theirs, static_cast<std::size_t>(match.stage), reference_side);
    }
    row[layout.chunks()] += k == 0 ? !counting.breaks : !continues(chosen[k - 1], match);
  }
}

}  // namespace bolide
