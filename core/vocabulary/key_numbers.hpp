// Keys of a stage with their owners, and numbers for those that are asked for.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace bolide {

// A hash table in one piece: vocabularies number hundreds of thousands of keys within a fraction of a second.
class KeyNumbers {
 public:
  static constexpr std::int32_t none = -1;                 // for a number
  static constexpr std::int32_t shared = -1, nobody = -2;  // for an owner
  struct NumberedKey {
    std::int64_t key;
    std::int32_t number = none;
    std::int32_t owner = nobody;  // the only word that has the key, or shared
  };

  // How many numbers were given: 0, 1, ...
  std::int32_t given() const { return given_; }

  // The key's entry; a new one belongs to `word`. Valid until the next call.
  NumberedKey& find_or_add(std::int64_t key, std::int32_t word) {
    if (2 * size_ >= entries_.size()) grow();
    NumberedKey& entry = entries_[slot_of(key)];
    if (entry.owner == nobody) entry = {key, none, word}, ++size_;
    return entry;
  }
  // The entry's number, given now if it has none.
  std::int32_t number(NumberedKey& entry) {
    if (entry.number == none) entry.number = given_++;
    return entry.number;
  }

  void prefetch(std::int64_t key) const {
    if (!entries_.empty()) __builtin_prefetch(&entries_[first_slot(key)]);
  }

 private:
  std::size_t first_slot(std::int64_t key) const {
    const std::uint64_t hash = static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15ull;
    return (hash ^ hash >> 32) & (entries_.size() - 1);
  }
  std::size_t slot_of(std::int64_t key) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t slot = first_slot(key);
    while (entries_[slot].owner != nobody && entries_[slot].key != key) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    std::vector<NumberedKey> old(entries_.empty() ? 1024 : 2 * entries_.size());
    old.swap(entries_);
    for (const NumberedKey& entry : old) {
      if (entry.owner != nobody) entries_[slot_of(entry.key)] = entry;
    }
  }

  std::vector<NumberedKey> entries_;
  std::size_t size_ = 0;
  std::int32_t given_ = 0;
};

}  // namespace bolide
