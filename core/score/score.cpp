#include "score/score.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "score/power.hpp"

namespace bolide {

namespace {

// Whether all content and function words of a text are matched, by any stage.
bool all_matched(std::span<const double> row, TextSide side) {
  const auto layout = StatisticsLayout::of_width(row.size());
  double matched = 0;
  for (std::size_t stage = 0; stage < layout.stages(); ++stage)
    matched += row[layout.content(stage, side)] + row[layout.function(stage, side)];
  return matched == row[layout.length(side)];
}

// Precision for the hypothesis, recall for the reference. The order of the operations is that of Java (first
// all content words, then all function words); another order would change the last digit.
double weighted_share(std::span<const double> row, TextSide side, const Parameters& p) {
  const auto layout = StatisticsLayout::of_width(row.size());
  const std::size_t counted = std::min(layout.stages(), p.weights.size());
  double matched = 0;
  for (std::size_t stage = 0; stage < counted; ++stage)
    matched += row[layout.content(stage, side)] * p.weights[stage] * p.delta;
  for (std::size_t stage = 0; stage < counted; ++stage)
    matched += row[layout.function(stage, side)] * p.weights[stage] * (1.0 - p.delta);
  const double length = row[layout.length(side)], function_words = row[layout.function_words(side)];
  return matched / (p.delta * (length - function_words) + (1.0 - p.delta) * function_words);
}

double fmean_of(double precision, double recall, const Parameters& p) {
  return p.formula.ratio ? precision * recall / (p.alpha * precision + (1.0 - p.alpha) * recall)
                         : 1.0 / ((1.0 - p.alpha) / precision + p.alpha / recall);
}

bool one_chunk_of_all(std::span<const double> row) {
  return row[StatisticsLayout::of_width(row.size()).chunks()] == 1 && all_matched(row, hypothesis_side) &&
         all_matched(row, reference_side);
}

}  // namespace

double FragmentationPower::operator()(double fragmentation) {
  if (known_.empty()) return find(fragmentation);
  const auto bits = std::bit_cast<std::uint64_t>(fragmentation);
  CachedPower& known = known_[(bits * 0x9E3779B97F4A7C15) >> 54];
  if (!known.is_known || known.fragmentation != fragmentation) {
    known = {fragmentation, find(fragmentation), true};
  }
  return known.power;
}

// The power is correctly rounded, so it is the same on every machine. `powers` has the few values that Java
// rounds differently. The power of the C library differs between machines; it is used only to get the scores
// of programs that call it (NLTK).
double FragmentationPower::find(double fragmentation) const {
  const double beta = parameters_.beta;
  if (parameters_.formula.library_power) return std::pow(fragmentation, beta);
  if (std::isnan(fragmentation)) return fragmentation;  // NaN cannot be a key of a map
  const Powers& powers = *parameters_.powers;
  if (const auto known = powers.find({beta, fragmentation}); known != powers.end()) return known->second;
  return power(fragmentation, beta);
}

double fmean(std::span<const double> row, const Parameters& p) {
  return fmean_of(weighted_share(row, hypothesis_side, p), weighted_share(row, reference_side, p), p);
}

double fragmentation(std::span<const double> row, const Formula& formula) {
  if (formula.whole_unpenalised && one_chunk_of_all(row)) return 0;
  const auto layout = StatisticsLayout::of_width(row.size());
  const double matches = row[layout.word_matches(hypothesis_side)] + row[layout.word_matches(reference_side)];
  return row[layout.chunks()] / (matches / 2);
}

Scores score(std::span<const double> row, const Parameters& p, FragmentationPower& power) {
  Scores s;
  s.precision = weighted_share(row, hypothesis_side, p);
  s.recall = weighted_share(row, reference_side, p);
  s.f1 = 2 * s.precision * s.recall / (s.precision + s.recall);
  s.fmean = fmean_of(s.precision, s.recall, p);
  const double raised = power(fragmentation(row, p.formula));
  s.penalty = p.gamma * raised;
  s.score = penalised(s.fmean, p.gamma, raised);
  return s;
}

void aggregate(std::span<const double> rows, StatisticsLayout layout, const Formula& formula,
               std::span<double> sum) {
  const std::size_t columns = layout.width();
  for (std::size_t start = 0; start < rows.size(); start += columns) {
    const auto row = rows.subspan(start, columns);
    for (std::size_t k = 0; k < columns; ++k) sum[k] += row[k];
    if (formula.whole_unpenalised && one_chunk_of_all(row)) --sum[layout.chunks()];
  }
}

}  // namespace bolide
