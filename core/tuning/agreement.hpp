// How well scores agree with human judgments. bolide.evaluation.correlation has simple versions of these
// functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bolide {

// Pearson's r; NaN if x or y is constant.
double pearson(std::span<const double> x, std::span<const double> y, std::span<const double> weights);

struct CalibratedAccuracy {
  double accuracy, epsilon;
};

// Measures that need sorting. The object reuses its memory for the next call.
class Agreement {
 public:
  // Spearman's rho; equal elements get the mean of their ranks.
  double spearman(std::span<const double> x, std::span<const double> y);
  // Accuracy with tie calibration: a difference of at most epsilon is a tie of the metric. Finds the epsilon
  // with the largest share (by weight) of correct pairs; the smallest one, if there are several.
  CalibratedAccuracy calibrated(std::span<const double> differences, std::span<const std::int8_t> human,
                                std::span<const double> weights);

 private:
  void rank(std::span<const double> values, std::vector<double>& ranks);
  std::vector<std::size_t> order_;
  std::vector<double> x_ranks_, y_ranks_, ones_;
};

}  // namespace bolide
