// Scores and agreement with people for many sets of parameters, over statistics that are counted once.
//
// A score is Fmean(alpha, delta, weights) * (1 - gamma * fragmentation^beta). Points are put in the order of
// the first group, so that an Fmean is computed once for all (beta, gamma) that go with it, and powers once
// for each beta. Both are the formula's own (score.hpp), so that a score is that of `score` to the last bit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "score/score.hpp"

namespace bolide {

// Statistics of segments, a row for each reference of a segment. Its score is that of its best reference.
class SweepTable {
 public:
  // Segment k has the rows offsets[k] .. offsets[k + 1]. Both arrays are needed during construction only.
  SweepTable(std::span<const double> rows, std::size_t columns, std::span<const std::int64_t> offsets,
             const Formula& formula, const Powers& powers);

  std::size_t segments() const { return first_.size() - 1; }
  std::size_t distinct() const { return fragment_.size(); }
  bool single() const { return single_; }
  std::size_t row(std::size_t segment) const { return index_[first_[segment]]; }  // of its first reference
  std::span<const std::int32_t> references(std::size_t segment) const {
    return std::span(index_).subspan(static_cast<std::size_t>(first_[segment]),
                                     static_cast<std::size_t>(first_[segment + 1] - first_[segment]));
  }
  const Formula& formula() const { return formula_; }

  void fmeans(const Parameters& parameters, std::vector<double>& out) const;  // of each distinct row
  // Rows share fragmentations, which are few: their powers stay in the nearest cache.
  std::size_t fragment(std::size_t row) const { return static_cast<std::size_t>(fragment_[row]); }
  using PowersOfFragments = std::shared_ptr<const std::vector<double>>;
  PowersOfFragments powers(double beta) const;  // fragmentation^beta of each fragmentation

 private:
  std::size_t columns_;
  Formula formula_;
  const Powers& powers_;
  bool single_;                         // every segment has one reference
  std::vector<double> rows_;            // distinct ones
  std::vector<std::int32_t> index_;     // given row -> distinct row
  std::vector<std::int64_t> first_;     // the offsets
  std::vector<std::int32_t> fragment_;  // distinct row -> its fragmentation
  std::vector<double> fragmentations_;
  mutable std::mutex mutex_;
  mutable std::map<double, PowersOfFragments> known_;
};

// Rows of alpha, beta, gamma, delta, weights.
struct Points {
  std::span<const double> numbers;
  std::size_t columns;
  std::size_t size() const { return numbers.size() / columns; }
  std::span<const double> operator[](std::size_t k) const { return numbers.subspan(k * columns, columns); }
};

// Data sets lie one after the other: set k has the elements ends[k - 1] .. ends[k].
using Ends = std::span<const std::int64_t>;

// The score of each segment at each point.
std::vector<double> sweep_scores(const SweepTable& table, const Points& points, int threads);

// Judgments that one segment is better than another. For each point and set: how many the scores agree with
// (better > worse) and in how many they tie. Scores are compared after rounding to so many decimals, or as
// they are if `decimals` is negative.
struct Rankings {
  std::span<const std::int32_t> better, worse;
  Ends ends;
  int decimals;
};
std::vector<std::int64_t> sweep_rankings(const SweepTable& table, const Points& points,
                                         const Rankings& rankings, int threads);

enum class Coefficient { pearson, spearman };
// Ratings of segments; weights are used by Pearson's coefficient alone.
struct Ratings {
  std::span<const std::int32_t> segment;
  std::span<const double> rating, weight;
  Ends ends;
  Coefficient coefficient;
};
std::vector<double> sweep_ratings(const SweepTable& table, const Points& points, const Ratings& ratings,
                                  int threads);

// Pairs with what people say: 1 the first is better, -1 the second, 0 a tie. The best share (by weight) of
// pairs that are told right when differences up to some epsilon are ties of the metric.
struct Comparisons {
  std::span<const std::int32_t> first, second;
  std::span<const std::int8_t> human;
  std::span<const double> weight;
  Ends ends;
};
std::vector<double> sweep_comparisons(const SweepTable& table, const Points& points,
                                      const Comparisons& comparisons, int threads);

}  // namespace bolide
