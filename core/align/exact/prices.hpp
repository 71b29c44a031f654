// A bound on all alignments: hypothesis words may be used more than once, but at a price.
//
// Without the rule that a hypothesis word is used once, the best alignment is a shortest path over reference
// positions. With a price on each contended word, paid by every item that covers it and given back once, the
// shortest path is never dearer than the best alignment, whatever the prices (Lagrange). Where it uses every
// word once that has a price, and none twice, it is the best alignment. Where a gain is required, gain has a
// price too, which may be negative.
#pragma once

#include <algorithm>
#include <vector>

#include "align/exact/problem.hpp"

namespace bolide {

class Prices {
 public:
  struct PriceList {
    std::vector<Cost> words;
    Cost gain = 0;
  };

  // All prices are 0 at first.
  void start(const ExactProblem& problem, Budget& budget);
  void set(const PriceList& prices) { prices_ = prices; }
  const PriceList& get() const { return prices_; }
  // Prices by what words are worth in gain.
  void set(const std::vector<double>& worths);
  // After `ExactProblem::keep`, which has left these words.
  void keep(const Items& words);
  Cost operator[](std::int32_t word) const { return prices_.words[word]; }
  Cost total() const { return total_; }

  // Finds the shortest paths; returns what they cost, all prices given back: a bound.
  Cost solve();
  // The first of the shortest paths, by rule 5; true if it is an alignment, and then the best.
  bool take_path(Items& path);
  // After `take_path`: prices rise by `size` for every use too many and fall for words not used; that of gain
  // changes alike.
  void adjust(Cost size);

  // After `solve`: lists the items through which a path costs no more than this, all prices given back.
  void list_items(Cost limit, Items& items);

  // What `solve` found. An item's cost with the prices of its words:
  Cost cost(std::int32_t item) const { return costs_[item]; }
  // the least that comes from a position on;
  Cost rest(std::int32_t position) const { return rest_[position]; }
  // the same after an item that has ended there.
  Cost rest_after(const Item& item) const {
    const Cost rest = rest_[item.reference_end];
    return item.next == ExactProblem::none ? rest : std::min(rest, going_on_[item.next]);
  }

 private:
  std::int32_t next_on_path(std::int32_t position, std::int32_t next) const;

  const ExactProblem* problem_ = nullptr;
  Budget* budget_ = nullptr;
  PriceList prices_;
  Cost total_ = 0;
  std::vector<Cost> costs_;
  std::vector<Cost> all_;  // by item: its cost and the least after it
  std::vector<Cost> rest_;
  std::vector<Cost>
      going_on_;  // by first of the items with the same starts: the least if a chunk goes on there
  // Of the last path:
  std::vector<std::int32_t> uses_;         // by word
  std::int32_t extra_gain_ = 0;            // beyond what is required
  std::vector<Cost> before_, leading_on_;  // like rest_ and going_on_, from the other end
};

}  // namespace bolide
