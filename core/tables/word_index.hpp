// A read-only, sorted list of words over borrowed arrays (a memory-mapped file, usually).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace bolide {

// Word k is bytes[offsets[k] .. offsets[k + 1]). Invariant: words ascend strictly by their UTF-8 bytes.
class WordIndex {
 public:
  WordIndex() = default;
  WordIndex(std::span<const std::uint8_t> bytes, std::span<const std::uint32_t> offsets)
      : bytes_(bytes), offsets_(offsets) {}

  std::int32_t size() const { return offsets_.empty() ? 0 : static_cast<std::int32_t>(offsets_.size()) - 1; }

  std::string_view word(std::int32_t k) const {
    const char* text = reinterpret_cast<const char*>(bytes_.data());
    return {text + offsets_[k], offsets_[k + 1] - offsets_[k]};
  }

  // The word's position, or -1.
  std::int32_t find(std::string_view wanted) const {
    const std::int32_t place = lower_bound(wanted, 0, size());
    return place < size() && word(place) == wanted ? place : -1;
  }

  // The same, looking from `near` on in growing steps; `near` is moved to where the word stands or would
  // stand. Fast for words that come in their order, or stand close together; right for all.
  std::int32_t find(std::string_view wanted, std::int32_t& near) const {
    std::int32_t low = 0, high = size();
    if (near < size()) {
      std::int32_t step = 1;
      if (word(near) < wanted) {
        low = near;
        while (step < high - low && word(low + step) < wanted) low += step, step *= 2;
        high = std::min(high, low + step);
      } else {
        high = near;
        while (step < high && !(word(high - step) < wanted)) high -= step, step *= 2;
        low = std::max(0, high - step);
      }
    }
    near = lower_bound(wanted, low, high);
    return near < size() && word(near) == wanted ? near : -1;
  }

  // The first of the rules (ending, replacement) that turns `word` into a word of the index: that word's
  // position, or -1. Base forms stand close to each other: they are looked for from `near` on.
  std::int32_t find_rewritten(std::string_view word,
                              std::span<const std::pair<std::string, std::string>> rules,
                              std::int32_t& near) const {
    std::string rewritten;
    for (const auto& [ending, replacement] : rules) {
      if (!word.ends_with(ending)) continue;
      rewritten.assign(word.substr(0, word.size() - ending.size())).append(replacement);
      if (const std::int32_t place = find(rewritten, near); place >= 0) return place;
    }
    return -1;
  }

  // False if the arrays cannot be a word index (damaged file): checked once, so that look-ups need no checks.
  bool valid() const {
    if (offsets_.empty()) return bytes_.empty();
    if (offsets_.front() != 0 || offsets_.back() != bytes_.size()) return false;
    for (std::size_t k = 1; k < offsets_.size(); ++k) {
      if (offsets_[k] < offsets_[k - 1]) return false;
    }
    for (std::int32_t k = 1; k < size(); ++k) {
      if (!(word(k - 1) < word(k))) return false;
    }
    return true;
  }

 private:
  std::int32_t lower_bound(std::string_view wanted, std::int32_t low, std::int32_t high) const {
    while (low < high) {
      const std::int32_t middle = low + (high - low) / 2;
      if (word(middle) < wanted) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  std::span<const std::uint8_t> bytes_;
  std::span<const std::uint32_t> offsets_;
};

}  // namespace bolide
