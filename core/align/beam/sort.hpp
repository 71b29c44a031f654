// Sorts keys by networks: which keys are compared does not depend on their values. vector_search.hpp includes
// this file. For networks, an instruction set has the type `Register`, its number of lanes
// `register_lanes`, and these functions:
//
//     load_register, store_register
//     order(a, b)                 puts the smaller number of each lane into `a`, and the larger into `b`
//     reverse_groups<lanes>(a)    reverses each group of this many lanes
//     order_groups<lanes>(a, b)   sorts each group of lanes, in both registers, that is bitonic after its
//                                 second half is reversed
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "align/beam/vector.hpp"

namespace bolide {

namespace {

BOLIDE_TARGET bool is_sorted(const std::uint64_t* keys, std::size_t size) {
  for (std::size_t k = 0; k + 1 < size; k += 8) {
    if (any(both(first_lanes(size - 1 - k), greater_keys(load(keys + k), load(keys + k + 1))))) return false;
  }
  return true;
}

// Two registers, or vectors, to order lane by lane.
using Step = std::pair<int, int>;

// The steps of Batcher's merge exchange sort, for a power of two of rows.
template <typename Function>
constexpr void each_sort_step(int rows, Function function) {
  for (int size = 1; size < rows; size *= 2) {
    for (int distance = size; distance > 0; distance /= 2) {
      for (int begin = distance % size; begin + distance < rows; begin += 2 * distance) {
        for (int k = begin; k < begin + distance; ++k) {
          if (k / (2 * size) == (k + distance) / (2 * size)) function(Step{k, k + distance});
        }
      }
    }
  }
}
constexpr std::size_t count_sort_steps(int rows) {
  std::size_t count = 0;
  each_sort_step(rows, [&](Step) { ++count; });
  return count;
}
template <int rows>
constexpr auto sort_network = [] {
  std::array<Step, count_sort_steps(rows)> steps{};
  std::size_t count = 0;
  each_sort_step(rows, [&](Step step) { steps[count++] = step; });
  return steps;
}();

// The steps of a bitonic merge between vectors: at a distance of half of them, a quarter, and so on.
template <int vectors>
constexpr auto merge_network = [] {
  std::array<Step, static_cast<std::size_t>(vectors / 2 * std::countr_zero(unsigned{vectors}))> steps{};
  std::size_t step = 0;
  for (int distance = vectors / 2; distance > 0; distance /= 2) {
    for (int k = 0; k < vectors; ++k) {
      if ((k & distance) == 0) steps[step++] = {k, k + distance};
    }
  }
  return steps;
}();

template <int rows, const auto& network>
BOLIDE_TARGET inline void order_rows(Register* r) {
  BOLIDE_UNROLL(64)
  for (const auto& [a, b] : network) order(r[a], r[b]);
}

// Merges the two halves of each group of lanes, which are sorted row after row. Each step compares keys from
// opposite ends. The smaller ones are a bitonic sequence again, of which each row has both ends, and so are
// the larger ones.
template <int lanes, int rows>
BOLIDE_TARGET inline void merge_lanes(Register* r) {
  constexpr int half = rows / 2;
  Register larger[half];
  BOLIDE_UNROLL(16)
  for (int k = 0; k < half; ++k) {
    larger[k] = reverse_groups<lanes>(r[rows - 1 - k]);
    order(r[k], larger[k]);
  }
  BOLIDE_UNROLL(16)
  for (int k = 0; k < half; ++k) r[half + k] = larger[k];
  if constexpr (half == 1) {
    order_groups<lanes>(r[0], r[1]);
  } else {
    merge_lanes<lanes, half>(r);
    merge_lanes<lanes, half>(r + half);
  }
}

template <int rows>
BOLIDE_TARGET inline void load_rows(Register* r, const std::uint64_t* keys) {
  BOLIDE_UNROLL(16)
  for (int k = 0; k < rows; ++k) r[k] = load_register(keys + register_lanes * k);
}
template <int rows>
BOLIDE_TARGET inline void store_rows(std::uint64_t* keys, const Register* r) {
  BOLIDE_UNROLL(16)
  for (int k = 0; k < rows; ++k) store_register(keys + register_lanes * k, r[k]);
}

// Sorts a bitonic sequence, for registers of two lanes.
template <int rows>
BOLIDE_TARGET inline void sort_bitonic(std::uint64_t* keys) {
  Register r[rows];
  load_rows<rows>(r, keys);
  order_rows<rows, merge_network<rows>>(r);
  BOLIDE_UNROLL(16)
  for (int k = 0; k < rows; k += 2) order_groups<2>(r[k], r[k + 1]);
  store_rows<rows>(keys, r);
}

// Sorts this number of keys: first each lane across the rows, then pairs of lanes are merged, and so on. SSE2
// and AVX2 have 16 registers, so more rows are sorted in two parts, which are merged.
template <int count>
BOLIDE_TARGET void sort_as(std::uint64_t* keys) {
  constexpr int rows = count / register_lanes, half = rows / 2;
  if constexpr (rows <= 16) {
    Register r[rows];
    load_rows<rows>(r, keys);
    order_rows<rows, sort_network<rows>>(r);
    merge_lanes<2, rows>(r);
    if constexpr (register_lanes >= 4) merge_lanes<4, rows>(r);
    if constexpr (register_lanes >= 8) merge_lanes<8, rows>(r);
    store_rows<rows>(keys, r);
  } else {
    sort_as<count / 2>(keys);
    sort_as<count / 2>(keys + count / 2);
    for (int k = 0; k < half; ++k) {
      std::uint64_t *const near = keys + register_lanes * k, *const far =
                                                                 keys + register_lanes * (rows - 1 - k);
      Register smaller = load_register(near), larger = reverse_groups<2>(load_register(far));
      order(smaller, larger);
      store_register(near, smaller);
      store_register(far, larger);
    }
    sort_bitonic<half>(keys);
    sort_bitonic<half>(keys + count / 2);
  }
}

// Sorts up to 64 keys. Fills the places after them with the largest key, up to a power of two, at least 8.
BOLIDE_TARGET void sort(std::uint64_t* keys, std::size_t size) {
  constexpr int fewest = std::max(8, 2 * register_lanes);
  const std::size_t filled = std::bit_ceil(std::max<std::size_t>(size, fewest));
  for (std::size_t k = size; k < filled; k += 8) store(keys + k, all(last_vector_key));
  if (filled == fewest) return sort_as<fewest>(keys);
  if (filled == 16) return sort_as<16>(keys);
  if (filled == 32) return sort_as<32>(keys);
  sort_as<64>(keys);
}

// Merges the 64 smallest keys of two sorted columns of 64 into the first. They are the smaller keys of the
// pairs from opposite ends, which form a bitonic sequence. Stores only the vectors that contain the first
// `wanted` keys.
BOLIDE_TARGET void merge_64(std::uint64_t* into, const std::uint64_t* other, std::size_t wanted) {
  Vector v[8];
  for (int k = 0; k < 8; ++k) v[k] = smaller_keys(load(into + 8 * k), reverse(load(other + 8 * (7 - k))));
  order_columns<8, merge_network<8>>(v);
  for (std::size_t k = 0; 8 * k < wanted; ++k) store(into + 8 * k, order_within(v[k]));
}

}  // namespace

}  // namespace bolide
