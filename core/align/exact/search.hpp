// Dynamic programming over reference positions, within a cost limit: finds the best alignment if prices alone
// do not.
#pragma once

#include <vector>

#include "align/exact/prices.hpp"
#include "support/compiler.hpp"

namespace bolide {

class ExactSearch {
 public:
  // How far a search may go.
  struct SearchLimits {
    Cost cost;          // the largest cost of an alignment
    std::size_t width;  // how many partial alignments are kept at a position
    std::int64_t steps;
  };
  struct SearchResult {
    Cost cost = no_cost;  // of the best alignment, if one was found
    Cost open = no_cost;  // a lower bound on the cost of alignments that were not considered
  };

  // Returns false if too many words are contended at the same position.
  bool start(const ExactProblem& problem, Budget& budget);

  // Writes the best alignment, the first by rule 5, to `path` if one is found.
  SearchResult run(const Prices& prices, const SearchLimits& limits, Items& path);

 private:
  using WordBits = Uint128;

  // A partial alignment.
  struct Label {
    Cost cost;          // with prices; the prices of unused words are refunded after their last item
    Cost bound;         // lower bound for all alignments that begin like this
    WordBits used;      // contended words that later items cover
    std::int32_t next;  // the first item that would continue the chunk, or none
    std::int32_t gain;
    std::int32_t trace;  // the last item, as an index into traces_
  };
  struct PathStep {
    std::int32_t item, previous, depth;
  };

  std::vector<Label>& layer(std::int32_t position) {
    return layers_[static_cast<std::size_t>(position) % layers_.size()];
  }
  void list_returns();
  void extend(const Label& label, std::int32_t position);
  void add(Label label, std::int32_t from, std::int32_t to, Cost rest);
  void merge(std::vector<Label>& labels);
  void cut(std::vector<Label>& labels, std::size_t width);
  std::int32_t depth(std::int32_t trace) const {
    return trace == ExactProblem::none ? 0 : traces_[trace].depth;
  }
  bool comes_before(std::int32_t a, std::int32_t b) const;

  const ExactProblem* problem_ = nullptr;
  const Prices* prices_ = nullptr;
  Budget* budget_ = nullptr;
  Cost limit_ = 0;
  SearchResult found_;
  std::vector<std::int32_t> bits_;  // by word
  std::vector<WordBits> masks_;     // by item
  std::vector<WordBits> kept_;      // by position: all words except those that no later item covers
  // Words with a price, by their last position: the price is refunded if the word was not used.
  struct Return {
    WordBits word;
    Cost price;
  };
  std::vector<Return> returns_;
  std::vector<std::size_t> first_return_;
  std::vector<std::vector<Label>> layers_;  // a ring of positions, as many as the longest item needs
  std::vector<PathStep> traces_;
  std::vector<std::int32_t> table_, free_from_;
  std::vector<std::int32_t> order_;  // words, sorted by the last item that covers them
};

}  // namespace bolide
