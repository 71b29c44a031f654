#include "align/staged/search.hpp"

#include <algorithm>
#include <limits>

namespace bolide {

namespace {

constexpr std::int64_t impossible = StageBound::impossible;
constexpr std::size_t narrow = 16;  // width of the first pass

}  // namespace

bool StageSearch::run(StageProblem& problem, std::int64_t& budget) {
  problem_ = &problem;
  stride_ = (problem.words.size() + 63) / 64;
  lowest_.assign(problem.slots.size() + 1, static_cast<std::int32_t>(problem.words.size()));
  for (std::size_t s = problem.slots.size(); s-- > 0;) {
    lowest_[s] = std::min(lowest_[s + 1], problem.edges[problem.slots[s].first].word);
  }
  bound_.prepare(problem);
  bound_.work = 0;
  best_ = cost_of_choice();
  const bool proven = pass(narrow, budget) || pass(std::numeric_limits<std::size_t>::max(), budget);
  budget -= bound_.work;
  return proven;
}

std::int64_t StageSearch::cost_of_choice() const {
  const StageProblem& problem = *problem_;
  std::vector<std::int32_t> words;
  std::int64_t cost = 0;
  std::int32_t link = -1;
  for (std::int32_t e : problem.choice) {
    if (e < 0) {
      link = -1;
      continue;
    }
    const auto& edge = problem.edges[e];
    const auto at = std::upper_bound(words.begin(), words.end(), edge.word);
    cost += edge.cost + problem.cross * (words.end() - at) - (edge.word == link);
    words.insert(at, edge.word);
    link = edge.next_word;
  }
  return cost;
}

// Returns whether only states were dropped that cannot be the best. Then problem.choice is the best.
bool StageSearch::pass(std::size_t width, std::int64_t budget) {
  nodes_.assign(1, {-1, -1});
  layer_.assign(1, {0, 0, 0, -1});
  layer_used_.assign(stride_, 0);
  cut_ = false;
  bound_.go_to(-1);
  const auto slots = static_cast<std::int32_t>(problem_->slots.size());
  for (slot_ = 0; slot_ < slots; ++slot_) {
    bound_.go_to(slot_);
    children_.clear();
    children_used_.clear();
    table_.assign(64, -1);
    for (std::size_t k = 0; k < layer_.size(); ++k) {
      expand(layer_[k], &layer_used_[k * stride_]);
      if (bound_.work > budget) return false;
    }
    keep_best(width);
    layer_.swap(children_);
    layer_used_.swap(children_used_);
    if (layer_.empty()) return false;
  }
  take_solution();
  return !cut_;
}

// Children are made in the order of their words, without a word last, so that each layer is sorted: leftmost
// first.
void StageSearch::expand(const State& state, const std::uint64_t* used) {
  const StageProblem& problem = *problem_;
  const StageProblem::Slot& slot = problem.slots[slot_];
  const StageProblem::Order order = problem.groups[slot.group].order;
  bound_.read(used);
  std::int32_t first = slot.first, end = slot.end;
  const auto used_edge = [&](std::int32_t e) { return bound_.is_used(problem.edges[e].word); };
  if (order == StageProblem::Order::ascending) {
    for (first = slot.end; first > slot.first && !used_edge(first - 1);) --first;
  } else if (order == StageProblem::Order::lowest) {
    while (first < slot.end && used_edge(first)) ++first;
    end = std::min(first + 1, slot.end);
  }
  steps_.clear();
  for (std::int32_t e = first; e < end; ++e) {
    const auto& edge = problem.edges[e];
    if (bound_.is_used(edge.word) || !bound_.is_due_met(edge.word)) continue;
    steps_.push_back({e, edge.cost + problem.cross * bound_.crosses(edge.word) - (edge.word == state.link)});
  }
  if (!slot.must && bound_.is_due_met(-1)) steps_.push_back({-1, 0});
  for (const Step& step : steps_) {
    candidate_.assign(used, used + stride_);
    add_child(state, step);
  }
}

// The used words of the parent are in candidate_.
void StageSearch::add_child(const State& parent, const Step& step) {
  const std::int64_t cost = parent.cost + step.cost;
  const std::int32_t edge = step.edge;
  std::int32_t link = -1;
  if (edge >= 0) {
    const std::int32_t word = problem_->edges[edge].word;
    candidate_[word / 64] |= std::uint64_t{1} << (word % 64);
    link = problem_->edges[edge].next_word;
  }
  // Words below all remaining edges do not matter any more; they count as used.
  const std::int32_t lowest = lowest_[slot_ + 1];
  std::fill(candidate_.begin(), candidate_.begin() + lowest / 64, ~std::uint64_t{0});
  if (lowest % 64 != 0) candidate_[lowest / 64] |= (std::uint64_t{1} << (lowest % 64)) - 1;
  std::int32_t* known = find(candidate_.data(), link);
  std::int64_t rest;
  if (*known >= 0) {
    State& other = children_[*known];
    if (other.cost <= cost) return;  // if equal, the other is further left
    rest = other.total - other.cost;
    other.total = impossible;
  } else {
    bound_.read(candidate_.data());
    rest = bound_.rest(link);
  }
  if (rest >= impossible || cost + rest > best_) return;
  *known = static_cast<std::int32_t>(children_.size());
  nodes_.push_back({parent.node, edge});
  children_.push_back({cost, cost + rest, static_cast<std::int32_t>(nodes_.size()) - 1, link});
  children_used_.insert(children_used_.end(), candidate_.begin(), candidate_.end());
  if (2 * children_.size() > table_.size()) grow_table();
}

// The place in the table for the state with this set and link: an index, or -1 if it is free.
std::int32_t* StageSearch::find(const std::uint64_t* used, std::int32_t link) {
  std::uint64_t hash = static_cast<std::uint64_t>(link) * 0x9E3779B97F4A7C15u;
  for (std::size_t k = 0; k < stride_; ++k) {
    hash = (hash ^ used[k]) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  for (std::size_t at = hash % table_.size();; at = (at + 1) % table_.size()) {
    const std::int32_t index = table_[at];
    if (index < 0) return &table_[at];
    if (children_[index].link == link &&
        std::equal(used, used + stride_, &children_used_[static_cast<std::size_t>(index) * stride_])) {
      return &table_[at];
    }
  }
}

void StageSearch::grow_table() {
  table_.assign(table_.size() * 4, -1);
  for (std::size_t k = 0; k < children_.size(); ++k) {
    // If several states have the same set, the last one is the best.
    *find(&children_used_[k * stride_], children_[k].link) = static_cast<std::int32_t>(k);
  }
}

// Removes states that were replaced by a better one with the same set, and keeps the best `width` states.
void StageSearch::keep_best(std::size_t width) {
  totals_.clear();
  for (const State& state : children_) {
    if (state.total < impossible) totals_.push_back(state.total);
  }
  std::int64_t worst = impossible - 1;
  std::size_t room = totals_.size();  // how many states with the worst total are kept
  if (totals_.size() > width) {
    cut_ = true;
    std::nth_element(totals_.begin(), totals_.begin() + static_cast<std::ptrdiff_t>(width) - 1,
                     totals_.end());
    worst = totals_[width - 1];
    room = width - static_cast<std::size_t>(std::count_if(totals_.begin(), totals_.end(),
                                                          [&](std::int64_t total) { return total < worst; }));
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < children_.size(); ++k) {
    if (children_[k].total > worst || (children_[k].total == worst && room == 0)) continue;
    if (children_[k].total == worst) --room;
    children_[kept] = children_[k];
    std::copy_n(&children_used_[k * stride_], stride_, &children_used_[kept * stride_]);
    ++kept;
  }
  children_.resize(kept);
  children_used_.resize(kept * stride_);
}

void StageSearch::take_solution() {
  // After the last slot all sets are equal, so only the best path is left.
  best_ = layer_.front().cost;
  std::int32_t node = layer_.front().node;
  for (std::size_t s = problem_->slots.size(); s-- > 0; node = nodes_[node].parent) {
    problem_->choice[s] = nodes_[node].edge;
  }
}

}  // namespace bolide
