// A largest one-to-one subset of a relation, and a smallest set of words that touches all of the relation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bolide {

// Both sets are equally large (König). So each word of the cover is tied in *every* largest subset, by a pair
// whose other word is not of the cover; and whatever ties all of the cover so is a largest subset.
class Bipartite {
 public:
  // Left l is related to targets[starts[l] .. starts[l + 1]), numbers of right words. Returns whether the
  // matching is the largest: on hostile relations the search stops early.
  bool solve(std::span<const std::int32_t> starts, std::span<const std::int32_t> targets,
             std::int32_t rights);

  std::vector<std::int32_t> right_of, left_of;  // the matching; -1: none
  std::vector<char> left_cover, right_cover;    // meaningful if it is the largest

 private:
  bool find_levels();
  bool augment(std::int32_t root);
  void find_cover();

  std::span<const std::int32_t> starts_, targets_;
  std::vector<std::int32_t> level_, next_, queue_, path_;
};

}  // namespace bolide
