// The alignment search of Java Meteor 1.5: a beam search over reference positions, with the same results.
#pragma once

#include <memory>
#include <vector>

#include "align/aligner.hpp"

namespace bolide {

// The widest beam that fits the keys of the search (search.hpp).
constexpr int widest_beam = 60000;

class BeamAligner : public Aligner {
 public:
  explicit BeamAligner(const AlignerSettings& settings);
  ~BeamAligner() override;

  bool align(const Candidates& candidates, std::size_t hypothesis_length,
             std::vector<Match>& chosen) override;

 private:
  struct Searches;
  std::unique_ptr<Searches> searches_;
};

}  // namespace bolide
