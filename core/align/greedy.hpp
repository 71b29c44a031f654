// NLTK's alignment: a procedure, not an optimum.
#pragma once

#include <vector>

#include "aligner.hpp"

namespace bolide {

// Stage by stage; in a stage, the hypothesis words from the last to the first, each with the last free
// reference word that it matches. Words only: throws std::invalid_argument if there is a longer match.
class GreedyAligner : public Aligner {
 public:
  bool align(const Candidates& candidates, std::size_t hypothesis_length,
             std::vector<Match>& chosen) override;

 private:
  void run_stage(const Candidates& candidates, std::int32_t stage);

  std::vector<Match> taken_;                       // by reference position; stage -1: none
  std::vector<char> used_;                         // by hypothesis position
  std::vector<std::int32_t> starts_, references_;  // reference words that each hypothesis word matches
};

}  // namespace bolide
