// Checks for the aligners that work stage by stage: they align single words only.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "model.hpp"

namespace bolide {

inline void require_single_words(const Candidates& candidates) {
  const bool single = std::all_of(
      candidates.matches.begin(), candidates.matches.end(),
      [](const Match& match) { return match.reference_length == 1 && match.hypothesis_length == 1; });
  if (!single) throw std::invalid_argument("stage by stage, only single words are aligned, not phrases");
}

inline std::int32_t stage_count(const Candidates& candidates) {
  std::int32_t stages = 0;
  for (const Match& match : candidates.matches) stages = std::max(stages, match.stage + 1);
  return stages;
}

}  // namespace bolide
