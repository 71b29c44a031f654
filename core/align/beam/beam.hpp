// The alignment search of Java Meteor 1.5, exactly: a beam over reference positions.
#pragma once

#include <memory>
#include <vector>

#include "align/aligner.hpp"

namespace bolide {

// Widest beam that the search's keys can hold (beam_search.hpp).
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
