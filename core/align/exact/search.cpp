#include "align/exact/search.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace bolide {

bool ExactSearch::start(const ExactProblem& problem, Budget& budget) {
  problem_ = &problem;
  budget_ = &budget;
  const auto positions = static_cast<std::size_t>(problem.positions);
  const std::vector<ContendedWord>& words = problem.words;
  kept_.assign(positions, ~WordBits{0});
  // Two words may share a bit if no position needs both.
  bits_.resize(words.size());
  order_.resize(words.size());
  std::iota(order_.begin(), order_.end(), 0);
  // Total orders: see cut().
  std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
    return std::pair(words[a].first, a) < std::pair(words[b].first, b);
  });
  free_from_.assign(sizeof(WordBits) * 8, 0);
  for (std::int32_t w : order_) {
    const auto bit = std::find_if(free_from_.begin(), free_from_.end(),
                                  [&](std::int32_t from) { return from <= words[w].first; });
    if (bit == free_from_.end()) return false;
    *bit = words[w].last + 1;
    bits_[w] = static_cast<std::int32_t>(bit - free_from_.begin());
    kept_[words[w].last] &= ~(WordBits{1} << bits_[w]);
  }
  std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
    return std::pair(words[a].last, a) < std::pair(words[b].last, b);
  });

  masks_.assign(problem.items.size(), 0);
  std::int32_t longest = 1;
  for (std::size_t k = 0; k < problem.items.size(); ++k) {
    const Item& item = problem.items[k];
    longest = std::max(longest, item.reference_end - item.reference_start);
    for (std::int32_t w = item.first_word; w < item.last_word; ++w)
      masks_[k] |= WordBits{1} << bits_[problem.item_words[w]];
  }
  layers_.resize(static_cast<std::size_t>(longest) + 1);
  return true;
}

ExactSearch::SearchResult ExactSearch::run(const Prices& prices, const SearchLimits& limits, Items& path) {
  const ExactProblem& problem = *problem_;
  prices_ = &prices;
  limit_ = limits.cost;
  found_ = {};
  list_returns();
  traces_.clear();
  for (auto& labels : layers_) labels.clear();
  layer(0).push_back({-prices.total(), 0, 0, ExactProblem::none, 0, ExactProblem::none});
  std::int64_t steps = 0;
  for (std::int32_t position = 0; position < problem.positions; ++position) {
    std::vector<Label>& labels = layer(position);
    merge(labels);
    cut(labels, limits.width);
    const auto choices = static_cast<std::size_t>(problem.starts[position + 1] - problem.starts[position]);
    const std::size_t work = 8 * labels.size() * (choices + 2);
    budget_->spend(work);
    steps += static_cast<std::int64_t>(work);
    if (steps > limits.steps || budget_->spent()) return {no_cost, -no_cost};
    for (const Label& label : labels) extend(label, position);
    labels.clear();
  }
  std::vector<Label>& complete = layer(problem.positions);
  merge(complete);
  if (complete.empty() ||
      (problem.required_gain != ExactProblem::none && complete.front().gain != problem.required_gain))
    return found_;
  found_.cost = complete.front().cost;
  path.clear();
  for (std::int32_t t = complete.front().trace; t != ExactProblem::none; t = traces_[t].previous)
    path.push_back(traces_[t].item);
  std::reverse(path.begin(), path.end());
  return found_;
}

void ExactSearch::list_returns() {
  returns_.clear();
  first_return_.clear();
  std::size_t next = 0;
  for (std::int32_t position = 0; position < problem_->positions; ++position) {
    first_return_.push_back(returns_.size());
    for (; next < order_.size() && problem_->words[order_[next]].last == position; ++next) {
      const std::int32_t word = order_[next];
      if ((*prices_)[word] > 0) returns_.push_back({WordBits{1} << bits_[word], (*prices_)[word]});
    }
  }
  first_return_.push_back(returns_.size());
}

