// The alignment of NLTK. It is defined by a procedure, not as an optimum.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/aligner.hpp"

namespace bolide {

// Works stage by stage. In a stage it goes through the hypothesis words from the last to the first; each
// takes the last free reference word that it matches. Throws std::invalid_argument if a match has more than
// one word on a side.
class GreedyAligner : public Aligner {
 public:
  bool align(const Candidates& candidates, std::size_t hypothesis_length,
             std::vector<Match>& chosen) override;

 private:
  static constexpr std::int32_t none = -1;

  void list_by_hypothesis(const Candidates& candidates, std::size_t hypothesis_length, std::size_t stages);
  void run_stage(const Candidates& candidates, std::span<const std::int32_t> lasts);

  // These hold numbers of candidates.
  std::vector<std::int32_t> taken_;  // by reference position: the chosen candidate
  // By stage and hypothesis position: the candidate with the last reference word.
  std::vector<std::int32_t> lasts_;
  // By candidate: the one before it with the same stage and hypothesis position.
  std::vector<std::int32_t> before_;
  std::vector<char> used_;  // by hypothesis position
};

}  // namespace bolide
