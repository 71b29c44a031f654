// Statistics + parameters -> scores. The only place where the metric's formula stands.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "score/statistics_layout.hpp"

namespace bolide {

// What METEORs write differently.
struct Formula {
  // Fmean as P R / (alpha P + (1 - alpha) R), not as 1 / ((1 - alpha) / P + alpha / R): the last digit.
  bool ratio = false;
  // The power of the C library, not Java's: the last digit.
  bool library_power = false;
  // A segment whose matches are its whole text, in one chunk, has no penalty.
  bool whole_unpenalised = true;
};

struct Parameters {
  double alpha, beta, gamma, delta;
  std::vector<double> weights;  // per stage; stages beyond the weights do not count
  Formula formula;
};

struct Scores {
  double precision, recall, f1, fmean, penalty, score;
};

// Values of fragmentation^beta that override the library's, by (beta, fragmentation); see score.cpp.
using Powers = std::map<std::pair<double, double>, double>;

// fragmentation^beta for one set of parameters. Fragmentations are ratios of small numbers, so the same ones
// come again and again: they are remembered, unless there are too few for that to pay.
class FragmentationPower {
 public:
  FragmentationPower(const Parameters& parameters, const Powers& powers, bool remember = true)
      : parameters_(parameters), powers_(powers), known_(remember ? 1024 : 0) {}
  double operator()(double fragmentation);

 private:
  double find(double fragmentation) const;

  struct CachedPower {
    double fragmentation = 0, power = 0;
    bool is_known = false;
  };
  const Parameters& parameters_;
  const Powers& powers_;
  std::vector<CachedPower> known_;
};

// The parts of the formula, for those who reuse them over many sets of parameters (sweep.hpp).
double fmean(std::span<const double> row, const Parameters& parameters);
double fragmentation(std::span<const double> row, const Formula& formula);
inline double penalised(double fmean, double gamma, double power) {
  const double score = fmean * (1.0 - gamma * power);
  return score > 0 ? score : 0;  // NaN is 0 too
}

// `row` is laid out as StatisticsLayout says: counts, or, where a tuner decays its sums, fractions.
// Where there is nothing to divide by, components are NaN, as in Java; the score never is.
Scores score(std::span<const double> row, const Parameters& parameters, FragmentationPower& power);

// Sums rows for a corpus. Where a whole segment in one chunk has no penalty, it adds no chunk.
void aggregate(std::span<const double> rows, StatisticsLayout layout, const Formula& formula,
               std::span<double> sum);

}  // namespace bolide
