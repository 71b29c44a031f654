// A lower bound on the cost of the remaining slots of a stage, when the first slots are decided.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "align/staged/problem.hpp"

namespace bolide {

class StageBound {
 public:
  static constexpr std::int64_t impossible = std::numeric_limits<std::int64_t>::max() / 4;

  void prepare(const StageProblem& problem);
  // Sets the last slot that is decided; -1: none.
  void go_to(std::int32_t slot);
  // Sets the used words, one bit per word.
  void read(const std::uint64_t* used);

  bool is_used(std::int32_t word) const { return is_used_[word] != 0; }
  // How many used words come after a word: the crosses if it is matched now.
  std::int64_t crosses(std::int32_t word) const { return above_[word]; }
  // A lower bound on the cost of the remaining slots, for the used words that were read last. `link` is the
  // word that would continue the chunk at the next slot (-1: none). The bound is a sum over groups; each
  // group is at its best independently of the others.
  std::int64_t rest(std::int32_t link);
  // Whether all words that must be matched, but have no edge after this slot, are used or `taken`.
  bool is_due_met(std::int32_t taken) const;

  std::int64_t work = 0;  // how many edges and words were visited

 private:
  struct GroupState {
    std::int32_t slots_passed, words_used, last_used;  // last_used is a number within the group
    std::int32_t first;                                // where its edges begin in grid_
    // Relative to an edge, for its certain crosses:
    std::int32_t must_before, slots_after, words_below, must_above, certain;
  };

  void list_edges();
  void list_due();
  void find_certain_crosses();
  std::int64_t price(std::int32_t edge, std::int32_t link) const;
  std::int64_t band(std::int32_t group, std::int32_t link);
  std::int64_t least_of_slot(std::int32_t slot, std::int32_t link);
  std::int64_t least_of_word(std::int32_t word, std::int32_t link);

  const StageProblem* problem_ = nullptr;
  std::int32_t slot_ = -1;
  std::vector<GroupState> groups_;
  std::vector<std::int32_t> place_;                     // by word: its number within its group
  std::vector<std::int32_t> word_starts_, word_edges_;  // the edges of each word, sorted by slot
  std::vector<std::int32_t> grid_;                      // the edges of each band, by row
  std::vector<std::int32_t> due_starts_, due_;          // by slot: the words whose last edge is there
  std::vector<std::int32_t> slots_, words_;             // not in bands, but must be matched
  std::vector<std::int32_t> certain_;  // by edge: the least number of crosses with edges of earlier slots
  std::vector<char> is_used_;
  std::vector<std::int32_t> above_;
  std::vector<std::int64_t> sums_;
};

}  // namespace bolide
