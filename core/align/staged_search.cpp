#include "staged_search.hpp"

#include <algorithm>
#include <limits>

namespace bolide {

namespace {

constexpr std::int64_t impossible = std::numeric_limits<std::int64_t>::max() / 4;
constexpr std::size_t narrow = 16;              // width of the first pass
constexpr std::size_t most_counting = 1 << 22;  // slots times words
constexpr std::int64_t work_per_node = 256;     // looks at an edge, on the average, that a node may cost

}  // namespace

bool StageSearch::run(StageProblem& problem, std::int64_t budget) {
  problem_ = &problem;
  most_work_ = budget * work_per_node;
  work_ = 0;
  prepare();
  best_ = cost_of_choice();
  if (pass(narrow, budget)) return true;
  return pass(std::numeric_limits<std::size_t>::max(), budget);
}

void StageSearch::prepare() {
  const StageProblem& problem = *problem_;
  const std::size_t words = problem.words.size(), slots = problem.slots.size();
  stride_ = (words + 63) / 64;
  word_starts_.assign(words + 2, 0);
  for (const auto& edge : problem.edges) ++word_starts_[edge.word + 2];
  for (std::size_t w = 2; w < word_starts_.size(); ++w) word_starts_[w] += word_starts_[w - 1];
  word_edges_.resize(problem.edges.size());
  for (std::size_t e = 0; e < problem.edges.size(); ++e) {
    word_edges_[word_starts_[problem.edges[e].word + 1]++] = static_cast<std::int32_t>(e);
  }
  must_words_.clear();
  due_starts_.assign(slots + 2, 0);
  const auto last_slot = [&](std::size_t w) {
    return problem.edges[word_edges_[word_starts_[w + 1] - 1]].slot;
  };
  for (std::size_t w = 0; w < words; ++w) {
    if (!problem.words[w].must) continue;
    must_words_.push_back(static_cast<std::int32_t>(w));
    ++due_starts_[last_slot(w) + 2];
  }
  for (std::size_t s = 2; s < due_starts_.size(); ++s) due_starts_[s] += due_starts_[s - 1];
  due_.resize(must_words_.size());
  for (std::int32_t w : must_words_) due_[due_starts_[last_slot(w) + 1]++] = w;
  find_least_crosses();
  lowest_.assign(slots + 1, static_cast<std::int32_t>(words));
  for (std::size_t s = slots; s-- > 0;) {
    lowest_[s] = std::min(lowest_[s + 1], problem.edges[problem.slots[s].first].word);
  }
}

// Whatever is chosen, an edge crosses some of a group's: those slots before its own that must be tied, beyond
// the group's words below its word; and those words above its own that must be tied, beyond the group's slots
// after its slot. (No edge has both a slot and a word that must be tied: none counts twice.)
void StageSearch::find_least_crosses() {
  const StageProblem& problem = *problem_;
  least_crosses_.assign(problem.edges.size(), 0);
  if (problem.slots.size() * problem.words.size() > most_counting) return;
  tallies_.assign(static_cast<std::size_t>(problem.groups), {0, 0, 0, 0, 0});
  for (const auto& slot : problem.slots) ++tallies_[slot.group].slots_after;
  std::vector<Tally> row;
  for (const auto& slot : problem.slots) {
    --tallies_[slot.group].slots_after;
    row = tallies_;
    for (const auto& word : problem.words) row[word.group].must_above += word.must;
    std::int32_t sum = 0;
    for (Tally& tally : row) sum += tally.least = tally.count();
    std::int32_t e = slot.first;
    for (std::int32_t w = 0; e < slot.end; ++w) {
      Tally& tally = row[problem.words[w].group];
      tally.must_above -= problem.words[w].must;
      if (problem.edges[e].word == w) least_crosses_[e++] = sum - tally.least;
      ++tally.words_below;
      sum -= tally.least;
      sum += tally.least = tally.count();
    }
    tallies_[slot.group].must_before += slot.must;
  }
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

// Returns whether nothing was dropped but what cannot be best: then problem.choice is the best.
bool StageSearch::pass(std::size_t width, std::int64_t most_nodes) {
  nodes_.assign(1, {-1, -1});
  layer_.assign(1, {0, 0, 0, -1});
  layer_used_.assign(stride_, 0);
  cut_ = false;
  const auto slots = static_cast<std::int32_t>(problem_->slots.size());
  for (slot_ = 0; slot_ < slots; ++slot_) {
    children_.clear();
    children_used_.clear();
    table_.assign(64, -1);
    for (std::size_t k = 0; k < layer_.size(); ++k) {
      expand(layer_[k], &layer_used_[k * stride_]);
      if (work_ > most_work_ || static_cast<std::int64_t>(nodes_.size()) > most_nodes) return false;
    }
    keep_best(width);
    layer_.swap(children_);
    layer_used_.swap(children_used_);
    if (layer_.empty()) return false;
  }
  take_solution();
  return !cut_;
}

void StageSearch::read_used(const std::uint64_t* used) {
  const std::size_t words = problem_->words.size();
  is_used_.resize(words);
  above_.resize(words);
  std::int32_t count = 0;
  for (std::size_t w = words; w-- > 0;) {
    above_[w] = count;
    is_used_[w] = used[w / 64] >> (w % 64) & 1;
    count += is_used_[w];
  }
}

// Children come in the order of their words, no word last: so each layer is sorted by what is leftmost.
void StageSearch::expand(const State& state, const std::uint64_t* used) {
  const StageProblem& problem = *problem_;
  const StageProblem::Slot& slot = problem.slots[slot_];
  read_used(used);
  work_ += static_cast<std::int64_t>(is_used_.size());
  std::int32_t first = slot.first, end = slot.end;
  const auto used_edge = [&](std::int32_t e) { return is_used_[problem.edges[e].word] != 0; };
  if (slot.order == StageProblem::Order::ascending) {
    for (first = slot.end; first > slot.first && !used_edge(first - 1);) --first;
  } else if (slot.order == StageProblem::Order::lowest) {
    while (first < slot.end && used_edge(first)) ++first;
    end = std::min(first + 1, slot.end);
  }
  steps_.clear();
  for (std::int32_t e = first; e < end; ++e) {
    const auto& edge = problem.edges[e];
    if (is_used_[edge.word] || !is_due_met(edge.word)) continue;
    steps_.push_back({e, edge.cost + problem.cross * above_[edge.word] - (edge.word == state.link)});
  }
  if (!slot.must && is_due_met(-1)) steps_.push_back({-1, 0});
  for (const Step& step : steps_) {
    candidate_.assign(used, used + stride_);
    add_child(state, step);
  }
}

bool StageSearch::is_due_met(std::int32_t taken) const {
  for (std::int32_t k = due_starts_[slot_]; k < due_starts_[slot_ + 1]; ++k) {
    if (!is_used_[due_[k]] && due_[k] != taken) return false;
  }
  return true;
}

// The parent's set is in candidate_.
void StageSearch::add_child(const State& parent, const Step& step) {
  const std::int64_t cost = parent.cost + step.cost;
  const std::int32_t edge = step.edge;
  std::int32_t link = -1;
  if (edge >= 0) {
    const std::int32_t word = problem_->edges[edge].word;
    candidate_[word / 64] |= std::uint64_t{1} << (word % 64);
    link = problem_->edges[edge].next_word;
  }
  // Words below all that is still open make no difference any more: as if all were used.
  const std::int32_t lowest = lowest_[slot_ + 1];
  std::fill(candidate_.begin(), candidate_.begin() + lowest / 64, ~std::uint64_t{0});
  if (lowest % 64 != 0) candidate_[lowest / 64] |= (std::uint64_t{1} << (lowest % 64)) - 1;
  std::int32_t* known = find(candidate_.data(), link);
  std::int64_t rest;
  if (*known >= 0) {
    State& other = children_[*known];
    if (other.cost <= cost) return;  // equal: the other is further left
    rest = other.total - other.cost;
    other.total = impossible;
  } else {
    read_used(candidate_.data());
    rest = bound(link);
  }
  if (rest >= impossible || cost + rest > best_) return;
  *known = static_cast<std::int32_t>(children_.size());
  nodes_.push_back({parent.node, edge});
  children_.push_back({cost, cost + rest, static_cast<std::int32_t>(nodes_.size()) - 1, link});
  children_used_.insert(children_used_.end(), candidate_.begin(), candidate_.end());
  if (2 * children_.size() > table_.size()) grow_table();
}

// Least that the slots from the next one on can cost.
std::int64_t StageSearch::bound(std::int32_t link) {
  const auto slots = static_cast<std::int32_t>(problem_->slots.size());
  std::int64_t sum = 0;
  for (std::int32_t slot = slot_ + 1; slot < slots; ++slot) {
    if (!problem_->slots[slot].must) continue;
    const std::int64_t least = least_of_slot(slot, link);
    work_ += problem_->slots[slot].end - problem_->slots[slot].first;
    if (least == impossible) return impossible;
    sum += least;
  }
  for (std::int32_t word : must_words_) {
    if (is_used_[word]) continue;
    const std::int64_t least = least_of_word(word, link);
    work_ += word_starts_[word + 1] - word_starts_[word];
    if (least == impossible) return impossible;
    sum += least;
  }
  return sum;
}

std::int64_t StageSearch::least_of_slot(std::int32_t slot, std::int32_t link) const {
  const StageProblem& problem = *problem_;
  const StageProblem::Slot& at = problem.slots[slot];
  const bool ascending = at.order == StageProblem::Order::ascending;
  std::int64_t least = impossible;
  for (std::int32_t e = at.first; e < at.end; ++e) {
    const auto& edge = problem.edges[e];
    if (is_used_[edge.word]) {
      if (ascending) least = impossible;  // those before are out of order now
      continue;
    }
    const bool continues = slot == slot_ + 1 ? edge.word == link : edge.may_continue;
    const std::int64_t crosses = std::max(above_[edge.word], least_crosses_[e]);
    least = std::min(least, edge.cost + problem.cross * crosses - continues);
  }
  return least;
}

std::int64_t StageSearch::least_of_word(std::int32_t word, std::int32_t link) const {
  const StageProblem& problem = *problem_;
  std::int64_t least = impossible;
  for (std::int32_t k = word_starts_[word + 1]; k > word_starts_[word]; --k) {
    const std::int32_t e = word_edges_[k - 1];
    const auto& edge = problem.edges[e];
    if (edge.slot <= slot_) break;
    const bool continues = edge.slot == slot_ + 1 ? edge.word == link : edge.may_continue;
    const std::int64_t crosses = std::max(above_[word], least_crosses_[e]);
    least = std::min(least, edge.cost + problem.cross * crosses - continues);
  }
  return least;
}

// The place in the table of the state with this set and link: its index, or -1 to be overwritten.
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
    // Of states with the same set the last is the best.
    *find(&children_used_[k * stride_], children_[k].link) = static_cast<std::int32_t>(k);
  }
}

// Removes states that another with the same set replaced, and all but the best so many.
void StageSearch::keep_best(std::size_t width) {
  totals_.clear();
  for (const State& state : children_) {
    if (state.total < impossible) totals_.push_back(state.total);
  }
  std::int64_t worst = impossible - 1;
  std::size_t room = totals_.size();  // for states as bad as the worst
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
  // All slots done, no word is open: all sets are the same, and the best way there is left alone.
  best_ = layer_.front().cost;
  std::int32_t node = layer_.front().node;
  for (std::size_t s = problem_->slots.size(); s-- > 0; node = nodes_[node].parent) {
    problem_->choice[s] = nodes_[node].edge;
  }
}

}  // namespace bolide
