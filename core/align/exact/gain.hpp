// Finds the largest gain of all alignments.
#pragma once

#include <vector>

#include "align/exact/packing.hpp"
#include "support/union_find.hpp"

namespace bolide {

// If only gain counts, items are independent unless they share words, directly or through other items. So
// each group of connected items is a small problem, which is solved by branch and bound over its linear
// program.
class GainSearch {
 public:
  // Finds an alignment with the largest gain. Returns false if the budget is used up.
  bool solve(const ExactProblem& problem, const Candidates& candidates, std::size_t hypothesis_length,
             const AlignerSettings& settings, Budget& budget);

  const Items& path() const { return path_; }
  std::int32_t gain() const { return gain_; }

 private:
  void find_groups(const ExactProblem& problem, std::size_t hypothesis_length);
  bool solve_group(Budget& budget);

  Items path_;
  std::int32_t gain_ = 0;
  UnionFind groups_;  // of items
  std::vector<std::int32_t> owner_, order_;
  // For the current group:
  Candidates candidates_;
  Items items_;  // their numbers in the whole problem
  ExactProblem problem_;
  Packing packing_;
  Items best_;
  std::int32_t best_gain_ = 0;
};

}  // namespace bolide
