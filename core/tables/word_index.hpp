// A read-only, sorted list of words. The arrays are borrowed, usually from a memory-mapped file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

namespace bolide {

// Word k is bytes[offsets[k] .. offsets[k + 1]). Words ascend strictly by their UTF-8 bytes.
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

  // The position of a word; -1 if it is not in the list.
  std::int32_t find(std::string_view wanted) const {
    const std::int32_t place = lower_bound(wanted, 0, size());
    return place < size() && word(place) == wanted ? place : -1;
  }

  // The same, searching from `near` in growing steps; sets `near` to where the word is or would be. This is
  // fast if words come in sorted order or are close together, and correct in any case.
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

  // Returns false if the arrays are not a word index (damaged file). Checked once, so that look-ups need no
  // checks.
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
