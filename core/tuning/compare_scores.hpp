// Compares the scores of many pairs of segments: how often the segment that people call better has the higher
// score, and how often the scores are equal.
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/instructions.hpp"

namespace bolide {

// Some pairs: the parts of their scores that do not depend on gamma. A block stays in the nearest cache.
struct PairBlock {
  static constexpr std::size_t most = 512;
  double better_fmean[most], worse_fmean[most];
  double better_power[most], worse_power[most];
  std::size_t size;
};

struct PairCounts {
  std::int64_t concordant = 0, tied = 0;
};

// Rounds as NumPy does, without the final division, which comparisons do not need. Numbers as large as
// `large` have no fraction, so the addition rounds half to even.
inline double rounded(double score, double scale) {
  constexpr double large = 0x1.8p52;
  return (score * scale + large) - large;
}

using CompareScores = PairCounts (*)(const PairBlock& pairs, double gamma, double scale);

// The comparison for a set of instructions: of scores as they are, or rounded after multiplication by
// `scale`. The results are the same for all sets.
CompareScores comparison(Instructions instructions, bool rounding);

}  // namespace bolide
