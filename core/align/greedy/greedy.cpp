#include "align/greedy/greedy.hpp"

#include <utility>

#include "align/single_words.hpp"

namespace bolide {

bool GreedyAligner::align(const Candidates& candidates, std::size_t hypothesis_length,
                          std::vector<Match>& chosen) {
  require_single_words(candidates);
  const auto stages = static_cast<std::size_t>(stage_count(candidates));
  list_by_hypothesis(candidates, hypothesis_length, stages);
  taken_.assign(candidates.starts.size() - 1, none);
  used_.assign(hypothesis_length, false);
  for (std::size_t stage = 0; stage < stages; ++stage)
    run_stage(candidates, std::span(lasts_).subspan(stage * hypothesis_length, hypothesis_length));
  chosen.clear();
  for (std::int32_t match : taken_) {
    if (match != none) chosen.push_back(candidates.matches[match]);
  }
  return true;
}

// Candidates are sorted by reference position, so that each list begins with its last reference word.
void GreedyAligner::list_by_hypothesis(const Candidates& candidates, std::size_t hypothesis_length,
                                       std::size_t stages) {
  lasts_.assign(stages * hypothesis_length, none);
  before_.resize(candidates.matches.size());
  for (std::size_t k = 0; k < before_.size(); ++k) {
    const Match& match = candidates.matches[k];
    std::int32_t& last = lasts_[static_cast<std::size_t>(match.stage) * hypothesis_length +
                                static_cast<std::size_t>(match.hypothesis_start)];
    before_[k] = std::exchange(last, static_cast<std::int32_t>(k));
  }
}

void GreedyAligner::run_stage(const Candidates& candidates, std::span<const std::int32_t> lasts) {
  for (std::size_t i = lasts.size(); i-- > 0;) {
    if (used_[i]) continue;
    for (std::int32_t k = lasts[i]; k != none; k = before_[k]) {
      std::int32_t& taken = taken_[candidates.matches[k].reference_start];
      if (taken != none) continue;
      taken = k;
      used_[i] = true;
      break;
    }
  }
}

}  // namespace bolide
