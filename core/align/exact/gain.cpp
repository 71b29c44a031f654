#include "align/exact/gain.hpp"

#include <algorithm>
#include <numeric>

namespace bolide {

bool GainSearch::solve(const ExactProblem& problem, const Candidates& candidates,
                       std::size_t hypothesis_length, const AlignerSettings& settings, Budget& budget) {
  path_.clear();
  gain_ = 0;
  find_groups(problem, hypothesis_length);
  const std::size_t count = problem.items.size();
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::int32_t a, std::int32_t b) { return groups_.find(a) < groups_.find(b); });
  for (std::size_t first = 0, last = 0; first < count; first = last) {
    items_.clear();
    candidates_.matches.clear();
    candidates_.starts.clear();
    for (; last < count && groups_.find(order_[last]) == groups_.find(order_[first]); ++last) {
      const Item& item = problem.items[order_[last]];
      candidates_.starts.resize(static_cast<std::size_t>(item.reference_start) + 1,
                                static_cast<std::int32_t>(items_.size()));
      candidates_.matches.push_back(candidates.matches[item.match]);
      items_.push_back(order_[last]);
    }
    candidates_.starts.resize(static_cast<std::size_t>(problem.positions) + 1,
                              static_cast<std::int32_t>(items_.size()));
    best_.clear();
    best_gain_ = 0;
    if (!problem_.set(candidates_, hypothesis_length, settings) || !solve_group(budget)) return false;
    for (std::int32_t k : best_) path_.push_back(items_[problem_.items[k].match]);
    gain_ += best_gain_;
  }
  std::sort(path_.begin(), path_.end());
  return true;
}

// Items that have a word in common belong to one group.
void GainSearch::find_groups(const ExactProblem& problem, std::size_t hypothesis_length) {
  const auto positions = static_cast<std::size_t>(problem.positions);
  groups_.reset(problem.items.size());
  owner_.assign(positions + hypothesis_length, ExactProblem::none);
  const auto join = [&](std::int32_t item, std::size_t word) {
    if (owner_[word] == ExactProblem::none) owner_[word] = item;
    groups_.join(item, owner_[word]);
  };
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(problem.items.size()); ++k) {
    const Item& item = problem.items[k];
    for (std::int32_t r = item.reference_start; r < item.reference_end; ++r)
      join(k, static_cast<std::size_t>(r));
    for (std::int32_t h = item.hypothesis_start; h < item.hypothesis_end; ++h)
      join(k, positions + static_cast<std::size_t>(h));
  }
}

bool GainSearch::solve_group(Budget& budget) {
  if (!packing_.solve(problem_, budget)) return false;
  const auto most = static_cast<std::int32_t>(packing_.most_gain(problem_) + 1e-3);
  if (most <= best_gain_) return true;
  const std::int32_t divided = packing_.most_divided();
  if (divided == ExactProblem::none) {
    packing_.take_items(best_);
    best_gain_ = problem_.gain_of(best_);
    return best_gain_ == most;
  }
  const auto excluded = [&](std::int32_t k) {
    return k != divided && exclude(problem_.items[k], problem_.items[divided]);
  };
  const auto is_divided = [&](std::int32_t k) { return k == divided; };
  const auto solve = [&] { return solve_group(budget); };
  return problem_.without(excluded, solve) && problem_.without(is_divided, solve);
}

}  // namespace bolide
