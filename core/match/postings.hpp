// Where in a sentence each key stands.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bolide {

// Positions by key, in a sentence of any length: the positions of a key are linked, and found through an
// array over all keys there are. For short sentences see KeyMasks.
class Postings {
 public:
  Postings() {
    if (spares().empty()) return;
    heads_ = std::move(spares().back().heads);
    round_ = spares().back().round;
    spares().pop_back();
  }
  ~Postings() {
    clear();
    spares().push_back({std::move(heads_), round_});
  }
  Postings(const Postings&) = delete;
  Postings& operator=(const Postings&) = delete;

  void clear() {
    keys_.clear();
    positions_.clear();
    if (++round_ == 0) {  // once in four billion rounds
      std::fill(heads_.begin(), heads_.end(), ListHead{});
      round_ = 1;
    }
  }

  // Positions of a key must be added from the first to the last. Keys are not negative.
  void add(std::int32_t key, std::int32_t position) {
    keys_.push_back(key);
    positions_.push_back(position);
  }

  // To be called when all are added, and before anything is asked. Keys are below `limit`.
  void finish(std::int32_t limit) {
    if (static_cast<std::int32_t>(heads_.size()) < limit) heads_.resize(static_cast<std::size_t>(limit));
    next_.resize(keys_.size());
    for (std::size_t at = keys_.size(); at-- > 0;) {
      ListHead& head = heads_[keys_[at]];
      next_[at] = head.round == round_ ? head.at : -1;
      head = {round_, static_cast<std::int32_t>(at)};
    }
  }

  // Calls visit(position) for the key's positions, ascending.
  template <typename Visit>
  void for_each(std::int32_t key, Visit&& visit) const {
    const ListHead head = heads_[key];
    if (head.round != round_) return;
    for (std::int32_t at = head.at; at >= 0; at = next_[at]) visit(positions_[at]);
  }

  // The lists laid out as arrays, so that the middle of one can be reached: only `nearest` may be asked after
  // this.
  void flatten() {
    flat_.clear();
    ranges_.clear();
    for (std::size_t at = 0; at < keys_.size(); ++at) {
      ListHead& head = heads_[keys_[at]];
      if (head.at != static_cast<std::int32_t>(at)) continue;  // not the first of its list
      const auto start = static_cast<std::int32_t>(flat_.size());
      for_each(keys_[at], [&](std::int32_t position) { flat_.push_back(position); });
      ranges_.emplace_back(start, static_cast<std::int32_t>(flat_.size()));
      head.at =
          -static_cast<std::int32_t>(ranges_.size()) - 1;  // below -1, so that no item takes it for itself
    }
  }

  // A stretch of the key's positions around `to` that holds the nearest `count`.
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
    std::uint32_t round = 0;  // the head is set if this is the present round
    std::int32_t at = -1;
  };
  // Heads that nobody uses. There is one for every key of the vocabulary: to make them anew would be most
  // of the work where segments come one by one.
  struct Spare {
    std::vector<ListHead> heads;
    std::uint32_t round;
  };
  static std::vector<Spare>& spares() {
    thread_local std::vector<Spare> found;
    return found;
  }

  std::uint32_t round_ = 1;
  std::vector<std::int32_t> keys_, positions_;
  std::vector<std::int32_t> next_;  // of the same key, or -1
  std::vector<ListHead> heads_;
  std::vector<std::int32_t> flat_;
  std::vector<std::pair<std::int32_t, std::int32_t>> ranges_;
};

}  // namespace bolide
