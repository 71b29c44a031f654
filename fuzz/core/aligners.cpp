// Aligns any candidates with every aligner. Alignments must be valid, must not depend on the instructions,
// and a proven exact alignment must cover at least as many words as the beam finds.
#include <algorithm>

#include "align/aligner.hpp"
#include "require.hpp"

using namespace bolide;

namespace {

constexpr std::int32_t longest = 24;
constexpr AlignerKind kinds[] = {AlignerKind::beam, AlignerKind::exact, AlignerKind::staged,
                                 AlignerKind::greedy};

struct Pair {
  std::int32_t hypothesis, reference, stages;
  Candidates candidates;
};

// Staged and greedy aligners get single words only. A candidate occurs once, as the matcher lists it.
Pair make_pair(FuzzedDataProvider& input, std::int32_t stages, bool phrases) {
  Pair pair{input.ConsumeIntegralInRange(1, longest), input.ConsumeIntegralInRange(1, longest), stages, {}};
  std::vector<Match>& matches = pair.candidates.matches;
  while (input.remaining_bytes() > 4 && matches.size() < 60) {
    Match match{input.ConsumeIntegralInRange(0, pair.reference - 1), 1,
                input.ConsumeIntegralInRange(0, pair.hypothesis - 1), 1,
                input.ConsumeIntegralInRange(0, stages - 1)};
    if (phrases && match.stage == stages - 1) {
      match.reference_length = input.ConsumeIntegralInRange(1, pair.reference - match.reference_start);
      match.hypothesis_length = input.ConsumeIntegralInRange(1, pair.hypothesis - match.hypothesis_start);
    }
    matches.push_back(match);
  }
  const auto fields = [](const Match& m) {
    return std::tuple(m.reference_start, m.stage, m.hypothesis_start, m.reference_length,
                      m.hypothesis_length);
  };
  std::sort(matches.begin(), matches.end(), [&](auto& a, auto& b) { return fields(a) < fields(b); });
  const auto same = [&](auto& a, auto& b) { return fields(a) == fields(b); };
  matches.erase(std::unique(matches.begin(), matches.end(), same), matches.end());
  for (std::int32_t position = 0, k = 0; position <= pair.reference; ++position) {
    while (k < static_cast<std::int32_t>(matches.size()) && matches[k].reference_start < position) ++k;
    pair.candidates.starts.push_back(k);
  }
  return pair;
}

void check(const Pair& pair, const std::vector<Match>& chosen) {
  std::vector<bool> used_reference(longest), used_hypothesis(longest);
  const auto use = [](std::vector<bool>& used, std::int32_t start, std::int32_t length) {
    for (std::int32_t k = start; k < start + length; ++k) {
      require(!used[k], "a word is matched once");
      used[k] = true;
    }
  };
  std::int32_t last = -1;
  for (const Match& match : chosen) {
    require(inside(match, pair.hypothesis, pair.reference, pair.stages), "matches lie within the sentences");
    require(match.reference_start > last, "matches are sorted");
    last = match.reference_start;
    use(used_reference, match.reference_start, match.reference_length);
    use(used_hypothesis, match.hypothesis_start, match.hypothesis_length);
  }
}

// What the exact aligner maximizes first, if all weights are 1: the words covered on both sides.
std::int32_t covered(const std::vector<Match>& chosen) {
  std::int32_t words = 0;
  for (const Match& match : chosen) words += match.reference_length + match.hypothesis_length;
  return words;
}

}  // namespace

FUZZ_TARGET(input) {
  const auto stages = input.ConsumeIntegralInRange(1, 4);
  const int width = input.ConsumeIntegralInRange(1, 40);
  const bool phrases = input.ConsumeBool();
  const Pair pair = make_pair(input, stages, phrases);
  std::int32_t most = 0;
  for (const AlignerKind kind : kinds) {
    const bool words_only = kind == AlignerKind::staged || kind == AlignerKind::greedy;
    if (words_only && phrases) continue;
    std::vector<Match> first;
    for (const Instructions instructions : available_instructions()) {
      const std::vector<double> weights(static_cast<std::size_t>(stages), 1.0);
      std::vector<Match> chosen;
      const bool proven = make_aligner({kind, weights, width, 2000, instructions})
                              ->align(pair.candidates, static_cast<std::size_t>(pair.hypothesis), chosen);
      check(pair, chosen);
      if (kind == AlignerKind::beam) most = std::max(most, covered(chosen));
      if (kind == AlignerKind::exact && proven) {
        require(covered(chosen) >= most, "a proven alignment covers most words");
      }
      if (instructions == Instructions::portable) first = chosen;
      require(std::equal(first.begin(), first.end(), chosen.begin(), chosen.end(),
                         [](const Match& a, const Match& b) {
                           return a.reference_start == b.reference_start &&
                                  a.hypothesis_start == b.hypothesis_start && a.stage == b.stage;
                         }),
              "all instructions give the same alignment");
    }
  }
}
