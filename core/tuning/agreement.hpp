// How far scores agree with people. The readable versions are in bolide/evaluation/correlation.py.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bolide {

// Pearson's r; NaN if one side does not vary.
double pearson(std::span<const double> x, std::span<const double> y, std::span<const double> weights);

struct CalibratedAccuracy {
  double accuracy, epsilon;
};

// Those that need space to sort in, which is kept from one call to the next.
class Agreement {
 public:
  // Spearman's rho, equal elements sharing the mean of their ranks.
  double spearman(std::span<const double> x, std::span<const double> y);
  // The best share (by weight) of pairs that are told right when differences up to epsilon are ties, and the
  // smallest such epsilon.
  CalibratedAccuracy calibrated(std::span<const double> differences, std::span<const std::int8_t> human,
                                std::span<const double> weights);

 private:
  void rank(std::span<const double> values, std::vector<double>& ranks);
  std::vector<std::size_t> order_;
  std::vector<double> x_ranks_, y_ranks_, ones_;
};

}  // namespace bolide
