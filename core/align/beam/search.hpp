// The beam search, with keys of 64 bits (enough for nearly all text) or 128 bits (enough for any text).
//
// Java ranks partial alignments by more gain, then fewer chunks, then less distance. Of equally good ones,
// the earlier wins. Java extends one parent after the other: first with each of its matches, in order, then
// without a match. Here all of this is one number, the key, so that two partial alignments are ranked by
// comparing two numbers. From the highest bits: missing gain, chunks, distance, parent, choice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "align/aligner.hpp"
#include "support/compiler.hpp"

namespace bolide {

template <typename Number, int gain_bits, int chunk_bits, int distance_bits, int parent_bits, int choice_bits>
struct KeyLayout {
  using Key = Number;
  static constexpr Key one_parent = Key{1} << choice_bits;
  static constexpr Key one_distance = one_parent << parent_bits;
  static constexpr Key one_chunk = one_distance << distance_bits;
  static constexpr Key one_gain = one_chunk << chunk_bits;
  // No gain yet, no chunk, no distance.
  static constexpr Key start = one_gain * ((Key{1} << gain_bits) - 1);

  static constexpr int choice_bits_ = choice_bits;
  static constexpr int widest = 1 << std::min(parent_bits, 30);
  static constexpr std::uint64_t farthest = std::uint64_t{1} << distance_bits;
  static constexpr std::int32_t most_candidates = (1 << std::min(choice_bits, 30)) - 1;
  static constexpr std::int32_t without_match = most_candidates;

  static std::int32_t parent(Key key) {
    return static_cast<std::int32_t>(key >> choice_bits & ((Key{1} << parent_bits) - 1));
  }
  static std::int32_t choice(Key key) { return static_cast<std::int32_t>(key & (one_parent - 1)); }
  static Key rank(Key key) { return key & ~(one_distance - 1); }
};

// For sentences of up to 127 words. A key has 63 bits, because the vector search compares keys as signed
// numbers or as doubles (avx2.cpp).
using NarrowLayout = KeyLayout<std::uint64_t, 9, 8, 24, 11, 11>;
// For up to 100,000 words, weights of up to 100, and 2^25 candidates at a position.
using WideLayout = KeyLayout<Uint128, 26, 18, 42, 17, 25>;

// Which hypothesis words a path has used: as bits in the path itself, for up to `most_words` words.
template <typename Bits>
class UsedBits {
 public:
  static constexpr std::size_t most_words = sizeof(Bits) * 8;
  using Row = Bits;
  using MatchWords = Bits;

  Row start(std::size_t) { return 0; }
  static Row all() { return ~Bits{0}; }
  static MatchWords words_of(const Match& match) {
    return (~Bits{0} >> (most_words - static_cast<std::size_t>(match.hypothesis_length)))
           << match.hypothesis_start;
  }
  static bool is_free(Row row, MatchWords words) { return (row & words) == 0; }
  static Row use(Row row, MatchWords words) { return row | words; }
  template <typename Paths>
  void drop_old(Paths&) {}
};

// The same for any number of words: a path has the number of a row of bits. Rows do not change, so paths
// share them.
class UsedRows {
 public:
  using Row = std::uint64_t;
  using MatchWords = Match;

  Row start(std::size_t words) {
    row_ = words / 64 + 1;
    bits_.assign(row_, 0);
    return 0;
  }
  static Row all() { return ~Row{0}; }
  static MatchWords words_of(const Match& match) { return match; }
  bool is_free(Row number, const MatchWords& match) const {
    if (number == all()) return false;
    const std::uint64_t* row = bits_.data() + number * row_;
    for (std::int32_t i = match.hypothesis_start; i < match.hypothesis_start + match.hypothesis_length; ++i) {
      if (row[i >> 6] >> (i & 63) & 1) return false;
    }
    return true;
  }
  Row use(Row number, const MatchWords& match) {
    const std::size_t made = bits_.size() / row_;
    bits_.resize(bits_.size() + row_);
    std::copy_n(bits_.data() + number * row_, row_, bits_.data() + made * row_);
    std::uint64_t* row = bits_.data() + made * row_;
    for (std::int32_t i = match.hypothesis_start; i < match.hypothesis_start + match.hypothesis_length; ++i) {
      row[i >> 6] |= 1ull << (i & 63);
    }
    return made;
  }
  // Removes the rows that no path uses, when there are many.
  template <typename Paths>
  void drop_old(Paths& paths) {
    if (bits_.size() < (paths.size() + 64) * row_ * 4) return;
    kept_.clear();
    for (auto& path : paths) {
      const std::uint64_t* row = bits_.data() + path.used * row_;
      path.used = kept_.size() / row_;
      kept_.insert(kept_.end(), row, row + row_);
    }
    bits_.swap(kept_);
  }

