#include "align/staged/bipartite.hpp"

namespace bolide {

namespace {

// Rounds of the Hopcroft-Karp algorithm. Ordinary text needs two or three.
constexpr int most_rounds = 100;

}  // namespace

bool Bipartite::solve(std::span<const std::int32_t> starts, std::span<const std::int32_t> targets,
                      std::int32_t rights) {
  starts_ = starts;
  targets_ = targets;
  const std::size_t lefts = starts.size() - 1;
  right_of.assign(lefts, -1);
  left_of.assign(static_cast<std::size_t>(rights), -1);
  bool largest = false;
  for (int round = 0; round < most_rounds && !largest; ++round) {
    largest = !find_levels();
    if (largest) break;
    next_.assign(starts.begin(), starts.end() - 1);
    for (std::size_t left = 0; left < lefts; ++left) {
      if (right_of[left] < 0) augment(static_cast<std::int32_t>(left));
    }
  }
  find_cover();
  return largest;
}

// Computes the distance of each left word from an unmatched left word along alternating paths (-1: not
// reachable). Returns false if no path ends in an unmatched right word.
bool Bipartite::find_levels() {
  level_.assign(right_of.size(), -1);
  queue_.clear();
  for (std::size_t left = 0; left < right_of.size(); ++left) {
    if (right_of[left] >= 0) continue;
    level_[left] = 0;
    queue_.push_back(static_cast<std::int32_t>(left));
  }
  bool open = false;
  for (std::size_t k = 0; k < queue_.size(); ++k) {
    const std::int32_t left = queue_[k];
    for (std::int32_t at = starts_[left]; at < starts_[left + 1]; ++at) {
      const std::int32_t back = left_of[targets_[at]];
      if (back < 0) {
        open = true;
      } else if (level_[back] < 0) {
        level_[back] = level_[left] + 1;
        queue_.push_back(back);
      }
    }
  }
  return open;
}

// Enlarges the matching by a path from an unmatched left word, along which levels increase by one.
bool Bipartite::augment(std::int32_t root) {
  path_.assign(1, root);
  while (!path_.empty()) {
    const std::int32_t left = path_.back();
    if (next_[left] == starts_[left + 1]) {
      path_.pop_back();
      if (!path_.empty()) ++next_[path_.back()];
      continue;
    }
    const std::int32_t right = targets_[next_[left]], back = left_of[right];
    if (back < 0) {
      for (std::int32_t tied : path_) {
        right_of[tied] = targets_[next_[tied]];
        left_of[right_of[tied]] = tied;
      }
      return true;
    }
    if (level_[back] == level_[left] + 1 && next_[back] < starts_[back + 1]) {
      path_.push_back(back);
    } else {
      ++next_[left];
    }
  }
  return false;
}

// Uses the levels of the last round: a word with a level is reachable from an unmatched left word.
void Bipartite::find_cover() {
  left_cover.assign(right_of.size(), true);
  right_cover.assign(left_of.size(), false);
  for (std::size_t left = 0; left < right_of.size(); ++left) {
    if (level_[left] < 0) continue;
    left_cover[left] = false;
    for (std::int32_t at = starts_[left]; at < starts_[left + 1]; ++at) right_cover[targets_[at]] = true;
  }
}

}  // namespace bolide