void ExactSearch::extend(const Label& label, std::int32_t position) {
  const ExactProblem& problem = *problem_;
  const std::int32_t going_on =
      label.next == ExactProblem::none ? ExactProblem::none : problem.items[label.next].hypothesis_start;
  for (std::int32_t k = problem.starts[position]; k < problem.starts[position + 1]; ++k) {
    if ((label.used & masks_[k]) != 0) continue;
    const Item& item = problem.items[k];
    const Cost cost =
        label.cost + prices_->cost(k) + (item.hypothesis_start == going_on ? 0 : problem.one_chunk);
    const Cost rest = prices_->rest_after(item);
    if (cost + rest > limit_) {
      found_.open = std::min(found_.open, cost + rest);
      continue;
    }
    const auto trace = static_cast<std::int32_t>(traces_.size());
    traces_.push_back({k, label.trace, depth(label.trace) + 1});
    add({cost, 0, label.used | masks_[k], item.next, label.gain + item.gain, trace}, position,
        item.reference_end, rest);
  }
  add({label.cost, 0, label.used, ExactProblem::none, label.gain, label.trace}, position, position + 1,
      prices_->rest(position + 1));
}

void ExactSearch::add(Label label, std::int32_t from, std::int32_t to, Cost rest) {
  for (std::int32_t p = from; p < to; ++p) {
    for (std::size_t k = first_return_[p]; k < first_return_[p + 1]; ++k) {
      if ((label.used & returns_[k].word) == 0) label.cost += returns_[k].price;
    }
    label.used &= kept_[p];
  }
  label.bound = label.cost + rest;
  if (label.bound > limit_) {
    found_.open = std::min(found_.open, label.bound);
  } else {
    layer(to).push_back(label);
  }
}

// If several labels allow the same continuations, only the best is kept.
void ExactSearch::merge(std::vector<Label>& labels) {
  if (labels.size() < 2) return;
  const std::size_t room = std::bit_ceil(labels.size() * 2);
  table_.assign(room, ExactProblem::none);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const Label label = labels[k];
    const auto low = static_cast<std::uint64_t>(label.used),
               high = static_cast<std::uint64_t>(label.used >> 64);
    std::uint64_t hash =
        (low ^ (high + static_cast<std::uint64_t>(label.next)) * 0xc2b2ae3d27d4eb4f) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
    for (std::size_t at = hash & (room - 1);; at = (at + 1) & (room - 1)) {
      if (table_[at] == ExactProblem::none) {
        table_[at] = static_cast<std::int32_t>(kept);
        labels[kept++] = label;
        break;
      }
      Label& other = labels[table_[at]];
      if (other.used != label.used || other.next != label.next) continue;
      const bool better = label.gain != other.gain   ? label.gain > other.gain
                          : label.cost != other.cost ? label.cost < other.cost
                                                     : comes_before(label.trace, other.trace);
      if (better) other = label;
      break;
    }
  }
  labels.resize(kept);
}

void ExactSearch::cut(std::vector<Label>& labels, std::size_t width) {
  if (labels.size() <= width) return;
  const auto end = labels.begin() + static_cast<std::ptrdiff_t>(width);
  // A total order, so that every library keeps the same labels in the same order.
  const auto better = [](const Label& a, const Label& b) {
    return a.bound != b.bound ? a.bound < b.bound : a.trace < b.trace;
  };
  std::nth_element(labels.begin(), end, labels.end(), better);
  std::sort(labels.begin(), end, better);
  found_.open = std::min(found_.open, end->bound);
  labels.erase(end, labels.end());
}

// Rule 5: at the first difference, the earlier item comes first, and an item comes before none.
bool ExactSearch::comes_before(std::int32_t a, std::int32_t b) const {
  std::int32_t item_a = ExactProblem::none, item_b = ExactProblem::none;
  const auto go_back = [&](std::int32_t& trace, std::int32_t& item) {
    item = traces_[trace].item;
    trace = traces_[trace].previous;
  };
  while (depth(a) > depth(b)) go_back(a, item_a);
  while (depth(b) > depth(a)) go_back(b, item_b);
  while (a != b) {
    go_back(a, item_a);
    go_back(b, item_b);
  }
  return item_b == ExactProblem::none || (item_a != ExactProblem::none && item_a < item_b);
}

}  // namespace bolide