 private:
  std::size_t row_ = 0;  // 64-bit words in a row
  std::vector<std::uint64_t> bits_, kept_;
};

// Matches that every alignment contains: the only candidate at its reference start, with words that no other
// candidate covers on either side. All paths take them, and paths need not mark their words as used. Matches
// that the search chooses are added later.
class FixedMatches {
 public:
  static constexpr std::int32_t none = -1;

  void find(const Candidates& candidates, std::size_t hypothesis_length);
  // The fixed match at a reference position, or none.
  std::int32_t operator[](std::size_t position) const { return fixed_[position]; }
  // Adds a match that the search chose.
  void add(const Candidates& candidates, std::int32_t match) {
    fixed_[candidates.matches[match].reference_start] = match;
  }
  // The whole alignment, in order of reference start.
  void list(const Candidates& candidates, std::vector<Match>& chosen) const;

 private:
  template <typename Coverage>
  void find(const Candidates& candidates, Coverage hypothesis, Coverage reference);

  std::vector<std::int32_t> fixed_;
};

template <typename Layout>
typename Layout::Key distance_key(const Match& match) {
  return static_cast<typename Layout::Key>(std::abs(match.reference_start - match.hypothesis_start)) *
         Layout::one_distance;
}

template <typename Layout, typename Used>
class BeamSearch {
 public:
  explicit BeamSearch(const AlignerSettings& settings) : settings_(settings) {}

  void align(const Candidates& candidates, std::size_t hypothesis_length, std::vector<Match>& chosen) {
    prepare(candidates, hypothesis_length);
    const auto positions = static_cast<std::int32_t>(candidates.starts.size()) - 1;
    for (std::int32_t position = 0; position < positions; ++position) {
      if (fixed_[position] != none) {
        take_fixed(position, candidates.matches[fixed_[position]]);
      } else if (candidates.starts[position] == candidates.starts[position + 1]) {
        pass(position);
      } else {
        branch(position, candidates);
      }
    }
    collect(candidates, chosen);
  }

 private:
  using Key = typename Layout::Key;
  static constexpr std::int32_t none = -1;
  static constexpr Key last_key = ~Key{0};

  // A partial alignment of the reference up to the current position.
  struct Path {
    Key rank;  // gain, chunks, distance; parent and choice are 0
    typename Used::Row used;
    std::int32_t next_free;  // first reference position not yet decided
    std::int32_t last_end;   // where the last match ends in the hypothesis, or none
    std::int32_t trace;      // index of the last chosen match in traces_
  };
  struct Trace {
    std::int32_t match, previous;
  };

  // Keys of possible paths, best first; last_key follows them.
  struct Lane {
    std::vector<Key> keys;
    std::size_t size = 0;

    void close(Key* end) {
      *end = last_key;
      size = static_cast<std::size_t>(end - keys.data());
    }

    // Fast if the keys are nearly sorted.
    void sort() {
      Key* const begin = keys.data();
      Key* const end = begin + size;
      for (Key* at = begin + 1; at < end; ++at) {
        if (at[-1] < *at) continue;
        const Key key = *at;
        Key* place = at;
        for (; place != begin && place[-1] > key; --place) *place = place[-1];
        *place = key;
      }
    }

