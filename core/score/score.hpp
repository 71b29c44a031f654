// The score of METEOR: precision, recall, Fmean, fragmentation penalty and score, from statistics and
// parameters. This is the only place that computes scores:
//
//     Fmean = 1 / ((1 - alpha) / P + alpha / R)     fragmentation = chunks / matches
//     penalty = gamma * fragmentation^beta          score = Fmean * (1 - penalty)
//
// explanation/arithmetic.py and xray/page/arithmetic.js show the same formula to readers.
// P and R are weighted by stage and by class of words (delta for content words, 1 - delta for function
// words).
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "score/statistics_layout.hpp"

namespace bolide {

// Where versions of METEOR differ.
struct Formula {
  // Compute Fmean as P R / (alpha P + (1 - alpha) R), not as 1 / ((1 - alpha) / P + alpha / R). The last
  // digit differs.
  bool ratio = false;
  // Compute powers with the C library, as NLTK does. The last digit differs, also between machines.
  bool library_power = false;
  // A segment that is matched completely, in one chunk, has no penalty.
  bool whole_unpenalised = true;
};

struct Scores {
  double precision, recall, f1, fmean, penalty, score;
};

// Values of fragmentation^beta that override those of power.hpp, by (beta, fragmentation). See score.cpp.
using Powers = std::map<std::pair<double, double>, double>;

struct Parameters {
  double alpha, beta, gamma, delta;
  std::vector<double> weights;  // one per stage; stages without a weight do not count
  Formula formula;
  const Powers* powers;  // borrowed
};

// Computes fragmentation^beta for one set of parameters. Fragmentations are ratios of small numbers, so the
// same values occur often. They are cached, unless `remember` is false because there are only a few.
class FragmentationPower {
 public:
  explicit FragmentationPower(const Parameters& parameters, bool remember = true)
      : parameters_(parameters), known_(remember ? 1024 : 0) {}
  double operator()(double fragmentation);

 private:
  double find(double fragmentation) const;

  struct CachedPower {
    double fragmentation = 0, power = 0;
    bool is_known = false;
  };
  const Parameters& parameters_;
  std::vector<CachedPower> known_;
};

// The parts of the formula, for tuning, which reuses them for many sets of parameters (tuning/sweep.hpp).
double fmean(std::span<const double> row, const Parameters& parameters);
// Chunks per matched word; 0 if the formula exempts the segment from the penalty.
double fragmentation(std::span<const double> row, const Formula& formula);
// Fmean, reduced by the fragmentation penalty. `power` is fragmentation^beta.
inline double penalised(double fmean, double gamma, double power) {
  const double score = fmean * (1.0 - gamma * power);
  return score > 0 ? score : 0;  // 0 for NaN, too
}

// `row` has the columns of StatisticsLayout: counts, or fractions if a tuner scales its sums. Components are
// NaN where a denominator is 0, as in Java; the score is never NaN.
Scores score(std::span<const double> row, const Parameters& parameters, FragmentationPower& power);

// Adds rows of statistics for a corpus. A segment without penalty, because it is matched completely in one
// chunk, adds no chunk.
void aggregate(std::span<const double> rows, StatisticsLayout layout, const Formula& formula,
               std::span<double> sum);

}  // namespace bolide
