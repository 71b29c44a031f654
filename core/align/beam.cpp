#include "beam.hpp"

#include <algorithm>
#include <cstdlib>

namespace bolide {

namespace {

// The rank of a path is one number: more gain, then fewer chunks, then less distance; order of arrival settles ties.
// From the top: 18 bits of missing gain, 17 of chunks, 29 of distance (which stops at its largest value).
constexpr std::uint64_t one_chunk = 1ull << 29;
constexpr std::uint64_t one_gain = 1ull << 46;
constexpr std::uint64_t start_rank = ((1ull << 18) - 1) * one_gain;
constexpr std::uint64_t distance_mask = one_chunk - 1;

std::uint64_t farther(std::uint64_t rank, std::uint64_t distance) {
  const std::uint64_t sum = (rank & distance_mask) + distance;
  return (rank & ~distance_mask) | std::min(sum, distance_mask);
}

std::uint64_t distance_of(const Match& match) {
  return static_cast<std::uint64_t>(std::abs(match.reference_start - match.hypothesis_start));
}

std::int32_t end_of(const Match& match) { return match.hypothesis_start + match.hypothesis_length; }

// Java keeps both sides' weighted counts as integers, truncated at every addition.
std::uint64_t gain_of(const Match& match, double weight) {
  return (static_cast<std::uint64_t>(weight * match.hypothesis_length) +
          static_cast<std::uint64_t>(weight * match.reference_length)) *
         one_gain;
}

std::uint64_t bits_of(const Match& match) {
  const std::uint64_t ones = match.hypothesis_length == 64 ? ~0ull : (1ull << match.hypothesis_length) - 1;
  return ones << match.hypothesis_start;
}

}  // namespace

void BeamAligner::align(const Candidates& candidates, std::size_t hypothesis_length, std::vector<Match>& chosen) {
  prepare(candidates, hypothesis_length);
  const auto positions = static_cast<std::int32_t>(candidates.starts.size()) - 1;
  for (std::int32_t position = 0; position < positions; ++position) {
    if (fixed_[position] != none) {
      take_fixed(position, fixed_[position], candidates.matches[fixed_[position]]);
    } else if (candidates.starts[position] == candidates.starts[position + 1]) {
      pass(position);
    } else {
      branch(position, candidates);
    }
  }
  // The end closes an open chunk, which may change the order once more; the first of the best wins.
  const auto closed = [](const Path& path) { return path.rank + (path.last_end != none ? one_chunk : 0); };
  const auto best = std::min_element(paths_.begin(), paths_.end(),
                                     [&](const Path& a, const Path& b) { return closed(a) < closed(b); });
  chosen.clear();
  for (std::int32_t index : fixed_) {
    if (index != none) chosen.push_back(candidates.matches[index]);
  }
  for (std::int32_t trace = best->trace; trace != none; trace = traces_[trace].previous) {
    chosen.push_back(candidates.matches[traces_[trace].match]);
  }
  std::sort(chosen.begin(), chosen.end(),
            [](const Match& a, const Match& b) { return a.reference_start < b.reference_start; });
}

void BeamAligner::prepare(const Candidates& candidates, std::size_t hypothesis_length) {
  fix_unambiguous(candidates, hypothesis_length);
  gains_.clear();
  for (const Match& match : candidates.matches) gains_.push_back(gain_of(match, settings_.gain_weights[match.stage]));
  traces_.clear();
  row_ = hypothesis_length <= 64 ? 0 : hypothesis_length / 64 + 1;
  rows_.assign(row_, 0);
  paths_.assign(1, {start_rank, 0, 0, none, none});
}

// A match alone at its reference start whose words, on both sides, no other listed match covers is taken by every
// path. No other candidate touches its words, so paths need not remember them as used.
void BeamAligner::fix_unambiguous(const Candidates& candidates, std::size_t hypothesis_length) {
  const std::size_t positions = candidates.starts.size() - 1;
  reference_coverage_.assign(positions, 0);
  hypothesis_coverage_.assign(hypothesis_length, 0);
  for (const Match& match : candidates.matches) {
    for (int k = 0; k < match.reference_length; ++k) ++reference_coverage_[match.reference_start + k];
    for (int k = 0; k < match.hypothesis_length; ++k) ++hypothesis_coverage_[match.hypothesis_start + k];
  }
  const auto covered_once = [](const std::vector<std::int32_t>& coverage, std::int32_t start, std::int32_t length) {
    return std::all_of(coverage.begin() + start, coverage.begin() + start + length, [](int n) { return n == 1; });
  };
  fixed_.assign(positions, none);
  for (std::size_t j = 0; j < positions; ++j) {
    if (candidates.starts[j + 1] - candidates.starts[j] != 1) continue;
    const Match& match = candidates.matches[candidates.starts[j]];
    if (covered_once(reference_coverage_, match.reference_start, match.reference_length) &&
        covered_once(hypothesis_coverage_, match.hypothesis_start, match.hypothesis_length)) {
      fixed_[j] = candidates.starts[j];
    }
  }
}

// A position without candidates: every path that has come to it goes on without a match, and its chunk ends.
void BeamAligner::pass(std::int32_t position) {
  for (Path& path : paths_) {
    if (position < path.next_free) continue;
    path.next_free = position + 1;
    if (path.last_end != none) path.rank += one_chunk;
    path.last_end = none;
  }
  sort_paths();
}

void BeamAligner::take_fixed(std::int32_t position, std::int32_t index, const Match& match) {
  for (Path& path : paths_) {
    const bool breaks = path.last_end != none && path.last_end != match.hypothesis_start;
    path.rank = farther(path.rank, distance_of(match)) - gains_[index] + (breaks ? one_chunk : 0);
    path.next_free = position + match.reference_length;
    path.last_end = end_of(match);
  }
  sort_paths();
}

// A stable insertion sort: the order rarely changes much.
void BeamAligner::sort_paths() {
  for (std::size_t k = 1; k < paths_.size(); ++k) {
    if (paths_[k - 1].rank <= paths_[k].rank) continue;
    const Path path = paths_[k];
    std::size_t place = k;
    for (; place > 0 && paths_[place - 1].rank > path.rank; --place) paths_[place] = paths_[place - 1];
    paths_[place] = path;
  }
}

// A position with candidates: the best extensions of all paths are the paths of the next round. Java makes them path by
// path, each with its matches in turn and without one last, then sorts. Here they are made match by match over all paths:
// such a lane is nearly sorted as it comes, since the paths are, and lanes are merged.
void BeamAligner::branch(std::int32_t position, const Candidates& candidates) {
  extensions_.clear();
  going_on_.clear();
  for (const Path& path : paths_) going_on_.push_back(path.rank);
  for (std::int32_t index = candidates.starts[position]; index < candidates.starts[position + 1]; ++index) {
    extend_with(position, index, candidates.matches[index]);
  }
  extend_without_match(position);
  next_paths_.resize(extensions_.size());
  for (std::size_t k = 0; k < extensions_.size(); ++k) make(extensions_[k], position, candidates, next_paths_[k]);
  paths_.swap(next_paths_);
  if (row_ != 0) drop_old_rows();
}

// Java adds a match's distance to the path it was copied from, after the copy: so the new path does not carry it, while
// its younger siblings and the path that goes on without a match do.
void BeamAligner::extend_with(std::int32_t position, std::int32_t index, const Match& match) {
  const std::uint64_t gain = gains_[index], distance = distance_of(match), bits = row_ == 0 ? bits_of(match) : 0;
  lane_.clear();
  for (std::size_t parent = 0; parent < paths_.size(); ++parent) {
    const Path& path = paths_[parent];
    if (position < path.next_free) continue;
    if (row_ == 0 ? (path.used & bits) != 0 : !is_free(path.used, match)) continue;
    const bool breaks = path.last_end != none && path.last_end != match.hypothesis_start;
    const std::uint64_t rank = going_on_[parent] - gain + (breaks ? one_chunk : 0);
    add_to_lane({rank, static_cast<std::int32_t>(parent), index});
    going_on_[parent] = farther(going_on_[parent], distance);
  }
  merge_lane();
}

void BeamAligner::extend_without_match(std::int32_t position) {
  lane_.clear();
  for (std::size_t parent = 0; parent < paths_.size(); ++parent) {
    const Path& path = paths_[parent];
    const bool ends_chunk = position >= path.next_free && path.last_end != none;
    add_to_lane({going_on_[parent] + (ends_chunk ? one_chunk : 0), static_cast<std::int32_t>(parent), none});
  }
  merge_lane();
}

// Among equals the earlier parent stands first.
void BeamAligner::add_to_lane(const Extension& extension) {
  lane_.push_back(extension);
  std::size_t place = lane_.size() - 1;
  if (place == 0 || lane_[place - 1].rank <= extension.rank) return;
  for (; place > 0 && lane_[place - 1].rank > extension.rank; --place) lane_[place] = lane_[place - 1];
  lane_[place] = extension;
}

// Keeps the best `width`. Among equals the earlier parent stands first, and of one parent's the earlier lane.
void BeamAligner::merge_lane() {
  const auto width = static_cast<std::size_t>(settings_.width);
  const std::size_t most = std::min(width, extensions_.size() + lane_.size());
  merged_.resize(most);
  const Extension *old = extensions_.data(), *old_end = old + extensions_.size();
  const Extension *fresh = lane_.data(), *fresh_end = fresh + lane_.size();
  for (Extension& next : merged_) {
    const bool take_old =
        fresh == fresh_end || (old != old_end && (old->rank < fresh->rank ||
                                                  (old->rank == fresh->rank && old->parent <= fresh->parent)));
    next = take_old ? *old++ : *fresh++;
  }
  extensions_.swap(merged_);
}

void BeamAligner::make(const Extension& extension, std::int32_t position, const Candidates& candidates, Path& path) {
  path = paths_[extension.parent];
  path.rank = extension.rank;
  if (extension.match != none) {
    const Match& match = candidates.matches[extension.match];
    traces_.push_back({extension.match, path.trace});
    path.trace = static_cast<std::int32_t>(traces_.size()) - 1;
    path.used = row_ == 0 ? path.used | bits_of(match) : use(path.used, match);
    path.next_free = position + match.reference_length;
    path.last_end = end_of(match);
  } else if (position >= path.next_free) {
    path.next_free = position + 1;
    path.last_end = none;
  }
}

bool BeamAligner::is_free(Used used, const Match& match) const {
  const std::uint64_t* row = rows_.data() + used * row_;
  for (std::int32_t i = match.hypothesis_start; i < end_of(match); ++i) {
    if (row[i >> 6] >> (i & 63) & 1) return false;
  }
  return true;
}

BeamAligner::Used BeamAligner::use(Used used, const Match& match) {
  const std::size_t made = rows_.size() / row_;
  rows_.resize(rows_.size() + row_);
  std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(used * row_), row_,
              rows_.begin() + static_cast<std::ptrdiff_t>(made * row_));
  std::uint64_t* row = rows_.data() + made * row_;
  for (std::int32_t i = match.hypothesis_start; i < end_of(match); ++i) row[i >> 6] |= 1ull << (i & 63);
  return made;
}

// Keeps the rows that paths still use, once the others are many.
void BeamAligner::drop_old_rows() {
  if (rows_.size() < (paths_.size() + 64) * row_ * 4) return;
  kept_rows_.clear();
  for (Path& path : paths_) {
    const auto row = rows_.begin() + static_cast<std::ptrdiff_t>(path.used * row_);
    path.used = kept_rows_.size() / row_;
    kept_rows_.insert(kept_rows_.end(), row, row + static_cast<std::ptrdiff_t>(row_));
  }
  rows_.swap(kept_rows_);
}

}  // namespace bolide