    // Merges the best of two lanes.
    void merge(const Lane& a, const Lane& b, std::size_t most) {
      const Key *left = a.keys.data(), *right = b.keys.data();
      size = std::min(most, a.size + b.size);
      Key *out = keys.data(), *end = out + size;
      for (; out != end; ++out) {
        const Key l = *left, r = *right;
        if (r == last_key) {
          out = std::copy_n(left, end - out, out);
          break;
        }
        const bool take_left = l < r;
        *out = take_left ? l : r;
        left += take_left;
        right += !take_left;
      }
      *end = last_key;
    }
  };

  static std::int32_t end_of(const Match& match) { return match.hypothesis_start + match.hypothesis_length; }

  // Java stores the weighted counts of both sides as integers, truncated at every addition.
  Key gain_of(const Match& match) const {
    const double weight = settings_.gain_weights[match.stage];
    return static_cast<Key>(static_cast<std::uint32_t>(weight * match.hypothesis_length) +
                            static_cast<std::uint32_t>(weight * match.reference_length)) *
           Layout::one_gain;
  }

  static bool breaks_chunk(const Path& path, const Match& match) {
    return (path.last_end != none) & (path.last_end != match.hypothesis_start);
  }

  void prepare(const Candidates& candidates, std::size_t hypothesis_length) {
    fixed_.find(candidates, hypothesis_length);
    traces_.clear();
    paths_.assign(1, {Layout::start, used_.start(hypothesis_length), 0, none, none});
    const auto room = static_cast<std::size_t>(settings_.width) + 2;
    for (Lane* lane : {&skips_, &best_, &going_, &broken_, &merged_}) lane->keys.resize(room);
  }

  // A position without candidates: every path at this position continues without a match, which ends its
  // chunk.
  void pass(std::int32_t position) {
    for (Path& path : paths_) {
      if (position < path.next_free) continue;
      path.next_free = position + 1;
      if (path.last_end != none) path.rank += Layout::one_chunk;
      path.last_end = none;
    }
    sort_paths();
  }

  void take_fixed(std::int32_t position, const Match& match) {
    const Key change = distance_key<Layout>(match) - gain_of(match);
    for (Path& path : paths_) {
      path.rank += change + (breaks_chunk(path, match) ? Layout::one_chunk : 0);
      path.next_free = position + match.reference_length;
      path.last_end = end_of(match);
    }
    sort_paths();
  }

  // A stable insertion sort, because the order rarely changes much.
  void sort_paths() {
    for (std::size_t k = 1; k < paths_.size(); ++k) {
      if (paths_[k - 1].rank <= paths_[k].rank) continue;
      const Path path = paths_[k];
      std::size_t place = k;
      for (; place > 0 && paths_[place - 1].rank > path.rank; --place) paths_[place] = paths_[place - 1];
      paths_[place] = path;
    }
  }

  // A position with candidates: the best extensions of all paths become the paths of the next round. For each
  // match, the extensions of all paths go into two lanes: those that continue a chunk, and all others. Paths
  // are in the order of their keys without a match, so lanes are nearly always sorted and need only a merge.
  void branch(std::int32_t position, const Candidates& candidates) {
    const std::int32_t first = candidates.starts[position], last = candidates.starts[position + 1];
    best_.size = 0;
    best_.keys[0] = last_key;
    list_parents(position);
    for (std::int32_t index = first; index < last; ++index)
      extend_with(candidates.matches[index], index - first);
    extend_without_match();
    next_paths_.resize(best_.size);
    for (std::size_t k = 0; k < best_.size; ++k)
      make(best_.keys[k], position, candidates, first, next_paths_[k]);
    paths_.swap(next_paths_);
    used_.drop_old(paths_);
  }

  // The parts of a path that its extensions need.
  struct Parent {
    Key skip;  // its key if it takes no match, which ends its chunk
    typename Used::Row used;
    std::int32_t last_end;
  };

  void list_parents(std::int32_t position) {
    const std::size_t count = paths_.size();
    const Path* paths = paths_.data();
    Key* skips = skips_.keys.data();
    for (std::size_t k = 0; k < count; ++k) {
      const bool ends_chunk = (position >= paths[k].next_free) & (paths[k].last_end != none);
      skips[k] = paths[k].rank + k * Layout::one_parent + (ends_chunk ? Layout::one_chunk : 0);
    }
    skips_.close(skips + count);
    skips_.sort();
    parents_.resize(count);
    Parent* parents = parents_.data();
    for (std::size_t k = 0; k < count; ++k) {
      const Path& path = paths[Layout::parent(skips[k])];
      // A path that is inside a match cannot take another one.
      parents[k] = {skips[k], position < path.next_free ? used_.all() : path.used, path.last_end};
    }
    in_order_ = true;
  }

