#include "exact_prices.hpp"

#include <numeric>

namespace bolide {

void Prices::start(const Problem& problem, Budget& budget) {
  problem_ = &problem;
  budget_ = &budget;
  prices_.assign(problem.words.size(), 0);
  costs_.resize(problem.items.size());
  going_on_.resize(problem.items.size());
  rest_.resize(static_cast<std::size_t>(problem.positions) + 1);
}

void Prices::set(const std::vector<double>& worths) {
  prices_.clear();
  for (double worth : worths)
    prices_.push_back(static_cast<Cost>(worth * static_cast<double>(problem_->one_gain)));
}

Cost Prices::solve() {
  const Problem& problem = *problem_;
  budget_->spend(4 * problem.items.size() + problem.item_words.size());
  total_ = std::accumulate(prices_.begin(), prices_.end(), Cost{0});
  rest_[problem.positions] = 0;
  for (std::int32_t position = problem.positions - 1; position >= 0; --position) {
    Cost best = rest_[position + 1];
    std::int32_t first = Problem::none, start = Problem::none;
    for (std::int32_t k = problem.starts[position]; k < problem.starts[position + 1]; ++k) {
      const Item& item = problem.items[k];
      Cost cost = item.cost;
      for (std::int32_t w = item.first_word; w < item.last_word; ++w) cost += prices_[problem.item_words[w]];
      costs_[k] = cost;
      const Cost all = cost + rest_after(item);
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

// The first item that a shortest path takes at a position, or none; `next` would continue a chunk.
std::int32_t Prices::next_on_path(std::int32_t position, std::int32_t next) const {
  const Problem& problem = *problem_;
  Cost least = rest_[position];
  std::int32_t going_on = Problem::none;  // where in the hypothesis
  if (next != Problem::none) {
    least = std::min(least, going_on_[next]);
    going_on = problem.items[next].hypothesis_start;
  }
  for (std::int32_t k = problem.starts[position]; k < problem.starts[position + 1]; ++k) {
    const Item& item = problem.items[k];
    const Cost chunk = item.hypothesis_start == going_on ? 0 : problem.one_chunk;
    if (costs_[k] + rest_after(item) + chunk == least) return k;
  }
  return Problem::none;
}

bool Prices::take_path(Items& path) {
  const Problem& problem = *problem_;
  uses_.assign(problem.words.size(), 0);
  path.clear();
  for (std::int32_t position = 0, next = Problem::none; position < problem.positions;) {
    const std::int32_t taken = next_on_path(position, next);
    if (taken == Problem::none) {
      ++position;
      next = Problem::none;
      continue;
    }
    path.push_back(taken);
    const Item& item = problem.items[taken];
    for (std::int32_t w = item.first_word; w < item.last_word; ++w) ++uses_[problem.item_words[w]];
    position = item.reference_end;
    next = item.next;
  }
  if (problem.required_gain != Problem::none && problem.gain_of(path) != problem.required_gain) return false;
  for (std::size_t w = 0; w < uses_.size(); ++w) {
    if (uses_[w] > 1 || (uses_[w] == 0 && prices_[w] > 0)) return false;
  }
  return true;
}

void Prices::adjust(Cost size) {
  for (std::size_t w = 0; w < prices_.size(); ++w)
    prices_[w] = std::max<Cost>(0, prices_[w] + size * (uses_[w] - 1));
}

}  // namespace bolide
