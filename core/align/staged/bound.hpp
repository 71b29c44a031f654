// How little the rest of a stage can cost, once some of its slots are decided.
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
  // Goes to a slot: those up to it are decided, -1: none.
  void go_to(std::int32_t slot);
  // Reads a set of used words, a bit a word.
  void read(const std::uint64_t* used);

  bool is_used(std::int32_t word) const { return is_used_[word] != 0; }
  // How many used words are after a word: the crosses of tying it now.
  std::int64_t crosses(std::int32_t word) const { return above_[word]; }
  // The least that the slots after this one can cost, for the set read last, where `link` is the word that
  // would continue the chunk at the next slot (-1: none). A sum over groups, each at its best alone.
  std::int64_t rest(std::int32_t link);
  // Words that must be tied, and cannot be after this slot, are used, or one of them is `taken`.
  bool is_due_met(std::int32_t taken) const;

  std::int64_t work = 0;  // looks at an edge or a word, since it was set to 0

 private:
  struct GroupState {
    std::int32_t slots_passed, words_used, last_used;  // the last as a place among the group's words
    std::int32_t first;                                // of its edges in grid_
    // As seen from an edge, to count its certain crosses:
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
  std::vector<std::int32_t> place_;                     // of each word in its group
  std::vector<std::int32_t> word_starts_, word_edges_;  // edges of each word, by slot
  std::vector<std::int32_t> grid_;                      // edges of each band, by row
  std::vector<std::int32_t> due_starts_, due_;          // words whose last edge is in each slot
  std::vector<std::int32_t> slots_, words_;             // outside of bands, those that must be tied
  std::vector<std::int32_t> certain_;  // by edge: crosses with edges of slots before, at least
  std::vector<char> is_used_;
  std::vector<std::int32_t> above_;
  std::vector<std::int64_t> sums_;
};

}  // namespace bolide
