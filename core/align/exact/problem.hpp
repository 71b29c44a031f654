// The exact aligner's view of a pair: matches with one integer cost each, what may follow what in a chunk,
// and the hypothesis words that matches compete for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "align/aligner.hpp"

namespace bolide {

// Gain, chunks, distance and stages in one number, the more important ones so large that the others together
// never outweigh one of them.
using Cost = std::int64_t;
constexpr Cost no_cost = Cost{1} << 61;  // beyond all costs

// Counts what the aligner does, in steps of about a nanosecond; the clock would give other alignments on
// other days.
struct Budget {
  std::int64_t left = 0;
  void spend(std::size_t steps) { left -= static_cast<std::int64_t>(steps); }
  bool spent() const { return left <= 0; }
};

// A candidate match.
struct Item {
  std::int32_t reference_start, reference_end;
  std::int32_t hypothesis_start, hypothesis_end;
  std::int32_t first_word, last_word;  // the contended words that it covers, in ExactProblem::item_words
  std::int32_t next;                   // first of the items that would continue its chunk, or none
  std::int32_t gain;
  Cost cost;  // without the chunk that it may begin
  std::int32_t match;
  std::int32_t number;  // among the items that the problem had at first
};

// Whether two items have a word in common.
inline bool exclude(const Item& a, const Item& b) {
  return (a.reference_start < b.reference_end && b.reference_start < a.reference_end) ||
         (a.hypothesis_start < b.hypothesis_end && b.hypothesis_start < a.hypothesis_end);
}

// A hypothesis word that is covered by items which do not exclude each other in the reference already.
struct ContendedWord {
  std::int32_t first, last;  // reference starts of the first and the last item that covers it
};

using Items = std::vector<std::int32_t>;  // numbers of items

class ExactProblem {
 public:
  static constexpr std::int32_t none = -1;
  static constexpr std::size_t most_covered = 1u << 22;  // hypothesis words that all items together cover

  // False if the pair is too large: its costs would not fit 64 bits, or its lists the memory.
  bool set(const Candidates& candidates, std::size_t hypothesis_length, const AlignerSettings& settings);

  // Adds words that do not exist: of the items of a clique, which exclude each other, only one can be taken.
  void add_words(const std::vector<Items>& cliques);

  // From now on only alignments of this gain, the largest possible, count as alignments. Gain need not
  // outweigh everything any more, so a unit is worth only so many chunks. Returns how much more alignments
  // cost now.
  Cost require(std::int32_t gain, std::int32_t chunks);
  std::int32_t required_gain = none;

  bool covers(std::int32_t item, std::int32_t word) const {
    const auto first = item_words.begin() + items[item].first_word,
               last = item_words.begin() + items[item].last_word;
    return std::find(first, last, word) != last;
  }

  // Leaves only these items. Returns the words that are still contended, as they were numbered before.
  const Items& keep(const Items& kept);

  // Runs `solve` with the items that fulfil a condition banned: no alignment takes them.
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
  // What an alignment costs, its chunks included.
  Cost cost_of(const Items& path) const;
  // Whether one choice of matches, ordered by reference start, is better than another by rules 1 to 4.
  bool is_better(const std::vector<Match>& chosen, const std::vector<Match>& other) const;

  std::int32_t positions = 0;        // of the reference
  std::vector<Item> items;           // by reference start, hypothesis start, reference end, hypothesis end
  std::vector<std::int32_t> starts;  // items of position p: starts[p] .. starts[p + 1]
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
  Items contended_;  // the words, as they were numbered before
};

}  // namespace bolide
