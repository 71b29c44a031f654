// NLTK's alignment: a procedure, not an optimum.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/aligner.hpp"

namespace bolide {

// Stage by stage; in a stage, the hypothesis words from the last to the first, each with the last free
// reference word that it matches. Words only: throws std::invalid_argument if there is a longer match.
class GreedyAligner : public Aligner {
 public:
  bool align(const Candidates& candidates, std::size_t hypothesis_length,
             std::vector<Match>& chosen) override;

 private:
  static constexpr std::int32_t none = -1;

  void list_by_hypothesis(const Candidates& candidates, std::size_t hypothesis_length, std::size_t stages);
  void run_stage(const Candidates& candidates, std::span<const std::int32_t> lasts);

  // Numbers of candidates:
  std::vector<std::int32_t> taken_;  // by reference position
  std::vector<std::int32_t>
      lasts_;  // by stage and hypothesis position: the one with the last reference word,
  std::vector<std::int32_t> before_;  // and by candidate, the one before it in the same stage and position
  std::vector<char> used_;            // by hypothesis position
};

}  // namespace bolide
