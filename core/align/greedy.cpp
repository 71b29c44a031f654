#include "greedy.hpp"

#include "single_words.hpp"

namespace bolide {

bool GreedyAligner::align(const Candidates& candidates, std::size_t hypothesis_length,
                          std::vector<Match>& chosen) {
  require_single_words(candidates);
  taken_.assign(candidates.starts.size() - 1, Match{0, 0, 0, 0, -1});
  used_.assign(hypothesis_length, false);
  const std::int32_t stages = stage_count(candidates);
  for (std::int32_t stage = 0; stage < stages; ++stage) run_stage(candidates, stage);
  chosen.clear();
  for (const Match& match : taken_) {
    if (match.stage >= 0) chosen.push_back(match);
  }
  return true;
}

void GreedyAligner::run_stage(const Candidates& candidates, std::int32_t stage) {
  // Candidates are listed by reference position: turned round by a counting sort.
  const auto is_free = [&](const Match& match) {
    return match.stage == stage && !used_[match.hypothesis_start] && taken_[match.reference_start].stage < 0;
  };
  starts_.assign(used_.size() + 2, 0);
  for (const Match& match : candidates.matches) {
    if (is_free(match)) ++starts_[match.hypothesis_start + 2];
  }
  for (std::size_t i = 2; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  references_.resize(static_cast<std::size_t>(starts_.back()));
  for (const Match& match : candidates.matches) {
    if (is_free(match)) references_[starts_[match.hypothesis_start + 1]++] = match.reference_start;
  }
  for (auto i = static_cast<std::int32_t>(used_.size()) - 1; i >= 0; --i) {
    for (std::int32_t k = starts_[i + 1]; k > starts_[i]; --k) {
      const std::int32_t j = references_[k - 1];
      if (taken_[j].stage >= 0) continue;
      taken_[j] = {j, 1, i, 1, stage};
      used_[i] = true;
      break;
    }
  }
}

}  // namespace bolide
