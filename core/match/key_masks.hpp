// Where in a short sentence each key stands, as bits: one access for a key, whatever the number of its
// places.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "vocabulary/vocabulary.hpp"

namespace bolide {

// The keys of a sentence, one behind the other, each with the place of its word. Words have few keys or many,
// which nobody could foretell: what is done with them is done in one loop over all.
class FlatKeys {
 public:
  static constexpr std::size_t most_positions = 255;
  static constexpr std::size_t step = Vocabulary::readable_keys;  // keys that are copied at a time

  // The keys of so many words; keys_of(k) are those of word k.
  template <typename KeysOf>
  void set(std::size_t words, const KeysOf& keys_of) {
    std::size_t end = 0;
    for (std::size_t position = 0; position < words; ++position) {
      const std::span<const std::int32_t> keys = keys_of(position);
      if (end + keys.size() + step > keys_.size()) make_room(end + keys.size() + step);
      std::int32_t* const to = keys_.data() + end;
      std::uint8_t* const positions = positions_.data() + end;
      std::size_t k = 0;
      do {  // even if there are none: few have more than one step
        std::memcpy(to + k, keys.data() + k, step * sizeof(std::int32_t));
        std::memset(positions + k, static_cast<int>(position), step);
        k += step;
      } while (k < keys.size());
      end += keys.size();
    }
    size_ = end;
  }
  // One key a word, or none, which is a negative number.
  void set(std::span<const std::int32_t> keys) {
    if (keys.size() > keys_.size()) make_room(keys.size());
    std::size_t end = 0;
    for (std::size_t position = 0; position < keys.size(); ++position) {
      keys_[end] = keys[position];
      positions_[end] = static_cast<std::uint8_t>(position);
      end += keys[position] >= 0;
    }
    size_ = end;
  }

  struct All {
    const std::int32_t* keys;
    const std::uint8_t* positions;
    std::size_t size;
  };
  All all() const { return {keys_.data(), positions_.data(), size_}; }

 private:
  void make_room(std::size_t size) {
    keys_.resize(2 * size);
    positions_.resize(2 * size);
  }

  std::size_t size_ = 0;
  std::vector<std::int32_t> keys_;
  std::vector<std::uint8_t> positions_;
};

// Masks of all keys there are; all zero but for those of the sentence at hand, which must be taken out again.
class KeyMasks {
 public:
  static constexpr std::size_t most_positions = 64;

  KeyMasks() {
    if (spares().empty()) return;
    masks_ = std::move(spares().back());
    spares().pop_back();
  }
  ~KeyMasks() {
    if (!in_use_) spares().push_back(std::move(masks_));
  }
  KeyMasks(const KeyMasks&) = delete;
  KeyMasks& operator=(const KeyMasks&) = delete;

  // Puts in the keys of a sentence of at most `most_positions` words; all are below `limit`.
  void put_in(const FlatKeys& sentence, std::int32_t limit) {
    in_use_ = true;
    if (masks_.size() < static_cast<std::size_t>(limit)) masks_.resize(static_cast<std::size_t>(limit));
    std::uint64_t* const masks = masks_.data();
    const auto [keys, positions, size] = sentence.all();
    for (std::size_t k = 0; k < size; ++k) masks[keys[k]] |= std::uint64_t{1} << positions[k];
  }
  void take_out(const FlatKeys& sentence) {
    std::uint64_t* const masks = masks_.data();
    const auto [keys, positions, size] = sentence.all();
    for (std::size_t k = 0; k < size; ++k) masks[keys[k]] = 0;
    in_use_ = false;
  }

  std::uint64_t operator[](std::int32_t key) const { return masks_[key]; }
  // For each word of another sentence, the places of all its keys; words without keys are passed over.
  void find(const FlatKeys& other, std::uint64_t* places) const {
    const std::uint64_t* const masks = masks_.data();
    const auto [keys, positions, size] = other.all();
    std::uint64_t met = 0;
    std::size_t last = FlatKeys::most_positions;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t position = positions[k];
      met = (position == last ? met : 0) | masks[keys[k]];
      places[position] = met;
      last = position;
    }
  }

 private:
  // Masks that nobody uses. There is one for every key of the vocabulary: to make them anew would be most of
  // the work where segments come one by one.
  static std::vector<std::vector<std::uint64_t>>& spares() {
    thread_local std::vector<std::vector<std::uint64_t>> found;
    return found;
  }

  std::vector<std::uint64_t> masks_;
  bool in_use_ = false;
};

}  // namespace bolide
