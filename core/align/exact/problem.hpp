// The problem that the exact aligner solves for a pair: items (matches) with integer costs, which items
// continue the chunk of another, and the hypothesis words that items compete for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "align/aligner.hpp"

namespace bolide {

// Gain, chunks, distance and stages in one number. A unit of a more important quantity is larger than all
// less important quantities together can become.
using Cost = std::int64_t;
constexpr Cost no_cost = Cost{1} << 61;  // larger than all costs

// Counts the work of the aligner, in steps of about a nanosecond. Work is counted, and not time, so that
// alignments do not depend on the machine or its load.
struct Budget {
  std::int64_t left = 0;
  void spend(std::size_t steps) { left -= static_cast<std::int64_t>(steps); }
  bool spent() const { return left <= 0; }
};

// A candidate match.
struct Item {
  std::int32_t reference_start, reference_end;
  std::int32_t hypothesis_start, hypothesis_end;
  std::int32_t first_word, last_word;  // its contended words: a range of ExactProblem::item_words
  std::int32_t next;                   // the first item that would continue its chunk, or none
  std::int32_t gain;
  Cost cost;  // without that of a new chunk
  std::int32_t match;
  std::int32_t number;  // among the original items of the problem
};

// Whether two items have a word in common.
inline bool exclude(const Item& a, const Item& b) {
  return (a.reference_start < b.reference_end && b.reference_start < a.reference_end) ||
         (a.hypothesis_start < b.hypothesis_end && b.hypothesis_start < a.hypothesis_end);
}

// A hypothesis word that items compete for: some items that cover it have no reference word in common.
struct ContendedWord {
  std::int32_t first, last;  // the reference starts of the first and the last item that covers it
};

using Items = std::vector<std::int32_t>;  // numbers of items

class ExactProblem {
 public:
  static constexpr std::int32_t none = -1;
  static constexpr std::size_t most_covered = 1u << 22;  // hypothesis words of all items together

  // Returns false if the pair is too large: costs would not fit into 64 bits, or lists into memory.
  bool set(const Candidates& candidates, std::size_t hypothesis_length, const AlignerSettings& settings);

  // Adds an artificial contended word for each clique. The items of a clique exclude each other, so that only
  // one of them can be taken.
  void add_words(const std::vector<Items>& cliques);

  // Requires that alignments have this gain, the largest possible. Then gain need not outweigh everything
  // else: from now on a unit of gain counts as `chunks` chunks. Returns by how much the cost of such
  // alignments increases.
  Cost require(std::int32_t gain, std::int32_t chunks);
  std::int32_t required_gain = none;

  bool covers(std::int32_t item, std::int32_t word) const {
    const auto first = item_words.begin() + items[item].first_word,
               last = item_words.begin() + items[item].last_word;
    return std::find(first, last, word) != last;
  }

  // Removes all other items. Returns the old numbers of the words that are still contended.
  const Items& keep(const Items& kept);

  // Runs `solve` while the items that fulfil a condition are banned: no alignment takes them.
  template <typename Condition, typename Solve>
  bool without(const Condition& condition, const Solve& solve) {
    std::vector<Ban> bans;
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(items.size()); ++k) {
      if (items[k].cost == banned || !condition(k)) continue;
      bans.push_back({k, items[k].gain, items[k].cost});
      items[k].gain = 0;
      items[k].cost = banned;
    }
    const bool solved = solve();
    for (const Ban& ban : bans) {
      items[ban.item].gain = ban.gain;
      items[ban.item].cost = ban.cost;
    }
    return solved;
  }

  std::int32_t gain_of(const Items& path) const;
  // The cost of an alignment, including its chunks.
  Cost cost_of(const Items& path) const;
  // Whether matches, sorted by reference start, are better than others by rules 1 to 4 (see exact.cpp).
  bool is_better(const std::vector<Match>& chosen, const std::vector<Match>& other) const;

  std::int32_t positions = 0;  // of the reference
  std::vector<Item> items;     // sorted by reference start, hypothesis start, reference end, hypothesis end
  std::vector<std::int32_t> starts;  // the items of position p are starts[p] .. starts[p + 1]
  std::vector<ContendedWord> words;
  std::vector<std::int32_t> item_words;
  Cost one_gain = 0, one_chunk = 0, one_distance = 0;

 private:
  static constexpr Cost banned = no_cost / 4;
  struct Ban {
    std::int32_t item, gain;
    Cost cost;
  };

  bool set_scales(std::size_t hypothesis_length);
  void list_items(const Candidates& candidates);
  void link_items();
  void list_words(std::size_t hypothesis_length);
  void drop_uncontended();
  std::int32_t gain_of(const Match& match) const;
  Cost cost_of(const Match& match) const;
  Cost cost_of(const std::vector<Match>& chosen) const;

  const AlignerSettings* settings_ = nullptr;
  std::vector<std::int32_t> first_end_, number_;
  Items contended_;  // the old numbers of the contended words
};

}  // namespace bolide
