#include "align/staged/bound.hpp"

#include <algorithm>

namespace bolide {

namespace {

constexpr std::size_t most_counting = 1 << 22;  // slots times words

}  // namespace

void StageBound::prepare(const StageProblem& problem) {
  problem_ = &problem;
  is_used_.resize(problem.words.size());
  above_.resize(problem.words.size());
  groups_.assign(problem.groups.size(), {});
  list_edges();
  list_due();
  find_certain_crosses();
}

void StageBound::list_edges() {
  const StageProblem& problem = *problem_;
  const std::size_t words = problem.words.size();
  word_starts_.assign(words + 2, 0);
  for (const auto& edge : problem.edges) ++word_starts_[edge.word + 2];
  for (std::size_t w = 2; w < word_starts_.size(); ++w) word_starts_[w] += word_starts_[w - 1];
  word_edges_.resize(problem.edges.size());
  for (std::size_t e = 0; e < problem.edges.size(); ++e) {
    word_edges_[word_starts_[problem.edges[e].word + 1]++] = static_cast<std::int32_t>(e);
  }
  // Numbers the words within their groups, and lists the rows of the bands.
  std::int32_t start = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    groups_[g].first = start;
    start += problem.groups[g].rows * problem.groups[g].width;
  }
  grid_.resize(static_cast<std::size_t>(start));
  place_.clear();
  slots_.clear();
  words_.clear();
  for (std::size_t s = 0; s < problem.slots.size(); ++s) {
    const auto& slot = problem.slots[s];
    GroupState& group = groups_[slot.group];
    const auto order = problem.groups[slot.group].order;
    if (order == StageProblem::Order::any && slot.must) slots_.push_back(static_cast<std::int32_t>(s));
    if (order != StageProblem::Order::ascending) continue;
    for (std::int32_t e = slot.first; e < slot.end; ++e) grid_[group.first++] = e;
  }
  for (std::size_t w = 0; w < words; ++w) {
    const auto& word = problem.words[w];
    GroupState& group = groups_[word.group];
    const auto order = problem.groups[word.group].order;
    place_.push_back(group.words_used++);
    if (order == StageProblem::Order::any && word.must) words_.push_back(static_cast<std::int32_t>(w));
    if (order != StageProblem::Order::lowest) continue;
    for (std::int32_t k = word_starts_[w]; k < word_starts_[w + 1]; ++k)
      grid_[group.first++] = word_edges_[k];
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    groups_[g].first -= problem.groups[g].rows * problem.groups[g].width;
  }
}

void StageBound::list_due() {
  const StageProblem& problem = *problem_;
  due_starts_.assign(problem.slots.size() + 2, 0);
  const auto last_slot = [&](std::size_t w) {
    return problem.edges[word_edges_[word_starts_[w + 1] - 1]].slot;
  };
  for (std::size_t w = 0; w < problem.words.size(); ++w) {
    if (problem.words[w].must) ++due_starts_[last_slot(w) + 2];
  }
  for (std::size_t s = 2; s < due_starts_.size(); ++s) due_starts_[s] += due_starts_[s - 1];
  due_.resize(static_cast<std::size_t>(due_starts_.back()));
  for (std::size_t w = 0; w < problem.words.size(); ++w) {
    if (problem.words[w].must) due_[due_starts_[last_slot(w) + 1]++] = static_cast<std::int32_t>(w);
  }
}

// Counts the crosses of an edge with another group that no choice can avoid. Take the slots of the group
// before the slot of the edge that must be matched. If they are more than the words of the group below the
// word of the edge, the excess slots get words above it, and cross the edge. The same holds for the words
// above the word of the edge that must be matched, and the slots after its slot. No cross is counted twice,
// because no edge has both a slot and a word that must be matched.
void StageBound::find_certain_crosses() {
  const StageProblem& problem = *problem_;
  certain_.assign(problem.edges.size(), 0);
  if (problem.slots.size() * problem.words.size() > most_counting) return;
  for (const auto& slot : problem.slots) ++groups_[slot.group].slots_after;
  const auto count = [](GroupState& group) {
    return group.certain = std::max(0, group.must_before - group.words_below) +
                           std::max(0, group.must_above - group.slots_after);
  };
  for (const auto& slot : problem.slots) {
    --groups_[slot.group].slots_after;
    for (GroupState& group : groups_) group.words_below = group.must_above = 0;
    for (const auto& word : problem.words) groups_[word.group].must_above += word.must;
    std::int32_t sum = 0;
    for (GroupState& group : groups_) sum += count(group);
    std::int32_t e = slot.first;
    for (std::int32_t w = 0; e < slot.end; ++w) {
      GroupState& group = groups_[problem.words[w].group];
      group.must_above -= problem.words[w].must;
      if (problem.edges[e].word == w) certain_[e++] = sum - group.certain;
      ++group.words_below;
      sum -= group.certain;
      sum += count(group);
    }
    groups_[slot.group].must_before += slot.must;
  }
}

