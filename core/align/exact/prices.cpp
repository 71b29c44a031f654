#include "align/exact/prices.hpp"

#include <numeric>

namespace bolide {

namespace {

constexpr Cost gain_share = 10;  // the price of gain changes by this fraction, because all items pay it

}  // namespace

void Prices::start(const ExactProblem& problem, Budget& budget) {
  problem_ = &problem;
  budget_ = &budget;
  prices_.words.assign(problem.words.size(), 0);
  prices_.gain = 0;
  costs_.resize(problem.items.size());
  all_.resize(problem.items.size());
  going_on_.resize(problem.items.size());
  rest_.resize(static_cast<std::size_t>(problem.positions) + 1);
}

void Prices::set(const std::vector<double>& worths) {
  prices_.words.clear();
  for (double worth : worths)
    prices_.words.push_back(static_cast<Cost>(worth * static_cast<double>(problem_->one_gain)));
  prices_.gain = 0;
}

void Prices::keep(const Items& words) {
  for (std::size_t k = 0; k < words.size(); ++k) prices_.words[k] = prices_.words[words[k]];
  prices_.words.resize(words.size());
}

Cost Prices::solve() {
  const ExactProblem& problem = *problem_;
  budget_->spend(4 * problem.items.size() + problem.item_words.size());
  total_ = std::accumulate(prices_.words.begin(), prices_.words.end(),
                           prices_.gain * std::max(0, problem.required_gain));
  rest_[problem.positions] = 0;
  for (std::int32_t position = problem.positions - 1; position >= 0; --position) {
    Cost best = rest_[position + 1];
    std::int32_t first = ExactProblem::none, start = ExactProblem::none;
    for (std::int32_t k = problem.starts[position]; k < problem.starts[position + 1]; ++k) {
      const Item& item = problem.items[k];
      Cost cost = item.cost + prices_.gain * item.gain;
      for (std::int32_t w = item.first_word; w < item.last_word; ++w)
        cost += prices_.words[problem.item_words[w]];
      costs_[k] = cost;
      const Cost all = all_[k] = cost + rest_after(item);
      best = std::min(best, all + problem.one_chunk);
      if (item.hypothesis_start != start) {
        first = k;
        start = item.hypothesis_start;
        going_on_[first] = all;
      } else {
        going_on_[first] = std::min(going_on_[first], all);
      }
    }
    rest_[position] = best;
  }
  return rest_[0] - total_;
}

// The first item that a shortest path takes at a position, or none. `next` is the first item that would
// continue the chunk. If continuing the chunk costs least, `next` or one of the items after it is taken.
std::int32_t Prices::next_on_path(std::int32_t position, std::int32_t next) const {
  const ExactProblem& problem = *problem_;
  const bool goes_on = next != ExactProblem::none && going_on_[next] <= rest_[position];
  std::int32_t going_on = ExactProblem::none;
  if (goes_on) {
    for (going_on = next; all_[going_on] != going_on_[next];) ++going_on;
    if (going_on_[next] < rest_[position]) return going_on;
  }
  const Cost least = rest_[position] - problem.one_chunk;
  const std::int32_t last = goes_on ? going_on : problem.starts[position + 1];
  for (std::int32_t k = problem.starts[position]; k < last; ++k)
    if (all_[k] == least) return k;
  return going_on;
}

bool Prices::take_path(Items& path) {
  const ExactProblem& problem = *problem_;
  uses_.assign(problem.words.size(), 0);
  path.clear();
  for (std::int32_t position = 0, next = ExactProblem::none; position < problem.positions;) {
    const std::int32_t taken = next_on_path(position, next);
    if (taken == ExactProblem::none) {
      ++position;
      next = ExactProblem::none;
      continue;
    }
    path.push_back(taken);
    const Item& item = problem.items[taken];
    for (std::int32_t w = item.first_word; w < item.last_word; ++w) ++uses_[problem.item_words[w]];
    position = item.reference_end;
    next = item.next;
  }
  extra_gain_ =
      problem.required_gain == ExactProblem::none ? 0 : problem.gain_of(path) - problem.required_gain;
  if (extra_gain_ != 0) return false;
  for (std::size_t w = 0; w < uses_.size(); ++w) {
    if (uses_[w] > 1 || (uses_[w] == 0 && prices_.words[w] > 0)) return false;
  }
  return true;
}

void Prices::list_items(Cost limit, Items& items) {
  const ExactProblem& problem = *problem_;
  budget_->spend(4 * problem.items.size());
  items.clear();
  before_.assign(rest_.size(), no_cost);
  before_[0] = -total_;
  leading_on_.assign(problem.items.size(), no_cost);
  for (std::int32_t position = 0; position < problem.positions; ++position) {
    before_[position + 1] = std::min(before_[position + 1], before_[position]);
    std::int32_t first = ExactProblem::none;
    for (std::int32_t k = problem.starts[position]; k < problem.starts[position + 1]; ++k) {
      const Item& item = problem.items[k];
      if (first == ExactProblem::none || item.hypothesis_start != problem.items[first].hypothesis_start)
        first = k;
      const Cost cost = costs_[k] + std::min(before_[position] + problem.one_chunk, leading_on_[first]);
      before_[item.reference_end] = std::min(before_[item.reference_end], cost);
      if (item.next != ExactProblem::none) leading_on_[item.next] = std::min(leading_on_[item.next], cost);
      if (cost + rest_after(item) <= limit) items.push_back(k);
    }
  }
}

void Prices::adjust(Cost size) {
  for (std::size_t w = 0; w < uses_.size(); ++w)
    prices_.words[w] = std::max<Cost>(0, prices_.words[w] + size * (uses_[w] - 1));
  prices_.gain += size / gain_share * extra_gain_;
}

}  // namespace bolide
