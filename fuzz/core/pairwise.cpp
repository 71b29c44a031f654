// Scores all pairs of texts, and the same pairs one after the other. Both must give the same statistics, on
// one thread and on several. With `symmetric` this is so for the pairs that are aligned.
#include <algorithm>

#include "engine.hpp"
#include "require.hpp"
#include "text/lines.hpp"

using namespace bolide;

namespace {

constexpr AlignerKind kinds[] = {AlignerKind::beam, AlignerKind::exact, AlignerKind::staged,
                                 AlignerKind::greedy};
using Views = std::vector<std::string_view>;
using Rows = std::vector<std::int32_t>;

Vocabulary new_vocabulary() {
  return Vocabulary({StageKind::exact, StageKind::related, StageKind::letters});
}

// Three stages: equal words, words with the same first byte, and runs of bytes.
Analyse analysis_for(Vocabulary& vocabulary) {
  return [&vocabulary](std::span<const std::string_view> words) {
    std::vector<std::int64_t> identities, firsts, letters;
    std::vector<std::int32_t> offsets{0}, letter_offsets{0}, lengths;
    for (const std::string_view word : words) {
      identities.push_back(static_cast<std::int32_t>(quick_hash(word)));
      firsts.push_back(word.front());
      for (const char byte : word) letters.push_back(static_cast<unsigned char>(byte));
      lengths.push_back(static_cast<std::int32_t>(word.size()));
      offsets.push_back(static_cast<std::int32_t>(firsts.size()));
      letter_offsets.push_back(static_cast<std::int32_t>(letters.size()));
    }
    const std::vector<std::uint8_t> functions(words.size(), words.size() % 2);
    vocabulary.add(words, {identities,
                           functions,
                           lengths,
                           {{offsets, identities}, {offsets, firsts}, {letter_offsets, letters}}});
  };
}

Rows all_pairs(const EngineSettings& settings, const Views& hypotheses, const Views& references,
               bool symmetric, int threads, std::size_t width) {
  const Engine engine(settings);
  Vocabulary vocabulary = new_vocabulary();
  Rows rows(hypotheses.size() * references.size() * width);
  const std::int32_t sizes[] = {static_cast<std::int32_t>(hypotheses.size()),
                                static_cast<std::int32_t>(references.size())};
  PairwiseRequest request;
  request.hypotheses = hypotheses;
  request.references = references;
  request.hypothesis_counts = {sizes, 1};
  request.reference_counts = {sizes + 1, 1};
  request.symmetric = symmetric;
  request.statistics = rows;
  engine.pairwise(request, vocabulary, analysis_for(vocabulary), {.threads = threads});
  return rows;
}

Rows one_by_one(const EngineSettings& settings, const Views& hypotheses, const Views& references) {
  Engine engine(settings);
  Vocabulary vocabulary = new_vocabulary();
  Views first, second;
  for (const std::string_view hypothesis : hypotheses) {
    for (const std::string_view reference : references) {
      first.push_back(hypothesis);
      second.push_back(reference);
    }
  }
  const std::vector<std::int32_t> counts(first.size(), 1);
  return engine.run({first, second, counts}, vocabulary, analysis_for(vocabulary), {}).statistics;
}

}  // namespace

FUZZ_TARGET(input) {
  const NormalizerRules rules;
  EngineSettings settings;
  settings.stages = {
      {StageKind::exact, nullptr, {}}, {StageKind::related, nullptr, {}}, {StageKind::letters, nullptr, {}}};
  settings.aligner.kind = input.PickValueInArray(kinds);
  settings.aligner.gain_weights = {1.0, 0.5, 0.0};
  settings.aligner.budget = 1000;
  settings.counting = {input.ConsumeBool(), input.ConsumeBool()};
  settings.identical_by_first = input.ConsumeBool();
  settings.rules = input.ConsumeBool() ? &rules : nullptr;
  const int threads = input.ConsumeBool() ? 2 : 1;
  const bool several = input.ConsumeBool();  // more texts than a tile has
  std::vector<std::string> texts;
  while (input.remaining_bytes() > 0 && texts.size() < 12)
    texts.push_back(input.ConsumeRandomLengthString(80));
  Views hypotheses, references;
  for (const std::string& text : texts) {
    if (!is_utf8(text)) return;
    (hypotheses.size() > references.size() ? references : hypotheses).push_back(text);
  }
  if (references.empty()) return;
  for (std::size_t k = 0; several && k < 20; ++k) {
    hypotheses.push_back(std::string_view(texts[k % texts.size()]).substr(0, 0));
    hypotheses.push_back(texts[(k * 7) % texts.size()]);
  }
  const Rows expected = one_by_one(settings, hypotheses, references);
  const std::size_t width = expected.size() / (hypotheses.size() * references.size());
  require(all_pairs(settings, hypotheses, references, false, threads, width) == expected,
          "all pairs are scored as one pair after the other");

  const Rows itself = one_by_one(settings, hypotheses, hypotheses);
  require(all_pairs(settings, hypotheses, hypotheses, false, 1, width) == itself,
          "a list is compared with itself as with others");
  const Rows half = all_pairs(settings, hypotheses, hypotheses, true, threads, width);
  for (std::size_t pair = 0; pair < half.size() / width; ++pair) {
    if (hypotheses[pair / hypotheses.size()] > hypotheses[pair % hypotheses.size()]) continue;
    const auto at = static_cast<std::ptrdiff_t>(pair * width), size = static_cast<std::ptrdiff_t>(width);
    require(std::equal(half.begin() + at, half.begin() + at + size, itself.begin() + at),
            "pairs whose hypothesis comes first in the order of spelling are aligned");
  }
}
