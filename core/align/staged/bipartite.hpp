// Maximum matching in a bipartite graph, and a minimum vertex cover.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bolide {

// Both have the same size (König's theorem). So *every* maximum matching matches each word of the cover, by
// an edge whose other word is not in the cover; and every matching that does this is a maximum matching.
class Bipartite {
 public:
  // The left word l is connected to the right words targets[starts[l] .. starts[l + 1]). Returns whether the
  // matching is a maximum: in extreme cases the search stops early.
  bool solve(std::span<const std::int32_t> starts, std::span<const std::int32_t> targets,
             std::int32_t rights);

  std::vector<std::int32_t> right_of, left_of;  // the matching; -1: unmatched
  std::vector<char> left_cover, right_cover;    // valid if the matching is a maximum

 private:
  bool find_levels();
  bool augment(std::int32_t root);
  void find_cover();

  std::span<const std::int32_t> starts_, targets_;
  std::vector<std::int32_t> level_, next_, queue_, path_;
};

}  // namespace bolide
