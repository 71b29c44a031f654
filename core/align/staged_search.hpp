// The proof in a stage of METEOR 2005: of all largest sets, the one with fewest crosses, then fewest chunks,
// then leftmost.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bolide {

// What a stage leaves open after the forced mappings: reference words (slots) that may be tied to hypothesis
// words, both numbered in the order of their positions.
struct StageProblem {
  struct Edge {
    std::int32_t slot, word;
    std::int64_t cost;            // of what it does with the mappings that are fixed
    std::int32_t next_word = -1;  // the word that continues the chunk, if the next slot may be tied to it
    bool may_continue = false;    // whether an edge of the slot before has this one as its next
  };
  // In a group of words that all match each other, a best set keeps the order of the words: uncrossing two
  // pairs removes a cross and adds none. Its edges are a band, as only |larger| - |smaller| words are left.
  enum class Order : std::uint8_t {
    any,        // not all match each other
    ascending,  // every slot must be tied: to a word after those of the slots before
    lowest,     // every word must be tied: a slot takes the first free one, or none
  };
  struct Slot {
    std::int32_t first, end;  // edges, by word
    Order order;
    bool must;  // be tied
    std::int32_t group;
  };
  struct Word {
    bool must;  // be tied
    std::int32_t group;
  };
  std::vector<Edge> edges;  // by slot, then word
  std::vector<Slot> slots;
  std::vector<Word> words;
  std::int32_t groups = 0;
  std::int64_t cross = 1;            // what a cross costs; a link (two neighbours in a chunk) saves 1
  std::vector<std::int32_t> choice;  // by slot: the edge of the best solution known, -1: none
};

// Goes over the slots from left to right and keeps, for each set of used words, the best way there. What can
// no longer be better than the best solution known is dropped; so is, in the first pass, what a narrow beam
// has no room for.
class StageSearch {
 public:
  // Improves problem.choice. Returns whether it is now proven best.
  bool run(StageProblem& problem, std::int64_t budget);

 private:
  struct State {
    std::int64_t cost, total;  // so far; with the bound on the rest
    std::int32_t node;
    std::int32_t link;  // the word that would continue the chunk at the next slot, or -1
  };
  struct Step {
    std::int32_t edge;  // -1: none
    std::int64_t cost;
  };
  struct Node {
    std::int32_t parent, edge;
  };
  struct Tally {  // of a group, as seen from an edge
    std::int32_t must_before, words_below, must_above, slots_after;
    std::int32_t least;
    std::int32_t count() const {
      return std::max(0, must_before - words_below) + std::max(0, must_above - slots_after);
    }
  };
  using Bits = std::vector<std::uint64_t>;

  void prepare();
  void find_least_crosses();
  std::int64_t cost_of_choice() const;
  bool pass(std::size_t width, std::int64_t most_nodes);
  void expand(const State& state, const std::uint64_t* used);
  void add_child(const State& parent, const Step& step);
  bool is_due_met(std::int32_t taken) const;
  std::int64_t bound(std::int32_t link);
  std::int64_t least_of_slot(std::int32_t slot, std::int32_t link) const;
  std::int64_t least_of_word(std::int32_t word, std::int32_t link) const;
  void read_used(const std::uint64_t* used);
  std::int32_t* find(const std::uint64_t* used, std::int32_t link);
  void grow_table();
  void keep_best(std::size_t width);
  void take_solution();

  StageProblem* problem_ = nullptr;
  std::size_t stride_ = 0;                              // 64-bit words of a set
  std::vector<std::int32_t> word_starts_, word_edges_;  // edges of each word, by slot
  std::vector<std::int32_t> due_starts_, due_;          // words that must be tied by the end of each slot
  std::vector<std::int32_t> must_words_;
  std::vector<std::int32_t> lowest_;  // by slot: below this word nothing can be tied from here on

  std::vector<std::int32_t> least_crosses_;  // by edge: with edges of slots before, at least
  std::vector<Tally> tallies_;

  std::vector<State> layer_, children_;
  Bits layer_used_, children_used_, candidate_;
  std::vector<char> is_used_;        // the set at hand, a flag a word
  std::vector<std::int32_t> above_;  // and how many used words are above each
  std::vector<std::int32_t> table_;  // open hashing: state -> index in children_
  std::vector<Step> steps_;
  std::vector<Node> nodes_;
  std::vector<std::int64_t> totals_;
  std::int32_t slot_ = 0;
  std::int64_t best_ = 0;  // cost of problem.choice
  std::int64_t work_ = 0, most_work_ = 0;
  bool cut_ = false;
};

}  // namespace bolide
