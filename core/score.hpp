// Statistics + parameters -> scores. The only place where the metric's formula stands.
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

namespace bolide {

struct Parameters {
  double alpha, beta, gamma, delta;
  std::vector<double> weights;  // per stage; stages beyond the weights do not count
};

struct Scores {
  double precision, recall, f1, fmean, penalty, score;
};

// Values of fragmentation^beta that override the library's, by (beta, fragmentation); see
// fragmentation_power.
using Powers = std::map<std::pair<double, double>, double>;

// `row` has 7 + 4 * stages columns (statistics.hpp): counts, or, where a tuner decays its sums, fractions.
// Where there is nothing to divide by, components are NaN, as in Java; the score never is.
Scores score(std::span<const double> row, const Parameters& parameters, const Powers& powers);

// Sums rows for a corpus: a segment whose matches are its whole text, in one chunk, adds no chunk.
void aggregate(std::span<const double> rows, std::size_t columns, std::span<double> sum);

}  // namespace bolide
