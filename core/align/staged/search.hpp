// The search in a stage of METEOR 2005: of all largest sets, finds the one with the fewest crosses, then the
// fewest chunks, then the leftmost one, and proves it.
#pragma once

#include <cstdint>
#include <vector>

#include "align/staged/bound.hpp"
#include "align/staged/problem.hpp"

namespace bolide {

// Goes through the slots from left to right and keeps, for each set of used words, the best path to it. Drops
// states that cannot be as good as the best known solution. The first pass is a narrow beam: it also drops
// states for which it has no room.
class StageSearch {
 public:
  // Improves problem.choice. Returns whether it is proven to be the best. Reduces the budget by the work
  // done.
  bool run(StageProblem& problem, std::int64_t& budget);

 private:
  struct State {
    std::int64_t cost, total;  // `total` includes the bound on the rest
    std::int32_t node;
    std::int32_t link;  // the word that would continue the chunk at the next slot, or -1
  };
  struct Step {
    std::int32_t edge;  // -1: none
    std::int64_t cost;
  };
  struct PathNode {
    std::int32_t parent, edge;
  };
  using WordSets = std::vector<std::uint64_t>;

  std::int64_t cost_of_choice() const;
  bool pass(std::size_t width, std::int64_t budget);
  void expand(const State& state, const std::uint64_t* used);
  void add_child(const State& parent, const Step& step);
  std::int32_t* find(const std::uint64_t* used, std::int32_t link);
  void grow_table();
  void keep_best(std::size_t width);
  void take_solution();

  StageProblem* problem_ = nullptr;
  StageBound bound_;
  std::size_t stride_ = 0;  // 64-bit numbers per set
  // By slot: the lowest word that this slot or a later one can be matched to.
  std::vector<std::int32_t> lowest_;
  std::vector<State> layer_, children_;
  WordSets layer_used_, children_used_, candidate_;
  std::vector<std::int32_t> table_;  // hash table of indices into children_, with open addressing
  std::vector<Step> steps_;
  std::vector<PathNode> nodes_;
  std::vector<std::int64_t> totals_;
  std::int32_t slot_ = 0;
  std::int64_t best_ = 0;  // cost of problem.choice
  bool cut_ = false;
};

}  // namespace bolide
