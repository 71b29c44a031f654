#include "score/score.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace bolide {

namespace {

// One side of the statistics: 0 the hypothesis, 1 the reference.
struct Side {
  std::span<const double> row;
  int side;

  int stages() const { return static_cast<int>(row.size() - 7) / 4; }
  double length() const { return row[side]; }
  double functions() const { return row[2 + side]; }
  double content(int stage) const { return row[4 + 4 * stage + side]; }
  double function(int stage) const { return row[4 + 4 * stage + 2 + side]; }
  double words_matched() const { return row[row.size() - 2 + side]; }

  // Content and function words alike, over all stages; in characters if the length is.
  bool all_matched() const {
    double matched = 0;
    for (int stage = 0; stage < stages(); ++stage) matched += content(stage) + function(stage);
    return matched == length();
  }
};

// Precision of the hypothesis side, recall of the reference side. The order of the operations is Java's
// (first all content terms, then all function terms): another one changes the last digit.
double weighted_share(const Side& side, const Parameters& p) {
  const int counted = std::min(side.stages(), static_cast<int>(p.weights.size()));
  double matched = 0;
  for (int stage = 0; stage < counted; ++stage) matched += side.content(stage) * p.weights[stage] * p.delta;
  for (int stage = 0; stage < counted; ++stage)
    matched += side.function(stage) * p.weights[stage] * (1.0 - p.delta);
  return matched / (p.delta * (side.length() - side.functions()) + (1.0 - p.delta) * side.functions());
}

double fmean_of(double precision, double recall, const Parameters& p) {
  return p.formula.ratio ? precision * recall / (p.alpha * precision + (1.0 - p.alpha) * recall)
                         : 1.0 / ((1.0 - p.alpha) / precision + p.alpha / recall);
}

bool one_chunk_of_all(std::span<const double> row) {
  return row[row.size() - 3] == 1 && Side{row, 0}.all_matched() && Side{row, 1}.all_matched();
}

}  // namespace

double FragmentationPower::operator()(double fragmentation) {
  if (known_.empty()) return find(fragmentation);
  const auto bits = std::bit_cast<std::uint64_t>(fragmentation);
  Known& known = known_[(bits * 0x9E3779B97F4A7C15) >> 54];
  if (!known.is_known || known.fragmentation != fragmentation) {
    known = {fragmentation, find(fragmentation), true};
  }
  return known.power;
}

// The long double power, rounded once, is the correctly rounded value nearly always; `powers` holds the few
// where the Java release's own library rounds the other way.
double FragmentationPower::find(double fragmentation) const {
  const double beta = parameters_.beta;
  if (parameters_.formula.library_power) return std::pow(fragmentation, beta);
  if (std::isnan(fragmentation)) return fragmentation;  // NaN has no place in the order of a map
  if (const auto known = powers_.find({beta, fragmentation}); known != powers_.end()) return known->second;
  return static_cast<double>(
      std::pow(static_cast<long double>(fragmentation), static_cast<long double>(beta)));
}

double fmean(std::span<const double> row, const Parameters& p) {
  return fmean_of(weighted_share({row, 0}, p), weighted_share({row, 1}, p), p);
}

double fragmentation(std::span<const double> row, const Formula& formula) {
  if (formula.whole_unpenalised && one_chunk_of_all(row)) return 0;
  return row[row.size() - 3] / ((Side{row, 0}.words_matched() + Side{row, 1}.words_matched()) / 2);
}

Scores score(std::span<const double> row, const Parameters& p, FragmentationPower& power) {
  Scores s;
  s.precision = weighted_share({row, 0}, p);
  s.recall = weighted_share({row, 1}, p);
  s.f1 = 2 * s.precision * s.recall / (s.precision + s.recall);
  s.fmean = fmean_of(s.precision, s.recall, p);
  const double raised = power(fragmentation(row, p.formula));
  s.penalty = p.gamma * raised;
  s.score = penalised(s.fmean, p.gamma, raised);
  return s;
}

void aggregate(std::span<const double> rows, std::size_t columns, const Formula& formula,
               std::span<double> sum) {
  for (std::size_t start = 0; start < rows.size(); start += columns) {
    const auto row = rows.subspan(start, columns);
    for (std::size_t k = 0; k < columns; ++k) sum[k] += row[k];
    if (formula.whole_unpenalised && one_chunk_of_all(row)) --sum[columns - 3];
  }
}

}  // namespace bolide
