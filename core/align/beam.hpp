// The alignment search of Java Meteor 1.5, exactly: a beam over reference positions.
#pragma once

#include <cstdint>
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

  // Which hypothesis words a path has used: in the path itself where 64 bits suffice, else a row of `rows_`, which is
  // never changed after it was made, so that paths can share it.
  using Used = std::uint64_t;

  // A partial alignment of the reference up to the current position.
  struct Path {
    std::uint64_t rank;  // see beam.cpp; smaller is better
    Used used;
    std::int32_t next_free;  // first reference position not yet decided
    std::int32_t last_end;   // where the last match ended in the hypothesis, or none
    std::int32_t trace;      // last chosen match, in traces_
  };
  // A path of the next round, not yet made: parent with a match, or without one.
  struct Extension {
    std::uint64_t rank;
    std::int32_t parent, match;
  };
  // Extensions, best first.
  using Lane = std::vector<Extension>;
  struct Trace {
    std::int32_t match, previous;
  };

  void prepare(const Candidates& candidates, std::size_t hypothesis_length);
  void fix_unambiguous(const Candidates& candidates, std::size_t hypothesis_length);
  void pass(std::int32_t position);
  void take_fixed(std::int32_t position, std::int32_t index, const Match& match);
  void branch(std::int32_t position, const Candidates& candidates);
  void extend_with(std::int32_t position, std::int32_t index, const Match& match);
  void extend_without_match(std::int32_t position);
  void add_to_lane(const Extension& extension);
  void merge_lane();
  void make(const Extension& extension, std::int32_t position, const Candidates& candidates, Path& path);
  void sort_paths();
  bool is_free(Used row, const Match& match) const;
  Used use(Used used, const Match& match);
  void drop_old_rows();

  const BeamSettings& settings_;
  std::size_t row_ = 0;  // 64-bit words in a row of rows_; 0 if the paths hold the bits themselves
  std::vector<std::uint64_t> rows_, kept_rows_;
  std::vector<Path> paths_, next_paths_;
  std::vector<std::uint64_t> going_on_;  // per path: its rank if it goes on without a match
  Lane extensions_, lane_, merged_;
  std::vector<Trace> traces_;
  std::vector<std::uint64_t> gains_;  // per candidate
  std::vector<std::int32_t> fixed_;   // per reference position: the match fixed there, or none
  std::vector<std::int32_t> reference_coverage_, hypothesis_coverage_;
};

}  // namespace bolide
