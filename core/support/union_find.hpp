// Disjoint sets (union-find).
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace bolide {

// Numbers from 0 on. At first, each number is a set. One number of each set is its name.
class UnionFind {
 public:
  void reset(std::size_t size) {
    parent_.resize(size);
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  std::int32_t find(std::int32_t number) {
    while (parent_[number] != number) number = parent_[number] = parent_[parent_[number]];
    return number;
  }
  // Joins the sets of two numbers. The name is that of the set of `into`.
  void join(std::int32_t number, std::int32_t into) { parent_[find(number)] = find(into); }

 private:
  std::vector<std::int32_t> parent_;
};

}  // namespace bolide
