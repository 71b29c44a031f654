// Checks the offsets of lists in one array: list k is values[offsets[k] .. offsets[k + 1]).
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace bolide {

// Whether `offsets` are valid for this number of lists and of values.
template <typename Offset>
bool are_offsets(std::span<const Offset> offsets, std::size_t lists, std::size_t values) {
  return offsets.size() == lists + 1 && offsets.front() == 0 &&
         static_cast<std::size_t>(offsets.back()) == values && std::is_sorted(offsets.begin(), offsets.end());
}

}  // namespace bolide
