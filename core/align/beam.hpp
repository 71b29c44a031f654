// The alignment search of Java Meteor 1.5, exactly: a beam over reference positions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "../match.hpp"

namespace bolide {

struct BeamSettings {
  int width = 40;
  std::vector<double> gain_weights;  // per stage: 1 for exact, 0.5 for all others in Java
};

// Longest sentence that the packed ranking (beam.cpp) can hold.
constexpr std::size_t longest_sentence = 100000;

// Keeps its memory from pair to pair, so every thread has its own.
class BeamAligner {
 public:
  explicit BeamAligner(const BeamSettings& settings) : settings_(settings) {}

  // The chosen matches, by reference start.
  void align(const Candidates& candidates, std::size_t hypothesis_length, std::vector<Match>& chosen);

 private:
  static constexpr std::int32_t none = -1;

  // A partial alignment; its used hypothesis words are a row of `used_`.
  struct Path {
    std::uint64_t rank;      // see rank_of: smaller is better
    std::int32_t next_free;  // first reference position not yet decided
    std::int32_t last_end;   // where the last match ended in the hypothesis, or none
    std::int32_t trace;      // last chosen match, in traces_
  };
  // A path that could be: `match` is none if it only passes on.
  struct Extension {
    std::uint64_t rank;
    std::int32_t parent, match, next_free, last_end;
  };
  struct Trace {
    std::int32_t match, previous;
  };

  void fix_unambiguous(const Candidates& candidates, std::size_t hypothesis_length);
  void extend(std::int32_t parent, std::int32_t position, const Candidates& candidates);
  void offer(const Extension& extension);
  void advance(const Candidates& candidates);
  bool is_free(std::int32_t path, const Match& match) const;
  std::uint64_t gain_of(const Match& match) const;

  const BeamSettings& settings_;
  std::size_t row_ = 0;  // 64-bit words in a row of used_
  std::vector<Path> paths_, next_paths_;
  std::vector<std::uint64_t> used_, next_used_;
  std::vector<Extension> extensions_;  // the best so far, best first
  std::vector<Trace> traces_;
  std::vector<std::int32_t> fixed_;  // per reference position: the match fixed there, or none
  std::vector<std::int32_t> reference_coverage_, hypothesis_coverage_;
};

}  // namespace bolide
