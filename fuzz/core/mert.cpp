// Counts n-grams and edits, as BLEU and TER do, and finds the best hypotheses of an n-best list.
#include <stdexcept>

#include "arrays.hpp"
#include "mert/nbest.hpp"
#include "mert/ngrams.hpp"
#include "mert/ter.hpp"
#include "require.hpp"

using namespace bolide;

namespace {

WordIds words(FuzzedDataProvider& input) {
  WordIds found(input.ConsumeIntegralInRange<std::size_t>(0, 40));
  for (std::int32_t& word : found) word = input.ConsumeIntegralInRange(0, 7);
  return found;
}

void count(FuzzedDataProvider& input) {
  const WordIds hypothesis = words(input);
  const std::vector<WordIds> references{words(input), words(input)};
  const auto row = ReferenceNgrams(references).count(hypothesis);
  for (std::size_t order = 0; order < ngram_orders; ++order) {
    require(row[2 + order] <= row[2 + ngram_orders + order], "matched n-grams are n-grams");
  }
  const std::int64_t edits = EditCounter().count(hypothesis, references.front());
  require(edits >= 0 && static_cast<std::size_t>(edits) <= hypothesis.size() + references.front().size(),
          "there are at most as many edits as words");
}

void choose(FuzzedDataProvider& input) {
  const auto width = input.ConsumeIntegralInRange<std::size_t>(1, 4);
  std::vector<std::int64_t> offsets{0}, texts;
  for (auto sentences = input.ConsumeIntegralInRange(1, 6); sentences > 0; --sentences) {
    offsets.push_back(offsets.back() + input.ConsumeIntegralInRange(1, 8));
  }
  const auto hypotheses = static_cast<std::size_t>(offsets.back());
  std::vector<double> features(hypotheses * width), origin(width), direction(width);
  for (std::vector<double>* numbers : {&features, &origin, &direction}) {
    for (double& number : *numbers) number = input.ConsumeFloatingPointInRange(-1e100, 1e100);
  }
  for (std::size_t k = 0; k < hypotheses; ++k) texts.push_back(static_cast<std::int64_t>(k));
  const std::vector<std::int64_t> statistics(hypotheses, 1);
  const NBestLists lists{features, width, offsets, texts, statistics, 1};
  const auto best = best_hypotheses(lists, origin, 2);
  for (std::size_t s = 0; s < lists.sentences(); ++s) {
    require(best[s] >= offsets[s] && best[s] < offsets[s + 1], "the best is one of the list");
  }
  const ErrorSurface surface = error_surface(lists, origin, direction, -2, 2, 2);
  require(surface.sums.size() == surface.breaks.size() + 1, "one more row than breaks");
  for (const std::int64_t sum : surface.sums) {
    require(sum == static_cast<std::int64_t>(lists.sentences()), "one hypothesis per sentence");
  }
}

}  // namespace

FUZZ_TARGET(input) {
  count(input);
  choose(input);
}
