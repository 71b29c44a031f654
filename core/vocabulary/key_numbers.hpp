// The keys of a stage: which word has each key, and small numbers for the keys that can match.
#pragma once

#include <cstdint>
#include <vector>

#include "support/compiler.hpp"

namespace bolide {

// A hash table without pointers, because vocabularies number hundreds of thousands of keys in a fraction of a
// second.
class KeyNumbers {
 public:
  static constexpr std::int32_t none = -1;                   // no number
  static constexpr std::int32_t shared = -1, no_owner = -2;  // several owners, no owner
  struct NumberedKey {
    std::int64_t key;
    std::int32_t number = none;
    std::int32_t owner = no_owner;  // the only word with this key, or `shared`
  };

  // How many keys have a number. Numbers are 0, 1, ...
  std::int32_t given() const { return given_; }

  // Finds a key, or adds it with `word` as its owner. The reference is valid until the next call.
  NumberedKey& find_or_add(std::int64_t key, std::int32_t word) {
    if (2 * size_ >= entries_.size()) grow();
    NumberedKey& entry = entries_[slot_of(key)];
    if (entry.owner == no_owner) entry = {key, none, word}, ++size_;
    return entry;
  }
  // The number of a key; a key without a number gets the next one.
  std::int32_t number(NumberedKey& entry) {
    if (entry.number == none) entry.number = given_++;
    return entry.number;
  }

  void prefetch(std::int64_t key) const {
    if (!entries_.empty()) bolide::prefetch(&entries_[first_slot(key)]);
  }

 private:
  std::size_t first_slot(std::int64_t key) const {
    const std::uint64_t hash = static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15ull;
    return (hash ^ hash >> 32) & (entries_.size() - 1);
  }
  std::size_t slot_of(std::int64_t key) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t slot = first_slot(key);
    while (entries_[slot].owner != no_owner && entries_[slot].key != key) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    std::vector<NumberedKey> old(entries_.empty() ? 1024 : 2 * entries_.size());
    old.swap(entries_);
    for (const NumberedKey& entry : old) {
      if (entry.owner != no_owner) entries_[slot_of(entry.key)] = entry;
    }
  }

  std::vector<NumberedKey> entries_;
  std::size_t size_ = 0;
  std::int32_t given_ = 0;
};

}  // namespace bolide
