// Checks the offsets of lists in one array: list k is values[offsets[k] .. offsets[k + 1]).
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>

namespace bolide {

// Whether `offsets` are valid for this number of values.
template <typename Offset>
bool are_offsets(std::span<const Offset> offsets, std::size_t values) {
  return !offsets.empty() && offsets.front() == 0 && static_cast<std::size_t>(offsets.back()) == values &&
         std::is_sorted(offsets.begin(), offsets.end());
}

// Whether they are also valid for this number of lists.
template <typename Offset>
bool are_offsets(std::span<const Offset> offsets, std::size_t lists, std::size_t values) {
  return offsets.size() == lists + 1 && are_offsets(offsets, values);
}

// Whether no list is empty.
template <typename Offset>
bool are_filled(std::span<const Offset> offsets) {
  return std::adjacent_find(offsets.begin(), offsets.end(), std::greater_equal<>()) == offsets.end();
}

}  // namespace bolide
