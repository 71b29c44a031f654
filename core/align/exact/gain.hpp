// The largest gain that any alignment has.
#pragma once

#include <vector>

#include "align/exact/packing.hpp"

namespace bolide {

// By gain alone, items that do not compete for words, not even by way of others, have nothing to do with each
// other: each group is a small problem. Branch and bound over its linear program.
class GainSearch {
 public:
  // Finds an alignment of the largest gain; false if the budget ended.
  bool solve(const ExactProblem& problem, const Candidates& candidates, std::size_t hypothesis_length,
             const AlignerSettings& settings, Budget& budget);

  const Items& path() const { return path_; }
  std::int32_t gain() const { return gain_; }

 private:
  void find_groups(const ExactProblem& problem, std::size_t hypothesis_length);
  std::int32_t group_of(std::int32_t item);
  bool solve_group(Budget& budget);

  Items path_;
  std::int32_t gain_ = 0;
  std::vector<std::int32_t> parent_, owner_, order_;
  // Of the group at hand:
  Candidates candidates_;
  Items items_;  // as the whole problem numbers them
  ExactProblem problem_;
  Packing packing_;
  Items best_;
  std::int32_t best_gain_ = 0;
};

}  // namespace bolide
