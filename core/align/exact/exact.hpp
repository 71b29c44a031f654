// The alignment that the Meteor 1.3 paper defines, proven to be the best.
//
// Of all sets of candidate matches in which every word is used at most once, the one with
//   1. the largest gain,
//   2. the fewest chunks,
//   3. the least sum of |reference start - hypothesis start|,
//   4. the least sum of stage number * words covered, of both sides: earlier stages are preferred,
//   5. at the first difference, going through the reference: a match rather than none; then the smaller
//      hypothesis start; then the shorter phrase in the reference, then in the hypothesis.
//
// This contains minimum common string partition, which is NP-hard, so there is a budget.
#pragma once

#include <memory>
#include <vector>

#include "align/aligner.hpp"

namespace bolide {

class ExactAligner : public Aligner {
 public:
  explicit ExactAligner(const AlignerSettings& settings);
  ~ExactAligner() override;

  // False if the budget ended first; then this is the best alignment found, by rules 1 to 4 not worse than
  // the beam's.
  bool align(const Candidates& candidates, std::size_t hypothesis_length,
             std::vector<Match>& chosen) override;

 private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace bolide
