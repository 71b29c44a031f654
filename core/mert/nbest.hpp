// N-best lists as a tuner sees them: features and statistics of hypotheses, and what weights choose (Och
// 2003).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bolide {

// The hypotheses of sentence s are offsets[s] .. offsets[s + 1]. Several may have the same text (other
// derivations of it), and then share a row of statistics.
struct NBestLists {
  std::span<const double> features;  // hypotheses x width
  std::size_t width = 0;
  std::span<const std::int64_t> offsets;
  std::span<const std::int64_t> texts;       // of each hypothesis the row of its statistics
  std::span<const std::int64_t> statistics;  // texts x columns
  std::size_t columns = 0;

  std::size_t sentences() const { return offsets.size() - 1; }
};

// Of each sentence the hypothesis with the highest weighted sum of its features; of equal ones the first.
std::vector<std::int64_t> best_hypotheses(const NBestLists& lists, std::span<const double> weights,
                                          int threads);

// What is chosen at the points origin + t * direction, for low < t < high: between two neighbouring `breaks`
// the choice is the same, and the sum of its statistics is a row of `sums` (one row more than breaks).
struct ErrorSurface {
  std::vector<double> breaks;
  std::vector<std::int64_t> sums;
};
ErrorSurface error_surface(const NBestLists& lists, std::span<const double> origin,
                           std::span<const double> direction, double low, double high, int threads);

}  // namespace bolide
