// Records where each key is in a short sentence, as a set of bits. A key needs one memory access, however
// often it occurs.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "support/spares.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

// The keys of all words of a sentence in one array, each with the position of its word. The number of keys
// per word varies unpredictably; one loop over all keys avoids nested loops with mispredicted branches.
class FlatKeys {
 public:
  static constexpr std::size_t most_positions = 255;
  static constexpr std::size_t step = Vocabulary::readable_keys;  // how many keys are copied at a time

  // Sets the keys of `words` words; keys_of(k) gives those of word k.
  template <typename KeysOf>
  void set(std::size_t words, const KeysOf& keys_of) {
    std::size_t end = 0;
    for (std::size_t position = 0; position < words; ++position) {
      const std::span<const std::int32_t> keys = keys_of(position);
      if (end + keys.size() + step > keys_.size()) make_room(end + keys.size() + step);
      std::int32_t* const to = keys_.data() + end;
      std::uint8_t* const positions = positions_.data() + end;
      std::size_t k = 0;
      do {  // at least once, even without keys: few words need more than one step
        std::memcpy(to + k, keys.data() + k, step * sizeof(std::int32_t));
        std::memset(positions + k, static_cast<int>(position), step);
        k += step;
      } while (k < keys.size());
      end += keys.size();
    }
    size_ = end;
  }
  // The same if no word has several keys: without a branch.
  template <typename KeysOf>
  void set_single(std::size_t words, const KeysOf& keys_of) {
    if (words > keys_.size()) make_room(words);
    std::int32_t* const to = keys_.data();
    std::uint8_t* const positions = positions_.data();
    std::size_t end = 0;
    for (std::size_t position = 0; position < words; ++position) {
      const std::span<const std::int32_t> keys = keys_of(position);
      to[end] = *keys.data();  // can be read even if there is none
      positions[end] = static_cast<std::uint8_t>(position);
      end += keys.size();
    }
    size_ = end;
  }
  // Sets at most one key per word; a negative number is no key.
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

// One mask per key of the vocabulary. All masks are zero, except those of the sentence that was put in. It
// must be taken out before the next one.
class KeyMasks {
 public:
  static constexpr std::size_t most_positions = 64;

  KeyMasks() : masks_(MaskSpares::take()) {}
  ~KeyMasks() {
    if (!in_use_) MaskSpares::give(std::move(masks_));
  }
  KeyMasks(const KeyMasks&) = delete;
  KeyMasks& operator=(const KeyMasks&) = delete;

  // Puts in a sentence of at most `most_positions` words. All keys must be below `limit`.
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
  // For each word of another sentence, finds the positions that share a key with it. Words without keys are
  // skipped.
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
  using MaskSpares = Spares<KeyMasks, std::vector<std::uint64_t>>;

  std::vector<std::uint64_t> masks_;
  bool in_use_ = false;
};

}  // namespace bolide
