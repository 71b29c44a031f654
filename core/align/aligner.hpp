// Aligners: each chooses an alignment among the candidate matches of a pair, by its own rule.
// docs/internals/aligners.md explains them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model.hpp"
#include "support/instructions.hpp"

namespace bolide {

enum class AlignerKind : std::uint8_t {
  beam,    // the beam search of Java METEOR 1.5
  exact,   // most coverage, then fewest chunks, then least distance; proven (the definition of Meteor 1.3)
  staged,  // stage by stage the largest set, then fewest crosses; proven (the definition of METEOR 2005)
  greedy,  // stage by stage, last words first (NLTK)
  repeat,  // the same, but stages after the first do not know of each other (NLTK before 3.6.3)
};

constexpr int widest_beam = 60000;  // it must fit the keys of the search (beam/search.hpp)

struct AlignerSettings {
  AlignerKind kind = AlignerKind::beam;
  // By stage. The gain of a match is floor(w * hypothesis words) + floor(w * reference words), where w is the
  // weight of its stage.
  std::vector<double> gain_weights;
  int width = 40;           // of the beam, at most widest_beam
  std::int64_t budget = 0;  // steps that a proof may take; 0: the default of the aligner
  Instructions instructions = best_instructions();  // an available set
};

// An aligner reuses its memory for the next pair, so each thread needs its own.
class Aligner {
 public:
  virtual ~Aligner() = default;

  // Fills `chosen`, sorted by reference start (except for `repeat`: greedy/greedy.cpp). Returns whether it is
  // proven that `chosen` is the alignment that the rule defines. If the rule is a procedure, this is always
  // true.
  virtual bool align(const Candidates& candidates, std::size_t hypothesis_length,
                     std::vector<Match>& chosen) = 0;
  // The same, but faster if the candidates of consecutive pairs are the same at the beginning of the
  // reference. Afterwards, `candidates` has arbitrary content.
  virtual bool align_similar(Candidates& candidates, std::size_t hypothesis_length,
                             std::vector<Match>& chosen) {
    return align(candidates, hypothesis_length, chosen);
  }
};

// The settings must live as long as the aligner.
std::unique_ptr<Aligner> make_aligner(const AlignerSettings& settings);
std::unique_ptr<Aligner> make_beam_aligner(const AlignerSettings& settings);
std::unique_ptr<Aligner> make_exact_aligner(const AlignerSettings& settings);
std::unique_ptr<Aligner> make_staged_aligner(const AlignerSettings& settings);
std::unique_ptr<Aligner> make_greedy_aligner(bool repeats);

}  // namespace bolide