  // Java copies the path, and then adds the distance of the match to the original. So the new path does not
  // have this distance; later extensions of the same path do, and so does the path without a match. There are
  // no branches: extensions that are not wanted are overwritten.
  void extend_with(const Match& match, std::int32_t choice) {
    const auto words = Used::words_of(match);
    const Key gain = gain_of(match) - static_cast<Key>(choice), distance = distance_key<Layout>(match);
    const Key saved = gain + Layout::one_chunk;
    const std::int32_t start = match.hypothesis_start;
    Key* going = going_.keys.data();
    Key* broken = broken_.keys.data();
    Parent* const end = parents_.data() + parents_.size();
    for (Parent* parent = parents_.data(); parent != end; ++parent) {
      const Key skip = parent->skip;
      const std::size_t free = used_.is_free(parent->used, words);
      const std::size_t goes_on = free & (parent->last_end == start);
      *going = skip - saved;
      *broken = skip - gain;
      going += goes_on;
      broken += free - goes_on;
      parent->skip = skip + distance * free;
    }
    going_.close(going);
    broken_.close(broken);
    merge_lanes();
    in_order_ = false;
  }

  void extend_without_match() {
    Key* end = broken_.keys.data();
    for (const Parent& parent : parents_) *end++ = parent.skip + Layout::without_match;
    going_.close(going_.keys.data());
    broken_.close(end);
    merge_lanes();
  }

  void merge_lanes() {
    const auto width = static_cast<std::size_t>(settings_.width);
    if (!in_order_) {
      going_.sort();
      broken_.sort();
    }
    if (best_.size == 0) return best_.merge(going_, broken_, width);
    for (const Lane* lane : {&going_, &broken_}) {
      // Skip the lane if the beam is full and all keys of the lane are worse.
      const bool hopeless = best_.size == width && lane->keys[0] > best_.keys[width - 1];
      if (lane->size == 0 || hopeless) continue;
      merged_.merge(best_, *lane, width);
      std::swap(best_, merged_);
    }
  }

  void make(Key key, std::int32_t position, const Candidates& candidates, std::int32_t first, Path& path) {
    path = paths_[Layout::parent(key)];
    path.rank = Layout::rank(key);
    const std::int32_t choice = Layout::choice(key);
    if (choice != Layout::without_match) {
      const Match& match = candidates.matches[first + choice];
      traces_.push_back({first + choice, path.trace});
      path.trace = static_cast<std::int32_t>(traces_.size()) - 1;
      path.used = used_.use(path.used, Used::words_of(match));
      path.next_free = position + match.reference_length;
      path.last_end = end_of(match);
    } else if (position >= path.next_free) {
      path.next_free = position + 1;
      path.last_end = none;
    }
  }

  // The end of the sentence ends a chunk, which may change the order again. The first of equal paths wins.
  void collect(const Candidates& candidates, std::vector<Match>& chosen) {
    const auto closed = [](const Path& path) {
      return path.rank + (path.last_end != none ? Layout::one_chunk : 0);
    };
    const auto best = std::min_element(paths_.begin(), paths_.end(),
                                       [&](const Path& a, const Path& b) { return closed(a) < closed(b); });
    for (std::int32_t trace = best->trace; trace != none; trace = traces_[trace].previous) {
      fixed_.add(candidates, traces_[trace].match);
    }
    fixed_.list(candidates, chosen);
  }

  const AlignerSettings& settings_;
  Used used_;
  std::vector<Path> paths_, next_paths_;
  std::vector<Parent> parents_;
  bool in_order_ = true;  // no parent has got a distance yet, so lanes are sorted
  Lane skips_, best_, going_, broken_, merged_;
  std::vector<Trace> traces_;
  FixedMatches fixed_;
};

}  // namespace bolide
