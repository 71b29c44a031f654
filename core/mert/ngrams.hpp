// What BLEU counts, as sacrebleu does: n-grams of a hypothesis that are in its references.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace bolide {

using WordIds = std::vector<std::int32_t>;

constexpr int ngram_orders = 4;
// Length, length of the reference nearest in length, n-grams that are right, and n-grams, for each order.
constexpr std::size_t ngram_columns = 2 + 2 * ngram_orders;

// The n-grams of a sentence's references, each as often as the reference that has it most often. They are the
// nodes of a tree, and an n-gram is found from the one that it extends by a word.
class ReferenceNgrams {
 public:
  explicit ReferenceNgrams(std::span<const WordIds> references);
  std::array<std::int64_t, ngram_columns> count(const WordIds& hypothesis);

 private:
  std::int32_t find(std::int32_t prefix, std::int32_t word) const;
  std::int64_t nearest_length(std::int64_t length) const;

  std::unordered_map<std::uint64_t, std::int32_t> nodes_;  // by prefix and word
  std::vector<std::int32_t> most_, seen_;                  // by node; seen_ is 0 between calls
  std::vector<std::int64_t> lengths_;
};

}  // namespace bolide
