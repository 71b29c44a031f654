// N-best lists for the tuning of decoder weights (Och 2003): which hypotheses given weights choose, and what
// their statistics are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bolide {

// The hypotheses of sentence s are offsets[s] .. offsets[s + 1]. Several hypotheses may have the same text
// (from different derivations); they share a row of statistics.
struct NBestLists {
  std::span<const double> features;  // hypotheses x width
  std::size_t width = 0;
  std::span<const std::int64_t> offsets;
  std::span<const std::int64_t> texts;       // by hypothesis: the row of its statistics
  std::span<const std::int64_t> statistics;  // texts x columns
  std::size_t columns = 0;

  std::size_t sentences() const { return offsets.size() - 1; }
};

// For each sentence, the first hypothesis with the highest weighted sum of features.
std::vector<std::int64_t> best_hypotheses(const NBestLists& lists, std::span<const double> weights,
                                          int threads);

// The choices at the points origin + t * direction, for low < t < high. Between two neighbouring `breaks` the
// choice is constant, and the sum of its statistics is one row of `sums`. There is one more row than breaks.
struct ErrorSurface {
  std::vector<double> breaks;
  std::vector<std::int64_t> sums;
};
ErrorSurface error_surface(const NBestLists& lists, std::span<const double> origin,
                           std::span<const double> direction, double low, double high, int threads);

}  // namespace bolide
