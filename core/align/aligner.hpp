// Aligners: each chooses, by its own rule, among the candidate matches of a pair.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model.hpp"
#include "support/instructions.hpp"

namespace bolide {

enum class AlignerKind : std::uint8_t {
  beam,    // Java 1.5's search
  exact,   // most coverage, then fewest chunks, then least distance, proven (Meteor 1.3's definition)
  staged,  // stage by stage the largest set, then fewest crosses, proven (METEOR 2005's definition)
  greedy,  // stage by stage, last words first (NLTK's)
};

struct AlignerSettings {
  AlignerKind kind = AlignerKind::beam;
  // A match gains floor(w * hypothesis words) + floor(w * reference words), w being its stage's weight here.
  std::vector<double> gain_weights;
  int width = 40;           // of the beam
  std::int64_t budget = 0;  // steps that a proof may take; 0: as many as the aligner's own rule says
  Instructions instructions = best_instructions();  // an available set
};

// Keeps its memory from pair to pair, so every thread has its own.
class Aligner {
 public:
  virtual ~Aligner() = default;

  // Fills `chosen`, by reference start. Returns whether it is proven to be what the rule asks for; where the
  // rule is the procedure itself, it always is.
  virtual bool align(const Candidates& candidates, std::size_t hypothesis_length,
                     std::vector<Match>& chosen) = 0;
};

std::unique_ptr<Aligner> make_aligner(const AlignerSettings& settings);

}  // namespace bolide
