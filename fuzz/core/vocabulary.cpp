// Adds words with any keys to a vocabulary of any stages. Looking them up must find them.
#include "vocabulary/vocabulary.hpp"

#include <string>

#include "require.hpp"
#include "text/normalizer.hpp"

using namespace bolide;

namespace {

constexpr StageKind kinds[] = {StageKind::exact,    StageKind::related, StageKind::directed_exact,
                               StageKind::directed, StageKind::phrase,  StageKind::near,
                               StageKind::letters};

struct Column {
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int64_t> keys;
};

void add(Vocabulary& vocabulary, std::size_t columns, const std::vector<std::string_view>& words,
         FuzzedDataProvider& input) {
  std::vector<Column> made(columns);
  for (Column& column : made) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      if (input.ConsumeBool()) column.keys.push_back(input.ConsumeIntegralInRange<std::int64_t>(-2, 20));
      column.offsets.push_back(static_cast<std::int32_t>(column.keys.size()));
    }
  }
  const std::vector<std::int64_t> identities(words.size(), input.ConsumeIntegral<std::int32_t>());
  const std::vector<std::uint8_t> functions(words.size(), 1);
  const std::vector<std::int32_t> lengths(words.size(), 3);
  Analysis analysis{identities, functions, lengths, {}};
  for (const Column& column : made) analysis.columns.push_back({column.offsets, column.keys});
  vocabulary.add(words, analysis);
}

void check_keys(const Vocabulary& vocabulary, const std::vector<StageKind>& stages) {
  for (std::int32_t word = 0; word < vocabulary.size(); ++word) {
    for (int stage = 0; stage < vocabulary.stages(); ++stage) {
      if (!is_word_stage(stages[static_cast<std::size_t>(stage)])) continue;
      const auto [hypothesis, reference] = vocabulary.columns(stage);
      for (const int column : {hypothesis, reference}) {
        for (const std::int32_t key : vocabulary.keys(column, word)) {
          require(key >= 0 && key < vocabulary.key_limit(stage), "keys are below the limit");
        }
      }
    }
  }
}

}  // namespace

FUZZ_TARGET(input) {
  std::vector<StageKind> stages;
  std::size_t columns = 0;
  for (auto count = input.ConsumeIntegralInRange(1, 4); count > 0; --count) {
    stages.push_back(input.PickValueInArray(kinds));
    columns += is_directed(stages.back()) ? 2 : 1;
  }
  Vocabulary vocabulary(stages);
  while (input.remaining_bytes() > 0) {
    const std::string text = input.ConsumeRandomLengthString();
    std::vector<std::string_view> words;
    split(text, words);
    try {
      add(vocabulary, columns, words, input);
    } catch (const std::invalid_argument&) {
      continue;  // a negative number in a phrase or near stage
    }
    std::vector<std::int32_t> numbers;
    vocabulary.find_all(words, numbers);
    for (std::size_t k = 0; k < words.size(); ++k) {
      require(numbers[k] >= 0 && numbers[k] == vocabulary.find(words[k]), "added words are found");
    }
  }
  check_keys(vocabulary, stages);
}
