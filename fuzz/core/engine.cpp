// Scores texts, on one thread and on several. Both must give the same statistics.
#include "engine.hpp"

#include <stdexcept>

#include "require.hpp"
#include "text/lines.hpp"

using namespace bolide;

namespace {

constexpr AlignerKind kinds[] = {AlignerKind::beam, AlignerKind::exact, AlignerKind::staged,
                                 AlignerKind::greedy};

// Two stages: equal words, and words with the same first byte.
std::vector<std::int32_t> statistics(const EngineSettings& settings, const Batch& batch, int threads) {
  Engine engine(settings);
  Vocabulary vocabulary({StageKind::exact, StageKind::related});
  const Analyse analyse = [&](std::span<const std::string_view> words) {
    std::vector<std::int64_t> identities, firsts;
    std::vector<std::int32_t> offsets{0}, lengths;
    for (const std::string_view word : words) {
      identities.push_back(static_cast<std::int32_t>(quick_hash(word)));
      firsts.push_back(word.front());
      lengths.push_back(static_cast<std::int32_t>(word.size()));
      offsets.push_back(static_cast<std::int32_t>(firsts.size()));
    }
    const std::vector<std::uint8_t> functions(words.size(), words.size() % 2);
    vocabulary.add(words, {identities, functions, lengths, {{offsets, identities}, {offsets, firsts}}});
  };
  return engine.run(batch, vocabulary, analyse, {.threads = threads}).statistics;
}

}  // namespace

FUZZ_TARGET(input) {
  const NormalizerRules rules;
  EngineSettings settings;
  settings.stages = {{StageKind::exact, nullptr, {}}, {StageKind::related, nullptr, {}}};
  settings.aligner.kind = input.PickValueInArray(kinds);
  settings.aligner.gain_weights = {1.0, 0.5};
  settings.aligner.budget = 1000;
  settings.counting = {input.ConsumeBool(), input.ConsumeBool()};
  settings.identical_by_first = input.ConsumeBool();
  settings.rules = input.ConsumeBool() ? &rules : nullptr;
  std::vector<std::string> texts;
  while (input.remaining_bytes() > 0) texts.push_back(input.ConsumeRandomLengthString(80));
  std::vector<std::string_view> hypotheses, references;
  for (const std::string& text : texts) {
    if (!is_utf8(text)) return;
    (hypotheses.size() > references.size() ? references : hypotheses).push_back(text);
  }
  hypotheses.resize(references.size());
  // Each pair many times, so that several threads get work.
  const std::vector<std::string_view> first = hypotheses, second = references;
  while (!first.empty() && hypotheses.size() < 3 * 32) {
    hypotheses.insert(hypotheses.end(), first.begin(), first.end());
    references.insert(references.end(), second.begin(), second.end());
  }
  const std::vector<std::int32_t> counts(hypotheses.size(), 1);
  const Batch batch{hypotheses, references, counts};
  const bool many = input.ConsumeBool();
  require(statistics(settings, batch, 1) == statistics(settings, batch, many ? 3 : 2),
          "statistics do not depend on threads");
}
