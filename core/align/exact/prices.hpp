// A lower bound on the cost of all alignments, by Lagrangian relaxation: hypothesis words may be used more
// than once, but at a price.
//
// If hypothesis words could be used more than once, the best alignment would be a shortest path over
// reference positions. Each contended word has a price. Every item that covers the word pays it, and it is
// refunded once. Then the shortest path never costs more than the best alignment, whatever the prices are. If
// it uses no word twice, and every word with a price once, it is the best alignment. If a gain is required,
// gain has a price too, which may be negative.
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

  // Starts with all prices 0.
  void start(const ExactProblem& problem, Budget& budget);
  void set(const PriceList& prices) { prices_ = prices; }
  const PriceList& get() const { return prices_; }
  // Sets prices to the worths of words, in units of gain.
  void set(const std::vector<double>& worths);
  // Must be called after `ExactProblem::keep`, with the words that it returned.
  void keep(const Items& words);
  Cost operator[](std::int32_t word) const { return prices_.words[word]; }
  Cost total() const { return total_; }

  // Finds the shortest paths. Returns their cost, with all prices refunded: a lower bound.
  Cost solve();
  // Takes the first of the shortest paths by rule 5. Returns true if it is an alignment; then it is the best.
  bool take_path(Items& path);
  // After `take_path`: raises the price of a word by `size` for every use beyond the first, and lowers it if
  // the word was not used. The price of gain is changed likewise.
  void adjust(Cost size);

  // After `solve`: lists the items through which a path costs at most `limit`, with all prices refunded.
  void list_items(Cost limit, Items& items);

  // Results of `solve`. The cost of an item, with the prices of its words.
  Cost cost(std::int32_t item) const { return costs_[item]; }
  // The least cost from a position to the end.
  Cost rest(std::int32_t position) const { return rest_[position]; }
  // The least cost after an item.
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
  std::vector<Cost> all_;  // by item: its cost and the least cost after it
  std::vector<Cost> rest_;
  // By the first of the items with the same starts: the least cost from there if a chunk continues.
  std::vector<Cost> going_on_;
  // For the last path:
  std::vector<std::int32_t> uses_;         // by word
  std::int32_t extra_gain_ = 0;            // its gain minus the required gain
  std::vector<Cost> before_, leading_on_;  // like rest_ and going_on_, but from the beginning
};

}  // namespace bolide
