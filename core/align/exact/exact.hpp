// The alignment that the Meteor 1.3 paper defines, with a proof that it is the best.
//
// Of all sets of candidate matches that use every word at most once, it is the one with
//   1. the largest gain,
//   2. the fewest chunks,
//   3. the least sum of |reference start - hypothesis start|,
//   4. the least sum of stage number * covered words of both sides, so that earlier stages are preferred,
//   5. at the first difference from left to right in the reference: a match rather than none; then the
//      smaller hypothesis start; then the shorter phrase in the reference, then in the hypothesis.
//
// The problem contains minimum common string partition, which is NP-hard, so there is a budget.
#pragma once

#include <memory>
#include <vector>

#include "align/aligner.hpp"

namespace bolide {

class ExactAligner : public Aligner {
 public:
  explicit ExactAligner(const AlignerSettings& settings);
  ~ExactAligner() override;

  // Returns false if the budget is used up. Then `chosen` is the best alignment found; by rules 1 to 4 it is
  // not worse than that of the beam search.
  bool align(const Candidates& candidates, std::size_t hypothesis_length,
             std::vector<Match>& chosen) override;

 private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace bolide