void StageBound::go_to(std::int32_t slot) {
  if (slot < 0) {
    for (GroupState& group : groups_) group.slots_passed = 0;
  } else {
    ++groups_[problem_->slots[slot].group].slots_passed;
  }
  slot_ = slot;
}

void StageBound::read(const std::uint64_t* used) {
  for (GroupState& group : groups_) {
    group.words_used = 0;
    group.last_used = -1;
  }
  std::int32_t count = 0;
  for (std::size_t w = is_used_.size(); w-- > 0;) {
    above_[w] = count;
    is_used_[w] = used[w / 64] >> (w % 64) & 1;
    if (!is_used_[w]) continue;
    ++count;
    GroupState& group = groups_[problem_->words[w].group];
    ++group.words_used;
    group.last_used = std::max(group.last_used, place_[w]);
  }
  work += static_cast<std::int64_t>(is_used_.size());
}

bool StageBound::is_due_met(std::int32_t taken) const {
  for (std::int32_t k = due_starts_[slot_]; k < due_starts_[slot_ + 1]; ++k) {
    if (!is_used_[due_[k]] && due_[k] != taken) return false;
  }
  return true;
}

std::int64_t StageBound::rest(std::int32_t link) {
  std::int64_t sum = 0;
  const auto add = [&](std::int64_t least) {
    sum = least >= impossible ? impossible : sum + least;
    return sum < impossible;
  };
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (problem_->groups[g].order == StageProblem::Order::any) continue;
    if (!add(band(static_cast<std::int32_t>(g), link))) return impossible;
  }
  for (std::int32_t slot : slots_) {
    if (slot > slot_ && !add(least_of_slot(slot, link))) return impossible;
  }
  for (std::int32_t word : words_) {
    if (!is_used_[word] && !add(least_of_word(word, link))) return impossible;
  }
  return sum;
}

// A lower bound on the cost of a free edge after the decided slots.
std::int64_t StageBound::price(std::int32_t e, std::int32_t link) const {
  const auto& edge = problem_->edges[e];
  const bool continues = edge.slot == slot_ + 1 ? edge.word == link : edge.may_continue;
  return edge.cost + problem_->cross * std::max(above_[edge.word], certain_[e]) - continues;
}

// For each row of the band and each offset, computes the least sum of the rows up to it that ends at this
// offset. Offsets never decrease, because the words keep their order.
std::int64_t StageBound::band(std::int32_t g, std::int32_t link) {
  const auto& [order, rows, width] = problem_->groups[g];
  const GroupState& group = groups_[g];
  const bool ascending = order == StageProblem::Order::ascending;
  // The next row, and its first choice that is still free.
  const std::int32_t next = ascending ? group.slots_passed : group.words_used;
  const std::int32_t neighbour = ascending ? group.last_used + 1 : group.slots_passed;
  if (next == rows) return 0;
  const std::int32_t first = std::max(0, neighbour - next);
  if (first >= width) return impossible;
  sums_.assign(static_cast<std::size_t>(width), 0);
  for (std::int32_t row = next; row < rows; ++row) {
    const std::int32_t* edges = &grid_[group.first + row * width];
    std::int64_t least = impossible;
    for (std::int32_t offset = first; offset < width; ++offset) {
      least = std::min(least, sums_[offset]);
      sums_[offset] = least + price(edges[offset], link);
    }
  }
  work += (rows - next) * (width - first);
  return *std::min_element(sums_.begin() + first, sums_.end());
}

std::int64_t StageBound::least_of_slot(std::int32_t slot, std::int32_t link) {
  const auto& at = problem_->slots[slot];
  std::int64_t least = impossible;
  for (std::int32_t e = at.first; e < at.end; ++e) {
    if (!is_used_[problem_->edges[e].word]) least = std::min(least, price(e, link));
  }
  work += at.end - at.first;
  return least;
}

std::int64_t StageBound::least_of_word(std::int32_t word, std::int32_t link) {
  std::int64_t least = impossible;
  for (std::int32_t k = word_starts_[word + 1]; k > word_starts_[word]; --k) {
    const std::int32_t e = word_edges_[k - 1];
    if (problem_->edges[e].slot <= slot_) break;
    least = std::min(least, price(e, link));
  }
  work += word_starts_[word + 1] - word_starts_[word];
  return least;
}

}  // namespace bolide
