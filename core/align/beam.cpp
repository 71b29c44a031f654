#include "beam.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace bolide {

namespace {

// Ranking of paths as one number: more gain, then fewer chunks, then less distance; order of arrival settles ties.
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

}  // namespace

// Java keeps both sides' weighted counts as integers, truncated at every addition.
std::uint64_t BeamAligner::gain_of(const Match& match) const {
  const double weight = settings_.gain_weights[match.stage];
  return static_cast<std::uint64_t>(weight * match.hypothesis_length) +
         static_cast<std::uint64_t>(weight * match.reference_length);
}

// A match alone at its reference start whose words, on both sides, no other listed match covers is taken up front.
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

bool BeamAligner::is_free(std::int32_t path, const Match& match) const {
  const std::uint64_t* used = used_.data() + path * row_;
  for (std::int32_t i = match.hypothesis_start; i < match.hypothesis_start + match.hypothesis_length; ++i) {
    if (used[i >> 6] >> (i & 63) & 1) return false;
  }
  return true;
}

// Keeps the best `width` extensions, sorted; among equals the earlier stands first, as in a stable sort.
void BeamAligner::offer(const Extension& extension) {
  const auto width = static_cast<std::size_t>(settings_.width);
  if (extensions_.size() == width) {
    if (extension.rank >= extensions_.back().rank) return;
    extensions_.pop_back();
  }
  auto place = extensions_.end();
  while (place != extensions_.begin() && (place - 1)->rank > extension.rank) --place;
  extensions_.insert(place, extension);
}

void BeamAligner::extend(std::int32_t parent, std::int32_t position, const Candidates& candidates) {
  const Path& path = paths_[parent];
  if (position < path.next_free) {
    offer({path.rank, parent, none, path.next_free, path.last_end});
    return;
  }
  const auto take = [&](std::int32_t index, const Match& match, std::uint64_t rank) {
    const bool breaks = path.last_end != none && path.last_end != match.hypothesis_start;
    offer({rank - gain_of(match) * one_gain + (breaks ? one_chunk : 0), parent, index,
           position + match.reference_length, match.hypothesis_start + match.hypothesis_length});
  };
  if (const std::int32_t index = fixed_[position]; index != none) {
    const Match& match = candidates.matches[index];
    take(index, match, farther(path.rank, distance_of(match)));
    return;
  }
  // Java adds a match's distance to the path it was copied from, after the copy: so the new path does not carry
  // it, while its younger siblings and the path that goes on without a match do.
  std::uint64_t rank = path.rank;
  for (std::int32_t index = candidates.starts[position]; index < candidates.starts[position + 1]; ++index) {
    const Match& match = candidates.matches[index];
    if (!is_free(parent, match)) continue;
    take(index, match, rank);
    rank = farther(rank, distance_of(match));
  }
  offer({rank + (path.last_end != none ? one_chunk : 0), parent, none, position + 1, none});
}

// Makes the offered extensions the paths of the next round.
void BeamAligner::advance(const Candidates& candidates) {
  next_paths_.clear();
  next_used_.resize(extensions_.size() * row_);
  for (const Extension& extension : extensions_) {
    std::uint64_t* used = next_used_.data() + next_paths_.size() * row_;
    std::memcpy(used, used_.data() + extension.parent * row_, row_ * sizeof(std::uint64_t));
    std::int32_t trace = paths_[extension.parent].trace;
    if (extension.match != none) {
      const Match& match = candidates.matches[extension.match];
      for (std::int32_t i = match.hypothesis_start; i < extension.last_end; ++i) used[i >> 6] |= 1ull << (i & 63);
      traces_.push_back({extension.match, trace});
      trace = static_cast<std::int32_t>(traces_.size()) - 1;
    }
    next_paths_.push_back({extension.rank, extension.next_free, extension.last_end, trace});
  }
  paths_.swap(next_paths_);
  used_.swap(next_used_);
}

void BeamAligner::align(const Candidates& candidates, std::size_t hypothesis_length, std::vector<Match>& chosen) {
  const auto positions = static_cast<std::int32_t>(candidates.starts.size()) - 1;
  fix_unambiguous(candidates, hypothesis_length);
  row_ = hypothesis_length / 64 + 1;
  traces_.clear();
  paths_.assign(1, {start_rank, 0, none, none});
  used_.assign(row_, 0);
  for (std::int32_t position = 0; position < positions; ++position) {
    extensions_.clear();
    for (std::size_t parent = 0; parent < paths_.size(); ++parent) {
      extend(static_cast<std::int32_t>(parent), position, candidates);
    }
    advance(candidates);
  }
  // The end closes an open chunk, which may change the order once more; the first of the best wins.
  const auto closed = [](const Path& path) { return path.rank + (path.last_end != none ? one_chunk : 0); };
  const auto best = std::min_element(paths_.begin(), paths_.end(),
                                     [&](const Path& a, const Path& b) { return closed(a) < closed(b); });
  chosen.clear();
  for (std::int32_t trace = best->trace; trace != none; trace = traces_[trace].previous) {
    chosen.push_back(candidates.matches[traces_[trace].match]);
  }
  std::reverse(chosen.begin(), chosen.end());
}

}  // namespace bolide
