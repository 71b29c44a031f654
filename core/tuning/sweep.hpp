// Scores the same statistics with many sets of parameters, and measures how well the scores agree with human
// judgments.
//
// A score is Fmean(alpha, delta, weights) * (1 - gamma * fragmentation^beta). Sets of parameters (points) are
// sorted by alpha, delta and weights, so that an Fmean is computed once for all its (beta, gamma), and powers
// once per beta. Both are computed by score.hpp, so that scores are the same to the last bit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "score/score.hpp"

namespace bolide {

// Statistics of segments, one row per reference. The score of a segment is that of its best reference.
class SweepTable {
 public:
  // Segment k has the rows offsets[k] .. offsets[k + 1]. Both arrays are needed only during construction.
  SweepTable(std::span<const double> rows, std::size_t columns, std::span<const std::int64_t> offsets,
             const Formula& formula, const Powers& powers);

  std::size_t segments() const { return first_.size() - 1; }
  std::size_t distinct() const { return fragment_.size(); }
  bool single() const { return single_; }
  std::size_t row(std::size_t segment) const { return index_[first_[segment]]; }  // of the first reference
  std::span<const std::int32_t> references(std::size_t segment) const {
    return std::span(index_).subspan(static_cast<std::size_t>(first_[segment]),
                                     static_cast<std::size_t>(first_[segment + 1] - first_[segment]));
  }

  void fmeans(std::span<const double> point, std::vector<double>& out) const;  // one per distinct row
  // Many rows have the same fragmentation. Their powers fit into the first-level cache.
  std::size_t fragment(std::size_t row) const { return static_cast<std::size_t>(fragment_[row]); }
  using PowersOfFragments = std::shared_ptr<const std::vector<double>>;
  PowersOfFragments powers(double beta) const;  // fragmentation^beta for each fragmentation

 private:
  std::size_t columns_;
  Formula formula_;
  const Powers& powers_;
  bool single_;                         // every segment has one reference
  std::vector<double> rows_;            // distinct rows
  std::vector<std::int32_t> index_;     // by given row: the number of the distinct row
  std::vector<std::int64_t> first_;     // the offsets of the segments
  std::vector<std::int32_t> fragment_;  // by distinct row: the number of its fragmentation
  std::vector<double> fragmentations_;
  mutable std::mutex mutex_;
  mutable std::map<double, PowersOfFragments> known_;
};

// Sets of parameters: rows of alpha, beta, gamma, delta, weights. Throws std::invalid_argument if a row is
// too short or a number is NaN.
struct Points {
  Points(std::span<const double> rows, std::size_t width);
  std::span<const double> numbers;
  std::size_t columns;
  std::size_t size() const { return numbers.size() / columns; }
  std::span<const double> operator[](std::size_t k) const { return numbers.subspan(k * columns, columns); }
};

// Data sets follow one another: set k has the elements ends[k - 1] .. ends[k].
using Ends = std::span<const std::int64_t>;

// The score of each segment at each point.
std::vector<double> sweep_scores(const SweepTable& table, const Points& points, int threads);

// Judgments that one segment is better than another. For each point and set, counts how many judgments the
// scores agree with (better > worse), and in how many the scores are equal. Scores are rounded to `decimals`
// first, unless that is negative.
struct Rankings {
  std::span<const std::int32_t> better, worse;
  Ends ends;
  int decimals;
};
std::vector<std::int64_t> sweep_rankings(const SweepTable& table, const Points& points,
                                         const Rankings& rankings, int threads);

enum class Coefficient { pearson, spearman };
// Ratings of segments. Only Pearson's coefficient uses the weights.
struct Ratings {
  std::span<const std::int32_t> segment;
  std::span<const double> rating, weight;
  Ends ends;
  Coefficient coefficient;
};
std::vector<double> sweep_ratings(const SweepTable& table, const Points& points, const Ratings& ratings,
                                  int threads);

// Pairs with human judgments: 1 if the first is better, -1 if the second is better, 0 for a tie. For each
// point and set: the accuracy with tie calibration (see agreement.hpp), and its epsilon.
struct Comparisons {
  std::span<const std::int32_t> first, second;
  std::span<const std::int8_t> human;
  std::span<const double> weight;
  Ends ends;
};
std::vector<double> sweep_comparisons(const SweepTable& table, const Points& points,
                                      const Comparisons& comparisons, int threads);

}  // namespace bolide
