// Keys of a stage, numbered in the order in which they are first seen, each with its owner.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace bolide {

// A hash table in one piece: vocabularies number hundreds of thousands of keys within a fraction of a second.
class KeyNumbers {
 public:
  static constexpr std::int32_t shared = -1;
  struct Entry {
    std::int64_t key;
    std::int32_t number = empty;
    std::int32_t owner = shared;  // the only word that has the key, or shared
  };

  std::int32_t size() const { return size_; }

  // The key's entry; a new one belongs to `word`. Valid until the next call.
  Entry& find_or_add(std::int64_t key, std::int32_t word) {
    if (2 * static_cast<std::size_t>(size_) >= entries_.size()) grow();
    Entry& entry = entries_[slot_of(key)];
    if (entry.number == empty) entry = {key, size_++, word};
    return entry;
  }

  void prefetch(std::int64_t key) const {
    if (!entries_.empty()) __builtin_prefetch(&entries_[first_slot(key)]);
  }

 private:
  static constexpr std::int32_t empty = -1;

  std::size_t first_slot(std::int64_t key) const {
    const std::uint64_t hash = static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15ull;
    return (hash ^ hash >> 32) & (entries_.size() - 1);
  }
  std::size_t slot_of(std::int64_t key) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t slot = first_slot(key);
    while (entries_[slot].number != empty && entries_[slot].key != key) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    std::vector<Entry> old(entries_.empty() ? 1024 : 2 * entries_.size());
    old.swap(entries_);
    for (const Entry& entry : old) {
      if (entry.number != empty) entries_[slot_of(entry.key)] = entry;
    }
  }

  std::vector<Entry> entries_;
  std::int32_t size_ = 0;
};

}  // namespace bolide
