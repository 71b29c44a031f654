// Records where each key is in a sentence of any length. For short sentences see KeyMasks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "support/spares.hpp"

namespace bolide {

// The positions of a key are a linked list. An array over all keys of the vocabulary has the heads of the
// lists.
class Postings {
 public:
  Postings() {
    Heads heads = HeadSpares::take();
    heads_ = std::move(heads.all);
    round_ = heads.round;
  }
  ~Postings() {
    clear();
    HeadSpares::give({std::move(heads_), round_});
  }
  Postings(const Postings&) = delete;
  Postings& operator=(const Postings&) = delete;

  void clear() {
    keys_.clear();
    positions_.clear();
    if (++round_ == 0) {  // every four billion rounds
      std::fill(heads_.begin(), heads_.end(), ListHead{});
      round_ = 1;
    }
  }

  // The positions of a key must be added in ascending order. Keys are not negative.
  void add(std::int32_t key, std::int32_t position) {
    keys_.push_back(key);
    positions_.push_back(position);
  }

  // Must be called after `add` and before the other functions. All keys must be below `limit`.
  void finish(std::int32_t limit) {
    if (static_cast<std::int32_t>(heads_.size()) < limit) heads_.resize(static_cast<std::size_t>(limit));
    next_.resize(keys_.size());
    for (std::size_t at = keys_.size(); at-- > 0;) {
      ListHead& head = heads_[keys_[at]];
      next_[at] = head.round == round_ ? head.at : -1;
      head = {round_, static_cast<std::int32_t>(at)};
    }
  }

  // Calls visit(position) for the positions of a key, in ascending order.
  template <typename Visit>
  void for_each(std::int32_t key, Visit&& visit) const {
    const ListHead head = heads_[key];
    if (head.round != round_) return;
    for (std::int32_t at = head.at; at >= 0; at = next_[at]) visit(positions_[at]);
  }

  // Turns the lists into arrays, so that the middle of a list can be reached. Afterwards only `nearest` may
  // be called.
  void flatten() {
    flat_.clear();
    ranges_.clear();
    for (std::size_t at = 0; at < keys_.size(); ++at) {
      ListHead& head = heads_[keys_[at]];
      if (head.at != static_cast<std::int32_t>(at)) continue;  // not the first item of its list
      const auto start = static_cast<std::int32_t>(flat_.size());
      for_each(keys_[at], [&](std::int32_t position) { flat_.push_back(position); });
      ranges_.emplace_back(start, static_cast<std::int32_t>(flat_.size()));
      head.at = -static_cast<std::int32_t>(ranges_.size()) - 1;  // below -1: not the number of an item
    }
  }

  // Consecutive positions of a key around `to`, among them the nearest `count`.
  std::span<const std::int32_t> nearest(std::int32_t key, std::int32_t to, std::size_t count) const {
    if (heads_[key].round != round_) return {};
    const auto [start, end] = ranges_[-heads_[key].at - 2];
    const auto middle = std::lower_bound(flat_.begin() + start, flat_.begin() + end, to) - flat_.begin();
    const auto reach = static_cast<std::ptrdiff_t>(count);
    const auto from = std::max<std::ptrdiff_t>(start, middle - reach),
               until = std::min<std::ptrdiff_t>(end, middle + reach);
    return std::span(flat_).subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(until - from));
  }

 private:
  struct ListHead {
    std::uint32_t round = 0;  // the head is valid if this is the current round
    std::int32_t at = -1;
  };
  // The heads of all keys, and the round that comes next.
  struct Heads {
    std::vector<ListHead> all;
    std::uint32_t round = 1;
  };
  using HeadSpares = Spares<Postings, Heads>;

  std::uint32_t round_;
  std::vector<std::int32_t> keys_, positions_;
  std::vector<std::int32_t> next_;  // the next item with the same key, or -1
  std::vector<ListHead> heads_;
  std::vector<std::int32_t> flat_;
  std::vector<std::pair<std::int32_t, std::int32_t>> ranges_;
};

}  // namespace bolide
