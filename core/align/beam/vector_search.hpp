// The steps of VectorBeam. avx2.cpp, avx512.cpp and pairs.hpp include this file after their functions on
// vectors of eight lanes, and after BOLIDE_TARGET, the attribute of functions that use these instructions.
// `equal`, `greater` and `smaller` are for numbers below 2^15; `greater_keys` and `smaller_keys` are for
// keys.
#pragma once

#include <algorithm>
#include <bit>

#include "align/beam/sort.hpp"
#include "align/beam/vector.hpp"

namespace bolide {

namespace {

// The parts of the states of paths.
BOLIDE_TARGET inline Vector next_free_in(Vector state) {
  return bits_of_both(state, all(255));
}
BOLIDE_TARGET inline Vector last_end_in(Vector state) {
  return bits_of_both(shift_right<8>(state), all(255));
}
BOLIDE_TARGET inline Vector trace_in(Vector state) {
  return bits_of_both(state, all(~std::uint64_t{0} << 32));
}

}  // namespace

template <Instructions set, int Words>
VectorBeam<set, Words>::VectorBeam(const AlignerSettings& settings)
    : width_(static_cast<std::size_t>(settings.width)) {
  for (double weight : settings.gain_weights) {
    for (int words = 0; words < 128; ++words) floors_.push_back(static_cast<std::uint32_t>(weight * words));
  }
}

template <Instructions set, int Words>
void VectorBeam<set, Words>::align(const Candidates& candidates, std::size_t hypothesis_length,
                                   std::vector<Match>& chosen) {
  fixed_.find(candidates, hypothesis_length);
  snapshot_count_ = 0;
  start();
  const std::size_t positions = candidates.starts.size() - 1;
  for (std::size_t position = 0; position < positions; ++position) step(position, candidates);
  collect(candidates, chosen);
}

template <Instructions set, int Words>
void VectorBeam<set, Words>::align_similar(Candidates& candidates, std::size_t hypothesis_length,
                                           std::vector<Match>& chosen) {
  fixed_.find(candidates, hypothesis_length);
  const std::size_t positions = candidates.starts.size() - 1;
  std::size_t position = resume(candidates);
  last_fixed_ = fixed_;
  for (; position < positions; ++position) {
    step(position, candidates);
    if (fixed_[position] != FixedMatches::none ||
        candidates.starts[position] == candidates.starts[position + 1])
      continue;
    if (snapshot_count_ == snapshots_.size()) snapshots_.emplace_back();
    Snapshot& snapshot = snapshots_[snapshot_count_++];
    snapshot.position = position;
    snapshot.count = count_;
    snapshot.links = links_.size();
    copy_paths(*paths_, snapshot.paths);
  }
  collect(candidates, chosen);
  std::swap(last_, candidates);
}

template <Instructions set, int Words>
void VectorBeam<set, Words>::start() {
  links_.assign(1, 0);
  count_ = 1;
  *paths_->rank.at(0) = Layout::start;
  *paths_->state.at(0) = 0;
  shared_ = {true, 0, no_end, 0};
  for (Column& used : paths_->used) *used.at(0) = 0;
}

template <Instructions set, int Words>
void VectorBeam<set, Words>::step(std::size_t position, const Candidates& candidates) {
  if (fixed_[position] != FixedMatches::none) {
    take_fixed(position, candidates.matches[fixed_[position]]);
  } else if (candidates.starts[position] == candidates.starts[position + 1]) {
    pass(position);
  } else {
    branch(position, candidates);
  }
}

// Restores the search from before the first position where this pair differs from the last one. Returns the
// position where it goes on.
template <Instructions set, int Words>
std::size_t VectorBeam<set, Words>::resume(const Candidates& candidates) {
  const std::size_t same = snapshot_count_ == 0 ? 0 : same_positions(candidates);
  while (snapshot_count_ > 0 && snapshots_[snapshot_count_ - 1].position >= same) --snapshot_count_;
  if (snapshot_count_ == 0) {
    start();
    return 0;
  }
  const Snapshot& snapshot = snapshots_[snapshot_count_ - 1];
  count_ = snapshot.count;
  links_.resize(snapshot.links);
  shared_.valid = false;
  copy_paths(snapshot.paths, *paths_);
  sort_paths();
  return snapshot.position + 1;
}

// The number of positions at the beginning that have the same candidates as in the last pair, and are treated
// in the same way.
template <Instructions set, int Words>
std::size_t VectorBeam<set, Words>::same_positions(const Candidates& candidates) const {
  const std::size_t most = std::min(candidates.starts.size(), last_.starts.size()) - 1;
  std::size_t same = 0;
  for (; same < most; ++same) {
    const std::int32_t begin = candidates.starts[same], end = candidates.starts[same + 1];
    const bool is_fixed = fixed_[same] != FixedMatches::none,
               was_fixed = last_fixed_[same] != FixedMatches::none;
    if (last_.starts[same + 1] != end || is_fixed != was_fixed ||
        !std::equal(candidates.matches.begin() + begin, candidates.matches.begin() + end,
                    last_.matches.begin() + begin))
      break;
  }
  return same;
}

template <Instructions set, int Words>
void VectorBeam<set, Words>::copy_paths(const Paths& from, Paths& to) const {
  const auto copy = [&](const Column& source, Column& target) {
    std::copy_n(source.numbers.begin(), count_, target.numbers.begin());
  };
  copy(from.rank, to.rank);
  copy(from.state, to.state);
  for (std::size_t w = 0; w < Words; ++w) copy(from.used[w], to.used[w]);
}

template <Instructions set, int Words>
BOLIDE_TARGET void VectorBeam<set, Words>::pass(std::uint64_t position) {
  if (shared_.valid) {
    if (position < shared_.next_free) return;
    if (shared_.last_end != no_end) shared_.change += Layout::one_chunk;
    shared_.last_end = no_end;
    shared_.next_free = position + 1;
    return;
  }
  bool inside_match = false;
  for (std::size_t k = 0; k < count_; k += 8) {
    const Vector state = load(paths_->state.at(k));
    const Mask here = greater(all(position + 1), next_free_in(state));
    const Mask ends_chunk = but_not(here, equal(last_end_in(state), all(no_end)));
    inside_match |= any(but_not(first_lanes(count_ - k), here));
    store(paths_->rank.at(k), add_where(ends_chunk, load(paths_->rank.at(k)), all(Layout::one_chunk)));
    store(paths_->state.at(k),
          choose(here, bits_of_either(trace_in(state), all(no_end * one_end + position + 1)), state));
  }
  if (inside_match) {
    sort_paths();
  } else {
    shared_ = {true, position + 1, no_end, 0};
  }
}

template <Instructions set, int Words>
BOLIDE_TARGET void VectorBeam<set, Words>::take_fixed(std::uint64_t position, const Match& match) {
  const Layout::Key change = distance_key<Layout>(match) - gain_of(match);
  const auto start = static_cast<std::uint64_t>(match.hypothesis_start);
  if (shared_.valid) {
    const bool ends_chunk = shared_.last_end != no_end && shared_.last_end != start;
    shared_.change += change + (ends_chunk ? Layout::one_chunk : 0);
  } else {
    for (std::size_t k = 0; k < count_; k += 8) {
      const Vector end = last_end_in(load(paths_->state.at(k)));
      const Vector rank = add(load(paths_->rank.at(k)), all(change)),
                   broken = add(rank, all(Layout::one_chunk));
      const Vector unless_first = choose(equal(end, all(no_end)), rank, broken);
      store(paths_->rank.at(k), choose(equal(end, all(start)), rank, unless_first));
    }
    shared_ = {true, 0, 0, 0};
  }
  shared_.last_end = start + static_cast<std::uint64_t>(match.hypothesis_length);
  shared_.next_free = position + static_cast<std::uint64_t>(match.reference_length);
}

// Stores the numbers that all paths share in the columns.
template <Instructions set, int Words>
BOLIDE_TARGET void VectorBeam<set, Words>::store_shared() {
  if (!shared_.valid) return;
  const std::uint64_t state = shared_.last_end * one_end + shared_.next_free;
  for (std::size_t k = 0; k < count_; k += 8) {
    store(paths_->rank.at(k), add(load(paths_->rank.at(k)), all(shared_.change)));
    store(paths_->state.at(k), bits_of_either(trace_in(load(paths_->state.at(k))), all(state)));
  }
  shared_.valid = false;
}

// A stable sort: the places of the paths are the lowest bits of the numbers that are sorted.
template <Instructions set, int Words>
BOLIDE_TARGET void VectorBeam<set, Words>::sort_paths() {
  if (is_sorted(paths_->rank.at(0), count_)) return;
  const Vector place_bits = all(widest - 1), rank_bits = all(~std::uint64_t{widest - 1});
  for (std::size_t k = 0; k < count_; k += 8) {
    const Vector place = add(count_up(), all(k));
    store(skip_.at(k), bits_of_either(load(paths_->rank.at(k)), place));
  }
  sort(skip_.at(0), count_);
  for (std::size_t k = 0; k < count_; k += 8) {
    const Vector keys = load(skip_.at(k)), place = bits_of_both(keys, place_bits);
    store(next_->rank.at(k), bits_of_both(rank_bits, keys));
    store(next_->state.at(k), gather(paths_->state.at(0), place));
    for (int w = 0; w < Words; ++w) store(next_->used[w].at(k), gather(paths_->used[w].at(0), place));
  }
  std::swap(paths_, next_);
}

template <Instructions set, int Words>
BOLIDE_TARGET void VectorBeam<set, Words>::branch(std::uint64_t position, const Candidates& candidates) {
  const std::int32_t first = candidates.starts[position];
  const auto count = static_cast<std::size_t>(candidates.starts[position + 1] - first);
  const Match* matches = candidates.matches.data() + first;
  if (shared_.valid) {
    store_shared();
    sort_paths();
  }
  list_parents(position);
  list_choices(position, matches, count);
  best_size_ = pool_size_ = 0;
  for (std::size_t choice = 0; choice < count; ++choice) extend_with(choice, matches[choice]);
  if (pool_size_ == 0 && best_size_ == 0) return pass(position);
  extend_without_match();
  take_best();
  make_paths(position, static_cast<std::uint64_t>(first), count);
}

template <Instructions set, int Words>
BOLIDE_TARGET void VectorBeam<set, Words>::list_parents(std::uint64_t position) {
  for (std::size_t k = 0; k < count_; k += 8) {
    const Vector place = shift_left<Layout::choice_bits_>(add(count_up(), all(k)));
    const Vector rank = add(load(paths_->rank.at(k)), place);
    const Vector state = load(paths_->state.at(k)), end = last_end_in(state);
    store(parent_end_.at(k), end);
    const Mask here = greater(all(position + 1), next_free_in(state));
    const Mask ends_chunk = but_not(here, equal(end, all(no_end)));
    store(skip_.at(k), add_where(ends_chunk, rank, all(Layout::one_chunk)));
    // A path that is inside a match cannot take another one, and neither can the places after the last path.
    const Mask takes = both(first_lanes(count_ - k), here);
    for (int w = 0; w < Words; ++w)
      store(parent_used_[w].at(k), choose(takes, load(paths_->used[w].at(k)), all(~std::uint64_t{0})));
  }
}

template <Instructions set, int Words>
void VectorBeam<set, Words>::list_choices(std::uint64_t position, const Match* matches, std::size_t count) {
  if (choices_.state.size() <= count) {
    for (auto& used : choices_.used) used.resize(2 * count + 2);
    choices_.state.resize(2 * count + 2);
  }
  for (std::size_t k = 0; k < count; ++k) {
    const auto start = static_cast<std::size_t>(matches[k].hypothesis_start),
               end = start + static_cast<std::size_t>(matches[k].hypothesis_length);
    for (std::size_t w = 0; w < Words; ++w) {
      const std::size_t from = std::clamp(start, 64 * w, 64 * w + 64) - 64 * w,
                        until = std::clamp(end, 64 * w, 64 * w + 64) - 64 * w;
      choices_.used[w][k] = until > from ? (~std::uint64_t{0} >> (64 - (until - from))) << from : 0;
    }
    choices_.state[k] = end * one_end + position + static_cast<std::uint64_t>(matches[k].reference_length);
  }
  for (auto& used : choices_.used) used[count] = 0;
  choices_.state[count] = no_end * one_end + position + 1;
}

// As in search.hpp: the distance is added to the parent after the copy.
template <Instructions set, int Words>
BOLIDE_TARGET void VectorBeam<set, Words>::extend_with(std::size_t choice, const Match& match) {
  const Layout::Key gain = gain_of(match) - static_cast<Layout::Key>(choice);
  const Vector start = all(static_cast<std::uint64_t>(match.hypothesis_start)),
               distance = all(distance_key<Layout>(match)), going = all(gain + Layout::one_chunk),
               broken = all(gain);
  std::uint64_t* end = room_for(count_);
  for (std::size_t k = 0; k < count_; k += 8) {
    const Vector skip = load(skip_.at(k));
    Mask free = disjoint(load(parent_used_[0].at(k)), all(choices_.used[0][choice]));
    for (int w = 1; w < Words; ++w) {
      free = both(free, disjoint(load(parent_used_[w].at(k)), all(choices_.used[w][choice])));
    }
    const Mask goes_on = equal(load(parent_end_.at(k)), start);
    end = append(end, free, subtract(skip, choose(goes_on, going, broken)));
    store(skip_.at(k), add_where(free, skip, distance));
  }
  pool_size_ = static_cast<std::size_t>(end - pool_.data());
}

template <Instructions set, int Words>
BOLIDE_TARGET void VectorBeam<set, Words>::extend_without_match() {
  std::uint64_t* end = room_for(count_);
  for (std::size_t k = 0; k < count_; k += 8)
    store(end + k, add(load(skip_.at(k)), all(Layout::without_match)));
  pool_size_ += count_;
}

// The place in the pool to append this number of extensions.
template <Instructions set, int Words>
std::uint64_t* VectorBeam<set, Words>::room_for(std::size_t count) {
  if (pool_size_ + count + 8 > pool_.size()) take_best();
  return pool_.data() + pool_size_;
}

// Merges the keys of the pool into best_, up to 64 at a time, and empties the pool. The first ones need no
// merge. Of the others, only those that are better than the worst of best_ count.
template <Instructions set, int Words>
BOLIDE_TARGET void VectorBeam<set, Words>::take_best() {
  std::size_t from = 0;
  if (best_size_ == 0) from = take_first();
  while (from < pool_size_) {
    const Vector worst = all(*best_.at(width_ - 1));
    std::uint64_t* end = lane_.at(0);
    for (; from < pool_size_ && end <= lane_.at(widest - 8); from += 8) {
      const Vector keys = load(pool_.data() + from);
      end = append(end, both(first_lanes(pool_size_ - from), greater_keys(worst, keys)), keys);
    }
    merge_lane(static_cast<std::size_t>(end - lane_.at(0)));
  }
  pool_size_ = 0;
}

// Sorts the first keys of the pool into best_. Returns how many they are.
template <Instructions set, int Words>
BOLIDE_TARGET std::size_t VectorBeam<set, Words>::take_first() {
  const std::size_t size = std::min<std::size_t>(pool_size_, widest);
  sort(pool_.data(), size);
  const std::size_t sorted = std::bit_ceil((size + 7) / 8) * 8;
  for (std::size_t k = 0; k < width_; k += 8)
    store(best_.at(k), k < sorted ? load(pool_.data() + k) : all(last_key));
  best_size_ = std::min(width_, size);
  drop_worst();
  return size;
}

// Keeps only as many of the best as the beam is wide.
template <Instructions set, int Words>
BOLIDE_TARGET void VectorBeam<set, Words>::drop_worst() {
  for (std::size_t k = width_; k < widest; k += 8) store(best_.at(k), all(last_key));
}

// Merges the best keys of the lane into best_.
template <Instructions set, int Words>
BOLIDE_TARGET void VectorBeam<set, Words>::merge_lane(std::size_t size) {
  std::uint64_t* const keys = lane_.at(0);
  if (size == 0) return;
  sort(keys, size);
  for (std::size_t k = std::bit_ceil((size + 7) / 8) * 8; k < widest; k += 8) store(keys + k, all(last_key));
  merge_64(best_.at(0), keys, width_);
  best_size_ = std::min(width_, best_size_ + size);
  drop_worst();
}

// Makes the paths of the next round from the best extensions.
template <Instructions set, int Words>
BOLIDE_TARGET void VectorBeam<set, Words>::make_paths(std::uint64_t position, std::uint64_t first,
                                                      std::size_t count) {
  const std::size_t base = links_.size();
  count_ = best_size_;
  links_.resize(base + (count_ + 7) / 8 * 8);
  for (std::size_t k = 0; k < count_; k += 8) {
    const Vector key = load(best_.at(k));
    const Vector parent = bits_of_both(shift_right<Layout::choice_bits_>(key), all(widest - 1));
    const Vector choice = smaller(bits_of_both(key, all(Layout::one_parent - 1)), all(count));
    const Mask takes_match = greater(all(count), choice);
    const Vector before = gather(paths_->state.at(0), parent), trace = trace_in(before);
    // A path that is inside a match does not change.
    const Mask stays = but_not(greater(next_free_in(before), all(position)), takes_match);
    for (int w = 0; w < Words; ++w) {
      const Vector used = gather(paths_->used[w].at(0), parent);
      store(next_->used[w].at(k), bits_of_either(used, gather(choices_.used[w].data(), choice)));
    }
    store(next_->rank.at(k), bits_of_both(all(~(Layout::one_distance - 1)), key));
    const Vector match = add(choice, all(first));
    store(links_.data() + base + k, bits_of_either(shift_left<32>(match), shift_right<32>(before)));
    const Vector link = shift_left<32>(add(count_up(), all(base + k)));
    const Vector after =
        bits_of_either(gather(choices_.state.data(), choice), choose(takes_match, link, trace));
    store(next_->state.at(k), choose(stays, before, after));
  }
  std::swap(paths_, next_);
}

template <Instructions set, int Words>
void VectorBeam<set, Words>::collect(const Candidates& candidates, std::vector<Match>& chosen) {
  store_shared();
  std::size_t best = 0;
  Layout::Key best_rank = last_key;
  for (std::size_t k = 0; k < count_; ++k) {
    const Layout::Key rank =
        *paths_->rank.at(k) + (end_in(*paths_->state.at(k)) != no_end ? Layout::one_chunk : 0);
    if (rank < best_rank) best_rank = rank, best = k;
  }
  for (std::uint64_t link = *paths_->state.at(best) / one_trace; link != 0;
       link = links_[link] & 0xFFFFFFFF) {
    fixed_.add(candidates, static_cast<std::int32_t>(links_[link] >> 32));
  }
  fixed_.list(candidates, chosen);
}

}  // namespace bolide
