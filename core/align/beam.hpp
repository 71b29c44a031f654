// The alignment search of Java Meteor 1.5, exactly: a beam over reference positions.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "../match.hpp"

namespace bolide {

struct BeamSettings {
  int width = 40;
  std::vector<double> gain_weights;  // per stage: 1 for exact, 0.5 for all others in Java
};

// Widest beam that the search's keys can hold (beam_search.hpp).
constexpr int widest_beam = 60000;

// Keeps its memory from pair to pair, so every thread has its own.
class BeamAligner {
 public:
  explicit BeamAligner(const BeamSettings& settings);
  ~BeamAligner();

  // The chosen matches, by reference start.
  void align(const Candidates& candidates, std::size_t hypothesis_length, std::vector<Match>& chosen);

 private:
  struct Searches;
  std::unique_ptr<Searches> searches_;
};

}  // namespace bolide
